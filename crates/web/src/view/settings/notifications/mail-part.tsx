import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MailSettings } from '../../../protocol/generated.ts';
import type { NotificationsApi } from '../../../store/notifications-api.ts';
import { currentLanguage } from '../../../text/languages.ts';
import { text } from '../../../text/index.ts';
import { useClient } from '../../context.ts';
import { SwitchField } from '../switch-field.tsx';
import { MailAddressForm } from './mail-address-form.tsx';

interface MailPartProps {
  readonly api: NotificationsApi;
  readonly mail: MailSettings;
  readonly onChange: (mail: MailSettings) => void;
  /** Called with what has been done. */
  readonly onResult: (result: string) => void;
  /** Called with what has been done, if that has removed the focused element. */
  readonly onReplaced: (result: string) => void;
}

/** The address of the user's account: a form for a new one, or the present one. */
export function MailPart(props: MailPartProps): JSX.Element {
  const words = text.notifications.mail;
  const { api, mail } = props;
  const [isChanging, setChanging] = useState(false);
  const onSent = async (): Promise<void> => {
    props.onChange((await api.settings()).mail ?? mail);
    setChanging(false);
    props.onReplaced(words.sent);
  };
  return (
    <div class="settings-part" data-testid="mail">
      <h3>{words.title}</h3>
      {mail.address === undefined || isChanging ? (
        <MailAddressForm api={api} onSent={onSent} />
      ) : (
        <MailAddress {...props} address={mail.address} onReplace={() => setChanging(true)} />
      )}
    </div>
  );
}

interface MailAddressProps extends MailPartProps {
  readonly address: string;
  /** Called when the user wants another address. */
  readonly onReplace: () => void;
}

/** The present address, with the choices about it. */
function MailAddress({ api, mail, address, onChange, onResult, onReplaced, onReplace }: MailAddressProps): JSX.Element {
  const client = useClient();
  const words = text.notifications.mail;
  const attempt = (action: () => Promise<void>): void => void action().catch((failure: unknown) => client.report(failure));
  /** The address that waits for its confirmation. */
  const waiting = mail.confirmed ? mail.pending : address;
  const sendAgain = async (again: string): Promise<void> => {
    await api.setMail({ address: again, language: currentLanguage(), notifications: mail.notifications });
    onResult(words.sentAgain);
  };
  const remove = async (): Promise<void> => {
    await api.removeMail();
    onChange({ confirmed: false, notifications: true });
    onReplaced(words.removed);
  };
  /** Shows the choice at once, and the earlier one again if it could not be stored. */
  const choose = async (notifications: boolean): Promise<void> => {
    onChange({ ...mail, notifications });
    try {
      await api.setMail({ address, language: currentLanguage(), notifications });
    } catch (failure) {
      onChange(mail);
      throw failure;
    }
  };
  return (
    <>
      {mail.confirmed && (
        <>
          <p data-testid="mail-address">{words.confirmed(address)}</p>
          <SwitchField name="mail-notifications" label={words.notify} hint={words.notifyHint} isOn={mail.notifications} onToggle={(isOn) => attempt(() => choose(isOn))} />
        </>
      )}
      {waiting !== undefined && <p data-testid="mail-pending">{words.unconfirmed(waiting)}</p>}
      <div class="buttons">
        {waiting !== undefined && (
          <button type="button" class="button" data-testid="mail-again" onClick={() => attempt(() => sendAgain(waiting))}>
            {words.again}
          </button>
        )}
        <button type="button" class="button" data-testid="mail-replace" onClick={onReplace}>
          {words.replace}
        </button>
        <button type="button" class="button" data-testid="mail-remove" onClick={() => attempt(remove)}>
          {words.remove}
        </button>
      </div>
    </>
  );
}
