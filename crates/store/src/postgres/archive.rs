//! The archive in a Postgres database.

use quadrex_protocol::archive::{MatchSummary, Standing};
use quadrex_protocol::{MatchId, UserId};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Postgres, datetime};
use crate::archive::{ArchivedMatch, NameStart, read_summary, standings};
use crate::{ArchiveQuery, StoreError, column};

impl Postgres {
    pub(crate) async fn unarchived(
        &self,
        after: Option<MatchId>,
        limit: u16,
    ) -> Result<Vec<MatchId>, StoreError> {
        let found: Vec<Uuid> = sqlx::query_scalar(
            "select id from matches left join archived_matches as archived on archived.match_id = id
             where status <> 'open' and ($1::uuid is null or id > $1)
               and (archived.phase is distinct from status
                    or not exists (select 1 from archived_names where archived_names.match_id = id))
               and exists (select 1 from match_event where match_event.match_id = id and event ->> 'type' = 'started')
             order by id limit $2",
        )
        .bind(after.map(|after| after.0))
        .bind(i64::from(limit))
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::database("look for matches that are not archived"))?;
        Ok(found.into_iter().map(MatchId).collect())
    }

    pub(crate) async fn archive(&self, matches: &[ArchivedMatch]) -> Result<(), StoreError> {
        let fault = || StoreError::database("archive matches");
        let mut transaction = self.pool.begin().await.map_err(fault())?;
        for archived in matches {
            put(&mut transaction, archived).await.map_err(fault())?;
        }
        transaction.commit().await.map_err(fault())
    }

    pub(crate) async fn archived(&self, query: &ArchiveQuery) -> Result<Vec<MatchSummary>, StoreError> {
        let texts: Vec<String> = sqlx::query_scalar(match (query.user, &query.player) {
            (None, None) => {
                "select summary::text from archived_matches as listed
                 where ($1::text is null or variant = $1)
                   and (is_public or exists (select 1 from archived_seats as own
                                        where own.match_id = listed.match_id and own.user_id = $2))
                   and ($3::timestamptz is null or (started_at, match_id) < ($3, $4))
                   and $6::uuid is null and $7::text is null and $8::text is null
                 order by started_at desc, match_id desc limit $5"
            }
            (Some(_), _) => {
                "select summary::text from (
                     select distinct started_at as began, match_id as played from archived_seats
                     where user_id = $6 and ($3::timestamptz is null or (started_at, match_id) < ($3, $4))
                 ) as own_matches join archived_matches as listed on listed.match_id = played
                 where ($1::text is null or variant = $1)
                   and (is_public or exists (select 1 from archived_seats as own
                                        where own.match_id = listed.match_id and own.user_id = $2))
                   and ($7::text is null or exists (select 1 from archived_names as named
                                        where named.match_id = listed.match_id and name >= $7 and name < $8))
                 order by began desc, played desc limit $5"
            }
            (None, Some(_)) => {
                "select summary::text from (
                     select distinct started_at as began, match_id as played from archived_names
                     where name >= $7 and name < $8 and ($3::timestamptz is null or (started_at, match_id) < ($3, $4))
                 ) as own_matches join archived_matches as listed on listed.match_id = played
                 where ($1::text is null or variant = $1)
                   and (is_public or exists (select 1 from archived_seats as own
                                        where own.match_id = listed.match_id and own.user_id = $2))
                   and $6::uuid is null
                 order by began desc, played desc limit $5"
            }
        })
        .bind(query.variant.map(|variant| variant.name()))
        .bind(query.seen_by.map(|user| user.0))
        .bind(query.before.map(|place| datetime(place.started_at)))
        .bind(query.before.map(|place| place.match_id.0))
        .bind(i64::from(query.limit))
        .bind(query.user.map(|user| user.0))
        .bind(query.player.as_ref().map(NameStart::least))
        .bind(query.player.as_ref().map(NameStart::beyond))
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::database("list matches"))?;
        texts.iter().map(|text| read_summary(text)).collect()
    }

    pub(crate) async fn archived_match(
        &self,
        match_id: MatchId,
    ) -> Result<Option<ArchivedMatch>, StoreError> {
        let found: Option<(String, bool, String)> = sqlx::query_as(
            "select phase, is_public, summary::text from archived_matches where match_id = $1",
        )
        .bind(match_id.0)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::database("look a match up in the archive"))?;
        found.map(|(phase, is_public, summary)| ArchivedMatch::read(&phase, is_public, &summary)).transpose()
    }

    pub(crate) async fn standings(
        &self,
        user: UserId,
        seen_by: Option<UserId>,
    ) -> Result<Vec<Standing>, StoreError> {
        let counts = sqlx::query_as(
            "select variant, place, is_shared, count(*)
             from archived_seats as played join archived_matches as listed on listed.match_id = played.match_id
             where user_id = $1 and place is not null
               and (is_public or exists (select 1 from archived_seats as own
                                         where own.match_id = listed.match_id and own.user_id = $2))
             group by variant, place, is_shared",
        )
        .bind(user.0)
        .bind(seen_by.map(|user| user.0))
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::database("count somebody's matches"))?;
        standings(counts)
    }
}

/// Keeps a match; what is known of its end already stays.
async fn put(connection: &mut PgConnection, archived: &ArchivedMatch) -> Result<(), sqlx::Error> {
    let kept = sqlx::query(
        "insert into archived_matches (match_id, phase, variant, is_public, started_at, summary)
         values ($1, $2, $3, $4, $5, $6::jsonb)
         on conflict (match_id) do update set phase = excluded.phase, summary = excluded.summary
         where archived_matches.phase <> 'ended'",
    )
    .bind(archived.summary.match_id.0)
    .bind(column::phase(archived.phase))
    .bind(archived.summary.variant.name())
    .bind(archived.is_public)
    .bind(datetime(archived.started_at()))
    .bind(archived.summary_text())
    .execute(&mut *connection)
    .await?;
    for name in archived.names() {
        sqlx::query(
            "insert into archived_names (match_id, name, started_at) values ($1, $2, $3)
             on conflict (match_id, name) do nothing",
        )
        .bind(archived.summary.match_id.0)
        .bind(name)
        .bind(datetime(archived.started_at()))
        .execute(&mut *connection)
        .await?;
    }
    if kept.rows_affected() == 0 {
        return Ok(());
    }
    for seat in archived.seats() {
        sqlx::query(
            "insert into archived_seats (match_id, color, user_id, started_at, place, is_shared)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (match_id, color) do update set place = excluded.place, is_shared = excluded.is_shared",
        )
        .bind(archived.summary.match_id.0)
        .bind(seat.color)
        .bind(seat.user.0)
        .bind(datetime(archived.started_at()))
        .bind(seat.place)
        .bind(seat.is_shared)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
