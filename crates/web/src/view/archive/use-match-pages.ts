import { useEffect, useMemo } from 'preact/hooks';
import type { UserId, Variant } from '../../protocol/generated.ts';
import { MatchPages } from '../../store/match-pages.ts';
import { useClient } from '../context.ts';

/**
 * Returns the matches that pass the filters, for the present user; `null` until there is a user.
 */
export function useMatchPages(variant: Variant | null, user: UserId | null, player: string | null = null): MatchPages | null {
  const client = useClient();
  const me = client.user.value?.id;
  const pages = useMemo(() => {
    if (me === undefined) return null;
    const filter = {
      ...(variant === null ? {} : { variant }),
      ...(user === null ? {} : { user }),
      ...(player === null ? {} : { player }),
    };
    return new MatchPages(client.api, filter);
  }, [client, variant, user, player, me]);
  useEffect(() => void pages?.load(), [pages]);
  return pages;
}
