//! Hibernating matches, which no server keeps in its memory, and the outages for which their players
//! must be compensated.
//!
//! A match hibernates while `matches.hibernated_epoch` equals `matches.epoch`. Each claim increases
//! the epoch, so it also ends the hibernation, and a program that does not know the column cannot
//! leave a wrong one. Only a node of a cluster that takes over the matches of another node sets both,
//! and notes in `matches.unowned` the time without an owner, which is an outage of this match alone.

use std::time::Duration;

use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::database::{Sql, execute, fetch_all, fetch_optional};
use super::error::unreadable;
use super::log::{Epoch, count_column};
use super::ownership::NodeId;
use super::time_column::TimeColumn;
use super::{Store, StoreError};

/// The beginning of a hibernation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hibernation {
    /// The match.
    pub match_id: MatchId,
    /// The epoch of the claim under which the match was run until now.
    pub epoch: Epoch,
    /// The number of the last event.
    pub head_seq: u64,
    /// The time at which the match begins to hibernate.
    pub at: Timestamp,
    /// The next deadline of the match, if it has one.
    pub wake_at: Option<Timestamp>,
    /// The number of people at the table, if the lobby lists the table.
    pub listed_players: Option<u16>,
}

/// A hibernating match that the lobby lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedHibernation {
    /// The table.
    pub table: TableId,
    /// The number of people who are seated at the table.
    pub players: u32,
}

/// A time for which the players of hibernating matches are not charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredOutage {
    /// The last moment at which the server is known to have run; `None` if it is not known.
    pub alive_at: Option<Timestamp>,
    /// The moment at which a server ran again.
    pub back_at: Timestamp,
    /// The moment at which the clocks run again.
    pub resumes_at: Timestamp,
}

/// A row of `outages` as the databases return it.
#[derive(sqlx::FromRow)]
struct RawOutage {
    alive_at: Option<TimeColumn>,
    back_at: TimeColumn,
    resumes_at: TimeColumn,
}

impl RawOutage {
    fn read(self) -> Result<StoredOutage, StoreError> {
        Ok(StoredOutage {
            alive_at: self.alive_at.map(|at| at.read("outages.alive_at")).transpose()?,
            back_at: self.back_at.read("outages.back_at")?,
            resumes_at: self.resumes_at.read("outages.resumes_at")?,
        })
    }
}

