import type { ReactNode } from 'react';
import { partialFields } from '../../../../core/answers/partialFields.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { type Block, type BlockKind, failureText, plainAsText } from '../../../../core/telling/blocks.ts';
import type { Belief } from '../../../../shared/domain.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fold } from '../../../ui/Fold.tsx';
import { Isolated } from '../../../ui/HiddenText.tsx';
import { Growing, Speech } from '../Speech.tsx';
import type { Writing } from '../trialState.ts';
import { useDrawing } from './drawing.ts';
import { RoundCharts } from './RoundChart.tsx';
import { TableOf } from './TableOf.tsx';
import styles from './Telling.module.css';
import { TextOf, Titled } from './TextOf.tsx';

/** The answer of a step as far as it is written. Nothing of it counts before it is whole. */
function InProgress({
  writing,
  step,
  fields,
}: {
  writing: readonly Writing[];
  /** Key of the step: `argument/prosecutor`. */
  step: string;
  /** Fields that are said aloud; others are not shown before they are on record. */
  fields: readonly string[];
}) {
  const own = writing.find(({ key }) => key.startsWith(`${step}/`));
  if (own === undefined) return <p className={styles.quiet}>Not heard yet.</p>;
  const spoken = partialFields(own.text).filter(({ path }) => path.length === 1 && fields.includes(path[0] ?? ''));
  if (spoken.length === 0) return <p className={styles.quiet}>Is writing…</p>;
  return spoken.map(({ path, text, growing }) => <Growing key={path.join('/')} text={text} growing={growing} />);
}

type Of<K extends BlockKind> = Extract<Block, { kind: K }>;

interface Properties<K extends BlockKind> {
  readonly block: Of<K>;
  /** Of the heading above. */
  readonly level: number;
}

function SpeechOf({ block: { text, isPrivate, ofCase } }: Properties<'speech'>) {
  const { facts } = useDrawing();
  return <Speech text={text} {...(ofCase === true ? { facts } : {})} look={isPrivate === true ? 'private' : 'speech'} />;
}

function Folded({ block: { title, aside, blocks }, level }: Properties<'fold'>) {
  const { allOpen } = useDrawing();
  return (
    <Fold
      key={String(allOpen)}
      level={level < 3 ? 3 : 4}
      title={<TextOf words={title} />}
      aside={aside}
      defaultExpanded={allOpen}
    >
      <div className={`stack gap-10 ${styles.folded}`}>
        <Blocks blocks={blocks} level={level + 1} />
      </div>
    </Fold>
  );
}

function ListOf({ block: { items, isNumbered }, level }: Properties<'list'>) {
  const List = isNumbered === true ? 'ol' : 'ul';
  return (
    <List className={isNumbered === true ? styles.numbered : styles.list}>
      {items.map((blocks, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a recorded list never change places
        <li key={index}>
          <Blocks blocks={blocks} level={level} />
        </li>
      ))}
    </List>
  );
}

function PartOf({ block: { title, aside, blocks }, level }: Properties<'part'>) {
  return (
    <section className={styles.inner} aria-label={title}>
      <div className={`row-baseline ${styles.innerHead}`}>
        <h3>{title}</h3>
        {aside === undefined ? null : (
          <span className={styles.quiet}>
            <TextOf words={aside} />
          </span>
        )}
      </div>
      <Blocks blocks={blocks} level={level + 1} />
    </section>
  );
}

function CardsOf({ block: { as, cards }, level }: Properties<'cards'>) {
  const [List, Item] = as === 'pair' ? (['div', 'article'] as const) : (['ol', 'li'] as const);
  return (
    <List className={styles[as]}>
      {cards.map(({ title, name, side, lost, blocks }) => (
        <Item
          key={name}
          className={`${styles.card} ${styles[side]} ${lost === true ? styles.lost : ''}`}
          aria-label={as === 'pair' ? name : undefined}
        >
          <Titled words={title} level={level + 1} />
          <Blocks blocks={blocks} level={level + 1} />
        </Item>
      ))}
    </List>
  );
}

