-- no-transaction
create index concurrently matches_to_wake on matches (wake_at)
    where status <> 'ended' and hibernated_epoch = epoch;
