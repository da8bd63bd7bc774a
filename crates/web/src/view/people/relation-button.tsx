import type { JSX } from 'preact';
import type { UserView } from '../../protocol/generated.ts';
import type { RelationKind } from '../../store/relations.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { useClient } from '../context.ts';

interface RelationButtonProps {
  readonly kind: RelationKind;
  readonly user: UserView;
  /** Called after the user was added to the list or removed from it. */
  readonly onDone?: (done: string) => void;
  /** Set for a small button in a list. */
  readonly isSmall?: boolean;
}

/** The button that follows, mutes or blocks a user, or ends that. */
export function RelationButton({ kind, user, onDone, isSmall = false }: RelationButtonProps): JSX.Element {
  const client = useClient();
  const words = text.people[kind];
  const isOn = client.relations.has(kind, user.id);
  const toggle = async (): Promise<void> => {
    try {
      await client.relations.set(kind, user, !isOn);
      onDone?.(isOn ? words.removed(nameOf(user)) : words.added(nameOf(user)));
    } catch (failure) {
      client.report(failure);
    }
  };
  return (
    <button
      type="button"
      class={isSmall ? 'button small' : 'button'}
      data-testid={`${kind}-${isOn ? 'remove' : 'add'}`}
      aria-label={isSmall ? `${isOn ? words.remove : words.add}: ${nameOf(user)}` : undefined}
      onClick={() => void toggle()}
    >
      {isOn ? words.remove : words.add}
    </button>
  );
}
