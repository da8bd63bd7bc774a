-- A row is somebody who may sit and play. Guests are users without any credentials but their sessions.
create table users (
    id uuid primary key,
    name text not null check (char_length(name) between 1 and 24),
    created_at timestamptz not null
);

-- A row is one token that names a user: a browser's cookie or a program's bearer token.
-- Only the SHA-256 of the token is kept. Without expires_at it holds until it is removed.
create table sessions (
    token_hash bytea primary key check (octet_length(token_hash) = 32),
    user_id uuid not null references users (id),
    kind text not null check (kind in ('cookie', 'bearer')),
    created_at timestamptz not null,
    expires_at timestamptz check (expires_at > created_at)
);

-- A row is a place where people sit. What is played there (variant, time control, ...) stands in the matches' logs.
create table tables (
    id uuid primary key,
    host uuid not null references users (id),
    privacy text not null check (privacy in ('public', 'private')),
    created_at timestamptz not null
);

-- A row is a secret that lets its holder in at a table: an invite opens a seat (one seat, or any if seat is null),
-- a watch link only shows the table. Only the SHA-256 of the secret is kept.
-- A single-use invite belongs to the user who used it first; used_by and used_at tell the last use of an open one.
create table links (
    secret_hash bytea primary key check (octet_length(secret_hash) = 32),
    table_id uuid not null references tables (id),
    purpose text not null check (purpose in ('invite', 'watch')),
    seat text check (seat in ('white', 'black', 'red', 'blue', 'yellow', 'green')),
    uses text not null check (uses in ('single', 'open')),
    created_at timestamptz not null,
    expires_at timestamptz not null check (expires_at > created_at),
    used_by uuid references users (id),
    used_at timestamptz,
    check (purpose = 'invite' or (seat is null and uses = 'open' and used_by is null)),
    check ((used_by is null) = (used_at is null))
);

-- A row is one contest at a table, the number-th there. head_seq is the seq of its last event; whoever appends must name
-- it and the epoch, which each claim of the match raises: so two owners can never both append (guards of the log).
-- status follows from the log and is kept for the questions "what is unfinished" and "what does the lobby show".
create table matches (
    id uuid primary key,
    table_id uuid not null references tables (id),
    number integer not null check (number >= 1),
    epoch bigint not null check (epoch >= 1),
    head_seq bigint not null check (head_seq >= 1),
    status text not null check (status in ('open', 'running', 'ended')),
    created_at timestamptz not null,
    unique (table_id, number)
);

create index matches_unfinished on matches (table_id) where status <> 'ended';

-- A row is one fact of a match: the log is the truth, every other thing about a match follows from it.
-- by_user is who caused it (null: the server, a clock). cmd is the name the client gave its command and stands on the
-- command's last row only; that it is unique makes a command that is sent twice count once.
-- epoch is the claim under which it was written.
create table match_event (
    match_id uuid not null references matches (id),
    seq bigint not null check (seq >= 1),
    epoch bigint not null check (epoch >= 1),
    at timestamptz not null,
    by_user uuid references users (id),
    cmd text check (char_length(cmd) between 1 and 64),
    event jsonb not null check (jsonb_typeof(event) = 'object'),
    primary key (match_id, seq),
    constraint match_event_cmd unique (match_id, by_user, cmd),
    check (cmd is null or by_user is not null)
);
