import { Fragment, type HTMLAttributes, type ReactNode } from 'react';
import { Link } from 'wouter';
import { asTitle } from '../../core/text/shorten.ts';
import { segmentsOf } from '../../core/text/visible.ts';
import type { Prediction, Truth } from '../../shared/domain.ts';
import { predictionText } from '../../shared/predictionText.ts';
import styles from './HiddenText.module.css';

/** A text from outside, with every character that would not show itself as a mark that names it. */
export function HiddenText({ text }: { text: string }) {
  return segmentsOf(text).map(({ kind, text: part, name }, index) =>
    kind === 'plain' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: segments of one text never change places
      <mark key={index} className={styles.mark} title={name ?? undefined} data-stands-for={part.length}>
        [{name}]
      </mark>
    ),
  );
}

export const Paragraph = ({
  text,
  ...rest
}: { text: string | null | undefined } & Pick<HTMLAttributes<HTMLElement>, 'className' | 'dir' | 'role'>) =>
  text == null ? null : (
    <p {...rest}>
      <HiddenText text={text} />
    </p>
  );

/** The same in its own direction: a name or a label from outside, among words of ours. */
export const Isolated = ({ text }: { text: string }) => (
  <bdi>
    <HiddenText text={text} />
  </bdi>
);

export const OutsideLink = ({ to, text }: { to: string; text: string }) => (
  <Link href={to} dir="auto">
    <HiddenText text={text} />
  </Link>
);

/** The value of a fact, cut where it is long. @param of null where the case does not have the fact */
export const FactValue = ({ of }: { of: string | null }) =>
  of === null ? <span className="quiet">not given</span> : <Isolated text={asTitle(of)} />;

/** A case by its id, or by the name of one from Try a case. */
export const CaseName = ({ title, case: id }: { title: string | null; case: string }) =>
  title === null ? (
    <>
      Case <Isolated text={id} />
    </>
  ) : (
    <Isolated text={title} />
  );

/** Several things in one line of words, with the same sign between each two. */
export function Listed<Each>({
  of,
  between = ', ',
  children,
}: {
  of: readonly Each[];
  between?: string;
  children: (each: Each) => ReactNode;
}) {
  return of.map((each, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same thing can be in it twice
    <Fragment key={index}>
      {index === 0 ? '' : between}
      {children(each)}
    </Fragment>
  ));
}

/** Labels as one set, each in its own direction: in one text, Arabic ones would change places. */
export const IsolatedSet = ({ of }: { of: Prediction | Truth }) =>
  Array.isArray(of) && of.length > 1 ? (
    <Listed of={of} between=" + ">
      {(label) => <Isolated text={label} />}
    </Listed>
  ) : (
    <Isolated text={predictionText(of) ?? 'none'} />
  );

/** The same as a separate part, which follows the direction of its text. */
export function Outside({
  as: Part = 'span',
  text,
  ...rest
}: { as?: 'span' | 'code' | 'p' | 'pre' | 'h2' | 'h3' | 'dt' | 'dd' | 'td'; text: string } & Pick<
  HTMLAttributes<HTMLElement>,
  'className' | 'id' | 'title'
>) {
  return (
    <Part dir="auto" {...rest}>
      <HiddenText text={text} />
    </Part>
  );
}
