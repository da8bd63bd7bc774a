import { useEffect } from 'preact/hooks';
import type { BotList } from '../protocol/generated.ts';
import { useClient } from './context.ts';

/** Returns the bots of this server. Until the server has sent them, returns the built-in bots. */
export function useBots(): BotList {
  const client = useClient();
  useEffect(() => void client.loadBots(), [client]);
  return client.bots.value;
}
