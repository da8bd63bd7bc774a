-- A row is what one player has done to another one in a rated match of more than two players: captures, checks given, and
-- eliminations by mate. The expected numbers are those that would follow if the player had spread the acts over all
-- opponents. The rows follow from the match's log. at_ms is the end of the match.
create table match_pairs (
    match_id blob not null references matches (id),
    by_user blob not null references users (id),
    on_user blob not null references users (id),
    variant text not null check (variant <> ''),
    is_opposite integer not null check (is_opposite in (0, 1)),
    at_ms integer not null,
    captures integer not null check (captures >= 0),
    expected_captures real not null,
    checks integer not null check (checks >= 0),
    expected_checks real not null,
    eliminations integer not null check (eliminations >= 0),
    expected_eliminations real not null,
    primary key (match_id, by_user, on_user),
    check (by_user <> on_user)
) strict;

create index match_pairs_of_users on match_pairs (by_user, on_user, at_ms);
