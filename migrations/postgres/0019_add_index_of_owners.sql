-- no-transaction
create index concurrently matches_of_owner on matches (owner) where status <> 'ended';
