-- For the list of a user's sessions: seen_at_ms is the last time at which the token was used, not exact to the hour. client
-- is the browser and the operating system that were given the token, by the names that they call themselves.
alter table sessions add column seen_at_ms integer;
alter table sessions add column client text check (length(client) between 1 and 60);
