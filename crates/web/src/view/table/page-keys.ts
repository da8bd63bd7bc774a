import { useEffect } from 'preact/hooks';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import { useClient } from '../context.ts';

/**
 * Elements that handle the keys of the shortcuts themselves. The board stops the keys that it
 * handles.
 */
const ELEMENTS_WITH_KEYS = 'input:not([type="checkbox"]), textarea, select, dialog, [role="tablist"], [role="dialog"]';
/** Elements that Space activates. */
const PRESSABLE = 'button, a, summary, label, input';

interface PageKeys {
  readonly cursor: ReplayCursor;
  readonly turnBoard: () => void;
  readonly openHelp: () => void;
  readonly toggleZen?: () => void;
}

/** Handles the keyboard shortcuts of a page, unless the focused element needs the key. */
export function usePageKeys({ cursor, turnBoard, openHelp, toggleZen }: PageKeys): void {
  // Users who dictate or press keys by mistake can disable shortcuts of single characters.
  const { shortcuts } = useClient().preferences;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (isWithin(target, ELEMENTS_WITH_KEYS) || document.querySelector('dialog[open]') !== null) return;
      if (!shortcuts.value && event.key !== ' ' && event.key.length === 1) return;
      if (event.key === ' ' && isWithin(target, PRESSABLE)) return;
      const action = KEY_ACTIONS[event.key];
      if (action === undefined) return;
      action({ cursor, turnBoard, openHelp, ...(toggleZen === undefined ? {} : { toggleZen }) });
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [cursor, turnBoard, openHelp, toggleZen, shortcuts]);
}

function isWithin(target: Element | null, selector: string): boolean {
  return target !== null && target.closest(selector) !== null;
}

const KEY_ACTIONS: Readonly<Record<string, (keys: PageKeys) => void>> = {
  ArrowLeft: ({ cursor }) => cursor.back(),
  ArrowRight: ({ cursor }) => cursor.forward(),
  Home: ({ cursor }) => cursor.first(),
  End: ({ cursor }) => cursor.live(),
  ' ': ({ cursor }) => cursor.togglePlayback(),
  f: ({ turnBoard: turn }) => turn(),
  z: ({ toggleZen: toggle }) => toggle?.(),
  '?': ({ openHelp: help }) => help(),
  '/': () => document.querySelector<HTMLElement>('#move-input')?.focus(),
  b: () => document.querySelector<HTMLElement>('.board [tabindex="0"]')?.focus(),
};
