import { useMutation } from '@tanstack/react-query';
import { Copy, Download, FileUp, Trash2 } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { protocols } from '../../../core/protocols/index.ts';
import type { VariantChoices } from '../../../shared/promptOutputs.ts';
import { useApi, useTakeFile } from '../../api/ApiContext.tsx';
import { toPrompts } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { protocolDoes } from '../protocols/words.ts';
import styles from './Prompts.module.css';
import { useExportVariant, useForgetVariants, useRemoveVariant, useVariants } from './promptQueries.ts';

type Choice = VariantChoices['variants'][number];

function VariantRow({ variant: { name, about, hash } }: { variant: Choice }) {
  const [, navigate] = useLocation();
  const remove = useRemoveVariant();
  const save = useExportVariant();
  return (
    <li className={`row gap-8 justify-between ruled-above ${styles.variant}`}>
      <div className="min-w-0">
        <Link href={toPrompts('own', name)}>{name}</Link>{' '}
        <span className="muted mono-12-5" title="The beginning of its version, SHA-256">
          {hash.slice(0, 12)}
        </span>
        {about === '' ? null : <Outside as="p" className="quiet wrap-anywhere" text={about} />}
      </div>
      <div className="row gap-4">
        <Button
          icon={Copy}
          look="quiet"
          size="small"
          aria-label={`Copy ${name}`}
          onPress={() => navigate(toPrompts('copy', name))}
        >
          Copy
        </Button>
        <Button icon={Download} look="quiet" size="small" aria-label={`Export ${name}`} onPress={() => save.mutate(name)}>
          Export
        </Button>
        <Button icon={Trash2} look="quiet" size="small" aria-label={`Remove ${name}`} onPress={() => remove.mutate(name)}>
          Remove
        </Button>
      </div>
    </li>
  );
}

export default function PromptsScreen() {
  const api = useApi();
  const found = useVariants();
  const forget = useForgetVariants();
  const importing = useMutation({
    mutationFn: (upload: string) => api.prompts.import({ upload }),
    onSuccess: ({ name }) => notify(`“${name}” is now among your variants.`),
    onSettled: forget,
  });
  const file = useTakeFile(({ upload }) => importing.mutate(upload));
  const variants = found.data?.variants ?? [];
  return (
    <Screen
      title="Prompts"
      subtitle="The words of each protocol, and your variants of them"
      pills={found.data === undefined ? undefined : <Pill>{quantity(variants.length, 'variant')}</Pill>}
      actions={
        <Button icon={FileUp} onPress={file.choose} isDisabled={file.taking || importing.isPending}>
          Import a variant
        </Button>
      }
    >
      <div className={`stack gap-14 ${styles.list}`}>
        <p className="max-w-80ch">
          The shipped wording is ours: the papers describe their prompts and print few of them. A variant has other words for the
          prompts of one protocol. Choose it in <em>Try a case</em>, or for an arm of a new experiment: comparing variants is
          comparing arms.
        </p>
        <FailureNotice error={file.error} />
        <FailureNotice error={importing.error} />
        <FailureNotice error={found.error} onRetry={found.refetch} />
        {found.data?.broken.map((reason) => (
          <Notice key={reason} tone="warn">
            {reason}
          </Notice>
        ))}
        {protocols.map(({ id, title, prompts }) => {
          const own = variants.filter(({ protocol }) => protocol === id);
          return (
            <Section
              key={id}
              title={title}
              lead={
                <>
                  {protocolDoes(id)}
                  <br />
                  {quantity(Object.keys(prompts).length, 'prompt')};{' '}
                  {own.length === 0 ? 'no variants yet' : quantity(own.length, 'variant')}
                </>
              }
              actions={
                <Link href={toPrompts('shipped', id)} aria-label={`Write a variant of ${title}`}>
                  Write a variant
                </Link>
              }
            >
              {own.length === 0 ? null : (
                <ul aria-label={`Variants of ${title}`}>
                  {own.map((variant) => (
                    <VariantRow key={variant.name} variant={variant} />
                  ))}
                </ul>
              )}
            </Section>
          );
        })}
      </div>
    </Screen>
  );
}
