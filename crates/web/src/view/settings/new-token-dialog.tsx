import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { TokenCreated, TokenScope } from '../../protocol/generated.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { TextField } from '../account/text-field.tsx';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { SelectField } from '../fields.tsx';
import { CopyLink } from '../table/copy-link.tsx';
import { useSubmission } from '../use-submission.ts';

/** The longest name of a token, in characters (docs/PROTOCOL.md). */
const MAX_LENGTH = 60;
/** The scopes that the user may add. Every token has the scope `read`. */
const OPTIONAL_SCOPES = ['play', 'host', 'bot'] as const satisfies readonly TokenScope[];
/** The scopes that an operator may add. */
const OPERATOR_SCOPES = [...OPTIONAL_SCOPES, 'admin'] as const;
/** The lifetimes of a token in days. */
const LIFETIMES = ['30', '90', '365', 'never'] as const;

const DAY_MS = 86_400_000;

interface NewTokenProps {
  readonly onCreated: (created: TokenCreated) => void;
  readonly onClose: () => void;
}

/** The dialog that creates a token and then shows it, which is possible only once. */
export function NewTokenDialog({ onCreated, onClose }: NewTokenProps): JSX.Element {
  const words = text.tokens;
  const [token, setToken] = useState<string | null>(null);
  return (
    <Dialog title={token === null ? words.create : words.shown} onClose={onClose}>
      {token === null ? (
        <TokenForm
          onCreated={(created) => {
            setToken(created.token);
            onCreated(created);
          }}
        />
      ) : (
        <>
          <p>{words.warning}</p>
          <CopyLink link={token} label={words.shown} testId="shown-token" buttonLabel={text.recoveryKey.copy} />
        </>
      )}
    </Dialog>
  );
}

/** The form for the name, the scopes and the lifetime of a token. */
function TokenForm({ onCreated }: Pick<NewTokenProps, 'onCreated'>): JSX.Element {
  const client = useClient();
  const words = text.tokens;
  const [name, setName] = useState('');
  const [added, setAdded] = useState<readonly TokenScope[]>(['play']);
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number]>('90');
  const { form, isBusy, error, clear, submit } = useSubmission();
  const create = async (): Promise<void> => {
    const expires_in_days = lifetime === 'never' ? null : Number(lifetime);
    onCreated(await client.api.createToken({ name: name.trim(), scopes: ['read', ...added], expires_in_days }));
  };
  const scopes = client.status.isOperator.value === true ? OPERATOR_SCOPES : OPTIONAL_SCOPES;
  const toggle = (scope: TokenScope, on: boolean): void => setAdded(scopes.filter((one) => (one === scope ? on : added.includes(one))));
  return (
    <form ref={form} class="form" data-testid="token-form" onSubmit={(event) => submit(event, create)} onInput={clear}>
      <TextField name="token-name" label={words.name} autocomplete="off" maxLength={MAX_LENGTH} value={name} hint={words.nameHint} error={error && tokenError(error)} onInput={setName} />
      <fieldset class="choice">
        <legend>{words.may}</legend>
        <p class="quiet">{words.read}</p>
        {scopes.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              data-testid={`scope-${scope}`}
              checked={added.includes(scope)}
              aria-describedby={`scope-hint-${scope}`}
              onChange={(event) => toggle(scope, event.currentTarget.checked)}
            />
            <span>
              {words.scopes[scope]}
              <span class="quiet" id={`scope-hint-${scope}`}>
                {words.scopeHints[scope]}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <SelectField label={words.lifetime} name="token-lifetime" value={lifetime} options={LIFETIMES.map((one) => [one, one === 'never' ? words.neverExpires : words.days(Number(one) * DAY_MS)] as const)} error={null} onChange={setLifetime} />
      <div class="buttons align-end">
        <button type="submit" class="button primary" data-testid="token-submit" disabled={isBusy}>
          {words.create}
        </button>
      </div>
    </form>
  );
}

/** Returns the text of an error of the form. */
function tokenError(error: Error): string {
  return error instanceof Refusal && error.code === 'bad_setting' ? text.tokens.invalidName : errorText(error);
}
