import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, onKeptPage, sharedHost, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { placesOf, still, visit } from './support/places.ts';
import { makeExperiment } from './support/record.ts';

needsChromium();

const host = sharedHost();
/** Where the keyboard goes through the main job. */
const walked = ['datasets', 'new-experiment', 'experiment', 'trial', 'review'];
let made: Awaited<ReturnType<typeof makeExperiment>>;

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  made = await makeExperiment(engine.api, { name: 'Read at any size' });
});

/** What can be pressed and is under 24 pixels, without room around it and not in a line of text (WCAG 2.2, 2.5.8). */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pressed = 'a[href], button, input, select, textarea, summary, [role=tab], [role=radio], [role=option], [role=switch]';
    const parts = [...document.querySelectorAll<HTMLElement>(pressed)].flatMap((element) => {
      // A hidden input is pressed by its label.
      const target = element.closest('label') ?? element;
      const box = target.getBoundingClientRect();
      const isShown = target.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1;
      return isShown ? [{ target, box, x: box.x + box.width / 2, y: box.y + box.height / 2 }] : [];
    });
    return parts.flatMap(({ target, box, x, y }) => {
      if (box.width >= 23.5 && box.height >= 23.5) return [];
      if (getComputedStyle(target).display === 'inline') return [];
      const isCrowded = parts.some((other) => {
        if (other.target === target) return false;
        const dx = Math.max(other.box.left - x, x - other.box.right, 0);
        const dy = Math.max(other.box.top - y, y - other.box.bottom, 0);
        return Math.hypot(dx, dy) < 12;
      });
      return isCrowded ? [`${target.outerHTML.slice(0, 120)} ${box.width.toFixed(0)}×${box.height.toFixed(0)}`] : [];
    });
  });

/** Words that do not fit their part with the spacing of 1.4.12, unless what is cut ends in dots. */
const cutBySpacing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const spacing = new CSSStyleSheet();
    spacing.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    );
    document.adoptedStyleSheets.push(spacing);
    const sideways = document.documentElement.scrollWidth > innerWidth ? ['the page is wider than the window'] : [];
    const parts = [...document.querySelectorAll<HTMLElement>('main *, nav *, header *')].filter((element) => {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
      const clips = overflowX === 'hidden' || overflowY === 'hidden' || overflowX === 'clip' || overflowY === 'clip';
      if (!clips || textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return false;
      // Words only for screen readers.
      if (element.clientWidth <= 1) return false;
      return element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2;
    });
    document.adoptedStyleSheets.pop();
    return [...sideways, ...parts.map((element) => element.outerHTML.slice(0, 160))];
  });

interface Focused {
  shown: Element;
  name: string;
  look: string;
}

/** What Tab reaches although it is covered by something else, or looks the same with the focus as without it (2.4.7, 2.4.11). */
async function lostFocus(page: Page, steps: number): Promise<string[]> {
  const lost: string[] = [];
  for (let step = 0; step < steps; step++) {
    await page.keyboard.press('Tab');
    const faults = await page.evaluate(() => {
      const lookOf = (shown: Element) =>
        [shown, ...shown.querySelectorAll('*'), shown.parentElement ?? shown]
          .map((each) => getComputedStyle(each))
          .map(({ outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor }) =>
            [outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor].join(),
          )
          .join('\n');
      const holder = window as unknown as { focused: Focused | undefined };
      const before = holder.focused;
      holder.focused = undefined;
      const isAlike = before?.shown.isConnected === true && lookOf(before.shown) === before.look;
      const found = before !== undefined && isAlike ? [`no ring: ${before.name}`] : [];
      const element = document.activeElement;
      if (element === null || element === document.body) return found;
      const shown = element.closest('label') ?? element;
      if (shown !== before?.shown) holder.focused = { shown, name: element.outerHTML.slice(0, 140), look: lookOf(shown) };
      const box = shown.getBoundingClientRect();
      const places = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [box.x + box.width * x, box.y + box.height * y]));
      const isSeen = places.some(([x = 0, y = 0]) => {
        const top = document.elementFromPoint(x, y);
        return top !== null && (shown.contains(top) || top.contains(shown));
      });
      return isSeen ? found : [...found, `covered: ${element.outerHTML.slice(0, 140)}`];
    });
    lost.push(...faults);
  }
  return lost;
}

onKeptPage(
  'WCAG 2.5.8, 1.4.12, 2.4.7 and 2.4.11: targets have 24 pixels or room, wider text is not cut, the focus is seen',
  async ({ page }) => {
    await enter(page, host());
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const place of placesOf(made)) {
      await test.step(place.name, async () => {
        await visit(page, host(), place);
        expect.soft(await smallTargets(page), `${place.name}: small targets`).toEqual([]);
        expect.soft(await cutBySpacing(page), `${place.name}: cut by spacing`).toEqual([]);
        if (!walked.includes(place.name)) return;
        // Intervals that arrive below the focus or above it move it.
        await still(page);
        expect.soft(await lostFocus(page, 25), `${place.name}: focus`).toEqual([]);
      });
    }
  },
);

onKeptPage(
  'WCAG 2.4.11: in a small window the focus is above the bar, and not in a head that cards have no place for',
  async ({ page }) => {
    await enter(page, host());
    await page.setViewportSize({ width: 900, height: 580 });
    for (const place of placesOf(made).filter(({ name }) => ['new-experiment', 'experiment'].includes(name))) {
      await visit(page, host(), place);
      await still(page);
      expect.soft(await lostFocus(page, 25), place.name).toEqual([]);
    }
  },
);
