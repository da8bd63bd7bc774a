import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { UserId, UserView } from '../../protocol/generated.ts';
import { writableMessages, readableMessages, PHRASES, ownRoom, type SentMessage } from '../../store/chat.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';

/** Within this many pixels of its end a list counts as read to the end. */
const NEAR_END_PX = 40;
/** The longest text, characters. */
const LONGEST = 200;

interface ChatProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** The chat of a table, with its input. */
export function Chat({ store, state }: ChatProps): JSX.Element {
  const client = useClient();
  const viewer = client.user.value?.id ?? null;
  const muted = client.mutes.muted.value;
  const messages = readableMessages(state);
  const shown = messages.filter((message) => !muted.has(message.user.id));
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
          <Said key={message.seq} message={message} />
        ))}
        {shown.length === 0 && <p class="quiet">{text.chat.none}</p>}
      </div>
      <People speakers={speakersOf(messages, viewer)} muted={muted} onToggle={(user) => client.mutes.toggle(user)} />
      <Write store={store} state={state} viewer={viewer} />
    </section>
  );
}

function Said({ message }: { message: SentMessage }): JSX.Element {
  const { user, color, room, content: words } = message;
  return (
    <p class="chat-message" data-room={room} data-color={color ?? undefined}>
      <span class="chat-message-author">
        {color !== null && <span class="plate-chip" aria-hidden="true" />}
        {user.name}
        {room === 'bystanders' && <span class="chat-message-room">{text.chat.rooms.bystanders}</span>}
      </span>{' '}
      <span class="chat-message-text">{'text' in words ? words.text : text.chat.phrases[words.phrase]}</span>
    </p>
  );
}

/** Everybody else who has said something. */
function speakersOf(messages: readonly SentMessage[], viewer: UserId | null): UserView[] {
  const speakers = new Map(messages.map(({ user }) => [user.id, user]));
  if (viewer !== null) speakers.delete(viewer);
  return [...speakers.values()];
}

interface PeopleProps {
  readonly speakers: readonly UserView[];
  readonly muted: ReadonlySet<UserId>;
  readonly onToggle: (user: UserId) => void;
}

/** The list of people to mute. */
function People({ speakers, muted, onToggle }: PeopleProps): JSX.Element | null {
  if (speakers.length === 0) return null;
  return (
    <details class="chat-participants">
      <summary data-testid="chat-people">{text.chat.mute}</summary>
      <ul class="buttons">
        {speakers.map((user) => (
          <li key={user.id}>
            <button
              type="button"
              class="button small"
              aria-pressed={muted.has(user.id)}
              data-testid={`mute-${user.id}`}
              onClick={() => onToggle(user.id)}
            >
              {muted.has(user.id) ? text.chat.muted(user.name) : user.name}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The line one writes and the ready phrases, as far as one may. */
function Write({ store, state, viewer }: ChatProps & { viewer: UserId | null }): JSX.Element | null {
  const [typed, setTyped] = useState('');
  const may = writableMessages(state, viewer);
  if (may === 'off') return null;
  const room = ownRoom(state);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const words = typed.trim();
    if (words === '') return;
    setTyped('');
    if (!(await store.sendMessage(room, { text: words }))) setTyped((now) => (now === '' ? words : `${words} ${now}`));
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
      {may === 'on' && (
        <form class="chat-form" onSubmit={(event) => void send(event)}>
          <input
            class="input"
            aria-label={text.chat.to[room]}
            placeholder={text.chat.to[room]}
            data-testid="chat-input"
            maxLength={LONGEST}
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
