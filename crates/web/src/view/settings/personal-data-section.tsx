import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { saveFile } from '../match/save-file.ts';

/** The name of the file with the user's data. */
const FILE_NAME = 'quadrex-data.json';

/** The section about the personal data of the user, which the user may download. */
export function PersonalDataSection(): JSX.Element {
  const client = useClient();
  const words = text.personalData;
  const [isBusy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    try {
      saveFile(await client.api.exportData(), FILE_NAME);
    } catch (failure) {
      client.report(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="settings-group" data-testid="personal-data" aria-labelledby="personal-data-title">
      <h2 id="personal-data-title">{words.title}</h2>
      <p class="quiet">{words.hint}</p>
      <button type="button" class="button" data-testid="export-data" disabled={isBusy} onClick={() => void download()}>
        {words.download}
      </button>
    </section>
  );
}
