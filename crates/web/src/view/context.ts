import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '../store/client.ts';

const ClientContext = createContext<Client | null>(null);

/** Hands the page's client down to all that is shown. */
export const ClientProvider = ClientContext.Provider;

/** The page's client. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('everything shown stands inside a ClientProvider');
  return client;
}
