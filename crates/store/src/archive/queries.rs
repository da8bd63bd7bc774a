//! Queries of the archive.

use quadrex_protocol::archive::{MatchSummary, Standing};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Timestamp, Variant};
use uuid::Uuid;

use super::{ArchiveQuery, ArchivedMatch, MatchToArchive, NamePrefix};
use crate::database::{Sql, Transaction, execute_in, fetch_all, fetch_optional};
use crate::error::unreadable;
use crate::leaves::put_leaves;
use crate::pairing::remove_seat_networks;
use crate::pairs::put_pair_acts;
use crate::ratings::rate_in;
use crate::time_column::TimeColumn;
use crate::{Store, StoreError, column};

// The three queries for lists have the same parameters: the variant, the requesting user, the
// cursor's start time, the cursor's match, the limit, the user whose matches are listed, the
// smallest name, and the greatest name. Each query begins with a different table, which has a
// suitable index. Matches that were aborted before their first move are in no list.

/// The query for the list of all matches.
const ALL: Sql = Sql {
    postgres: "
        select summary::text from archived_matches as listed
        where (summary ->> 'aborted' is null or summary ->> 'plies' <> '0')
          and ($1::text is null or variant = $1)
          and (is_public or exists (select 1 from archived_seats as own
                                    where own.match_id = listed.match_id and own.user_id = $2))
          and ($3::timestamptz is null or (started_at, match_id) < ($3, $4))
          and $6::uuid is null and $7::text is null and $8::text is null
        order by started_at desc, match_id desc limit $5",
    sqlite: "
        select summary from archived_matches as listed
        where (summary ->> '$.aborted' is null or summary ->> '$.plies' <> 0)
          and ($1 is null or variant = $1)
          and (is_public = 1 or exists (select 1 from archived_seats as own
                                        where own.match_id = listed.match_id and own.user_id = $2))
          and ($3 is null or (started_at_ms, match_id) < ($3, $4))
          and $6 is null and $7 is null and $8 is null
        order by started_at_ms desc, match_id desc limit $5",
};

/// The query for the list of one user's matches.
const OF_USER: Sql = Sql {
    postgres: "
        select summary::text from (
            select distinct started_at as began, match_id as played from archived_seats
            where user_id = $6 and ($3::timestamptz is null or (started_at, match_id) < ($3, $4))
        ) as own_matches join archived_matches as listed on listed.match_id = played
        where (summary ->> 'aborted' is null or summary ->> 'plies' <> '0')
          and ($1::text is null or variant = $1)
          and (is_public or exists (select 1 from archived_seats as own
                                    where own.match_id = listed.match_id and own.user_id = $2))
          and ($7::text is null or exists (select 1 from archived_names as named
                               where named.match_id = listed.match_id and name >= $7 and name < $8))
        order by began desc, played desc limit $5",
    sqlite: "
        select summary from (
            select distinct started_at_ms as began, match_id as played from archived_seats
            where user_id = $6 and ($3 is null or (started_at_ms, match_id) < ($3, $4))
        ) join archived_matches as listed on listed.match_id = played
        where (summary ->> '$.aborted' is null or summary ->> '$.plies' <> 0)
          and ($1 is null or variant = $1)
          and (is_public = 1 or exists (select 1 from archived_seats as own
                                        where own.match_id = listed.match_id and own.user_id = $2))
          and ($7 is null or exists (select 1 from archived_names as named
                               where named.match_id = listed.match_id and name >= $7 and name < $8))
        order by began desc, played desc limit $5",
};

/// The query for the list of matches in which a player's name has a certain prefix.
const OF_NAME: Sql = Sql {
    postgres: "
        select summary::text from (
            select distinct started_at as began, match_id as played from archived_names
            where name >= $7 and name < $8
              and ($3::timestamptz is null or (started_at, match_id) < ($3, $4))
        ) as own_matches join archived_matches as listed on listed.match_id = played
        where (summary ->> 'aborted' is null or summary ->> 'plies' <> '0')
          and ($1::text is null or variant = $1)
          and (is_public or exists (select 1 from archived_seats as own
                                    where own.match_id = listed.match_id and own.user_id = $2))
          and $6::uuid is null
        order by began desc, played desc limit $5",
    sqlite: "
        select summary from (
            select distinct started_at_ms as began, match_id as played from archived_names
            where name >= $7 and name < $8
              and ($3 is null or (started_at_ms, match_id) < ($3, $4))
        ) join archived_matches as listed on listed.match_id = played
        where (summary ->> '$.aborted' is null or summary ->> '$.plies' <> 0)
          and ($1 is null or variant = $1)
          and (is_public = 1 or exists (select 1 from archived_seats as own
                                        where own.match_id = listed.match_id and own.user_id = $2))
          and $6 is null
        order by began desc, played desc limit $5",
};

