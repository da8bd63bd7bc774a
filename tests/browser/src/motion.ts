import type { Person } from './person.ts';

/** The longest time from the beginning of an animation to its end that nobody notices, in milliseconds. */
const UNNOTICED_MS = 20;

/**
 * Records every noticeable animation and every transition of a page. A transition is noticeable
 * even if it is short, because the former layout stays for a frame or two. This function runs in
 * the page before its scripts.
 */
export function recordMotion(): void {
  // A page that is being left is no longer seen, and it may lose the emulated settings of the device.
  let isLeft = false;
  addEventListener('beforeunload', () => (isLeft = true), true);
  const record = (what: string): void => {
    if (isLeft) return;
    const all = JSON.parse(sessionStorage.getItem('motion') ?? '[]') as string[];
    sessionStorage.setItem('motion', JSON.stringify([...all, what]));
  };
  const check = (event: Event): void => {
    const element = event.target as Element;
    for (const animation of element.getAnimations({ subtree: true })) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      const name = animation instanceof CSSAnimation ? animation.animationName : animation instanceof CSSTransition ? animation.transitionProperty : animation.id;
      if (Number(endTime) > (animation instanceof CSSTransition ? 0 : 20)) record(`${name} of ${element.className.toString()}: ${String(endTime)} ms`);
    }
  };
  for (const type of ['animationstart', 'transitionrun']) addEventListener(type, check, true);
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (this: Element, ...given) {
    record(`a script moves ${this.getAttribute('class')}`);
    return animate.apply(this, given);
  };
}

/** Returns what `recordMotion` has recorded in this tab. */
export function recordedMotion(person: Person): Promise<string[]> {
  return person.page.evaluate(() => JSON.parse(sessionStorage.getItem('motion') ?? '[]') as string[]);
}

/** Returns the elements whose styles describe a noticeable animation, or a transition. */
export function movingStyles(person: Person): Promise<string[]> {
  return person.page.evaluate((unnoticed) => {
    const milliseconds = (text: string): number[] => text.split(',').map((time) => (time.trim().endsWith('ms') ? 1 : 1_000) * Number.parseFloat(time));
    const total = (delays: string, durations: string, counts = '1'): number => {
      const [waits, times] = [milliseconds(delays), milliseconds(durations)];
      return Math.max(...times.map((time, index) => (time === 0 ? 0 : (waits[index % waits.length] ?? 0) + time * (counts.includes('infinite') ? Infinity : Number.parseFloat(counts)))));
    };
    return [...document.querySelectorAll('*')].flatMap((element) =>
      [undefined, '::before', '::after'].flatMap((pseudo) => {
        const style = getComputedStyle(element, pseudo);
        const animation = style.animationName === 'none' ? 0 : total(style.animationDelay, style.animationDuration, style.animationIterationCount);
        const transition = total(style.transitionDelay, style.transitionDuration);
        const isSmooth = style.scrollBehavior === 'smooth';
        return animation > unnoticed || transition > 0 || isSmooth ? [`${element.tagName}.${element.getAttribute('class')}${pseudo ?? ''}: ${style.animationName} ${animation} ms, transition ${transition} ms`] : [];
      }),
    );
  }, UNNOTICED_MS);
}
