import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useTitle } from '../title.ts';
import { AccountSettings } from './account-settings.tsx';
import { SettingsForm } from './settings-form.tsx';

/** The page of settings. */
export function SettingsPage(): JSX.Element {
  const words = text.preferences;
  const { persistence } = useClient();
  const [isPermanent] = useState(() => persistence.isPermanent());
  useTitle(words.title);
  return (
    <main id="content" class="page settings-page">
      <div class="page-head">
        <h1>{words.title}</h1>
        <p class="quiet">{isPermanent ? words.hint : words.notStoredHint}</p>
      </div>
      <SettingsForm />
      <AccountSettings />
    </main>
  );
}
