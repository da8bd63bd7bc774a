-- A row is a name under which somebody played in a match of archived_matches, in small letters, to be searched by its
-- beginning. It follows from the match's log. started_at is the match's. Names are compared byte by byte, so that the
-- index serves for beginnings.
create table archived_names (
    match_id uuid not null references archived_matches (match_id) on delete cascade,
    name text collate "C" not null check (name <> ''),
    started_at timestamptz not null,
    primary key (match_id, name)
);

create index archived_names_by_name on archived_names (name, started_at, match_id);
