import { useEffect, useMemo } from 'preact/hooks';
import type { UserId, Variant } from '../../protocol/generated.ts';
import { MatchPages } from '../../store/match-pages.ts';
import { useClient } from '../context.ts';

/** The matches of a game and of a player, asked for anew for whom one is; `null` until one is somebody. */
export function useMatchPages(variant: Variant | null, user: UserId | null): MatchPages | null {
  const client = useClient();
  const me = client.user.value?.id;
  const pages = useMemo(() => {
    if (me === undefined) return null;
    return new MatchPages(client.api, { ...(variant === null ? {} : { variant }), ...(user === null ? {} : { user }) });
  }, [client, variant, user, me]);
  useEffect(() => void pages?.load(), [pages]);
  return pages;
}
