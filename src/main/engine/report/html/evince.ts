import { briefly, debateLines, measureWords } from '../../../../core/figures/exchangeMeasures.ts';
import {
  agents,
  coursesOf,
  type DebateRound,
  type DebateTurn,
  debateOf,
  endOf,
  type LabelCourse,
  labelDoubt,
} from '../../../../core/figures/exchanges.ts';
import type { ReportData } from './data.ts';
import { type Content, html, type Markup, name, plainly, prose } from './markup.ts';
import { labels, percent, sideOf, speaker } from './words.ts';

/** Labels with a row of their own. */
const mostLabels = 40;

const failed = (kind: string) => kind.replaceAll('_', ' ');

const chart = { width: 220, height: 70, left: 10, right: 10, top: 8, bottom: 8 };

/** Both courses of a label as two lines: A solid with dots, B with squares. */
function lines({ label, shares }: LabelCourse): Markup {
  const inner = { width: chart.width - chart.left - chart.right, height: chart.height - chart.top - chart.bottom };
  const x = (index: number) => chart.left + (shares.length === 1 ? inner.width / 2 : (index / (shares.length - 1)) * inner.width);
  const y = (share: number) => chart.top + (1 - share) * inner.height;
  const drawn = agents.map((role) => {
    const at = shares.flatMap((share, index) => {
      const value = share[role];
      return value === null ? [] : [[x(index), y(value)] as const];
    });
    const marks = at.map(([cx, cy]) =>
      role === 'agentA'
        ? html`<circle class="gain" cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3.5"/>`
        : html`<rect class="loss" x="${(cx - 3).toFixed(1)}" y="${(cy - 3).toFixed(1)}" width="6" height="6"/>`,
    );
    return html`<polyline class="curve" points="${at.map(([cx, cy]) => `${cx.toFixed(1)},${cy.toFixed(1)}`).join(' ')}"/>${marks}`;
  });
  const axis = [0, 1].map(
    (share) => html`<line class="axis" x1="${chart.left}" x2="${chart.width - chart.right}" y1="${y(share)}" y2="${y(share)}"/>`,
  );
  return html`<svg role="img" viewBox="0 0 ${chart.width} ${chart.height}" width="${chart.width}" height="${chart.height}"><title>Probability of ${plainly(label)}, 0 to 100%, over the rounds</title><desc>Dots: Agent A. Squares: Agent B. The numbers stand beside.</desc>${axis}${drawn}</svg>`;
}

/** How both were weighed, where the debate ended, and whether the truth itself is to be doubted. */
function found({ entries, line }: ReportData): Content {
  const ruling = entries.findLast((entry) => entry.kind === 'ruling');
  const weights = ruling?.grounds?.mixture?.weights;
  const end = endOf(debateOf(entries));
  const doubt = labelDoubt(ruling?.grounds?.verbal ?? null, line.truth);
  return [
    end !== null && html`<p>${end}</p>`,
    weights !== undefined &&
      html`<p>Weights in the mixture: ${Object.entries(weights)
        .map(([role, weight]) => `${speaker(role)} ${briefly(weight)}`)
        .join(', ')}.</p>`,
    doubt !== null &&
      html`<p><span class="cut">label in doubt</span> The true label of the data, ${labels(line.truth)}, has ${percent(doubt)} of the mixture. Either both agents are wrong, or the label is: no agent knew it.</p>`,
  ];
}

