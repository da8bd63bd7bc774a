import { useEffect } from 'preact/hooks';
import type { BotList } from '../protocol/generated.ts';
import { useClient } from './context.ts';

/** Returns this server's bots: the default ones until it has sent them. */
export function useBots(): BotList {
  const client = useClient();
  useEffect(() => void client.loadBots(), [client]);
  return client.bots.value;
}
