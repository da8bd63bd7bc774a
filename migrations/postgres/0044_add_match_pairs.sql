-- A row is what one player has done to another one in a rated match of more than two players: captures, checks given, and
-- eliminations by mate. The expected numbers are those that would follow if the player had spread the acts over all
-- opponents. The rows follow from the match's log. at is the end of the match.
create table match_pairs (
    match_id uuid not null references matches (id),
    by_user uuid not null references users (id),
    on_user uuid not null references users (id),
    variant text not null check (variant <> ''),
    is_opposite boolean not null,
    at timestamptz not null,
    captures bigint not null check (captures >= 0),
    expected_captures double precision not null,
    checks bigint not null check (checks >= 0),
    expected_checks double precision not null,
    eliminations bigint not null check (eliminations >= 0),
    expected_eliminations double precision not null,
    primary key (match_id, by_user, on_user),
    check (by_user <> on_user)
);

create index match_pairs_of_users on match_pairs (by_user, on_user, at);
