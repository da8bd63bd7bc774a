import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { useStableElements } from '../stable-elements.ts';
import { BeforeStart } from './before-start.tsx';
import { Controls } from './controls.tsx';
import type { MoveInputState } from './move-input-state.ts';
import { MoveInput } from './move-input.tsx';
import { MovesAndChat } from './moves-and-chat.tsx';
import type { Notes } from './notes.ts';
import { PostGame } from './post-game.tsx';
import { PrivateLinks } from './private-links.tsx';
import { ResultCard } from './result-card.tsx';
import { TableInfo } from './table-info.tsx';
import { TurnsBoardSwitch } from './turns-board-switch.tsx';
import { WaitingOffer } from './waiting-offer.tsx';

interface PanelProps {
  readonly store: TableStore;
  readonly state: TableState;
  readonly input: MoveInputState;
  readonly cursor: ReplayCursor;
  readonly notes: Notes;
}

/**
 * All parts of a table's page except the board: results, requests, moves, chat, details. They are
 * rendered after the board has been painted. A move is therefore visible on the board as early as
 * possible, and on a slow device no single task is long.
 */
export function Panel({ store, state, input, cursor, notes }: PanelProps): JSX.Element {
  const [painted, setPainted] = useState(state);
  useEffect(() => setPainted(state), [state]);
  const shown = painted.match === state.match ? painted : state;
  const stable = useStableElements();
  return stable('panel', [store, shown, input, cursor, notes], () => (
    <div class="panel">
      <ResultCard state={shown} />
      <PostGame store={store} state={shown} />
      <WaitingOffer store={store} state={shown} />
      <BeforeStart store={store} state={shown} />
      <Controls store={store} state={shown} />
      <TurnsBoardSwitch state={shown} />
      <MoveInput input={input} state={shown} />
      <MovesAndChat store={store} state={shown} cursor={cursor} notes={notes} />
      <TableInfo state={shown} />
      {shown.state.phase === 'running' && <PrivateLinks store={store} state={shown} />}
    </div>
  ));
}
