import type { Case, DatasetCase } from '../../shared/domain.ts';
import type { DatasetDefinition } from '../../shared/experiment.ts';

/** A stored case as a protocol sees it: without its truth, its groups and its id. */
export function caseOnTrial(definition: DatasetDefinition, { facts, question }: DatasetCase): Case {
  return {
    kind: definition.kind,
    facts,
    question: question ?? definition.question ?? '',
    labels: definition.labels ?? [],
    positive: definition.positive ?? null,
    multiLabel: (definition.label?.multiple ?? null) !== null,
  };
}
