import { ChevronRight, Copy, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { z } from 'zod';
import { swapTitles } from '../../../core/figures/swapText.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import type { BackendChoice } from '../../../shared/api/engine.ts';
import type { modelOptionsSchema } from '../../../shared/experiment.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { focusFirstFault } from '../../ui/focusFirstFault.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantityRange } from '../../ui/quantity.ts';
import { TextField } from '../../ui/TextField.tsx';
import { PromptsField } from '../prompts/PromptsField.tsx';
import { type CasesOfKind, callsOf, refusalOf, refusedByDispute } from '../protocols/acceptance.ts';
import type { Preferred } from '../protocols/backends.ts';
import { counterbalanceChoices } from '../protocols/counterbalanceChoices.ts';
import { ParametersForm } from '../protocols/ParametersForm.tsx';
import { parameterFields } from '../protocols/parameters.ts';
import { ModelField, ProtocolField, ServerField } from '../protocols/ServerField.tsx';
import { roleText } from '../protocols/words.ts';
import { type ArmForm, canCopy, isOpen, serverOf, swapsOf } from './draft.ts';
import styles from './NewExperiment.module.css';
import { NumberFields, type NumberLimits } from './NumberFields.tsx';

type Options = z.infer<typeof modelOptionsSchema>;

/** Sampling options of an arm's models; what is left empty is not sent. */
const sampling: Readonly<Record<keyof Options, NumberLimits>> = {
  temperature: { label: 'Temperature of every call', least: 0, most: 5, step: 0.1, note: 'In place of the protocol’s own.' },
  topP: { label: 'Top-p', least: 0, most: 1, step: 0.05 },
  topK: { label: 'Top-k', least: 0, step: 1 },
  minP: { label: 'Min-p', least: 0, most: 1, step: 0.01 },
  repeatPenalty: { label: 'Repeat penalty', least: 0, step: 0.1 },
  numCtx: { label: 'Context, tokens', least: 256, step: 256, note: 'Must be the same wherever this model plays.' },
  numPredict: { label: 'Longest answer, tokens', least: 1, step: 64 },
};
/** What is exchanged in further arms: each tries the same cases with the same seeds, to see whether the verdict hangs on it. */
function CounterbalanceFold({
  arm,
  error,
  onChange,
}: {
  arm: ArmForm;
  error: string | null;
  onChange: (counterbalance: ArmForm['counterbalance']) => void;
}) {
  const choices = counterbalanceChoices(arm.protocol, arm.params);
  if (choices.length === 0) return null;
  const chosen = swapsOf(arm);
  const aside = chosen.length === 0 ? 'none' : chosen.map((swap) => swapTitles[swap]).join(', ');
  return (
    <Fold level={4} title="Counterbalancing" aside={aside} defaultExpanded={error !== null}>
      <p className="quiet">
        The arm is tried once more for each, on the same cases with the same seeds. How often the verdict flips is set apart from
        the comparisons of arms.
      </p>
      <div className="stack gap-6">
        {choices.map(({ swap, title, does }) => (
          <Checkbox
            key={swap}
            note={does}
            isSelected={chosen.includes(swap)}
            onChange={(selected) =>
              onChange(selected ? [...arm.counterbalance, swap] : arm.counterbalance.filter((each) => each !== swap))
            }
          >
            {title}
          </Checkbox>
        ))}
      </div>
      {error === null ? null : <p role="alert">{error}</p>}
    </Fold>
  );
}

interface Properties {
  readonly arm: ArmForm;
  /** The name as it will be, also where none was written. */
  readonly name: string;
  readonly cases: CasesOfKind;
  readonly backend: BackendChoice;
  readonly invented: boolean;
  /** The server and model that are taken where none was chosen. */
  readonly preferred: Pick<Preferred, 'server' | 'model'>;
  readonly isOpen: boolean;
  /** It was just added: it comes into view and takes the focus. */
  readonly isNew: boolean;
  /** Its temperature was asked for: a new object each time; null where it was not. */
  readonly temperatureAsked: object | null;
  /** Why it is not counted yet; null where it is. */
  readonly waits: string | null;
  readonly errorAt: (place: string, below?: boolean) => string | null;
  readonly onToggle: () => void;
  readonly onChange: (part: Partial<ArmForm>) => void;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
}