function PairsOf({ block: { rows } }: Properties<'pairs'>) {
  return (
    <dl className={styles.pairs}>
      {rows.map(({ side, name, words }) => (
        <div key={plainAsText(name)} className={styles[side]}>
          <dt>
            <TextOf words={name} />
          </dt>
          <dd>
            <TextOf words={words} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Labels beyond this many are counted, not listed. */
const mostListed = 6;

/** A distribution over the labels, the likeliest first, as bars with their numbers. */
function Distribution({ belief, title }: { belief: Belief; title: string }) {
  const sorted = Object.entries(belief).toSorted(([, one], [, other]) => other - one);
  // Of many labels those without any share are counted too.
  const listed = sorted.slice(0, mostListed).filter(([, share]) => share > 0 || sorted.length <= mostListed);
  const rest = sorted.length - listed.length;
  return (
    <figure className={`stack content-start gap-4 ${styles.distribution}`}>
      <figcaption className={styles.small}>{title}</figcaption>
      <dl>
        {listed.map(([label, share]) => (
          <div key={label}>
            <dt>
              <Isolated text={label} />
            </dt>
            <dd>
              <span className={styles.track} aria-hidden="true">
                <span className={styles.fill} style={{ inlineSize: `${share * 100}%` }} />
              </span>
              <span className="text-end">{percent(share)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 ? (
        <p className={styles.quiet}>
          and {rest} more labels, {(sorted[listed.length]?.[1] ?? 0) > 0 ? 'each less likely' : 'with no share'}
        </p>
      ) : null}
    </figure>
  );
}

function MeasureOf({ block: { name, value, threshold } }: Properties<'measure'>) {
  const scale = (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.fill} style={{ inlineSize: `${value * 100}%` }} />
      {threshold === undefined ? null : <span className={styles.threshold} style={{ insetInlineStart: `${threshold * 100}%` }} />}
    </span>
  );
  if (name === '') return scale;
  return (
    <dl className={`stack gap-10 text-13 ${styles.measure}`}>
      <dt>{name}</dt>
      <dd>{scale}</dd>
      <dd>{Number(value.toFixed(2))}</dd>
    </dl>
  );
}

/** The beginning of a case, to tell it by while it is folded. Characters. */
const excerptLength = 90;

function excerptOf(facts: Of<'retrieval'>['cases'][number]['facts']): string {
  if (facts === null) return 'erased from the store';
  const text = facts.map(({ value }) => value).join(' · ');
  return text.length > excerptLength ? `${[...text].slice(0, excerptLength).join('')}…` : text;
}

function RetrievalOf({ block: { cases }, level }: Properties<'retrieval'>) {
  return (
    <ul className={`stack gap-4 ${styles.retrieved}`}>
      {cases.map(({ title, near, facts, blocks }) => (
        <li key={plainAsText(title)}>
          <Fold
            title={<TextOf words={title} />}
            aside={
              <>
                {near} · <Isolated text={excerptOf(facts)} />
              </>
            }
          >
            <div className={`stack gap-10 ${styles.folded}`}>
              {facts === null ? (
                <p className={styles.quiet}>The facts of this case were erased from the store.</p>
              ) : (
                <dl className={`stack gap-4 ${styles.facts}`}>
                  {facts.map(({ name, value }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: facts of a case never change places
                    <div key={index}>
                      <dt>
                        <Isolated text={name} />
                      </dt>
                      <dd>
                        <Isolated text={value} />
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
              <Blocks blocks={blocks} level={level + 1} />
            </div>
          </Fold>
        </li>
      ))}
    </ul>
  );
}

function Awaited({ block: { step, fields } }: Properties<'awaited'>) {
  return <InProgress writing={useDrawing().writing} step={step} fields={fields} />;
}

const looks = { quiet: styles.quiet, bad: styles.bad, verdict: styles.verdict } as const;

const draw: { readonly [K in BlockKind]: (properties: Properties<K>) => ReactNode } = {
  words: ({ block: { words, look }, level }) =>
    look === 'title' ? (
      <Titled words={words} level={level + 1} />
    ) : (
      <p className={look === undefined ? styles.line : looks[look]}>
        <TextOf words={words} />
      </p>
    ),
  failure: ({ block: { failure, result } }) => (
    <p className={styles.bad}>
      {failureText[failure]} {result}
    </p>
  ),
  speech: SpeechOf,
  fold: Folded,
  list: ListOf,
  columns: ({ block: { columns }, level }) => (
    <div className={styles.columns}>
      {columns.map((blocks, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
        <div key={index} className="stack content-start gap-10 min-w-0">
          <Blocks blocks={blocks} level={level} />
        </div>
      ))}
    </div>
  ),
  part: PartOf,
  cards: CardsOf,
  pairs: PairsOf,
  table: ({ block }) => <TableOf block={block} inside={(blocks) => <Blocks blocks={blocks} level={4} />} />,
  distribution: ({ block: { belief, title } }) => <Distribution belief={belief} title={title} />,
  measure: MeasureOf,
  charts: ({ block: { charts, hasLegend } }) => <RoundCharts charts={charts} hasLegend={hasLegend} />,
  retrieval: RetrievalOf,
  copy: ({ block: { title, text } }) => (
    <div>
      <CopyButton text={text}>{title}</CopyButton>
    </div>
  ),
  awaited: Awaited,
};

function BlockOf<K extends BlockKind>({ block, level }: { block: Block & { kind: K }; level: number }) {
  const Draw = draw[block.kind] as (properties: { block: Block; level: number }) => ReactNode;
  return <Draw block={block} level={level} />;
}

/** The name of a block among its neighbours: one that comes before it does not change it. */
const nameOf = (block: Block): string => ('title' in block ? `${block.kind} ${plainAsText(block.title)}` : block.kind);

/** Blocks one below the other. `level` is that of the heading above them. */
export function Blocks({ blocks, level }: { blocks: readonly Block[]; level: number }) {
  const seen = new Map<string, number>();
  return blocks.map((block) => {
    const name = nameOf(block);
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return <BlockOf key={`${name} ${number}`} block={block} level={level} />;
  });
}