/// A row of `archived_matches` as the databases return it.
#[derive(sqlx::FromRow)]
pub(crate) struct RawArchivedMatch {
    phase: String,
    is_public: bool,
    summary: String,
}

impl RawArchivedMatch {
    pub(crate) fn read(self) -> Result<ArchivedMatch, StoreError> {
        let phase = column::read_phase(&self.phase);
        Ok(ArchivedMatch {
            phase: phase.ok_or_else(|| unreadable("archived_matches.phase", self.phase))?,
            is_public: self.is_public,
            summary: read_summary(&self.summary)?,
        })
    }
}

fn read_summary(text: &str) -> Result<MatchSummary, StoreError> {
    serde_json::from_str(text).map_err(|error| unreadable("archived_matches.summary", error))
}

/// The number of seats with which a user reached a certain final place in one variant. Shared
/// places are counted apart from places that the user had alone.
#[derive(sqlx::FromRow)]
struct PlaceCount {
    variant: String,
    place: i16,
    is_shared: bool,
    seats: i64,
}

/// Sums up the counts of each variant. The result is in the order of the variants.
fn standings(counts: Vec<PlaceCount>) -> Result<Vec<Standing>, StoreError> {
    let mut standings: Vec<Standing> = Vec::new();
    for PlaceCount { variant, place, is_shared, seats } in counts {
        let variant: Variant =
            variant.parse().map_err(|_| unreadable("archived_matches.variant", &variant))?;
        let count = u32::try_from(seats).unwrap_or(u32::MAX);
        let index = standings.iter().position(|standing| standing.variant == variant).unwrap_or_else(|| {
            standings.push(Standing { variant, played: 0, won: 0, drawn: 0, places: [0; 4] });
            standings.len() - 1
        });
        let standing = &mut standings[index];
        standing.played += count;
        let at = usize::try_from(place).ok().and_then(|place| place.checked_sub(1));
        *at.and_then(|at| standing.places.get_mut(at))
            .ok_or_else(|| unreadable("archived_seats.place", place))? += count;
        match (place, is_shared) {
            (1, false) => standing.won += count,
            (1, true) => standing.drawn += count,
            _ => {}
        }
    }
    standings.sort_by_key(|standing| standing.variant);
    Ok(standings)
}

/// Writes a match into the archive, unless it is already archived as ended. Returns true if it was
/// written.
async fn put(transaction: &mut Transaction, archived: &ArchivedMatch) -> Result<bool, sqlx::Error> {
    let (match_id, started_at) = (archived.summary.match_id.0, TimeColumn::from(archived.started_at()));
    let insert_match = Sql {
        postgres: "insert into archived_matches (match_id, phase, variant, is_public, started_at, summary)
                   values ($1, $2, $3, $4, $5, $6::jsonb)
                   on conflict (match_id) do update set phase = excluded.phase, summary = excluded.summary
                   where archived_matches.phase <> 'ended'",
        sqlite: "insert into archived_matches (match_id, phase, variant, is_public, started_at_ms, summary)
                 values ($1, $2, $3, $4, $5, $6)
                 on conflict (match_id) do update set phase = excluded.phase, summary = excluded.summary
                 where archived_matches.phase <> 'ended'",
    };
    let rows_written = execute_in!(
        &mut *transaction,
        insert_match,
        match_id,
        column::phase(archived.phase),
        archived.summary.variant.name(),
        archived.is_public,
        started_at,
        archived.summary_text(),
    )?;
    put_names(transaction, archived).await?;
    if rows_written == 0 && !quadrex_runtime::has_planted!(RatingAppliedTwice) {
        return Ok(false);
    }
    let insert_seat = Sql {
        postgres: "insert into archived_seats (match_id, color, user_id, started_at, place, is_shared)
                   values ($1, $2, $3, $4, $5, $6)
                   on conflict (match_id, color)
                   do update set place = excluded.place, is_shared = excluded.is_shared",
        sqlite: "insert into archived_seats (match_id, color, user_id, started_at_ms, place, is_shared)
                 values ($1, $2, $3, $4, $5, $6)
                 on conflict (match_id, color)
                 do update set place = excluded.place, is_shared = excluded.is_shared",
    };
    for seat in archived.seats() {
        let (user, place) = (seat.user.0, seat.place);
        execute_in!(
            &mut *transaction,
            insert_seat,
            match_id,
            seat.color,
            user,
            started_at,
            place,
            seat.is_shared
        )?;
    }
    Ok(true)
}

