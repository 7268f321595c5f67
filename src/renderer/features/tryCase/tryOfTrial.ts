// A trial as the form of a single trial: its case and its court.
import { findProtocol } from '../../../core/protocols/index.ts';
import { ollamaBackend } from '../../../shared/api/engine.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { type ArmDefinition, type Experiment, runtimeSchema } from '../../../shared/experiment.ts';
import { armForm } from '../newExperiment/draftOf.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { type TryForm, tryOfCase } from './tryForm.ts';

const usualContext = runtimeSchema.parse({}).numCtx;

/** The parameters, without what needs other cases; of two labels in dispute the prosecution argues for the last. */
function paramsOf({ protocol, params }: ArmDefinition, positive: string | null) {
  const bound = findProtocol(protocol)?.bind(params);
  const { contested } = params;
  const isPositiveIn = Array.isArray(contested) && contested.includes(positive);
  return {
    hasEarlier: bound !== undefined && (bound.precedents !== null || bound.shots > 0),
    params: {
      ...params,
      ...(isPositiveIn ? { contested: [...contested.filter((label) => label !== positive), positive] } : {}),
      ...(bound === undefined || bound.precedents === null ? {} : { shots: 0 }),
    },
  };
}

/** The form, with what of the court it cannot hold in `lost`. */
export function tryOfTrial(
  { kind, facts, question, labels, positive, line }: TrialView,
  { arms, runtime, dataset }: Pick<Experiment, 'arms' | 'runtime' | 'dataset'>,
): TryForm {
  const kase = tryOfCase({ kind, facts, question }, labels, positive);
  const arm = arms.find(({ name }) => name === line.arm);
  if (arm === undefined) return { ...kase, lost: ['the court'] };
  const { model, roles, server, roleServers } = armForm(arm, '');
  const { params, hasEarlier } = paramsOf(arm, positive);
  const lost: readonly (string | false)[] = [
    kind !== 'text' && kind !== 'open' && 'the names of the facts as a table or as parts: they are one text here',
    dataset.label?.multiple != null && 'several right answers at once',
    hasEarlier && 'the earlier cases that the court was shown',
    Object.keys(roleServers).length > 0 && 'the different servers of the roles',
    Object.values(arm.cast).some(({ options }) => Object.keys(options).length > 0) && 'the options of single models',
    arm.belief !== 'verbal' && 'where beliefs come from: here they are stated',
    arm.mask !== undefined && 'the neutral names in place of those of the facts',
  ];
  return {
    ...kase,
    ...{ model, roles, params },
    server: server ?? ollamaBackend,
    protocol: arm.protocol,
    backend: line.standin ? 'standin' : 'ollama',
    numCtx: runtime.numCtx === usualContext ? null : runtime.numCtx,
    prompts: line.prompts?.name ?? '',
    lost: lost.filter((one) => one !== false),
  };
}

/** What the screen says of a form that was made from a trial. */
export const carriedText = ({ protocol, lost }: Pick<TryForm, 'protocol' | 'lost'>): string | null =>
  lost === null
    ? null
    : `This is the case of a trial, with its court: ${protocolTitle(protocol)}.${lost.length === 0 ? '' : ` Not carried over: ${lost.join('; ')}.`} To try it without a line of the facts, delete the line here. “Compare with…” on the new trial puts both side by side.`;
