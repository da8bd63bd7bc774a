import type { JSX } from 'preact';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { UserName } from '../user-name.tsx';

/** For the host: the users who have opened the table by a link, the latest first. */
export function LinkVisitors({ state }: { state: TableState }): JSX.Element | null {
  if (state.linkVisitors.length === 0) return null;
  return (
    <div class="link-visitors">
      <h3>{text.invite.visitors}</h3>
      <ul data-testid="link-visitors">
        {state.linkVisitors.toReversed().map(({ user, opened_at_ms }) => {
          const seat = state.seats.find((one) => one.user?.id === user.id);
          return (
            <li key={user.id} data-testid="link-visitor" data-color={seat?.color}>
              <UserName user={user} />
              <span class="quiet">
                {seat === undefined ? text.invite.opened(text.clockTime(opened_at_ms)) : text.invite.seated(seat.color)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
