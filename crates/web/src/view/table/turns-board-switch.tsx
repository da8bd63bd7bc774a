import type { JSX } from 'preact';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';

/** The switch that turns the board to the player to move, for users with several seats. */
export function TurnsBoardSwitch({ state }: { state: TableState }): JSX.Element | null {
  const { preferences } = useClient();
  if (state.ownSeats.length < 2 || state.state.phase !== 'running') return null;
  return (
    <label class="check">
      <input
        type="checkbox"
        data-testid="turns-board"
        checked={preferences.turnsBoard.value}
        onChange={(event) => (preferences.turnsBoard.value = event.currentTarget.checked)}
      />
      <span>{text.hotseat.turnsBoard}</span>
    </label>
  );
}
