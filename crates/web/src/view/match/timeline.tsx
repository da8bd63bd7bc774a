import type { JSX } from 'preact';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';

/** The speeds of playback, as factors. */
const SPEEDS = [0.5, 1, 2, 4] as const;

/** The displayed ply as a slider, and the speed of playback. */
export function Timeline({ state, cursor }: { state: TableState; cursor: ReplayCursor }): JSX.Element {
  const plyCount = state.plies.length;
  const ply = cursor.ply.value ?? plyCount;
  const description = ply === 0 ? text.replayControls.start(plyCount) : text.replayControls.after(ply, plyCount);
  return (
    <div class="timeline">
      <input
        type="range"
        class="timeline-slider"
        data-testid="timeline"
        min={0}
        max={plyCount}
        step={1}
        value={ply}
        disabled={plyCount === 0}
        aria-label={text.replay.position}
        aria-valuetext={description}
        onInput={(event) => cursor.goTo(Number(event.currentTarget.value))}
      />
      <span class="timeline-place quiet">{description}</span>
      <label class="timeline-pace">
        <span class="visually-hidden">{text.replay.speed}</span>
        <select
          class="input"
          data-testid="pace"
          value={cursor.speed.value}
          onChange={(event) => cursor.setSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>
              {`${text.number(speed)}×`}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