export function ArmCard(properties: Properties) {
  const { arm, name, cases, isNew, waits, errorAt, onToggle, onDuplicate, onRemove } = properties;
  const isRecorded = arm.recorded !== undefined;
  const isOpen = properties.isOpen && !isRecorded;
  const head = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isNew) return;
    head.current?.closest('article')?.scrollIntoView({ block: 'start' });
    head.current?.focus({ preventScroll: true });
  }, [isNew]);
  const body = useRef<HTMLDivElement>(null);
  const [goesToFault, setGoesToFault] = useState(false);
  useEffect(() => {
    if (!goesToFault || !isOpen) return;
    setGoesToFault(false);
    focusFirstFault(body.current);
  }, [goesToFault, isOpen]);
  const goToFault = () => {
    setGoesToFault(true);
    if (!isOpen) onToggle();
  };
  const isOfDispute = refusedByDispute(arm.protocol, cases, arm.params);
  const calls = callsOf(arm.protocol, arm.params, cases);
  const fault = refusalOf(arm.protocol, cases, arm.params) ?? errorAt('', true);
  return (
    <article className={styles.arm} aria-label={`Arm ${name}`}>
      <div className={`row gap-6-8 ${styles.armHead}`}>
        <h3 className="min-w-0 title-16">
          {isRecorded ? (
            <Isolated text={name} />
          ) : (
            <AriaButton
              ref={head}
              className={`bare flex items-center gap-8 wrap-anywhere ${styles.armToggle}`}
              aria-expanded={isOpen}
              aria-controls={id}
              onPress={onToggle}
            >
              <ChevronRight size={15} aria-hidden="true" className={`no-shrink ${styles.armSign}`} />
              <Isolated text={name} />
            </AriaButton>
          )}
        </h3>
        <span className="quiet">{calls === null ? '' : `${quantityRange(calls, 'call')} a trial`}</span>
        {canCopy(arm) ? (
          <Button icon={Copy} size="small" look="quiet" onPress={onDuplicate} aria-label={`Duplicate ${name}`}>
            Duplicate
          </Button>
        ) : null}
        {isRecorded ? (
          <Pill>on the record</Pill>
        ) : (
          <Button icon={Trash2} size="small" look="quiet" onPress={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        )}
      </div>
      {waits === null ? null : <p className="quiet">{waits}</p>}
      {fault === null || (isOpen && !isOfDispute) ? null : (
        <p className="text-bad">
          <Isolated text={fault} />{' '}
          {isRecorded ? null : (
            <Button size="small" onPress={goToFault}>
              Go to the field
            </Button>
          )}
        </p>
      )}
      <div ref={body} id={id} className={isOpen ? `stack gap-12 ${styles.armBody}` : undefined}>
        {isOpen ? <ArmFields {...properties} /> : null}
      </div>
    </article>
  );
}

/** What an arm samples with where nothing is set: its protocol can have a temperature. */
function usualSampling({ protocol, params }: ArmForm): string {
  const field = parameterFields(findProtocol(protocol)?.paramsSchema ?? {}).find(({ name }) => name === 'temperature');
  if (field === undefined) return 'the model’s own settings';
  const temperature = params.temperature ?? ('preset' in field ? field.preset : null);
  return `temperature ${String(temperature)}, a parameter of the protocol; else the model’s own settings`;
}

