-- Ids are the 16 bytes of a UUID, times are milliseconds since the Unix epoch.

-- A row is somebody who may sit and play. Guests are users without any credentials but their sessions.
create table users (
    id blob not null primary key check (length(id) = 16),
    name text not null check (length(name) between 1 and 24),
    created_at_ms integer not null
) strict;

-- A row is one token that names a user: a browser's cookie or a program's bearer token.
-- Only the SHA-256 of the token is kept. Without expires_at_ms it holds until it is removed.
create table sessions (
    token_hash blob not null primary key check (length(token_hash) = 32),
    user_id blob not null references users (id),
    kind text not null check (kind in ('cookie', 'bearer')),
    created_at_ms integer not null,
    expires_at_ms integer check (expires_at_ms > created_at_ms)
) strict;

-- A row is a place where people sit. What is played there (variant, time control, ...) stands in the matches' logs.
create table tables (
    id blob not null primary key check (length(id) = 16),
    host blob not null references users (id),
    privacy text not null check (privacy in ('public', 'private')),
    created_at_ms integer not null
) strict;

-- A row is a secret that lets its holder in at a table: an invite opens a seat (one seat, or any if seat is null),
-- a watch link only shows the table. Only the SHA-256 of the secret is kept.
-- A single-use invite belongs to the user who used it first; used_by and used_at_ms tell the last use of an open one.
create table links (
    secret_hash blob not null primary key check (length(secret_hash) = 32),
    table_id blob not null references tables (id),
    purpose text not null check (purpose in ('invite', 'watch')),
    seat text check (seat in ('white', 'black', 'red', 'blue', 'yellow', 'green')),
    uses text not null check (uses in ('single', 'open')),
    created_at_ms integer not null,
    expires_at_ms integer not null check (expires_at_ms > created_at_ms),
    used_by blob references users (id),
    used_at_ms integer,
    check (purpose = 'invite' or (seat is null and uses = 'open' and used_by is null)),
    check ((used_by is null) = (used_at_ms is null))
) strict;

-- A row is one contest at a table, the number-th there. head_seq is the seq of its last event; whoever appends must name
-- it and the epoch, which each claim of the match raises: so two owners can never both append (guards of the log).
-- status follows from the log and is kept for the questions "what is unfinished" and "what does the lobby show".
create table matches (
    id blob not null primary key check (length(id) = 16),
    table_id blob not null references tables (id),
    number integer not null check (number >= 1),
    epoch integer not null check (epoch >= 1),
    head_seq integer not null check (head_seq >= 1),
    status text not null check (status in ('open', 'running', 'ended')),
    created_at_ms integer not null,
    unique (table_id, number)
) strict;

create index matches_unfinished on matches (table_id) where status <> 'ended';

-- A row is one fact of a match: the log is the truth, every other thing about a match follows from it.
-- by_user is who caused it (null: the server, a clock). cmd is the name the client gave its command and stands on the
-- command's last row only; that it is unique makes a command that is sent twice count once.
-- epoch is the claim under which it was written.
create table match_event (
    match_id blob not null references matches (id),
    seq integer not null check (seq >= 1),
    epoch integer not null check (epoch >= 1),
    at_ms integer not null,
    by_user blob references users (id),
    cmd text check (length(cmd) between 1 and 64),
    event text not null check (json_valid(event) and json_type(event) = 'object'),
    primary key (match_id, seq),
    unique (match_id, by_user, cmd),
    check (cmd is null or by_user is not null)
) strict, without rowid;