impl Store {
    /// Records that a match hibernates. Returns false, and changes nothing, if the match has been
    /// claimed again, has further events, or does not run.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The match may then hibernate or not.
    pub async fn hibernate(&self, hibernation: &Hibernation) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "update matches set hibernated_epoch = epoch, hibernated_at = $4, wake_at = $5,
                                          listed_players = $6, unowned = null, unowned_since = null
                       where id = $1 and epoch = $2 and head_seq = $3 and status = 'running'",
            sqlite: "update matches set hibernated_epoch = epoch, hibernated_at_ms = $4, wake_at_ms = $5,
                                        listed_players = $6, unowned = null, unowned_since_ms = null
                     where id = $1 and epoch = $2 and head_seq = $3 and status = 'running'",
        };
        let updated = execute!(
            self,
            sql,
            hibernation.match_id.0,
            count_column(hibernation.epoch.0),
            count_column(hibernation.head_seq),
            TimeColumn::from(hibernation.at),
            hibernation.wake_at.map(TimeColumn::from),
            hibernation.listed_players.map(i32::from),
        );
        Ok(updated.map_err(StoreError::database("let a match hibernate"))? == 1)
    }

    /// Returns whether a match hibernates.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn is_hibernating(&self, match_id: MatchId) -> Result<bool, StoreError> {
        let sql = Sql::both(
            "select 1 from matches where id = $1 and status <> 'ended' and hibernated_epoch = epoch",
        );
        let row = fetch_optional!(self, (i32,), sql, match_id.0);
        Ok(row.map_err(StoreError::database("look up a hibernating match"))?.is_some())
    }

    /// Returns the number of hibernating matches.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn count_hibernating(&self) -> Result<u64, StoreError> {
        let sql =
            Sql::both("select count(*) from matches where status <> 'ended' and hibernated_epoch = epoch");
        let row = fetch_optional!(self, (i64,), sql);
        let row = row.map_err(StoreError::database("count the hibernating matches"))?;
        row.map_or(Ok(0), |(count,)| {
            u64::try_from(count).map_err(|_| unreadable("the number of hibernating matches", count))
        })
    }

    /// Returns the hibernating matches whose deadline is at `until` or earlier, the earliest first.
    /// Returns at most `limit` matches, and only those of `owner` if it is given.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn due_hibernations(
        &self,
        until: Timestamp,
        owner: Option<NodeId>,
        limit: u16,
    ) -> Result<Vec<(TableId, MatchId)>, StoreError> {
        let sql = Sql {
            postgres: "select table_id, id from matches
                       where status <> 'ended' and hibernated_epoch = epoch and wake_at <= $1
                         and ($2::uuid is null or owner = $2)
                       order by wake_at limit $3",
            sqlite: "select table_id, id from matches
                     where status <> 'ended' and hibernated_epoch = epoch and wake_at_ms <= $1
                       and ($2 is null or owner = $2)
                     order by wake_at_ms limit $3",
        };
        let owner = owner.map(|owner| owner.0);
        let rows = fetch_all!(self, (Uuid, Uuid), sql, TimeColumn::from(until), owner, i64::from(limit));
        let rows = rows.map_err(StoreError::database("look for hibernating matches that are due"))?;
        Ok(rows.into_iter().map(|(table, match_id)| (TableId(table), MatchId(match_id))).collect())
    }

    /// Returns the hibernating matches that the lobby lists. Returns only those of `owner` if it is
    /// given.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn listed_hibernations(
        &self,
        owner: Option<NodeId>,
    ) -> Result<Vec<ListedHibernation>, StoreError> {
        let sql = Sql {
            postgres: "select table_id, listed_players from matches
                       where status <> 'ended' and hibernated_epoch = epoch and listed_players is not null
                         and ($1::uuid is null or owner = $1)",
            sqlite: "select table_id, listed_players from matches
                     where status <> 'ended' and hibernated_epoch = epoch and listed_players is not null
                       and ($1 is null or owner = $1)",
        };
        let rows = fetch_all!(self, (Uuid, i32), sql, owner.map(|owner| owner.0));
        let rows = rows.map_err(StoreError::database("list hibernating matches"))?;
        let read = |(table, players): (Uuid, i32)| {
            let players =
                u32::try_from(players).map_err(|_| unreadable("matches.listed_players", players))?;
            Ok(ListedHibernation { table: TableId(table), players })
        };
        rows.into_iter().map(read).collect()
    }

    /// Records an outage for the matches that hibernate now: for those of `owner` if it is given,
    /// otherwise for all.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn add_outage(&self, outage: &StoredOutage, owner: Option<NodeId>) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "insert into outages (owner, alive_at, back_at, resumes_at) values ($1, $2, $3, $4)",
            sqlite: "insert into outages (owner, alive_at_ms, back_at_ms, resumes_at_ms)
                     values ($1, $2, $3, $4)",
        };
        let added = execute!(
            self,
            sql,
            owner.map(|owner| owner.0),
            outage.alive_at.map(TimeColumn::from),
            TimeColumn::from(outage.back_at),
            TimeColumn::from(outage.resumes_at),
        );
        added.map(drop).map_err(StoreError::database("record an outage"))
    }

    /// Returns the outages since a match last began to hibernate, in order. Returns no outages if
    /// the match never hibernated, or if it has had events since then: the last of these is at
    /// `last_event_at`. After a time without an owner the clocks run again after `grace`.
    ///
    /// Outages of an owner count from its claim on. Those of earlier owners do not count: a node whose
    /// outage is long loses its matches.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn outages_of(
        &self,
        match_id: MatchId,
        last_event_at: Timestamp,
        grace: Duration,
    ) -> Result<Vec<StoredOutage>, StoreError> {
        let sql = Sql {
            postgres: "with hibernating as (
                           select owner, unowned, hibernated_at,
                                  greatest(hibernated_at, upper(unowned[cardinality(unowned)])) as owned_since
                           from matches where id = $1 and hibernated_at >= $2
                       )
                       select alive_at, back_at, resumes_at from hibernating
                       join outages on outages.owner is null and back_at > hibernated_at
                                    or outages.owner = hibernating.owner and back_at > owned_since
                       union all
                       select lower(span), upper(span), upper(span) + $3 * interval '1 millisecond'
                       from hibernating, unnest(unowned) as span
                       where not isempty(span)
                       order by back_at",
            // Only a database for simulations has times without an owner, each as `[from, until]`.
            sqlite: "with hibernating as (
                         select owner, unowned, hibernated_at_ms,
                                max(hibernated_at_ms, coalesce(json_extract(unowned, '$[#-1][1]'), 0))
                                    as owned_since_ms
                         from matches where id = $1 and hibernated_at_ms >= $2
                     )
                     select alive_at_ms as alive_at, back_at_ms as back_at, resumes_at_ms as resumes_at
                     from hibernating
                     join outages on outages.owner is null and back_at_ms > hibernated_at_ms
                                  or outages.owner = hibernating.owner and back_at_ms > owned_since_ms
                     union all
                     select json_extract(span.value, '$[0]'), json_extract(span.value, '$[1]'),
                            json_extract(span.value, '$[1]') + $3
                     from hibernating, json_each(unowned) as span
                     order by back_at",
        };
        let grace = i64::try_from(grace.as_millis()).unwrap_or(i64::MAX);
        let rows = fetch_all!(self, RawOutage, sql, match_id.0, TimeColumn::from(last_event_at), grace);
        let rows = rows.map_err(StoreError::database("look up the outages of a match"))?;
        rows.into_iter().map(RawOutage::read).collect()
    }
}
