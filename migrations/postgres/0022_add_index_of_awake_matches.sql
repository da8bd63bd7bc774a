-- no-transaction
create index concurrently matches_awake on matches (table_id)
    where status <> 'ended' and hibernated_epoch is distinct from epoch;
