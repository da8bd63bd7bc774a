create index matches_to_wake on matches (wake_at_ms)
    where status <> 'ended' and hibernated_epoch = epoch;
