-- A row is a relation that user_id has chosen to other_id: user_id follows other_id, blocks it, or has muted it.
create table user_relations (
    user_id blob not null references users (id),
    kind text not null check (kind in ('follow', 'block', 'mute')),
    other_id blob not null references users (id),
    since_ms integer not null,
    primary key (user_id, kind, other_id),
    check (user_id <> other_id)
) strict;

create index user_relations_of_other on user_relations (other_id, kind);
