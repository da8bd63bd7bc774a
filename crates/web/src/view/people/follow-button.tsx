import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { UserView } from '../../protocol/generated.ts';
import { RelationButton } from './relation-button.tsx';
import { useFollows } from './use-relations.ts';

/** The small button that follows a user, with its result for screen readers. */
export function FollowButton({ user, onDone }: { user: UserView; onDone?: (done: string) => void }): JSX.Element {
  const [result, setResult] = useState('');
  useFollows();
  return (
    <>
      <RelationButton kind="follows" user={user} isSmall onDone={onDone ?? setResult} />
      <span class="visually-hidden" role="status">
        {result}
      </span>
    </>
  );
}
