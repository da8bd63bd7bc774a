import type { JSX } from 'preact';
import type { Looking } from '../../store/looking.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';

/** How many times as fast the moves may play by themselves. */
const PACES = [0.5, 1, 2, 4] as const;

/** Where in a match one is, as a slider, and how fast it plays by itself. */
export function Timeline({ state, looking }: { state: TableState; looking: Looking }): JSX.Element {
  const of = state.plies.length;
  const ply = looking.ply.value ?? of;
  const words = ply === 0 ? text.look.start(of) : text.look.after(ply, of);
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
        onInput={(event) => looking.goTo(Number(event.currentTarget.value))}
      />
      <span class="timeline-place quiet">{words}</span>
      <label class="timeline-pace">
        <span class="visually-hidden">{text.replay.pace}</span>
        <select
          class="input"
          data-testid="pace"
          value={looking.pace.value}
          onChange={(event) => looking.setPace(Number(event.currentTarget.value))}
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
