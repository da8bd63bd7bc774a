-- A row is a report about a user by another user. reported_name is the name of the reported user at that time. The moment is
-- event at_seq of a match; message_seq is the event with the reported chat message. A row with closed_at_ms was closed by
-- the operator closed_by.
create table reports (
    number integer not null primary key check (number >= 1),
    reporter blob not null references users (id),
    reported blob not null references users (id),
    reported_name text not null,
    reason text not null check (reason <> ''),
    text text check (length(text) between 1 and 1000),
    match_id blob references matches (id),
    at_seq integer check (at_seq >= 1),
    message_seq integer check (message_seq >= 1),
    created_at_ms integer not null,
    closed_at_ms integer,
    closed_by blob references users (id),
    outcome text check (outcome <> ''),
    note text check (length(note) between 1 and 500),
    check (reporter <> reported),
    check ((match_id is null) = (at_seq is null)),
    check (message_seq is null or match_id is not null),
    check ((closed_at_ms is null) = (closed_by is null) and (closed_at_ms is null) = (outcome is null))
) strict;

-- A user has one open report about another user in a match, and one without a match.
create unique index reports_open on reports (reporter, reported, coalesce(match_id, x'')) where closed_at_ms is null;

create index reports_of_reporter on reports (reporter);

create index reports_about_user on reports (reported);

create index reports_closed on reports (closed_at_ms) where closed_at_ms is not null;
