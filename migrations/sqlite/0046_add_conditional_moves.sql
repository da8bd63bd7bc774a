-- A row has the conditional moves of a seat in a correspondence match: moves that user_id has stored for certain moves of the
-- opponents. after_seq: the event after which the first step of each line comes.
create table conditional_moves (
    match_id blob not null references matches (id),
    color text not null check (color <> ''),
    user_id blob not null references users (id),
    after_seq integer not null check (after_seq > 0),
    lines text not null check (json_type(lines) = 'array'),
    primary key (match_id, color)
) strict;

create index conditional_moves_of_user on conditional_moves (user_id);
