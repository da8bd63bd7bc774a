create index matches_of_owner on matches (owner) where status <> 'ended';
