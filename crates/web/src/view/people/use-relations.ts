import { useEffect } from 'preact/hooks';
import type { Relations } from '../../store/relations.ts';
import { useClient } from '../context.ts';

/** Returns the lists of muted and blocked users, which it loads. A failure hides nobody. */
export function useRelations(): Relations {
  const { relations, user } = useClient();
  const id = user.value?.id;
  useEffect(() => void relations.load().catch(() => undefined), [relations, id]);
  return relations;
}
