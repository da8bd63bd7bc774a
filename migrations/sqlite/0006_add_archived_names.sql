-- A row is a name under which somebody played in a match of archived_matches, in small letters, to be searched by its
-- beginning. It follows from the match's log. started_at_ms is the match's.
create table archived_names (
    match_id blob not null references archived_matches (match_id) on delete cascade,
    name text not null check (name <> ''),
    started_at_ms integer not null,
    primary key (match_id, name)
) strict;

create index archived_names_by_name on archived_names (name, started_at_ms, match_id);
