import type { JSX } from 'preact';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { BoardIcon } from '../icons.tsx';
import type { Zen } from './use-zen.ts';

interface BoardBarProps {
  readonly state: TableState;
  readonly cursor: ReplayCursor;
  readonly onTurnBoard: () => void;
  readonly onHelp: () => void;
  /** The zen mode of the page, if it has one. */
  readonly zen?: Zen;
}

/** The bar below the board: replay, turning the board, sound and help. */
export function BoardBar({ state, cursor, onTurnBoard, onHelp, zen }: BoardBarProps): JSX.Element {
  const { sound } = useClient().preferences;
  const ply = cursor.ply.value;
  const plyCount = state.plies.length;
  const isPlaying = cursor.isPlaying.value;
  return (
    <div class="board-bar" role="toolbar" aria-label={text.replayControls.title}>
      <BarButton name="first" disabled={plyCount === 0 || ply === 0} onClick={() => cursor.first()} />
      <BarButton name="back" disabled={plyCount === 0 || ply === 0} onClick={() => cursor.back()} />
      <BarButton name={isPlaying ? 'stop' : 'play'} testId="look-play" disabled={plyCount === 0} onClick={() => cursor.togglePlayback()} />
      <BarButton name="forward" disabled={ply === null} onClick={() => cursor.forward()} />
      <BarButton name="live" disabled={ply === null} onClick={() => cursor.live()} />
      <span class="board-bar-gap" />
      <BarButton name="turn" onClick={onTurnBoard} />
      {zen !== undefined && (
        <button
          type="button"
          class="icon-button zen-enter"
          aria-label={text.zen.enter}
          title={`${text.zen.enter} (z)`}
          data-testid="look-zen"
          disabled={!zen.isPossible}
          onClick={zen.toggle}
        >
          <BoardIcon name="zen" />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={text.preferences.labels.sound}
        aria-pressed={sound.value}
        title={text.preferences.labels.sound}
        data-testid="look-sound"
        onClick={() => (sound.value = !sound.value)}
      >
        <BoardIcon name={sound.value ? 'sound' : 'silent'} />
      </button>
      <button type="button" class="icon-button help-button" aria-label={text.replayControls.help} title={text.replayControls.help} data-testid="look-help" onClick={onHelp}>
        ?
      </button>
    </div>
  );
}

interface BarButtonProps {
  readonly name: 'first' | 'back' | 'play' | 'stop' | 'forward' | 'live' | 'turn';
  readonly testId?: string;
  /** The label, if it differs from the default label. */
  readonly label?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** A button in the bar of a board. */
export function BarButton({ name, testId = `look-${name}`, label = text.replayControls[name], disabled = false, onClick }: BarButtonProps): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} data-testid={testId} disabled={disabled} onClick={onClick}>
      <BoardIcon name={name} />
    </button>
  );
}
