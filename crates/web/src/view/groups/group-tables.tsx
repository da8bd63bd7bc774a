import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GroupView } from '../../protocol/generated.ts';
import type { GroupsApi } from '../../store/groups-api.ts';
import { text } from '../../text/index.ts';
import { LoadError } from '../load-error.tsx';
import { NewTableDialog } from '../lobby/new-table-dialog.tsx';
import { TableRow } from '../lobby/table-row.tsx';
import { useRefreshed } from './use-refreshed.ts';

/** The unfinished tables of a group, and the way to a new one. */
export function GroupTablesSection({ api, group }: { api: GroupsApi; group: GroupView }): JSX.Element {
  const words = text.groups;
  const isMember = group.role !== undefined;
  const { value, error, retry } = useRefreshed(async () => (await api.tables(group.group)).tables, `${group.group} ${isMember}`);
  const [isDialogOpen, setDialogOpen] = useState(false);
  return (
    <section class="tables" aria-labelledby="group-tables-title" data-testid="group-tables" aria-busy={value === null && error === null}>
      <h2 id="group-tables-title">{words.tables}</h2>
      {error !== null && value === null && <LoadError error={error} onRetry={retry} />}
      {value?.length === 0 && <p class="empty">{words.noTables}</p>}
      <ul class="rows">
        {(value ?? []).map((summary) => (
          <TableRow key={summary.table} summary={summary} isForViewer={isMember} />
        ))}
      </ul>
      {isMember && (
        <div class="buttons">
          <button type="button" class="button primary" data-testid="group-new-table" onClick={() => setDialogOpen(true)}>
            {words.newTable}
          </button>
        </div>
      )}
      {isDialogOpen && <NewTableDialog title={words.newTable} group={group.group} onClose={() => setDialogOpen(false)} />}
    </section>
  );
}
