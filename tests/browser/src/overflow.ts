import type { Person } from './person.ts';

/**
 * Returns the texts of a page that are cut or lie beside the window, each with its element. Texts that can be scrolled
 * to, that are for screen readers only, and names of people, which may be of any length, do not count.
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
    const exempt = (element: Element): boolean => element.closest('.visually-hidden, .line-text, .skip-link, .plate-name, .user, .short-name, .match-player, .board, .still-board, svg') !== null;
    const name = (element: Element, text: string): string => `${element.tagName.toLowerCase()}.${element.className}: ${text.trim().slice(0, 60)}`;
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth - page.clientWidth} px too wide`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent ?? '';
      if (element === null || text.trim() === '' || !visible(element) || exempt(element) || scrolls(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
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
    return [...new Set(found)];
  });
}
