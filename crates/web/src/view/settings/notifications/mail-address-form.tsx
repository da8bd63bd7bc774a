import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../../connection/outbox.ts';
import type { NotificationsApi } from '../../../store/notifications-api.ts';
import { errorText } from '../../../text/error-text.ts';
import { currentLanguage } from '../../../text/languages.ts';
import { text } from '../../../text/index.ts';
import { TextField } from '../../account/text-field.tsx';
import { useSubmission } from '../../use-submission.ts';

/** The longest address, in characters (RFC 5321, section 4.5.3.1.3). */
const MAX_LENGTH = 254;

interface MailAddressFormProps {
  readonly api: NotificationsApi;
  /** Called after the server has accepted the address, to which it sends a link. */
  readonly onSent: () => Promise<void>;
}

/** The form for a new address. */
export function MailAddressForm({ api, onSent }: MailAddressFormProps): JSX.Element {
  const words = text.notifications.mail;
  const [address, setAddress] = useState('');
  const { form, isBusy, error, clear, submit } = useSubmission();
  const add = async (): Promise<void> => {
    await api.setMail({ address: address.trim(), language: currentLanguage() });
    await onSent();
  };
  return (
    <form ref={form} class="form" data-testid="mail-form" onSubmit={(event) => submit(event, add)} onInput={clear}>
      <TextField name="mail" label={words.address} autocomplete="email" maxLength={MAX_LENGTH} value={address} hint={words.hint} error={error && addressError(error)} onInput={setAddress} />
      <div class="buttons">
        <button type="submit" class="button" data-testid="mail-submit" disabled={isBusy}>
          {words.add}
        </button>
      </div>
    </form>
  );
}

/** Returns the text of an error of the form. */
function addressError(error: Error): string {
  const isInvalid = error instanceof Refusal && (error.code === 'bad_setting' || error.code === 'bad_text');
  return isInvalid ? text.notifications.mail.invalid : errorText(error);
}
