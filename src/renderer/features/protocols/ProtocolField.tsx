import { protocols } from '../../../core/protocols/index.ts';
import type { CaseKind } from '../../../shared/domain.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { protocolChoices } from './acceptance.ts';

/** Which protocol tries the cases: each with what it does, and why it cannot where it cannot. */
export function ProtocolField({
  value,
  onChange,
  cases,
  error,
}: {
  value: string;
  onChange: (protocol: string) => void;
  cases: { kind: CaseKind; labels: readonly string[]; multiLabel: boolean };
  error?: string | null;
}) {
  const paper = protocols.find(({ id }) => id === value)?.paper;
  return (
    <RadioCards
      label="Protocol"
      value={value}
      onChange={onChange}
      choices={protocolChoices(cases)}
      error={error ?? null}
      {...(paper === undefined
        ? {}
        : {
            description: (
              <span className="quiet">
                Paper: <cite>{paper}</cite>
              </span>
            ),
          })}
    />
  );
}
