import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import type { Page } from '../router.ts';
import { SettingsForm } from './settings-form.tsx';

const open = signal(false);

/** For a press on a link to the settings: who is at a table gets them over it, and does not leave. */
export function stayForSettings(event: MouseEvent, shown: Page['kind']): void {
  if (shown !== 'table' || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open.value = true;
}

/** The settings over a table. */
export function SettingsDialog(): JSX.Element | null {
  if (!open.value) return null;
  return (
    <Dialog title={text.preferences.title} onClose={() => (open.value = false)}>
      <SettingsForm />
    </Dialog>
  );
}
