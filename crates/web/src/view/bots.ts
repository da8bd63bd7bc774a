import { useEffect } from 'preact/hooks';
import type { BotList } from '../protocol/generated.ts';
import { useClient } from './context.ts';

/** Returns the bots of this server, or the built-in ones until it has sent them. */
export function useBots(): BotList {
  const client = useClient();
  useEffect(() => void client.loadBots(), [client]);
  return client.bots.value;
}
