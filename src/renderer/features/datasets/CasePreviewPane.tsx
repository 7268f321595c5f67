import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { capitalized } from '../../../core/text/visible.ts';
import type { CasePreview } from '../../../shared/api/dataFiles.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Outside } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { splitText } from './definition.ts';
import { CaseFacts } from './Facts.tsx';
import styles from './Import.module.css';
import { LabelBars } from './LabelBars.tsx';

/** What the definition makes of the file: counts, notes, and the first cases as the screens will show them. */
export function CasePreviewPane({ preview }: { preview: CasePreview }) {
  const [wanted, setWanted] = useState(0);
  const { first } = preview;
  const at = Math.min(wanted, Math.max(0, first.length - 1));
  const shown = first[at];
  return (
    <>
      {preview.byLabel.length === 0 ? null : (
        <LabelBars counts={preview.byLabel} cases={preview.cases} positive={preview.positive} />
      )}
      <p className="muted wrap-anywhere">
        {preview.bySplit.map(({ split, cases }) => `${quantity(cases, 'case')} for ${splitText[split]}`).join(', ')}
      </p>
      {preview.notes.map((note) => (
        <Notice key={note}>
          <Outside text={capitalized(note)} />
        </Notice>
      ))}
      {shown === undefined ? null : (
        <div className="stack gap-10 pt-12 ruled-above">
          <div className={`row gap-6 ${styles.pager}`}>
            <h3 dir="auto">
              Case <HiddenText text={shown.id} />
            </h3>
            <span className="muted wrap-anywhere">
              {at + 1} of the first {first.length}
            </span>
            <Button size="small" onPress={() => setWanted(at - 1)} isDisabled={at === 0} aria-label="Case before">
              <ChevronLeft size={15} aria-hidden="true" />
            </Button>
            <Button size="small" onPress={() => setWanted(at + 1)} isDisabled={at >= first.length - 1} aria-label="Next case">
              <ChevronRight size={15} aria-hidden="true" />
            </Button>
          </div>
          <CaseFacts kind={preview.kind} listed={shown} question={preview.question} />
        </div>
      )}
    </>
  );
}
