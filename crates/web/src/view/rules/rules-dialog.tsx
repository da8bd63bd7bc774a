import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { lazyPage } from '../lazy-page.tsx';
import type { Page } from '../router.ts';

const open = signal(false);

/** The chapters. Their code and boards are loaded when the rules are opened for the first time. */
const Chapters = lazyPage(async () => (await import('./rules-page.tsx')).RulesSheet, 'part');

/** Opens the rules over the page. */
export function openRules(): void {
  open.value = true;
}

/**
 * Handles a press on a link to the rules. At a table it opens the rules in a dialog, so that the
 * user does not leave the table.
 */
export function openRulesDialog(event: MouseEvent, currentPage: Page['kind']): void {
  if (currentPage !== 'table' || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openRules();
}

/** The rules over a table. */
export function RulesDialog(): JSX.Element | null {
  if (!open.value) return null;
  return (
    <Dialog title={text.rules.title} isSheet onClose={() => (open.value = false)}>
      <Chapters />
    </Dialog>
  );
}
