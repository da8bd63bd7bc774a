import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '../store/client.ts';

const ClientContext = createContext<Client | null>(null);

/** Provides the page's client to all components. */
export const ClientProvider = ClientContext.Provider;

/** Returns the page's client. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('the component is not inside a ClientProvider');
  return client;
}
