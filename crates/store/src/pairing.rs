//! Facts about users whom a quick join does not seat at the same rated table.

use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, Transaction, execute, execute_in, fetch_all};
use super::error::StoreError;
use super::time_column::TimeColumn;

/// Removes the networks from which the seats of a match were taken.
pub(super) async fn remove_seat_networks(
    transaction: &mut Transaction,
    match_id: MatchId,
) -> Result<(), sqlx::Error> {
    let sql = Sql::both("delete from seat_networks where match_id = $1");
    execute_in!(transaction, sql, match_id.0).map(drop)
}

impl Store {
    /// Records the network from which a user takes a seat of a match. It is removed when the match is
    /// archived.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn put_seat_network(
        &self,
        match_id: MatchId,
        user: UserId,
        network: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "insert into seat_networks (match_id, user_id, network, taken_at)
                       values ($1, $2, $3, $4)
                       on conflict (match_id, user_id)
                       do update set network = excluded.network, taken_at = excluded.taken_at",
            sqlite: "insert into seat_networks (match_id, user_id, network, taken_at_ms)
                     values ($1, $2, $3, $4)
                     on conflict (match_id, user_id)
                     do update set network = excluded.network, taken_at_ms = excluded.taken_at_ms",
        };
        let put = execute!(self, sql, match_id.0, user.0, network, TimeColumn::from(at));
        put.map(drop).map_err(StoreError::database("record the network of a seat"))
    }

    /// Returns the networks from which a user has taken seats of matches that have not begun, each
    /// with its match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn seat_networks(&self, user: UserId) -> Result<Vec<(MatchId, String)>, StoreError> {
        let sql =
            Sql::both("select match_id, network from seat_networks where user_id = $1 order by match_id");
        let rows = fetch_all!(self, (Uuid, String), sql, user.0);
        let rows = rows.map_err(StoreError::database("list the networks of a user"))?;
        Ok(rows.into_iter().map(|(match_id, network)| (MatchId(match_id), network)).collect())
    }

    /// Returns the users who have taken seats of a match from a network.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn seated_from(&self, match_id: MatchId, network: &str) -> Result<Vec<UserId>, StoreError> {
        let sql = Sql::both("select user_id from seat_networks where match_id = $1 and network = $2");
        let rows = fetch_all!(self, (Uuid,), sql, match_id.0, network);
        rows.map(users).map_err(StoreError::database("look up the networks of seats"))
    }

    /// Returns the opponents of a user in the last rated matches that began since a time, at most
    /// `matches`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn rated_opponents(
        &self,
        user: UserId,
        matches: u16,
        since: Timestamp,
    ) -> Result<Vec<UserId>, StoreError> {
        let sql = Sql {
            postgres: "
                with own as (select seat.match_id from archived_seats as seat
                             join archived_matches as archived on archived.match_id = seat.match_id
                             where seat.user_id = $1 and seat.started_at >= $2
                               and summary ->> 'rated' = 'true'
                             order by seat.started_at desc, seat.match_id desc limit $3)
                select distinct user_id from own join archived_seats as seat on seat.match_id = own.match_id
                where user_id <> $1",
            sqlite: "
                with own as (select seat.match_id from archived_seats as seat
                             join archived_matches as archived on archived.match_id = seat.match_id
                             where seat.user_id = $1 and seat.started_at_ms >= $2
                               and summary ->> '$.rated' = 1
                             order by seat.started_at_ms desc, seat.match_id desc limit $3)
                select distinct user_id from own join archived_seats as seat on seat.match_id = own.match_id
                where user_id <> $1",
        };
        let rows = fetch_all!(self, (Uuid,), sql, user.0, TimeColumn::from(since), i64::from(matches));
        rows.map(users).map_err(StoreError::database("list the opponents in rated matches"))
    }

    /// Returns the users whom a user follows and who follow this user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn mutual_follows(&self, user: UserId) -> Result<Vec<UserId>, StoreError> {
        let sql = Sql::both(
            "select own.other_id from user_relations as own
             join user_relations as back on back.user_id = own.other_id and back.other_id = own.user_id
             where own.user_id = $1 and own.kind = 'follow' and back.kind = 'follow'",
        );
        let rows = fetch_all!(self, (Uuid,), sql, user.0);
        rows.map(users).map_err(StoreError::database("list the users who follow each other"))
    }
}

fn users(rows: Vec<(Uuid,)>) -> Vec<UserId> {
    rows.into_iter().map(|(user,)| UserId(user)).collect()
}
