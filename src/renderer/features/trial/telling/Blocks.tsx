import { LockKeyhole } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { partialFields } from '../../../../core/answers/partialFields.ts';
import { factTexts } from '../../../../core/cases/columnNames.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { type Block, type BlockKind, failureText, plainAsText, speechesIn } from '../../../../core/telling/blocks.ts';
import { toUndrawn } from '../../../app/routes.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fold } from '../../../ui/Fold.tsx';
import { Isolated } from '../../../ui/HiddenText.tsx';
import { CommentsOn, useCommentsOn } from '../comments/Comments.tsx';
import { Growing, Speech } from '../Speech.tsx';
import { useDrawing } from './drawing.ts';
import { RoundCharts } from './RoundChart.tsx';
import { TableOf } from './TableOf.tsx';
import styles from './Telling.module.css';
import { TextOf, Titled } from './TextOf.tsx';

type Of<K extends BlockKind> = Extract<Block, { kind: K }>;

interface Properties<K extends BlockKind> {
  readonly block: Of<K>;
  /** Of the heading above. */
  readonly level: number;
  /** No other block of the trial has it, and it keeps it while the trial continues. */
  readonly name: string;
}

function SpeechOf({ block }: Properties<'speech'>) {
  const { text, isPrivate, hasFields, ofCase, utterance } = block;
  const comments = useCommentsOn(utterance, text);
  const { facts, unfounded, found, here } = useDrawing();
  const places = useMemo(
    () => found.filter(({ part }) => part === block).map((each) => ({ ...each, here: each === here })),
    [found, here, block],
  );
  return (
    <>
      <Speech
        text={text}
        {...(ofCase === true ? { facts, unfounded } : {})}
        {...(places.length === 0 ? {} : { found: places })}
        {...(comments === null ? {} : { commented: comments.ranges, utterance: comments.utterance })}
        look={isPrivate === true ? 'private' : 'speech'}
        hasFields={isPrivate === true || hasFields === true}
      />
      {comments === null ? null : <CommentsOn {...comments} />}
    </>
  );
}

function Folded({ block: { title, aside, isSealed, blocks }, level, name }: Properties<'fold'>) {
  const { allOpen, memory, here } = useDrawing();
  // What the reader does to this one holds until all are opened or folded again.
  const [own, setOwn] = useState(() => memory.get(name) ?? { open: allOpen, within: allOpen });
  const open = own.within === allOpen ? own.open : allOpen;
  const words = <TextOf words={title} />;
  return (
    <Fold
      level={level < 3 ? 3 : 4}
      title={
        isSealed === true ? (
          <span className={styles.sealedTitle}>
            <LockKeyhole size={13} aria-hidden="true" /> {words}
          </span>
        ) : (
          words
        )
      }
      aside={aside}
      isExpanded={open || speechesIn(blocks).some((block) => block === here?.part)}
      onExpandedChange={(expanded) => {
        const next = { open: expanded, within: allOpen };
        memory.set(name, next);
        setOwn(next);
      }}
    >
      <div className={isSealed === true ? `stack gap-4 ${styles.sealed}` : `stack gap-10 ${styles.folded}`}>
        <Blocks blocks={blocks} level={level + 1} name={name} />
      </div>
    </Fold>
  );
}

function ListOf({ block: { items, isNumbered }, level, name }: Properties<'list'>) {
  const List = isNumbered === true ? 'ol' : 'ul';
  return (
    <List className={`stack gap-6 wrap-anywhere ${isNumbered === true ? 'numbered' : 'bullets'}`}>
      {items.map((blocks, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a recorded list never change places
        <li key={index}>
          <Blocks blocks={blocks} level={level} name={`${name} ${index}`} />
        </li>
      ))}
    </List>
  );
}

function PartOf({ block: { title, aside, blocks }, level, name }: Properties<'part'>) {
  return (
    <section className={`stack content-start gap-10 min-w-0 ${styles.inner}`} aria-label={title}>
      <div className={`row-baseline gap-2-12 ${styles.innerHead}`}>
        <h3>{title}</h3>
        {aside === undefined ? null : (
          <span className="quiet font-400">
            <TextOf words={aside} />
          </span>
        )}
      </div>
      <Blocks blocks={blocks} level={level + 1} name={name} />
    </section>
  );
}

