import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { FocusedResult } from '../focused-result.tsx';

/** The result of a link in a mail, with a link to the settings. */
export function MailResult({ words, isError = false }: { words: string; isError?: boolean }): JSX.Element {
  return (
    <>
      <FocusedResult testId="mail-result" isError={isError}>
        {words}
      </FocusedResult>
      <div class="buttons">
        <a class="button" href="/settings">
          {text.mailPage.toSettings}
        </a>
      </div>
    </>
  );
}
