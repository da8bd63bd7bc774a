create index matches_awake on matches (table_id)
    where status <> 'ended' and hibernated_epoch is not epoch;
