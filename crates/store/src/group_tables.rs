//! The tables of groups, and the results of the matches there.

use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{GroupId, MatchId, TableId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::column;
use super::database::{Sql, Transaction, execute_in, fetch_all};
use super::error::{StoreError, read_seq, unreadable};
use super::seat_holders::OwnMatch;
use super::time_column::TimeColumn;
use super::users::{RawUser, User};

/// The largest number of users in the standings of a group.
const MAX_STANDINGS: i64 = 200;

/// The results of a user in the matches of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGroupStanding {
    /// The user.
    pub user: User,
    /// True if the user is a member of the group.
    pub is_member: bool,
    /// The number of matches.
    pub matches: u32,
    /// The number of matches in which the user had the first place alone.
    pub wins: u32,
    /// Twice the points: two for each player with a worse place, and one for each other player with the
    /// same place.
    pub half_points: u32,
    /// The numbers of first, second, third and fourth places.
    pub places: [u32; 4],
}

/// A row of standings as the databases return it.
#[derive(sqlx::FromRow)]
struct RawStanding {
    #[sqlx(flatten)]
    user: RawUser,
    is_member: bool,
    played: i64,
    wins: i64,
    half_points: i64,
    firsts: i64,
    seconds: i64,
    thirds: i64,
    fourths: i64,
}

impl RawStanding {
    fn read(self) -> Result<StoredGroupStanding, StoreError> {
        let count = |count: i64| u32::try_from(count).map_err(|_| unreadable("archived_seats", count));
        let places = [self.firsts, self.seconds, self.thirds, self.fourths];
        let [first, second, third, fourth] = places.map(count);
        Ok(StoredGroupStanding {
            user: self.user.read()?,
            is_member: self.is_member,
            matches: count(self.played)?,
            wins: count(self.wins)?,
            half_points: count(self.half_points)?,
            places: [first?, second?, third?, fourth?],
        })
    }
}

