import type { Person } from './person.ts';

/**
 * Returns the texts of a page that are cut, lie beside the window or cover each other, each with its element. Texts that
 * can be scrolled to, that are for screen readers only, and names of people, which may be of any length, do not count.
 */
export async function cutTexts(person: Person): Promise<string[]> {
  return person.page.evaluate(() => {
    const found: string[] = [];
    const visible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const scrolls = (element: Element | null): boolean => {
      for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (/auto|scroll/.test(style.overflowX) && at.scrollWidth > at.clientWidth) return true;
      }
      return false;
    };
    const exempt = (element: Element): boolean => {
      if (element.closest('.line-text, .skip-link, .plate-name, .user, .short-name, .match-player, .call-match, .board, .still-board, svg') !== null) return true;
      // Texts for screen readers are clipped.
      for (let at: Element | null = element; at !== null; at = at.parentElement) if (getComputedStyle(at).clipPath === 'inset(50%)') return true;
      return false;
    };
    const isInList = (element: Element, part: Element): boolean => {
      for (let at: Element | null = element; at !== null && at !== part; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return true;
      return false;
    };
    const name = (element: Element, text: string): string => `${element.tagName.toLowerCase()}.${element.className}: ${text.trim().slice(0, 60)}`;
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth - page.clientWidth} px too wide`);
    /** The boxes of the texts in each part of the page. */
    const parts = new Map<Element, { box: DOMRect; name: string }[]>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent ?? '';
      if (element === null || text.trim() === '' || !visible(element) || exempt(element) || scrolls(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      const part = element.closest('.call-link, .row, .card, .option-face, .status, .match-card, .play-way, .showcase-caption');
      if (part !== null && !isInList(element, part)) parts.set(part, [...(parts.get(part) ?? []), ...[...range.getClientRects()].map((line) => ({ box: line, name: name(element, text) }))]);
      if (box.left < -1 || box.right > innerWidth + 1) found.push(`beside the window: ${name(element, text)}`);
      // An ancestor that hides what overflows cuts the text, with or without an ellipsis.
      for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        const outer = at.getBoundingClientRect();
        const isCutAcross = /hidden|clip/.test(overflowX) && (box.right > outer.right + 1.5 || box.left < outer.left - 1.5);
        const isCutBelow = /hidden|clip/.test(overflowY) && (box.bottom > outer.bottom + 3 || box.top < outer.top - 3);
        if (isCutAcross || isCutBelow) {
          found.push(`cut by ${name(at, '')} ${name(element, text)}`);
          break;
        }
        if (/auto|scroll/.test(overflowY)) break;
      }
      // A button or field that is too small for its text.
      const control = element.closest('button, .button, select, .tab');
      if (control !== null) {
        const outer = control.getBoundingClientRect();
        if (box.right > outer.right + 1.5 || box.left < outer.left - 1.5 || box.bottom > outer.bottom + 3) found.push(`out of ${name(control, '')} ${name(element, text)}`);
      }
    }
    for (const texts of parts.values()) {
      for (const [index, one] of texts.entries()) {
        for (const other of texts.slice(index + 1)) {
          const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
          const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
          // Lines of text below each other overlap a little.
          if (across > 2 && down > 0.5 * Math.min(one.box.height, other.box.height)) found.push(`${one.name} covers ${other.name}`);
        }
      }
    }
    return [...new Set(found)];
  });
}
