import { useState } from 'react';
import { speakerName } from '../../../core/figures/speakers.ts';
import { setupCaption, whoAnswered } from '../../../core/telling/whoAnswered.ts';
import { digestText } from '../../../shared/demoModel.ts';
import { count } from '../../../shared/sizes.ts';
import { fresh, useRead } from '../../api/ApiContext.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import { Notice, Unread } from '../../ui/Notice.tsx';
import { ArmName } from './ArmNames.tsx';

function Players({ experiment }: { experiment: string }) {
  const reading = useRead(
    ['experiments', 'players', experiment],
    (api, given) => api.experiments.players({ experiment }, given),
    fresh,
  );
  const { data } = reading;
  if (data === undefined) return <Unread of={reading} words="Reading the calls…" />;
  if (data.length === 0) return <p className="quiet">No model was asked.</p>;
  const { text, differs } = whoAnswered(data, minuteText);
  return (
    <>
      {differs ? (
        <Notice tone="bad">
          <HiddenText text={text} />
        </Notice>
      ) : (
        <p>{text}</p>
      )}
      <p className="quiet">{setupCaption}</p>
      <DataTable
        label="Who answered"
        rows={data}
        keyOf={(player) => JSON.stringify(player)}
        columns={[
          { title: 'arm', cell: ({ arm }) => (arm === null ? 'made once for several' : <ArmName arm={arm} />) },
          { title: 'roles', cell: ({ roles }) => roles.map(speakerName).join(', ') },
          {
            title: 'model',
            cell: ({ setup }) => (
              <HiddenText text={`${setup?.model ?? 'erased'}${setup?.standin === true ? ' (demo model)' : ''}`} />
            ),
          },
          { title: 'digest of its weights', cell: ({ setup }) => <code>{digestText(setup ?? {})}</code> },
          { title: 'sent to', cell: ({ setup }) => <code>{setup?.url ?? 'not known'}</code> },
          { title: 'calls', number: ({ calls }) => count(calls) },
        ]}
      />
    </>
  );
}

/** The models behind the answers, as their servers described them; read when it is opened, since that takes all calls. */
export function WhoAnswered({ experiment }: { experiment: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Fold title="Who answered" level={2} isExpanded={isOpen} onExpandedChange={setIsOpen}>
      {isOpen ? <Players experiment={experiment} /> : null}
    </Fold>
  );
}
