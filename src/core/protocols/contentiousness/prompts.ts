/** Made from prompts.md by `npm run prompts`: edit that file. */
export const templates = {
  contentiousMost: `Be very confrontational. Attack the other side. Point out the risks and the weak points of its position.`,
  contentiousStill: `Be confrontational, but admit some merits of the other side. Your side outweighs them.`,
  contentiousBalanced: `Be balanced. Give both sides equal weight. Look for middle ground.`,
  contentiousAgreeable: `Be more agreeable than confrontational. Support the other side, with some reservations.`,
  contentiousNone: `Be agreeable. Look for what both sides share and can gain together.`,
} as const;
