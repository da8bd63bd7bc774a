import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';
import { SeatsIcon } from './seats-icon.tsx';
import { EMPTY_SEATS, createTableRequest, DEFAULT_CHOICES, withPrivacy } from './table-choices.ts';

/** The offers in a lobby without tables. */
export function EmptyLobby({ onNewTable }: { onNewTable: () => void }): JSX.Element {
  const { busy, play } = useHotseatTable();
  return (
    <section class="invitation" data-testid="invitation" aria-label={text.lobby.quiet}>
      <SeatsIcon seats={EMPTY_SEATS.dilkel} />
      <h2>{text.lobby.quiet}</h2>
      <ul class="invitation-actions">
        <li>
          <button type="button" class="invitation-action" data-testid="invite-make" onClick={onNewTable}>
            <span class="invitation-action-name">{text.lobby.makeOne}</span>
            <span class="quiet">{text.lobby.makeOneHint}</span>
          </button>
        </li>
        <li>
          <button type="button" class="invitation-action" data-testid="one-screen" disabled={busy} onClick={() => void play()}>
            <span class="invitation-action-name">{text.lobby.oneScreen}</span>
            <span class="quiet">{text.lobby.oneScreenHint}</span>
          </button>
        </li>
        <li>
          <a class="invitation-action" href="/archive">
            <span class="invitation-action-name">{text.lobby.fromArchive}</span>
            <span class="quiet">{text.lobby.fromArchiveHint}</span>
          </a>
        </li>
      </ul>
    </section>
  );
}

/**
 * Returns a function that creates a private hotseat table, takes every seat and opens the table.
 */
function useHotseatTable(): { readonly busy: boolean; play(): Promise<void> } {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const play = async (): Promise<void> => {
    setBusy(true);
    try {
      const choices = { ...withPrivacy(DEFAULT_CHOICES, 'private'), hotseat: true };
      const { table } = await client.createTable(createTableRequest(choices));
      const others = EMPTY_SEATS[choices.variant].filter(({ color }) => color !== choices.seat);
      await Promise.all(others.map(({ color }) => client.connection.command({ t: 'sit', table, seat: color })));
      goTo(`/t/${table}`);
    } catch (error) {
      client.report(error);
    }
    setBusy(false);
  };
  return { busy, play };
}
