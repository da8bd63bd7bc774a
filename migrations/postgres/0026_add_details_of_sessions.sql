-- For the list of a user's sessions: seen_at is the last time at which the token was used, not exact to the hour. client
-- is the browser and the operating system that were given the token, by the names that they call themselves.
alter table sessions
    add column seen_at timestamptz,
    add column client text check (char_length(client) between 1 and 60);
