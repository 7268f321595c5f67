// Requests about the user's variants of prompts.
import { variantChoices } from '../../lab/promptVariants.ts';
import { os } from '../os.ts';

export const prompts = {
  variants: os.prompts.variants.handler(() => variantChoices()),
};
