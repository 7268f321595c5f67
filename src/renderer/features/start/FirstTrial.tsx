import { Gavel } from 'lucide-react';
import type { DraftInput } from '../../../shared/api/experiments.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { toTrial } from '../../app/routes.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { Isolated, Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { useStartExperiment } from '../datasets/datasetQueries.ts';
import { inventedAt, type Preferred, preferredBackend } from '../protocols/backends.ts';
import { useFound } from '../protocols/useBackends.ts';
import { hintAt } from '../trial/TrialNotices.tsx';

/** The sample of which one case is tried: a few facts, and two sides that anyone understands. */
const sample = 'deposits';

/** With it the judge of the demo model changes sides by 24 points at one speech. */
const seed = 125;

/** One case before a court of two sides and a judge. */
const firstDraft = ({ backend, server, model }: Preferred): DraftInput => ({
  entry: sample,
  sample: { from: 'test', n: 1 },
  seed,
  backend,
  arms: [{ name: 'AgenticSimLLM', protocol: 'agentic-sim', cast: { '*': { model, backend: server } } }],
});

export function FirstTrial() {
  const found = useFound();
  const start = useStartExperiment(
    ({ trial }) => hintAt(trial),
    ({ trial }) => toTrial(trial),
  );
  const cases = useRead(['datasets', 'first', sample], (api, given) =>
    api.dataFiles.list({}, given).then((all) => all.find(({ id }) => id === sample) ?? null),
  );
  const preferred = preferredBackend(found.reports, found.servers);
  const invented = inventedAt(found, preferred.backend, [preferred.server]);
  const question = cases.data?.definition.question;
  return (
    <Section title="Your first trial, in two minutes">
      <p className="max-w-80ch">
        A tenant and a landlord dispute a deposit.{' '}
        {question === undefined ? null : <Outside className="serif-16" text={question} />} The prosecution argues for one answer,
        the defense for the other. A judge hears both and says after every speech how likely it finds each answer.
      </p>
      <div className="row gap-10">
        <WritingButton
          icon={Gavel}
          look="primary"
          onPress={() => start.mutate(firstDraft(preferred))}
          isDisabled={found.isPending || start.isPending}
        >
          {start.isPending ? 'Starting…' : 'Start the first trial'}
        </WritingButton>
        {found.isPending ? null : (
          <span className="muted">
            {invented ? (
              'Demo answers are used: no model is asked.'
            ) : (
              <>
                <Isolated text={preferred.model} /> answers.
              </>
            )}
          </span>
        )}
      </div>
      <FailureNotice error={start.error} />
    </Section>
  );
}
