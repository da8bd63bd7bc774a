import type { JSX } from 'preact';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';

/** Speeds of automatic replay, as multiples of the usual one. */
const PACES = [0.5, 1, 2, 4] as const;

/** The shown ply as a slider, and the speed of automatic replay. */
export function Timeline({ state, cursor }: { state: TableState; cursor: ReplayCursor }): JSX.Element {
  const of = state.plies.length;
  const ply = cursor.ply.value ?? of;
  const words = ply === 0 ? text.replayControls.start(of) : text.replayControls.after(ply, of);
  return (
    <div class="timeline">
      <input
        type="range"
        class="timeline-slider"
        data-testid="timeline"
        min={0}
        max={of}
        step={1}
        value={ply}
        disabled={of === 0}
        aria-label={text.replay.place}
        aria-valuetext={words}
        onInput={(event) => cursor.goTo(Number(event.currentTarget.value))}
      />
      <span class="timeline-place quiet">{words}</span>
      <label class="timeline-pace">
        <span class="visually-hidden">{text.replay.pace}</span>
        <select
          class="input"
          data-testid="pace"
          value={cursor.speed.value}
          onChange={(event) => cursor.setSpeed(Number(event.currentTarget.value))}
        >
          {PACES.map((pace) => (
            <option key={pace} value={pace}>
              {`${text.number(pace)}×`}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
