import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { SignOutQuestion } from './sign-out-question.tsx';
import { useLoaded } from '../use-loaded.ts';

interface SessionsProps {
  /** Set if the user has a recovery key. */
  readonly hasKey: boolean;
}

/** The browsers and programs in which the user is signed in, with buttons that sign them out. */
export function Sessions({ hasKey }: SessionsProps): JSX.Element | null {
  const client = useClient();
  const user = client.user.value;
  const { value, error, set, retry } = useLoaded(async () => (await client.api.sessions()).sessions, user?.id);
  const [done, setDone] = useState('');
  const [isLeaving, setLeaving] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  if (user === null) return null;
  const words = text.sessions;

  /** Runs an action, and shows the remaining sessions. The focus stays in this section. */
  const run = async (action: () => Promise<string>, rest: (session: SessionView) => boolean): Promise<void> => {
    try {
      setDone(await action());
      set((value ?? []).filter(rest));
      heading.current?.focus();
    } catch (failure) {
      client.report(failure);
    }
  };
  const end = (session: SessionView): Promise<void> =>
    run(
      async () => {
        await client.api.endSession(session.id);
        return words.signedOut(nameOf(session));
      },
      ({ id }) => id !== session.id,
    );
  const endOthers = (): Promise<void> =>
    run(
      async () => words.signedOutOthers((await client.api.endOtherSessions()).ended),
      ({ is_current }) => is_current,
    );
  const signOut = (): void => void client.signOut().catch((failure: unknown) => client.report(failure));
  /** Signs out, or asks a guest first. */
  const leave = (): void => (user.account === true ? signOut() : setLeaving(true));
  return (
    <section class="settings-group" data-testid="sessions" aria-labelledby="sessions-title" aria-busy={value === null && error === null}>
      <h2 id="sessions-title" ref={heading} tabIndex={-1}>
        {words.title}
      </h2>
      <p class="quiet">{words.hint}</p>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      <ul class="session-list">
        {(value ?? []).map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => (session.is_current ? leave() : void end(session))} />
        ))}
      </ul>
      <p role="status" data-testid="sessions-result">
        {done}
      </p>
      {(value ?? []).length > 1 && (
        <button type="button" class="button" data-testid="end-others" onClick={() => void endOthers()}>
          {words.signOutOthers}
        </button>
      )}
      {isLeaving && <SignOutQuestion user={user} sessions={value ?? []} hasKey={hasKey} onConfirm={signOut} onClose={() => setLeaving(false)} />}
    </section>
  );
}

/** A browser or program in the list. */
function SessionRow({ session, onEnd }: { session: SessionView; onEnd: () => void }): JSX.Element {
  const words = text.sessions;
  const { created_at_ms, seen_at_ms, is_current } = session;
  const since = words.since(text.day(created_at_ms));
  const used = seen_at_ms === undefined || is_current ? null : words.used(text.ago(Date.now() - seen_at_ms));
  return (
    <li class="session" data-testid="session" data-current={is_current}>
      <span class="session-text">
        <span class="session-name">
          {nameOf(session)}
          {is_current && <span class="session-mark">{words.current}</span>}
        </span>
        <span class="quiet">{used === null ? since : `${used} · ${since}`}</span>
      </span>
      <button type="button" class="button small" data-testid="end-session" aria-label={words.signOutOf(is_current ? words.current : nameOf(session))} onClick={onEnd}>
        {words.signOut}
      </button>
    </li>
  );
}

function nameOf({ client, name }: SessionView): string {
  return name ?? (client === 'program' ? text.sessions.program : text.sessions.unknownBrowser);
}