function ArmFields({
  arm,
  name,
  cases,
  backend,
  invented,
  preferred,
  temperatureAsked,
  errorAt,
  onChange,
}: Omit<Properties, 'isOpen' | 'isNew' | 'waits' | 'onToggle' | 'onDuplicate' | 'onRemove'>) {
  const protocol = findProtocol(arm.protocol);
  const roles = protocol?.roles ?? [];
  const optional = protocol?.optionalRoles ?? [];
  const refusal = refusalOf(arm.protocol, cases, arm.params);
  const isOfDispute = refusedByDispute(arm.protocol, cases, arm.params);
  const ownModels = [...roles, ...optional].filter((role) => (arm.roles[role] ?? '').trim() !== '').length;
  const options = Object.keys(arm.options).length;
  const server = serverOf(arm, preferred);
  const at = bindFields(arm, onChange, errorAt);
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (temperatureAsked !== null) fields.current?.querySelector('input')?.focus();
  }, [temperatureAsked]);
  return (
    <>
      <ProtocolField
        value={arm.protocol}
        onChange={(chosen) => onChange({ protocol: chosen, params: {}, prompts: '' })}
        cases={cases}
        error={(isOfDispute ? null : refusal) ?? errorAt('protocol')}
      />
      <div className="fields">
        {backend === 'standin' ? null : (
          <ServerField
            label={roles.length > 1 ? 'Server of all roles' : 'Server'}
            value={server}
            error={errorAt('cast.*.backend')}
            onChange={(chosen, model) => onChange({ server: chosen, ...(model === null ? {} : { model }) })}
          />
        )}
        <ModelField
          label={invented ? 'Name for the demo model' : roles.length > 1 ? 'Model of all roles' : 'Model'}
          backend={backend}
          server={server}
          value={arm.model ?? preferred.model}
          error={errorAt('cast.*.backend') === null ? (errorAt('cast.*', true) ?? errorAt('cast')) : null}
          onChange={(model) => onChange({ model, server })}
        />
        <TextField label="Name of the arm" placeholder={name} maxLength={200} {...at('name')} />
        <PromptsField protocol={arm.protocol} {...at('prompts')} />
      </div>
      <ParametersForm
        key={arm.protocol}
        level={4}
        protocol={arm.protocol}
        params={arm.params}
        labels={cases.labels}
        defaultExpanded={refusal !== null}
        onChange={(params) => onChange({ params })}
        errorOf={(parameter) =>
          errorAt(`params.${parameter}`, true) ?? (isOfDispute && parameter === 'contested' ? refusal : null)
        }
      />
      {roles.length + optional.length < 2 ? null : (
        <Fold
          level={4}
          title="Cast"
          aside={
            ownModels === 0
              ? 'one model for all roles'
              : `${ownModels} of ${roles.length + optional.length} roles with their own model`
          }
        >
          <div className="fields">
            {(roles.length < 2 ? [] : roles).map((role) => (
              <div key={role} className="stack gap-6">
                {backend === 'standin' ? null : (
                  <ServerField
                    label={`Server of the ${roleText(role).toLowerCase()}`}
                    value={serverOf(arm, preferred, role)}
                    onChange={(chosen, model) =>
                      onChange({
                        roleServers: { ...arm.roleServers, [role]: chosen },
                        ...(model === null ? {} : { roles: { ...arm.roles, [role]: model } }),
                      })
                    }
                  />
                )}
                <ModelField
                  label={roleText(role)}
                  backend={backend}
                  server={serverOf(arm, preferred, role)}
                  value={arm.roles[role] ?? ''}
                  error={errorAt(`cast.${role}`, true)}
                  allRoles={arm.model ?? preferred.model}
                  onChange={(model) => onChange({ roles: { ...arm.roles, [role]: model } })}
                />
              </div>
            ))}
            {optional.map((role) => (
              <TextField
                key={role}
                label={roleText(role)}
                value={arm.roles[role] ?? ''}
                placeholder="nomic-embed-text"
                maxLength={200}
                error={errorAt(`cast.${role}`, true)}
                description="An embedding model, which finds the nearest training cases. Empty: TF-IDF finds them."
                onChange={(model) => onChange({ roles: { ...arm.roles, [role]: model } })}
              />
            ))}
          </div>
        </Fold>
      )}
      {isOpen(cases) ? null : (
        <CounterbalanceFold
          arm={arm}
          error={errorAt('counterbalance', true)}
          onChange={(counterbalance) => onChange({ counterbalance })}
        />
      )}
      <Fold
        level={4}
        title="Sampling"
        aside={options === 0 ? usualSampling(arm) : `${options} set`}
        key={String(temperatureAsked === null)}
        defaultExpanded={temperatureAsked !== null}
      >
        <div className="fields" ref={fields}>
          <NumberFields
            fields={sampling}
            values={arm.options}
            onChange={(option, value) => {
              const { [option]: _before, ...others } = arm.options;
              onChange({ options: value === null ? others : { ...others, [option]: value } });
            }}
          />
        </div>
      </Fold>
    </>
  );
}
