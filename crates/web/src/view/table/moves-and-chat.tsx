import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { writableMessages, readableMessages, unreadCount } from '../../store/chat.ts';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useInViewport } from '../in-viewport.ts';
import { useRelations } from '../people/use-relations.ts';
import { Chat } from './chat.tsx';
import { MoveList } from './move-list.tsx';
import type { Notes, NotesTab } from './notes.ts';

interface MovesAndChatProps {
  readonly store: TableStore;
  readonly state: TableState;
  readonly cursor: ReplayCursor;
  readonly notes: Notes;
}

/** The moves and the chat as two tabs. The tab of the chat shows the number of unread messages. */
export function MovesAndChat({ store, state, cursor, notes }: MovesAndChatProps): JSX.Element | null {
  const client = useClient();
  const viewer = client.user.value?.id ?? null;
  const relations = useRelations();
  const messages = readableMessages(state);
  const hasChat = messages.length > 0 || writableMessages(state, viewer) !== 'off';
  const tabs: readonly NotesTab[] = [...(state.state.phase === 'open' ? [] : (['moves'] as const)), ...(hasChat ? (['chat'] as const) : [])];
  const chosen = notes.chosen.value;
  const setChosen = (tab: NotesTab): void => {
    notes.chosen.value = tab;
  };
  const element = useRef<HTMLDivElement>(null);
  const isInView = useInViewport(element, true);
  const shown = tabs.includes(chosen) ? chosen : tabs[0];
  const [lastRead, setLastRead] = useState(state.seq);
  const latest = messages.at(-1)?.seq ?? 0;
  useEffect(() => {
    if (shown === 'chat' && isInView && latest > lastRead) setLastRead(latest);
  }, [shown, isInView, latest, lastRead]);
  const unread = shown === 'chat' && isInView ? 0 : unreadCount(messages, lastRead, viewer, relations.hidden.value);
  useEffect(() => {
    notes.unread.value = unread;
  }, [notes, unread]);
  const buttons = useRef<HTMLDivElement>(null);
  if (shown === undefined) return null;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    setChosen(shown === 'moves' ? 'chat' : 'moves');
    buttons.current?.querySelector<HTMLElement>('[aria-selected="false"]')?.focus();
    event.preventDefault();
  };
  return (
    <div ref={element} id="notes" class="notes" data-tabs={tabs.length}>
      {tabs.length > 1 && (
        <div class="tabs" role="tablist" ref={buttons} onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab}
              type="button"
              role="tab"
              class="tab"
              id={`tab-${tab}`}
              data-testid={`tab-${tab}`}
              aria-selected={tab === shown}
              aria-controls="notes-shown"
              tabIndex={tab === shown ? 0 : -1}
              onClick={() => setChosen(tab)}
            >
              {tab === 'moves' ? text.table.moves : text.chat.title}
              {tab === 'chat' && (
                <span class="unread" data-testid="unread" data-count={unread} aria-label={text.chat.unread(unread)}>
                  {unread === 0 ? '' : unread}
                </span>
              )}
            </button>
          ))}
        </div>
      )}
      <div
        class="notes-shown"
        id="notes-shown"
        {...(tabs.length > 1 ? { role: 'tabpanel', 'aria-labelledby': `tab-${shown}` } : {})}
      >
        {shown === 'moves' ? <MoveList state={state} cursor={cursor} /> : <Chat store={store} state={state} />}
      </div>
    </div>
  );
}
