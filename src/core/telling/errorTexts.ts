// Which errors arms make: how often each label was answered where it was right.
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import { plainAmong } from '../../shared/trialLine.ts';

/** Labels beyond which a sentence is no longer read. */
const mostLabels = 5;
/** Sentences that are written out. */
const mostTexts = 8;

type Confusion = Pick<ArmStatistics, 'confusion' | 'n' | 'decided' | 'measures'>;

/** What an arm's errors are, without its name; null without a decided trial of a known truth. */
function errorText({ confusion, n, decided, measures }: Confusion, { labels, decided_by: by }: Terms): string | null {
  const isReplicated = measures.some((each) => each.name === 'accuracy' && each.over === 'all' && each.n > each.cases);
  const counted = (of: number, thing: string) => `${count(of)} ${thing}${of === 1 ? '' : 's'}`;
  const things = (of: number, label: string) => {
    const decidedWord = n > decided ? 'decided ' : '';
    const cases = measures.find((each) => each.name === 'recall' && each.label === label)?.cases ?? 0;
    const which = by === undefined ? `in which ${label} was right` : `that ${by} decided as ${label}`;
    return `${counted(of, `${decidedWord}${isReplicated ? 'trial' : 'case'}`)}${isReplicated ? ` of ${counted(cases, 'case')}` : ''} ${which}`;
  };
  const rows = labels.flatMap((label) => {
    const mine = confusion.filter(({ truth }) => truth === label);
    const of = mine.reduce((sum, cell) => sum + cell.n, 0);
    const met = mine.find(({ prediction }) => prediction === label)?.n ?? 0;
    return of === 0 ? [] : [{ label, of, met }];
  });
  const answers = new Set(confusion.map(({ prediction }) => prediction));
  const [only] = answers;
  const missed = rows.filter(({ label }) => label !== only);
  if (only !== undefined && answers.size === 1 && missed.length > 0 && rows.length > 1)
    return `every verdict was ${only}; ${missed.map(({ label, of }) => `${of === 1 ? 'not' : 'none of'} the ${things(of, label)} was decided so`).join('; ')}`;
  return rows.length === 0
    ? null
    : rows
        .map(({ label, of, met }) => `of the ${things(of, label)}, ${count(met)} ${met === 1 ? 'was' : 'were'} decided so`)
        .join('; ');
}

type Terms = Pick<StatsReport, 'labels' | 'decided_by'>;

/** A sentence for all arms with the same errors, in the order of the arms; none where the labels are many, or no truth is known. */
export function errorTexts(report: Terms & Pick<StatsReport, 'arms'>): string[] {
  const { arms, labels } = report;
  if (labels.length > mostLabels) return [];
  const plain = plainAmong(arms);
  const found = plain.flatMap((arm) => {
    const text = errorText(arm, report);
    return text === null ? [] : [{ arm: arm.arm, text }];
  });
  const texts = [...Map.groupBy(found, ({ text }) => text)].map(
    ([text, some]) => `${some.map(({ arm }) => arm).join(', ')}: ${text}.`,
  );
  const more = texts.length - mostTexts;
  return more > 0 ? [...texts.slice(0, mostTexts), `Tables of verdict and truth have ${count(more)} more.`] : texts;
}
