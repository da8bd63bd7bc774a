import { useEffect } from 'preact/hooks';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import { useClient } from '../context.ts';

/** Elements with keys of their own; the board handles its own ones by itself. */
const OWN_KEYS = 'input:not([type="checkbox"]), textarea, select, dialog, [role="tablist"], [role="dialog"]';
/** Elements that Space presses. */
const PRESSABLE = 'button, a, summary, label, input';

interface PageKeys {
  readonly cursor: ReplayCursor;
  readonly turn: () => void;
  readonly help: () => void;
}

/** The keys that work wherever the focus is, unless it is where keys mean something else. */
export function usePageKeys({ cursor, turn, help }: PageKeys): void {
  // Who dictates, or hits keys by mistake, may want no letters and signs to do anything.
  const { shortcuts } = useClient().preferences;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (isIn(target, OWN_KEYS) || document.querySelector('dialog[open]') !== null) return;
      if (!shortcuts.value && event.key !== ' ' && event.key.length === 1) return;
      if (event.key === ' ' && isIn(target, PRESSABLE)) return;
      const does = ACTS[event.key];
      if (does === undefined) return;
      does({ cursor, turn, help });
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [cursor, turn, help, shortcuts]);
}

function isIn(target: Element | null, selector: string): boolean {
  return target !== null && target.closest(selector) !== null;
}

const ACTS: Readonly<Record<string, (keys: PageKeys) => void>> = {
  ArrowLeft: ({ cursor }) => cursor.back(),
  ArrowRight: ({ cursor }) => cursor.forward(),
  Home: ({ cursor }) => cursor.first(),
  End: ({ cursor }) => cursor.live(),
  ' ': ({ cursor }) => cursor.togglePlayback(),
  f: ({ turn }) => turn(),
  '?': ({ help }) => help(),
  '/': () => document.querySelector<HTMLElement>('#move-input')?.focus(),
  b: () => document.querySelector<HTMLElement>('.board [tabindex="0"]')?.focus(),
};