/// Writes the names of the players of an archived match, for the search by name.
pub(crate) async fn put_names(
    transaction: &mut Transaction,
    archived: &ArchivedMatch,
) -> Result<(), sqlx::Error> {
    let (match_id, started_at) = (archived.summary.match_id.0, TimeColumn::from(archived.started_at()));
    let sql = Sql {
        postgres: "insert into archived_names (match_id, name, started_at) values ($1, $2, $3)
                   on conflict (match_id, name) do nothing",
        sqlite: "insert into archived_names (match_id, name, started_at_ms) values ($1, $2, $3)
                 on conflict (match_id, name) do nothing",
    };
    for name in archived.names() {
        execute_in!(&mut *transaction, sql, match_id, name, started_at)?;
    }
    Ok(())
}

impl Store {
    /// Returns the matches that must still be archived: matches that have started and are not in
    /// the archive, and matches that have ended and are not archived as ended. Matches that other
    /// processes wrote are included. The list is ordered by id, begins after the id `after`, and
    /// has at most `limit` matches.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn unarchived(&self, after: Option<MatchId>, limit: u16) -> Result<Vec<MatchId>, StoreError> {
        let sql = Sql {
            postgres: "
                select id from matches left join archived_matches as archived on archived.match_id = id
                where status <> 'open' and ($1::uuid is null or id > $1)
                  and (archived.phase is distinct from status
                       or not exists (select 1 from archived_names where archived_names.match_id = id))
                  and exists (select 1 from match_event
                              where match_event.match_id = id and event ->> 'type' = 'started')
                order by id limit $2",
            sqlite: "
                select id from matches left join archived_matches as archived on archived.match_id = id
                where status <> 'open' and ($1 is null or id > $1)
                  and (archived.phase is not status
                       or not exists (select 1 from archived_names where archived_names.match_id = id))
                  and exists (select 1 from match_event
                              where match_event.match_id = id and event ->> '$.type' = 'started')
                order by id limit $2",
        };
        let rows = fetch_all!(self, (Uuid,), sql, after.map(|after| after.0), i64::from(limit));
        let rows = rows.map_err(StoreError::database("look for matches that are not archived"))?;
        Ok(rows.into_iter().map(|(match_id,)| MatchId(match_id)).collect())
    }

    /// Writes matches into the archive, and removes them from the queue of the database. A match
    /// that is already archived as ended is left unchanged. Matches in `never_started`, which have
    /// ended before they started, are only removed from the queue.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The caller may then archive the matches again.
    pub async fn archive(
        &self,
        matches: &[MatchToArchive],
        never_started: &[MatchId],
    ) -> Result<(), StoreError> {
        let failed = || StoreError::database("archive matches");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        for MatchToArchive { archived, leaves, pairs, .. } in matches {
            if put(&mut transaction, archived).await.map_err(failed())? {
                rate_in(&mut transaction, &archived.summary).await?;
                put_pair_acts(&mut transaction, &archived.summary, pairs).await.map_err(failed())?;
            }
            put_leaves(&mut transaction, archived.summary.match_id, leaves).await.map_err(failed())?;
        }
        let archived = matches.iter().map(|entry| (entry.archived.summary.match_id, entry.archived.phase));
        let unlisted = never_started.iter().map(|match_id| (*match_id, Phase::Ended));
        // Appends lock rows of the queue in the order of the ids too, so no deadlock can happen.
        let mut done: Vec<_> = archived.chain(unlisted).collect();
        done.sort_unstable_by_key(|(match_id, _)| *match_id);
        // If the phase has changed since the log was read, the row has another phase and stays.
        let remove = Sql::both("delete from archive_queue where match_id = $1 and phase = $2");
        for (match_id, phase) in done {
            execute_in!(&mut transaction, remove, match_id.0, column::phase(phase)).map_err(failed())?;
            remove_seat_networks(&mut transaction, match_id).await.map_err(failed())?;
        }
        transaction.commit().await.map_err(failed())
    }

    /// Returns the archived matches that satisfy a query, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn archived(&self, query: &ArchiveQuery) -> Result<Vec<MatchSummary>, StoreError> {
        let sql = match (query.user, &query.player) {
            (None, None) => ALL,
            (Some(_), _) => OF_USER,
            (None, Some(_)) => OF_NAME,
        };
        let rows = fetch_all!(
            self,
            (String,),
            sql,
            query.variant.map(|variant| variant.name()),
            query.seen_by.map(|user| user.0),
            query.before.map(|place| TimeColumn::from(place.started_at)),
            query.before.map(|place| place.match_id.0),
            i64::from(query.limit),
            query.user.map(|user| user.0),
            query.player.as_ref().map(NamePrefix::range_start),
            query.player.as_ref().map(NamePrefix::range_end),
        );
        let rows = rows.map_err(StoreError::database("list matches"))?;
        rows.iter().map(|(summary,)| read_summary(summary)).collect()
    }

    /// Returns the hours since `since` in which public matches started, each with the number of
    /// these matches.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn public_match_starts(&self, since: Timestamp) -> Result<Vec<(Timestamp, u32)>, StoreError> {
        let sql = Sql {
            postgres:
                "select floor(extract(epoch from started_at) / 3600)::bigint as hour, count(*) as starts
                       from archived_matches where is_public and started_at >= $1 group by hour",
            sqlite: "select started_at_ms / 3600000 as hour, count(*) as starts
                     from archived_matches where is_public = 1 and started_at_ms >= $1 group by hour",
        };
        let rows = fetch_all!(self, (i64, i64), sql, TimeColumn::from(since));
        let rows = rows.map_err(StoreError::database("count the matches of the last day"))?;
        let read = |(hour, starts): (i64, i64)| {
            let hour = u64::try_from(hour).map_err(|_| unreadable("archived_matches.started_at", hour))?;
            Ok((Timestamp::from_millis(hour * 3_600_000), u32::try_from(starts).unwrap_or(u32::MAX)))
        };
        rows.into_iter().map(read).collect()
    }

    /// Returns a match from the archive, or `None` if it is not archived.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn archived_match(&self, match_id: MatchId) -> Result<Option<ArchivedMatch>, StoreError> {
        let sql = Sql {
            postgres: "select phase, is_public, summary::text as summary
                       from archived_matches where match_id = $1",
            sqlite: "select phase, is_public, summary from archived_matches where match_id = $1",
        };
        let row = fetch_optional!(self, RawArchivedMatch, sql, match_id.0);
        let row = row.map_err(StoreError::database("look a match up in the archive"))?;
        row.map(RawArchivedMatch::read).transpose()
    }

    /// Returns a user's results in the archived matches that `seen_by` may see.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn standings(
        &self,
        user: UserId,
        seen_by: Option<UserId>,
    ) -> Result<Vec<Standing>, StoreError> {
        let sql = Sql {
            postgres: "
                select variant, place, is_shared, count(*) as seats
                from archived_seats as played
                join archived_matches as listed on listed.match_id = played.match_id
                where user_id = $1 and place is not null
                  and (is_public or exists (select 1 from archived_seats as own
                                            where own.match_id = listed.match_id and own.user_id = $2))
                group by variant, place, is_shared",
            sqlite: "
                select variant, place, is_shared, count(*) as seats
                from archived_seats as played
                join archived_matches as listed on listed.match_id = played.match_id
                where user_id = $1 and place is not null
                  and (is_public = 1 or exists (select 1 from archived_seats as own
                                                where own.match_id = listed.match_id and own.user_id = $2))
                group by variant, place, is_shared",
        };
        let counts = fetch_all!(self, PlaceCount, sql, user.0, seen_by.map(|user| user.0));
        standings(counts.map_err(StoreError::database("count a user's matches"))?)
    }
}
