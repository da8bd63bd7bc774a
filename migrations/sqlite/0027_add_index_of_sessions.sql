create index sessions_of_user on sessions (user_id);
