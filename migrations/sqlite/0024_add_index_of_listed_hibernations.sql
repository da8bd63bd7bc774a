create index matches_listed on matches (table_id, listed_players)
    where status <> 'ended' and hibernated_epoch = epoch and listed_players is not null;
