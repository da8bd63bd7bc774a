import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { useTitle } from '../title.ts';
import { SettingsForm } from './settings-form.tsx';

/** The page of settings. */
export function SettingsPage(): JSX.Element {
  const words = text.preferences;
  useTitle(words.title);
  return (
    <main id="content" class="page settings-page">
      <div class="page-head">
        <h1>{words.title}</h1>
        <p class="quiet">{words.hint}</p>
      </div>
      <SettingsForm />
    </main>
  );
}
