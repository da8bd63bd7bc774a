-- A row is a report about a user by another user. reported_name is the name of the reported user at that time. The moment is
-- event at_seq of a match; message_seq is the event with the reported chat message. A row with closed_at was closed by the
-- operator closed_by.
create table reports (
    number bigint primary key check (number >= 1),
    reporter uuid not null references users (id),
    reported uuid not null references users (id),
    reported_name text not null,
    reason text not null check (reason <> ''),
    text text check (char_length(text) between 1 and 1000),
    match_id uuid references matches (id),
    at_seq bigint check (at_seq >= 1),
    message_seq bigint check (message_seq >= 1),
    created_at timestamptz not null,
    closed_at timestamptz,
    closed_by uuid references users (id),
    outcome text check (outcome <> ''),
    note text check (char_length(note) between 1 and 500),
    check (reporter <> reported),
    check ((match_id is null) = (at_seq is null)),
    check (message_seq is null or match_id is not null),
    check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (outcome is null))
);

-- A user has one open report about another user in a match, and one without a match.
create unique index reports_open
    on reports (reporter, reported, coalesce(match_id, '00000000-0000-0000-0000-000000000000')) where closed_at is null;

create index reports_of_reporter on reports (reporter);

create index reports_about_user on reports (reported);

create index reports_closed on reports (closed_at) where closed_at is not null;
