import type { Page } from '@playwright/test';
import { alarm } from './corpora.ts';

/** Opens everything of the screen that is folded in, at most `most` of it. */
export async function unfoldAll(page: Page, most = 40): Promise<void> {
  const folded = page.locator('main').getByRole('button', { expanded: false }).and(page.locator(':not([aria-haspopup])'));
  for (let left = most; left > 0 && (await folded.count()) > 0; left--) await folded.first().click();
}

/** What ran of the corpus of scripts, or came into the page as an element. */
export function injected(page: Page): Promise<string[]> {
  return page.evaluate((name) => {
    const found: string[] = name in window ? ['a script ran'] : [];
    for (const element of document.querySelectorAll('iframe, object, embed, base, form[action], math, video, audio')) {
      found.push(element.outerHTML.slice(0, 200));
    }
    for (const element of document.querySelectorAll('*')) {
      for (const { name: attribute, value } of element.attributes) {
        if (
          /^on/.test(attribute) ||
          (/^(?:href|src|srcset|data|action)$/.test(attribute) && /^\s*(?:javascript:|(?:https?:)?\/\/xss\.invalid)/i.test(value))
        ) {
          found.push(`${element.tagName} ${attribute}=${value}`);
        }
      }
    }
    for (const script of document.scripts) if (script.src === '') found.push('a script element');
    return found;
  }, alarm);
}

/** Texts of the page, one for each node, that hold a character which does not show itself. */
export function hiddenCharacters(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hidden = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\u{e0000}-\u{e01ef}]/u;
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
      const holder = node.parentElement;
      // The options of an invisible native select are behind a list box of the page.
      if (holder === null || holder.closest('textarea, script, option') !== null || !hidden.test(node.data)) continue;
      found.push(`${holder.tagName.toLowerCase()}: ${JSON.stringify(node.data.slice(0, 120))}`);
    }
    return found;
  });
}

/**
 * Texts of the page with letters that are written from right to left and may reorder what is next to them:
 * neither isolated from it nor alone in their block.
 */
export function unisolated(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
      if (!/[\u0590-\u05ff]/.test(node.data) || node.parentElement?.closest('textarea, script, option') !== null) continue;
      let element: Element | null = node.parentElement;
      while (element !== null) {
        const { display, unicodeBidi } = getComputedStyle(element);
        if (/isolate|plaintext/.test(unicodeBidi) || element.hasAttribute('dir')) break;
        if (display !== 'inline' && display !== 'contents') {
          // Alone, but for the marks of its own hidden characters.
          const alone = [...element.children].every(({ tagName }) => tagName === 'MARK');
          if (!alone) found.push(`${element.tagName.toLowerCase()}: ${node.data.slice(0, 120)}`);
          break;
        }
        element = element.parentElement;
      }
    }
    return found;
  });
}
