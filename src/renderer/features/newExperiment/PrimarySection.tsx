import { comparableBaselines } from '../../../core/baselines/baseline.ts';
import { percent } from '../../../core/figures/shares.ts';
import { measureName, unitOf, unshownUpTo } from '../../../core/statistics/measures/primaryText.ts';
import type { Check } from '../../../shared/checks.ts';
import type { CaseKind } from '../../../shared/domain.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { baselineMark, familyLevel, type Primary, primarySchema } from '../../../shared/primary.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { CheckNotice } from './PlanSection.tsx';
import { canStop, newPrimary, type PrimaryForm } from './primaryForm.ts';

const tests = [
  { id: 'difference', label: 'the two differ' },
  { id: 'non-inferiority', label: 'the first is not worse than the second by the margin' },
  { id: 'equivalence', label: 'the two differ by less than the margin' },
] as const;

const measures = primarySchema.shape.measure.unwrap().options;

/** A share as the form has it, in the unit of the measure: accuracy in points. */
const unitsIn = (measure: Primary['measure']) => (measure === 'accuracy' ? 100 : 1);
const shown = (share: number | null, units: number) => (share === null ? null : Number((share * units).toFixed(6)));

/** What becomes of cases that are added to an experiment with a primary comparison. */
export const addedToPrimary = ({ stop }: Pick<Experiment, 'stop'>): string =>
  stop === undefined
    ? 'The comparison decided beforehand leaves out cases and replicates that are added after its first trial: all other comparisons count them.'
    : 'The comparison decided beforehand counts added cases too, because its stopping rule leaves their number open.';

export function RecordedPrimary({
  primary: { compare, measure, test, margin },
  decidedBy,
}: {
  primary: Primary;
  decidedBy: string | undefined;
}) {
  const [a, b] = compare;
  return (
    <Section title="Decided beforehand" lead="It is on the record with the experiment, and cannot be changed.">
      <p>
        <Isolated text={a} /> against <Isolated text={b} /> by <Isolated text={measureName(measure, { decided_by: decidedBy })} />
        , to show that {tests.find(({ id }) => id === test)?.label}
        {margin === undefined ? '' : `, which is ${unitOf(measure).size(margin)}`}.
      </p>
    </Section>
  );
}

export function PrimarySection({
  form,
  triedIn,
  arms,
  learning,
  decidedBy,
  checks,
  onChange,
  errorAt,
}: {
  form: PrimaryForm | undefined;
  /** The experiment whose results for these cases can be known; null: there is none. */
  triedIn: string | null;
  arms: readonly { readonly id: string; readonly label: string }[];
  /** The kind of the cases that baselines learn from; null where there is none to learn from. */
  learning: CaseKind | null;
  /** Who decided what the labels are; undefined where they are the truth. */
  decidedBy: string | undefined;
  /** What the plan says of it. */
  checks: readonly Check[];
  onChange: (form: PrimaryForm | undefined) => void;
  errorAt: (place: string, below?: boolean) => string | null;
}) {
  const baselines = (learning === null ? [] : comparableBaselines(learning)).map((name) => ({
    id: `${baselineMark}${name}`,
    label: `${name} (baseline)`,
  }));
  const [first, ...others] = arms;
  const second = others[0] ?? baselines[0];
  const at =
    form &&
    bindFields(
      form,
      (part) => onChange({ ...form, ...part }),
      (name) => errorAt(`primary.${name === 'a' ? 'compare.0' : name}`),
    );
  const unshown = form?.test === 'difference' ? unshownUpTo(form.measure) : null;
  const units = unitsIn(form?.measure ?? 'accuracy');
  const fault = errorAt('primary') ?? errorAt('primary.compare') ?? errorAt('primary.compare.1');
  return (
    <Section
      title="Decided beforehand"
      lead="One comparison that counts, named before any result is seen. It is recorded with the experiment and cannot be changed later. Cases and replicates that you add after the first trial are left out, unless a stopping rule decides how many cases there are. All other comparisons are exploratory."
    >
      {triedIn === null ? null : (
        <Notice tone="warn">
          <span>
            These cases were already tried in <Isolated text={triedIn} />: with the same seed and settings these trials repeat its
            answers. So a comparison named now is not decided before results were seen, and none was taken over. For a fresh test
            choose another seed.
          </span>
        </Notice>
      )}
      <Checkbox
        isSelected={form !== undefined}
        isDisabled={form === undefined && second === undefined}
        onChange={(chosen) =>
          onChange(chosen && first !== undefined && second !== undefined ? newPrimary(first.id, second.id) : undefined)
        }
      >
        {second === undefined
          ? 'state a primary comparison (it takes two arms, or training cases for a baseline)'
          : 'state a primary comparison'}
      </Checkbox>
      {form === undefined || at === undefined ? null : (
        <div className="fields">
          <Select label="First arm" {...at('a')} choices={arms} />
          <Select
            label="Compared with"
            {...at('b')}
            choices={[...arms.map((arm) => ({ ...arm, disabled: arm.id === form.a })), ...baselines]}
            error={form.a === form.b ? 'Name two arms, or a baseline.' : fault}
          />
          <Select
            label="Measure"
            {...at('measure')}
            choices={measures.map((id) => ({ id, label: measureName(id, { decided_by: decidedBy }) }))}
            {...(unshown === null
              ? {}
              : {
                  description: `With ${unshown} cases or fewer no difference in it can be shown: it has no exact test, and intervals of so few cases are too narrow.`,
                })}
          />
          <Select
            label="To show that"
            {...at('test')}
            choices={tests}
            description="To state beforehand that a change must not change the verdict, use “Try with changes…” on the page of the experiment, or assize vary --expect INV."
          />
          {form.test === 'difference' ? null : (
            <NumberField
              label={form.measure === 'accuracy' ? 'Margin, in points' : 'Margin'}
              description="The smallest difference that would matter."
              value={shown(form.margin, units)}
              onChange={(margin) => onChange({ ...form, margin: shown(margin, 1 / units) })}
              minValue={0.001 * units}
              maxValue={units}
              step={0.01 * units}
              error={form.margin === null ? 'This test needs a margin.' : errorAt('primary.margin')}
            />
          )}
          <NumberField
            label="Tests decided beforehand"
            description={`This one and all others that you decide beforehand, also in other experiments. Each is tested at ${percent(familyLevel(form))}.`}
            value={form.family}
            minValue={1}
            maxValue={100}
            error={errorAt('primary.family')}
            onChange={(family) => onChange({ ...form, family: family ?? 1 })}
          />
          {canStop(form) ? (
            <div className="stack gap-6">
              <NumberField
                label="Stop when the interval is narrower than, in points"
                description="Width of the interval that holds at every look."
                value={shown(form.width, units)}
                minValue={0.001 * units}
                maxValue={2 * units}
                step={0.01 * units}
                isDisabled={form.width === null}
                error={errorAt('stop', true)}
                onChange={(width) => onChange({ ...form, width: shown(width, 1 / units) ?? form.width })}
              />
              <Checkbox isSelected={form.width !== null} onChange={(stops) => onChange({ ...form, width: stops ? 0.2 : null })}>
                stop early
              </Checkbox>
            </div>
          ) : null}
        </div>
      )}
      {checks.map((check) => (
        <CheckNotice key={check.text} check={check} />
      ))}
    </Section>
  );
}
