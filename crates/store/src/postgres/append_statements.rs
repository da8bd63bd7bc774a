//! The statements that append to the logs of matches. Each of them is one transaction.

/// Returns an append to one match in one statement. The update in `guard` changes no row if the
/// epoch or the head differs, and then the statement inserts no events. `$more` are further parts
/// of the statement that depend on `guard`.
macro_rules! append_to_one {
    ($($more:literal)?) => {
        concat!(
            "with guard as (
                update matches set head_seq = head_seq + cardinality($4::text[]), status = coalesce($8, status),
                                   unowned_since = null
                where id = $1 and epoch = $2 and head_seq = $3
                returning id, epoch, head_seq
            )",
            $($more,)?
            "insert into match_event (match_id, seq, epoch, at, by_user, cmd, event)
            select guard.id, $3 + written.ordinal, guard.epoch, $5, $6,
                   case when $3 + written.ordinal = guard.head_seq then $7 end, written.event::jsonb
            from guard cross join unnest($4::text[]) with ordinality as written (event, ordinal)"
        )
    };
}

/// An append to one match that changes neither the seat holders nor the phase, such as a move.
pub(super) const APPEND: &str = append_to_one!();

/// An append to one match that also changes rows derived from the log: it replaces the seat holders
/// unless they are null, and queues the match for the archive if the phase changes.
pub(super) const APPEND_WITH_DERIVED: &str = append_to_one!(
    ", removed as (
        delete from seat_holders where match_id in (select id from guard) and user_id <> all($9::uuid[])
    ), held as (
        insert into seat_holders (match_id, user_id, variant, is_playing)
        select guard.id, holder.user_id, holder.variant, holder.is_playing
        from guard cross join unnest($9::uuid[], $10::text[], $11::boolean[])
            as holder (user_id, variant, is_playing)
        on conflict (match_id, user_id) do update set is_playing = excluded.is_playing
    ), queued as (
        insert into archive_queue (match_id, phase) select id, $8 from guard where $8 is not null
        on conflict (match_id) do update set phase = excluded.phase
    )
    "
);

/// Returns appends to several matches in one statement, each like [`append_to_one`]. The guard also
/// refuses an append whose command is in the log already, because otherwise the unique constraint
/// would refuse all appends. This check is a scalar subquery because the planner could turn a join
/// into a scan of the whole log.
macro_rules! append_to_many {
    ($($more:literal)?) => {
        concat!(
            "with wanted as (
                select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
                                     $6::timestamptz[], $7::uuid[], $8::text[])
                    as wanted (id, epoch, head_seq, events, status, at, by_user, cmd)
            ), guard as (
                update matches set head_seq = matches.head_seq + wanted.events,
                                   status = coalesce(wanted.status, matches.status), unowned_since = null
                from wanted
                where matches.id = wanted.id and matches.epoch = wanted.epoch
                  and matches.head_seq = wanted.head_seq
                  and (select earlier.seq from match_event as earlier where earlier.match_id = wanted.id
                       and earlier.by_user = wanted.by_user and earlier.cmd = wanted.cmd) is null
                returning matches.id, matches.epoch, matches.head_seq, wanted.at, wanted.by_user, wanted.cmd
            ), written as (
                insert into match_event (match_id, seq, epoch, at, by_user, cmd, event)
                select guard.id, row.seq, guard.epoch, guard.at, guard.by_user,
                       case when row.seq = guard.head_seq then guard.cmd end, row.event::jsonb
                from guard join unnest($9::uuid[], $10::bigint[], $11::text[]) as row (match_id, seq, event)
                    on row.match_id = guard.id
            )",
            $($more,)?
            "select id from guard"
        )
    };
}

/// Appends to several matches that change neither the seat holders nor the phase of any match.
pub(super) const APPEND_MANY: &str = append_to_many!();

/// Appends to several matches, some of which also change rows derived from the log. `$12` contains
/// the matches whose seat holders are replaced. The rows of the archive's queue are locked in the
/// order of their ids, as the archive does, so that no deadlock can happen.
pub(super) const APPEND_MANY_WITH_DERIVED: &str = append_to_many!(
    ", wanted_holders as (
        select * from unnest($13::uuid[], $14::uuid[], $15::text[], $16::boolean[])
            as holder (match_id, user_id, variant, is_playing)
    ), removed as (
        delete from seat_holders
        where match_id = any($12::uuid[]) and match_id in (select id from guard)
          and not exists (select from wanted_holders as holder
                          where holder.match_id = seat_holders.match_id and holder.user_id = seat_holders.user_id)
    ), held as (
        insert into seat_holders (match_id, user_id, variant, is_playing)
        select match_id, user_id, variant, is_playing
        from wanted_holders where match_id in (select id from guard)
        on conflict (match_id, user_id) do update set is_playing = excluded.is_playing
    ), queued as (
        insert into archive_queue (match_id, phase)
        select wanted.id, wanted.status from guard join wanted on wanted.id = guard.id
        where wanted.status is not null order by wanted.id
        on conflict (match_id) do update set phase = excluded.phase
    )
    "
);
