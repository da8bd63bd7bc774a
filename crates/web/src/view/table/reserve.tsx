import type { JSX } from 'preact';
import type { ReserveView, SeatView } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import { PieceIcon } from '../board/piece-icon.tsx';

/** The pieces that a player may promote to besides a queen. */
export function Reserve({ seat, reserve }: { seat: SeatView; reserve: ReserveView }): JSX.Element {
  const kinds: readonly (readonly [RoleLetter, number])[] = [
    ['R', reserve.rooks],
    ['B', reserve.bishops],
    ['N', reserve.knights],
  ];
  const available = kinds.filter(([, count]) => count > 0);
  const words = available.length === 0 ? '' : text.list(available.map(([role, count]) => text.roleCount(count, role)));
  return (
    <div key={words} class="reserve" data-label={text.table.reserve} role="img" aria-label={`${text.table.reserve}: ${words || text.square.empty}`} title={text.table.reserve}>
      {available.map(([role, count]) => (
        <span key={role} class="reserve-kind">
          <PieceIcon color={seat.color} role={role} />
          {count > 1 && <span class="reserve-count">{count}</span>}
        </span>
      ))}
    </div>
  );
}