impl Store {
    /// Returns the newest unfinished matches of a group's tables, each with the privacy of its table.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn matches_of_group(
        &self,
        group: GroupId,
        limit: u16,
    ) -> Result<Vec<(OwnMatch, Privacy)>, StoreError> {
        let sql = Sql::both(
            "select tables.id, matches.id, head_seq, privacy from group_tables
             join tables on tables.id = group_tables.table_id
             join matches on matches.table_id = tables.id and status <> 'ended'
             where group_id = $1 order by group_tables.table_id desc limit $2",
        );
        let rows = fetch_all!(self, (Uuid, Uuid, i64, String), sql, group.0, i64::from(limit));
        let rows = rows.map_err(StoreError::database("list the tables of a group"))?;
        let read = |(table, match_id, head_seq, privacy): (Uuid, Uuid, i64, String)| {
            let head_seq = read_seq("matches.head_seq", head_seq)?;
            let own = OwnMatch { table: TableId(table), match_id: MatchId(match_id), head_seq };
            Ok((own, column::read_privacy(&privacy).ok_or(unreadable("tables.privacy", privacy))?))
        };
        rows.into_iter().map(read).collect()
    }

    /// Returns the results in the matches of a group that have started at `since` or later, the user
    /// with the most points first. A match counts if it has ended with places, between at least two
    /// people, and no user has held several seats.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn group_standings(
        &self,
        group: GroupId,
        since: Timestamp,
    ) -> Result<Vec<StoredGroupStanding>, StoreError> {
        let sql = Sql {
            postgres: "
                with counted as (
                    select archived_matches.match_id from group_tables
                    join matches on matches.table_id = group_tables.table_id
                    join archived_matches on archived_matches.match_id = matches.id
                    where group_id = $1 and phase = 'ended' and started_at >= $2
                      and 2 <= (select count(distinct user_id) from archived_seats as seat
                                join users on users.id = user_id
                                where seat.match_id = matches.id and bot is null)
                      and (select count(*) = count(distinct user_id) from archived_seats as seat
                           join users on users.id = user_id
                           where seat.match_id = matches.id and bot is null)),
                placed as (
                    select seat.user_id, seat.place,
                           (select count(*) from archived_seats as other where other.match_id = seat.match_id
                            and other.place > seat.place) as worse,
                           (select count(*) from archived_seats as other where other.match_id = seat.match_id
                            and other.place = seat.place and other.color <> seat.color) as equals
                    from counted join archived_seats as seat on seat.match_id = counted.match_id
                    where seat.place is not null),
                results as (
                    select user_id, count(*) as played, cast(sum(2 * worse + equals) as bigint) as half_points,
                           count(case when place = 1 and equals = 0 then 1 end) as wins,
                           count(case when place = 1 then 1 end) as firsts,
                           count(case when place = 2 then 1 end) as seconds,
                           count(case when place = 3 then 1 end) as thirds,
                           count(case when place = 4 then 1 end) as fourths
                    from placed group by user_id)
                select id, name, created_at, bot::text as bot, played, half_points, wins, firsts, seconds,
                       thirds, fourths,
                       exists (select 1 from accounts where accounts.user_id = users.id) as account,
                       exists (select 1 from group_members as member where group_id = $1
                               and member.user_id = users.id and role <> 'removed') as is_member
                from results join users on id = results.user_id
                where bot is null and deleted_at is null
                order by half_points desc, wins desc, played, id limit $3",
            sqlite: "
                with counted as (
                    select archived_matches.match_id from group_tables
                    join matches on matches.table_id = group_tables.table_id
                    join archived_matches on archived_matches.match_id = matches.id
                    where group_id = $1 and phase = 'ended' and started_at_ms >= $2
                      and 2 <= (select count(distinct user_id) from archived_seats as seat
                                join users on users.id = user_id
                                where seat.match_id = matches.id and bot is null)
                      and (select count(*) = count(distinct user_id) from archived_seats as seat
                           join users on users.id = user_id
                           where seat.match_id = matches.id and bot is null)),
                placed as (
                    select seat.user_id, seat.place,
                           (select count(*) from archived_seats as other where other.match_id = seat.match_id
                            and other.place > seat.place) as worse,
                           (select count(*) from archived_seats as other where other.match_id = seat.match_id
                            and other.place = seat.place and other.color <> seat.color) as equals
                    from counted join archived_seats as seat on seat.match_id = counted.match_id
                    where seat.place is not null),
                results as (
                    select user_id, count(*) as played, sum(2 * worse + equals) as half_points,
                           count(case when place = 1 and equals = 0 then 1 end) as wins,
                           count(case when place = 1 then 1 end) as firsts,
                           count(case when place = 2 then 1 end) as seconds,
                           count(case when place = 3 then 1 end) as thirds,
                           count(case when place = 4 then 1 end) as fourths
                    from placed group by user_id)
                select id, name, created_at_ms as created_at, bot, played, half_points, wins, firsts, seconds,
                       thirds, fourths,
                       exists (select 1 from accounts where accounts.user_id = users.id) as account,
                       exists (select 1 from group_members as member where group_id = $1
                               and member.user_id = users.id and role <> 'removed') as is_member
                from results join users on id = results.user_id
                where bot is null and deleted_at_ms is null
                order by half_points desc, wins desc, played, id limit $3",
        };
        let rows = fetch_all!(self, RawStanding, sql, group.0, TimeColumn::from(since), MAX_STANDINGS);
        let rows = rows.map_err(StoreError::database("list the standings of a group"))?;
        rows.into_iter().map(RawStanding::read).collect()
    }
}

impl Transaction {
    /// Records that a table was created for a group.
    pub(super) async fn insert_group_table(
        &mut self,
        table: TableId,
        group: GroupId,
    ) -> Result<(), sqlx::Error> {
        let sql = Sql::both("insert into group_tables (table_id, group_id) values ($1, $2)");
        execute_in!(self, sql, table.0, group.0).map(drop)
    }
}
