import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import type { Page } from '../router.ts';
import { SettingsForm } from './settings-form.tsx';

const isOpen = signal(false);

/**
 * Opens the settings as a dialog on the page of a table, so that the user stays at the table. On
 * other pages the link opens the page of the settings.
 */
export function openSettingsDialog(event: MouseEvent, currentPage: Page['kind']): void {
  if (currentPage !== 'table' || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  isOpen.value = true;
}

/** The settings in a dialog over a table. */
export function SettingsDialog(): JSX.Element | null {
  if (!isOpen.value) return null;
  return (
    <Dialog title={text.preferences.title} onClose={() => (isOpen.value = false)}>
      <SettingsForm />
    </Dialog>
  );
}
