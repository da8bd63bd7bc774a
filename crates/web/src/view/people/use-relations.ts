import { useEffect } from 'preact/hooks';
import type { Relations } from '../../store/relations.ts';
import { useClient } from '../context.ts';

/** Loads the followed users, unless that has happened. After a failure nobody counts as followed. */
export function useFollows(): Relations {
  const { relations, user } = useClient();
  const id = user.value?.id;
  useEffect(() => void relations.loadFollowsOnce().catch(() => undefined), [relations, id]);
  return relations;
}

/** Returns the lists of muted and blocked users, which it loads. A failure hides nobody. */
export function useRelations(): Relations {
  const { relations, user } = useClient();
  const id = user.value?.id;
  useEffect(() => void relations.load().catch(() => undefined), [relations, id]);
  return relations;
}
