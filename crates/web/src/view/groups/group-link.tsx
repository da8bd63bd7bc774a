import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GroupView } from '../../protocol/generated.ts';
import type { GroupsApi } from '../../store/groups-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { ConfirmDialog } from '../table/confirm-dialog.tsx';
import { CopyLink } from '../table/copy-link.tsx';

interface GroupLinkProps {
  readonly api: GroupsApi;
  readonly group: GroupView;
  readonly onChanged: (group: GroupView, done: string) => void;
}

/** The link by which users join a group. The link of a private group can be renewed. */
export function GroupLink({ api, group: { group, secret }, onChanged }: GroupLinkProps): JSX.Element {
  const client = useClient();
  const words = text.groups;
  const [isAsking, setAsking] = useState(false);
  const renew = async (): Promise<void> => {
    try {
      onChanged(await api.renewLink(group), words.renewed);
    } catch (failure) {
      client.report(failure);
    }
  };
  return (
    <section class="card group-link">
      <h2>{words.link}</h2>
      <p class="quiet">{words.linkHint}</p>
      <CopyLink link={`${location.origin}/g/${group}${secret === undefined ? '' : `#join=${secret}`}`} label={words.link} testId="group-link" />
      {secret !== undefined && (
        <div class="buttons">
          <button type="button" class="button small" data-testid="renew-link" onClick={() => setAsking(true)}>
            {words.renew}
          </button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog title={words.renewTitle} confirmLabel={words.renew} testId="renew-confirm" onConfirm={() => void renew()} onClose={() => setAsking(false)}>
          {words.renewHint}
        </ConfirmDialog>
      )}
    </section>
  );
}