/** Both distributions round by round; null where there are none. */
export function courses(data: ReportData): Markup | null {
  const { entries, kase } = data;
  const { rounds } = debateOf(entries);
  const { listed, rest, never } = coursesOf(kase.labels, rounds, mostLabels);
  if (listed.length === 0) return null;
  const cell = (value: number | null) => (value === null ? '–' : percent(value));
  const rows = listed.map(
    (course) =>
      html`<tr><th scope="row">${name(course.label)}</th>${course.shares.map(({ agentA, agentB }) => html`<td class="number">${cell(agentA)}<br>${cell(agentB)}</td>`)}<td>${lines(course)}</td></tr>`,
  );
  const others =
    rest + never > 0 &&
    html`<p class="quiet">${rest > 0 && html`${rest} more labels had a smaller share at some time. `}${never > 0 && html`${never} labels nobody found likely in any round.`}</p>`;
  return html`<section id="courses"><h2>Where both stand</h2>${found(data)}<div class="scroll"><table><caption>Probabilities as stated, divided by their sum: Agent A above (dots), Agent B below (squares).</caption><thead><tr><th scope="col">Label</th>${rounds.map((round) => html`<th scope="col" class="number">Round ${round.number}</th>`)}<th scope="col">Over the rounds</th></tr></thead><tbody>${rows}</tbody></table></div>${others}</section>`;
}

/** Every measure of every exchange; null where there is none. */
export function measures({ entries }: ReportData): Markup | null {
  const { exchanges } = debateOf(entries);
  if (exchanges.length === 0) return null;
  const rows = debateLines.map(
    ({ measure, title, value }) =>
      html`<tr><th scope="row">${title}<br><span class="quiet">${measure.range}</span></th>${exchanges.map((exchange) => html`<td class="number">${measureWords(value(exchange))}</td>`)}<td>${measure.meaning}</td></tr>`,
  );
  return html`<section id="measures"><h2>How far apart</h2><div class="scroll"><table><caption>Natural logarithms throughout. A dash: there is no such value in that round.</caption><thead><tr><th scope="col">Measure and range</th>${exchanges.map(({ round }) => html`<th scope="col" class="number">Round ${round}</th>`)}<th scope="col">What it tells</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function turn({ role, speech, belief, forfeit, crit }: DebateTurn, { exchange }: DebateRound): Markup {
  const body: Content =
    forfeit !== null
      ? html`<p>Turn forfeited (${failed(forfeit.failure)}). What this agent stated last holds on.</p>`
      : speech === null
        ? html`<p>Not heard.</p>`
        : [
            belief !== null &&
              html`<p><b class="label">${labels(belief.prediction)}</b> <span class="quiet">${belief.confidence !== null && percent(belief.confidence)}${crit !== null && html` · CRIT ${briefly(crit / 10)} of 1`}</span></p>`,
            exchange?.sides[role].admitted === false &&
              html`<p><span class="cut">held back: the other agent did not read these arguments</span></p>`,
            prose(speech.text),
          ];
  return html`<div class="${sideOf(role)}${forfeit !== null && ' forfeit'}"><div class="turn"><header><b>${speaker(role)}</b></header>${body}</div></div>`;
}

/** The answers of each round side by side; null where there is no debate. */
export function debate({ entries, line }: ReportData): Markup | null {
  // Other protocols have rounds too.
  if (line.protocol !== 'evince') return null;
  const { rounds } = debateOf(entries);
  if (rounds.length === 0) return null;
  const told = rounds.map((round) => {
    const k = round.exchange?.contentiousness ?? null;
    return html`<h3>Round ${round.number}${k !== null && html` <span class="quiet">contentiousness ${briefly(k)} of 1</span>`}</h3><div class="pair">${agents.map((role) => turn(round.turns[role], round))}</div>`;
  });
  return html`<section id="debate"><h2>The debate</h2>${told}</section>`;
}

const kindWords = { inquiry: 'Ask', test: 'Test', fact: 'Look up' } as const;

/** What both recommend; null where they have made no list. */
export function recommendations({ entries }: ReportData): Markup | null {
  const { recommendations: made } = debateOf(entries);
  if (made === null) return null;
  const rows = made.recommendations.map(
    ({ kind, text, reason }) =>
      html`<tr><th scope="row">${kindWords[kind]}</th><td>${prose(text)}</td><td>${prose(reason)}</td></tr>`,
  );
  return html`<section id="recommendations"><h2>Recommendations</h2><table class="wide"><caption>Of both agents, at contentiousness ${measureWords(made.contentiousness)}: what would make the verdict surer, or show that it is wrong.</caption><thead><tr><th scope="col">What to do</th><th scope="col">What</th><th scope="col">Why</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}
