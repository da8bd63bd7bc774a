import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Dialog } from './dialog.tsx';

/**
 * The dialog with a warning from the operators. The user acknowledges it with the button. If the
 * dialog is only closed, it opens again when the page is loaded.
 */
export function WarningDialog(): JSX.Element | null {
  const client = useClient();
  const [closed, setClosed] = useState<readonly number[]>([]);
  const warning = client.status.warnings.value.find(({ number }) => !closed.includes(number));
  if (warning === undefined) return null;
  const words = text.warning;
  const close = (): void => setClosed([...closed, warning.number]);
  return (
    <Dialog key={warning.number} title={words.title} onClose={close}>
      <p>{words.hint}</p>
      <blockquote class="warning-text" data-testid="warning">
        {warning.text}
      </blockquote>
      <div class="buttons align-end">
        <button type="button" class="button primary" data-testid="acknowledge" onClick={() => void client.status.acknowledge(warning.number).catch((failure: unknown) => client.report(failure))}>
          {words.acknowledge}
        </button>
      </div>
    </Dialog>
  );
}
