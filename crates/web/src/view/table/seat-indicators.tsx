import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Color } from '../../protocol/generated.ts';
import { capturesBy } from '../../store/capture-counts.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { PieceIcon } from '../board/piece-icon.tsx';
import { useStableElements } from '../stable-elements.ts';

/** The lamps of a seat, as on the physical board: one for check and one for mate. */
export function SeatLamps({ state, color }: { state: Pick<TableState, 'state'>; color: Color }): JSX.Element {
  const { checks, phase } = state.state;
  return (
    <div class="indicators">
      <Lamp kind="check" lit={phase === 'running' && checks.includes(color)} />
      <Lamp kind="mate" lit={isMated(state, color)} />
    </div>
  );
}

function Lamp({ kind, lit }: { kind: 'check' | 'mate'; lit: boolean }): JSX.Element {
  return (
    <span class="indicator" data-kind={kind} data-lit={lit} data-label={text.table.lamps[kind]} data-testid={`indicator-${kind}`} aria-hidden={!lit}>
      {lit && text.table.lamps[kind]}
    </span>
  );
}

/**
 * Returns whether a player was mated. A game of two players has no eliminations, so there the loser
 * by mate was mated.
 */
function isMated({ state }: Pick<TableState, 'state'>, color: Color): boolean {
  const elimination = state.eliminated.find((one) => one.color === color);
  if (elimination !== undefined) return elimination.cause === 'mate';
  return state.outcome?.reason === 'mate' && (state.outcome.places[color] ?? 1) > 1;
}

/** The pieces that a seat has captured, in the colors of their owners. */
export function CapturedBySeat({ state, color }: { state: TableState; color: Color }): JSX.Element {
  const { plies, seats } = state;
  const captured = useMemo(() => capturesBy(color, { plies, seats }), [color, plies, seats]);
  const words = useMemo(() => text.list(captured.map((kind) => text.pieceCount(kind.count, kind.color, kind.role))), [captured]);
  const stable = useStableElements();
  return stable('captured', [words, color], () => (
    <div key={words} class="captured" data-label={text.table.captured} role="img" aria-label={`${text.table.captured}: ${words || text.queries.none}`} title={text.table.captured} data-testid={`captured-${color}`}>
      {captured.map((kind) => (
        <span key={kind.color + kind.role} class="captured-kind">
          <PieceIcon color={kind.color} role={kind.role} />
          {kind.count > 1 && kind.count}
        </span>
      ))}
    </div>
  ));
}