function CardsOf({ block: { as, cards }, level, name }: Properties<'cards'>) {
  const [List, Item] = as === 'pair' ? (['div', 'article'] as const) : (['ol', 'li'] as const);
  return (
    <List className={styles[as]}>
      {cards.map(({ title, name: card, side, lost, blocks }) => (
        <Item
          key={card}
          className={`stack content-start min-w-0 ${styles.card} ${styles[side]} ${lost === true ? styles.lost : ''}`}
          aria-label={as === 'pair' ? card : undefined}
        >
          <Titled words={title} level={level + 1} />
          <Blocks blocks={blocks} level={level + 1} name={`${name} ${card}`} />
        </Item>
      ))}
    </List>
  );
}

function PairsOf({ block: { rows } }: Properties<'pairs'>) {
  return (
    <dl className={styles.pairs}>
      {rows.map(({ side, name, words }) => (
        <div key={plainAsText(name)} className={`row-baseline justify-between ${styles[side]}`}>
          <dt>
            <TextOf words={name} />
          </dt>
          <dd className="row-baseline gap-2-12 wrap-anywhere">
            <TextOf words={words} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A fact, or what else belongs to a name. */
const Keyed = ({ rows }: { rows: readonly { name: ReactNode; words: ReactNode }[] }) => (
  <dl className={`stack gap-4 wrap-anywhere ${styles.keys}`}>
    {rows.map(({ name, words }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: facts of a case never change places
      <div key={index}>
        <dt className="muted">{name}</dt>
        <dd dir="auto" className="pre-wrap">
          {words}
        </dd>
      </div>
    ))}
  </dl>
);

const mostListed = 6;

function DistributionOf({ block: { belief, title } }: Properties<'distribution'>) {
  const sorted = Object.entries(belief).toSorted(([, one], [, other]) => other - one);
  // Of many labels those without any share are counted too.
  const listed = sorted.slice(0, mostListed).filter(([, share]) => share > 0 || sorted.length <= mostListed);
  const rest = sorted.length - listed.length;
  return (
    <figure className={`stack content-start gap-4 ${styles.distribution}`}>
      <figcaption className="muted text-13 font-550">{title}</figcaption>
      <dl className="stack gap-2">
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
        <p className="quiet font-400">
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
    <dl className={`stack gap-10 items-center text-13 ${styles.measure}`}>
      <dt className="muted">{name}</dt>
      <dd>{scale}</dd>
      <dd>{Number(value.toFixed(2))}</dd>
    </dl>
  );
}

/** Characters of a case that are shown while it is folded. */
const excerptLength = 90;

function Excerpt({ facts }: Pick<Of<'retrieval'>['cases'][number], 'facts'>) {
  if (facts === null) return 'erased from the store';
  let left = excerptLength;
  return factTexts(facts).flatMap((parts, index) => {
    if (left <= 0) return [];
    const whole = parts.join(' ');
    const shown = [...whole].slice(0, left).join('');
    left -= whole.length;
    return [`${index === 0 ? '' : ' · '}`, <Isolated key={whole} text={left < 0 ? `${shown}…` : shown} />];
  });
}

function RetrievalOf({ block: { cases }, level, name }: Properties<'retrieval'>) {
  return (
    <ul className="stack gap-4">
      {cases.map(({ title, case: from, near, facts, blocks }) => (
        <li key={plainAsText(title)} className="ruled-below">
          <Fold
            title={<TextOf words={title} />}
            aside={
              <>
                {near} · <Excerpt facts={facts} />
              </>
            }
          >
            <div className={`stack gap-10 ${styles.folded}`}>
              {facts === null ? (
                <p className="quiet font-400">The facts of this case were erased from the store.</p>
              ) : (
                <Keyed
                  rows={facts.map((fact) => ({
                    name: <Isolated text={fact.shown ?? fact.name} />,
                    words: <Isolated text={fact.value} />,
                  }))}
                />
              )}
              {from === null ? null : (
                <p>
                  <Link href={toUndrawn(from.experiment, from.id)}>This case in the data</Link>
                </p>
              )}
              <Blocks blocks={blocks} level={level + 1} name={`${name} ${plainAsText(title)}`} />
            </div>
          </Fold>
        </li>
      ))}
    </ul>
  );
}

/** The answer of a step as far as it is written: of its fields those that are said aloud. Nothing of it counts before it is whole. */
function Awaited({ block: { step, fields } }: Properties<'awaited'>) {
  const own = useDrawing().writing.find(({ key }) => key.startsWith(`${step}/`));
  if (own === undefined) return <p className="quiet font-400">Not heard yet.</p>;
  const spoken = partialFields(own.text).filter(({ path }) => path.length === 1 && fields.includes(path[0] ?? ''));
  if (spoken.length === 0) return <p className="quiet font-400">Is writing…</p>;
  return spoken.map(({ path, text, growing }) => <Growing key={path.join('/')} text={text} growing={growing} />);
}

const looks = {
  quiet: 'quiet font-400',
  bad: 'text-bad',
  warn: 'text-warn',
  verdict: `row-baseline wrap-anywhere ${styles.verdict}`,
} as const;

const draw: { readonly [K in BlockKind]: (properties: Properties<K>) => ReactNode } = {
  words: ({ block: { words, look }, level }) =>
    look === 'title' ? (
      <Titled words={words} level={level + 1} />
    ) : (
      <p className={look === undefined ? `wrap-anywhere ${styles.line}` : looks[look]}>
        <TextOf words={words} />
      </p>
    ),
  failure: ({ block: { failure, result } }) => (
    <p className="text-bad">
      {failureText[failure]} {result}
    </p>
  ),
  speech: SpeechOf,
  fold: Folded,
  list: ListOf,
  row: ({ block: { blocks }, level, name }) => (
    <div className={`flex flex-wrap justify-between gap-2-12 ${styles.beside}`}>
      <Blocks blocks={blocks} level={level} name={name} />
    </div>
  ),
  columns: ({ block: { columns }, level, name }) => (
    <div className={styles.columns}>
      {columns.map((blocks, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
        <div key={index} className="stack content-start gap-10 min-w-0">
          <Blocks blocks={blocks} level={level} name={`${name} ${index}`} />
        </div>
      ))}
    </div>
  ),
  part: PartOf,
  cards: CardsOf,
  changes: ({ block: { isDirected, rows } }) => (
    <dl className={styles.changes}>
      {rows.map(({ words, share, told }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes never change places
        <div key={index} className={styles.change}>
          <dt className="wrap-anywhere">
            <TextOf words={words} />
          </dt>
          <dd className={`${styles.track} ${isDirected ? styles.directed : ''}`} aria-hidden="true">
            <span
              className={`${styles.fill} ${isDirected ? (share > 0 ? styles.up : styles.down) : ''}`}
              style={{
                inlineSize: `${Math.abs(share) * (isDirected ? 50 : 100)}%`,
                marginInlineStart: isDirected ? `${50 + Math.min(0, share) * 50}%` : 0,
              }}
            />
          </dd>
          <dd className="text-end">
            <TextOf words={told} />
          </dd>
        </div>
      ))}
    </dl>
  ),
  keys: ({ block: { rows } }) => (
    <Keyed rows={rows.map(({ name, words }) => ({ name: <TextOf words={name} />, words: <TextOf words={words} /> }))} />
  ),
  pairs: PairsOf,
  table: ({ block, name }) => <TableOf block={block} inside={(blocks) => <Blocks blocks={blocks} level={4} name={name} />} />,
  distribution: DistributionOf,
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

/** The name of a block among its neighbours: one that comes before it does not change it. */
const nameOf = (block: Block): string => ('title' in block ? `${block.kind} ${plainAsText(block.title)}` : block.kind);

/** Blocks one below the other. `level` is that of the heading above them, `name` that of what they are in. */
export function Blocks({ blocks, level, name }: { blocks: readonly Block[] } & Omit<Properties<BlockKind>, 'block'>) {
  const seen = new Map<string, number>();
  return blocks.map((block) => {
    const kind = nameOf(block);
    const number = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, number);
    const own = `${name} ${kind} ${number}`;
    const Draw = draw[block.kind] as (properties: Omit<Properties<BlockKind>, 'block'> & { block: Block }) => ReactNode;
    return <Draw key={own} block={block} level={level} name={own} />;
  });
}
