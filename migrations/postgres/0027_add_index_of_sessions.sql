-- no-transaction
create index concurrently sessions_of_user on sessions (user_id);
