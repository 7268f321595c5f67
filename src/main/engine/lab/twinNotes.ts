import { canonical } from '../../../core/answers/canonical.ts';
import { type PreparedExperiment, playersOf } from './experimentFile.ts';

/** Says which arms differ in their names alone: their seeds are the same, so at best they repeat each other. */
export function twinNotes({ arms }: PreparedExperiment): string[] {
  const alike = Map.groupBy(arms, (arm) => {
    const { definition, protocol, bound, swap } = arm;
    return canonical({
      protocol: [protocol.id, protocol.version],
      params: bound.params,
      cast: playersOf(arm),
      belief: definition.belief,
      swap,
    });
  });
  return [...alike.values()].flatMap((twins) => {
    if (twins.length < 2) return [];
    const names = twins.map(({ definition }) => definition.name).join(', ');
    return [
      `arms ${names} have the same protocol, parameters and cast: they tell nothing about each other; for repeated trials use replicates`,
    ];
  });
}
