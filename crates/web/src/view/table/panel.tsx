import type { JSX } from 'preact';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { usePaintedSteps } from '../painted-steps.ts';
import { BeforeStart } from './before-start.tsx';
import { ConditionalMovesPanel } from './conditional-moves.tsx';
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

/** The number of steps in which the board is painted when the page is opened. */
const BOARD_STEPS = 3;

/**
 * All parts of a table's page beside or below the board: result, controls, moves, chat, details.
 * When the page is opened, they follow the board.
 */
export function Panel({ store, state, input, cursor, notes }: PanelProps): JSX.Element {
  if (usePaintedSteps(BOARD_STEPS) < BOARD_STEPS) return <div class="panel" aria-busy="true" />;
  return (
    <div class="panel">
      <ResultCard state={state} />
      <PostGame store={store} state={state} />
      <WaitingOffer store={store} state={state} />
      <BeforeStart store={store} state={state} />
      <Controls store={store} state={state} />
      <TurnsBoardSwitch state={state} />
      <MoveInput input={input} state={state} />
      <MovesAndChat store={store} state={state} cursor={cursor} notes={notes} />
      <ConditionalMovesPanel state={state} />
      <TableInfo state={state} />
      {state.state.phase === 'running' && <PrivateLinks store={store} state={state} />}
    </div>
  );
}
