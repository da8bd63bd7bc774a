import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { UserId, UserView } from '../../protocol/generated.ts';
import { writableMessages, readableMessages, PHRASES, ownRoom, type SentMessage } from '../../store/chat.ts';
import { momentOf, type Moment, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { useClient } from '../context.ts';
import { PlayerName } from '../people/player-name.tsx';

/**
 * The greatest distance between the scroll position and the end, in CSS pixels, at which the chat
 * follows new messages.
 */
const NEAR_END_PX = 40;
/** The length of the longest message, in characters. */
const MAX_LENGTH = 200;

interface ChatProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** The chat of a table, with its input. */
export function Chat({ store, state }: ChatProps): JSX.Element {
  const client = useClient();
  const viewer = client.user.value?.id ?? null;
  const hidden = client.relations.hidden.value;
  const messages = readableMessages(state);
  const shown = messages.filter((message) => !hidden.has(message.user.id));
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (list.current !== null && atEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [shown.length]);

  return (
    <section class="chat" data-testid="chat" aria-label={text.chat.title}>
      <div
        ref={list}
        class="chat-log"
        role="log"
        tabIndex={0}
        aria-label={text.chat.log}
        data-testid="chat-log"
        onScroll={({ currentTarget }) => {
          atEnd.current = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < NEAR_END_PX;
        }}
      >
        {shown.map((message) => (
          <ChatMessageView key={message.seq} message={message} moment={{ ...momentOf(state), message: message.seq }} />
        ))}
        {shown.length === 0 && <p class="quiet">{text.chat.none}</p>}
      </div>
      <MuteList authors={otherAuthors(messages, viewer)} />
      <ChatInput store={store} state={state} viewer={viewer} />
    </section>
  );
}

function ChatMessageView({ message, moment }: { message: SentMessage; moment: Moment }): JSX.Element {
  const { user, color, room, content } = message;
  return (
    <p class="chat-message" data-room={room} data-color={color ?? undefined}>
      <span class="chat-message-author">
        {color !== null && <span class="plate-chip" aria-hidden="true" />}
        <PlayerName user={user} moment={moment}>
          {nameOf(user)}
        </PlayerName>
        {room === 'bystanders' && <span class="chat-message-room">{text.chat.rooms.bystanders}</span>}
      </span>{' '}
      <span class="chat-message-text">{'text' in content ? content.text : text.chat.phrases[content.phrase]}</span>
    </p>
  );
}

/** Returns the other users who have sent messages. */
function otherAuthors(messages: readonly SentMessage[], viewer: UserId | null): UserView[] {
  const authors = new Map(messages.map(({ user }) => [user.id, user]));
  if (viewer !== null) authors.delete(viewer);
  return [...authors.values()];
}

/** The list of users to mute. */
function MuteList({ authors }: { authors: readonly UserView[] }): JSX.Element | null {
  const client = useClient();
  if (authors.length === 0) return null;
  const isMuted = (user: UserView): boolean => client.relations.has('mutes', user.id);
  const toggle = (user: UserView): void => void client.relations.set('mutes', user, !isMuted(user)).catch((failure: unknown) => client.report(failure));
  return (
    <details class="chat-participants">
      <summary data-testid="chat-people">{text.chat.mute}</summary>
      <ul class="buttons">
        {authors.map((user) => (
          <li key={user.id}>
            <button
              type="button"
              class="button small"
              aria-pressed={isMuted(user)}
              data-testid={`mute-${user.id}`}
              onClick={() => toggle(user)}
            >
              {isMuted(user) ? text.chat.muted(nameOf(user)) : nameOf(user)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The input of messages and of preset phrases, if the user may send them. */
function ChatInput({ store, state, viewer }: ChatProps & { viewer: UserId | null }): JSX.Element | null {
  const [typed, setTyped] = useState('');
  const allowed = writableMessages(state, viewer);
  if (allowed === 'off') return null;
  const room = ownRoom(state);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const message = typed.trim();
    if (message === '') return;
    setTyped('');
    if (!(await store.sendMessage(room, { text: message }))) setTyped((now) => (now === '' ? message : `${message} ${now}`));
  };
  return (
    <div class="chat-write">
      <ul class="phrases" aria-label={text.chat.ready}>
        {PHRASES.map((phrase) => (
          <li key={phrase}>
            <button
              type="button"
              class="button small"
              data-testid={`phrase-${phrase}`}
              onClick={() => void store.sendMessage(room, { phrase })}
            >
              {text.chat.phrases[phrase]}
            </button>
          </li>
        ))}
      </ul>
      {allowed === 'on' && (
        <form class="chat-form" onSubmit={(event) => void send(event)}>
          <input
            class="input"
            aria-label={text.chat.to[room]}
            placeholder={text.chat.to[room]}
            data-testid="chat-input"
            maxLength={MAX_LENGTH}
            autocomplete="off"
            enterkeyhint="send"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button type="submit" class="button" data-testid="chat-send">
            {text.chat.send}
          </button>
        </form>
      )}
    </div>
  );
}
