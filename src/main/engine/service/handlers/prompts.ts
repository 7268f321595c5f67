// Requests about the user's variants of prompts.
import { writeFileSync } from 'node:fs';
import type { Variant } from '../../../../core/prompts/variant.ts';
import { draftSchema } from '../../../../shared/api/experiments.ts';
import { checkVariant, openVariant, removeVariant, saveVariant, usableVariant, variantText } from '../../lab/promptEditing.ts';
import { keepVariant, readVariantText, variantChoices } from '../../lab/promptVariants.ts';
import { os } from '../os.ts';
import { drafted } from './drafts.ts';

const saved = ({ name, protocol, hash }: Variant) => ({ name, protocol, hash });

export const prompts = {
  variants: os.prompts.variants.handler(() => variantChoices()),
  open: os.prompts.open.handler(({ input }) => openVariant(input)),
  check: os.prompts.check.handler(({ input }) => {
    const { variant, problems } = checkVariant(input);
    return { hash: variant?.hash ?? null, problems: [...problems] };
  }),
  preview: os.prompts.preview.handler(async ({ context: service, input: { edited, entry, params }, signal }) => {
    const { variant } = usableVariant(edited);
    const { name, protocol } = variant;
    // No server is asked: the demo model takes its place, and any name serves as the model.
    const arm = { name, protocol, params, cast: { '*': { model: 'any model' } } };
    const draft = draftSchema.parse({ entry, sample: { n: 1 }, backend: 'standin', arms: [arm] });
    const { experiment, dataPath } = (await drafted(service, draft, signal)).prepared;
    return service.queries.run('draftPreview', { experiment, dataPath, arm: 0, variant }, signal);
  }),
  save: os.prompts.save.handler(({ input: { edited, replaces } }) => saved(saveVariant(edited, replaces))),
  import: os.prompts.import.handler(({ context: service, input: { upload } }) => {
    const { path, fileName } = service.files.upload(upload);
    return saved(keepVariant(readVariantText(path), fileName).variant);
  }),
  restore: os.prompts.restore.handler(({ input: { content } }) => saved(keepVariant(content, 'the variant').variant)),
  remove: os.prompts.remove.handler(({ input: { name } }) => ({ content: removeVariant(name) })),
  export: os.prompts.export.handler(({ context: service, input: { name } }) => {
    const content = variantText(name);
    const fileName = `${name}.md`;
    const { file, path } = service.files.reserve(fileName);
    writeFileSync(path, content);
    return { file, fileName };
  }),
};
