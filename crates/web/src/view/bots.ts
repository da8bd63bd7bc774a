import { useEffect } from 'preact/hooks';
import type { BotList } from '../protocol/generated.ts';
import { useClient } from './context.ts';

/** The bots this server has: what all have until it has told. */
export function useBots(): BotList {
  const client = useClient();
  useEffect(() => void client.learnBots(), [client]);
  return client.bots.value;
}
