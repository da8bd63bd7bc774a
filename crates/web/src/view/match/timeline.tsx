import type { JSX } from 'preact';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';

/** How many times as fast the moves may play by themselves. */
const PACES = [0.5, 1, 2, 4] as const;

/** Where in a match one is, as a slider, and how fast it plays by itself. */
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
          value={cursor.pace.value}
          onChange={(event) => cursor.setPace(Number(event.currentTarget.value))}
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
