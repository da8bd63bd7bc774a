import { useState } from 'preact/hooks';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';
import { createTableRequest, DEFAULT_CHOICES, EMPTY_SEATS, withPrivacy } from './table-choices.ts';

/**
 * Returns a function that creates a private hotseat table, takes every seat and opens the table.
 */
export function useHotseatTable(): { readonly busy: boolean; play(): Promise<void> } {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const play = async (): Promise<void> => {
    setBusy(true);
    try {
      const choices = { ...withPrivacy(DEFAULT_CHOICES, 'private'), seat: 'red' as const, hotseat: true };
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
