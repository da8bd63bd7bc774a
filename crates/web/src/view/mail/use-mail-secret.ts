import { useEffect, useState } from 'preact/hooks';
import { takeMailSecret } from '../../store/mail-secret.ts';

/**
 * Returns the secret of the link in a mail that opened this page, and removes it from the address.
 * The secret is empty if the page was opened without such a link.
 */
export function useMailSecret(): string {
  const [secret, setSecret] = useState(() => takeMailSecret(location, history));
  useEffect(() => {
    // The link may be pasted into the address of the open page.
    const take = (): void => {
      const pasted = takeMailSecret(location, history);
      if (pasted !== '') setSecret(pasted);
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return secret;
}
