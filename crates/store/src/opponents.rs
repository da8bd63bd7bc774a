//! The users with whom a user has played in the last matches, and the tables at which the users whom
//! a user follows play now.

use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, fetch_all};
use super::error::{StoreError, unreadable};
use super::relations::RelationKind;
use super::time_column::TimeColumn;
use super::users::{RawUser, User};

/// A user with whom another user has played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// The user.
    pub user: User,
    /// The number of matches in which both have played.
    pub matches: u32,
    /// The start of the last of these matches.
    pub last_at: Timestamp,
    /// The relations of the other user to this user.
    pub relations: Vec<RelationKind>,
}

/// A row about an opponent, as the databases return it.
#[derive(sqlx::FromRow)]
struct RawOpponent {
    #[sqlx(flatten)]
    user: RawUser,
    together: i64,
    last_at: TimeColumn,
    follows: bool,
    blocked: bool,
    muted: bool,
}

impl Store {
    /// Returns the users who have played in the last `matches` matches of a user, the one of the last
    /// match first. Matches in which the user had several seats count once.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn recent_opponents(&self, user: UserId, matches: u16) -> Result<Vec<Opponent>, StoreError> {
        let sql = Sql {
            postgres: "
                with own as (select distinct started_at, match_id from archived_seats where user_id = $1
                             order by started_at desc, match_id desc limit $2),
                     others as (select user_id, count(distinct own.match_id) as together,
                                       max(own.started_at) as last_at
                                from own join archived_seats as seat on seat.match_id = own.match_id
                                where user_id <> $1 group by user_id)
                select id, name, created_at, bot::text as bot, together, last_at,
                       exists (select 1 from user_relations as own where own.user_id = $1
                               and own.other_id = users.id and own.kind = 'follow') as follows,
                       exists (select 1 from user_relations as own where own.user_id = $1
                               and own.other_id = users.id and own.kind = 'block') as blocked,
                       exists (select 1 from user_relations as own where own.user_id = $1
                               and own.other_id = users.id and own.kind = 'mute') as muted,
                       exists (select 1 from accounts where accounts.user_id = users.id) as account
                from others join users on id = others.user_id order by last_at desc, id",
            sqlite: "
                with own as (select distinct started_at_ms, match_id from archived_seats where user_id = $1
                             order by started_at_ms desc, match_id desc limit $2),
                     others as (select user_id, count(distinct own.match_id) as together,
                                       max(own.started_at_ms) as last_at
                                from own join archived_seats as seat on seat.match_id = own.match_id
                                where user_id <> $1 group by user_id)
                select id, name, created_at_ms as created_at, bot, together, last_at,
                       exists (select 1 from user_relations as own where own.user_id = $1
                               and own.other_id = users.id and own.kind = 'follow') as follows,
                       exists (select 1 from user_relations as own where own.user_id = $1
                               and own.other_id = users.id and own.kind = 'block') as blocked,
                       exists (select 1 from user_relations as own where own.user_id = $1
                               and own.other_id = users.id and own.kind = 'mute') as muted,
                       exists (select 1 from accounts where accounts.user_id = users.id) as account
                from others join users on id = others.user_id order by last_at desc, id",
        };
        let rows = fetch_all!(self, RawOpponent, sql, user.0, i64::from(matches));
        let rows = rows.map_err(StoreError::database("list the opponents of a user"))?;
        let read = |row: RawOpponent| {
            let RawOpponent { user, together, last_at, follows, blocked, muted } = row;
            let kinds = [
                (follows, RelationKind::Follow),
                (blocked, RelationKind::Block),
                (muted, RelationKind::Mute),
            ];
            Ok(Opponent {
                relations: kinds.into_iter().filter(|(is, _)| *is).map(|(_, kind)| kind).collect(),
                user: user.read()?,
                matches: u32::try_from(together).map_err(|_| unreadable("archived_seats", together))?,
                last_at: last_at.read("archived_seats.started_at")?,
            })
        };
        rows.into_iter().map(read).collect()
    }

    /// Returns the public tables at which the users play whom a user follows, each with its player,
    /// except tables at which names are hidden.
    /// If a player is in several matches, the newest table comes first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn tables_of_followed(&self, user: UserId) -> Result<Vec<(UserId, TableId)>, StoreError> {
        let sql = Sql {
            postgres: "select other_id, tables.id from user_relations as follow
                       join seat_holders as seat on seat.user_id = other_id and is_playing
                       join matches on matches.id = match_id
                       join tables on tables.id = table_id and privacy = 'public'
                       where follow.user_id = $1 and kind = 'follow'
                         and not exists (select 1 from match_event as opened
                                         where opened.match_id = matches.id and opened.seq = 1
                                           and event -> 'settings' ->> 'anonymous' = 'true')
                       order by other_id, tables.id desc",
            sqlite: "select other_id, tables.id from user_relations as follow
                     join seat_holders as seat on seat.user_id = other_id and is_playing = 1
                     join matches on matches.id = match_id
                     join tables on tables.id = table_id and privacy = 'public'
                     where follow.user_id = $1 and kind = 'follow'
                       and not exists (select 1 from match_event as opened
                                       where opened.match_id = matches.id and opened.seq = 1
                                         and event ->> '$.settings.anonymous' = 1)
                     order by other_id, tables.id desc",
        };
        let rows = fetch_all!(self, (Uuid, Uuid), sql, user.0);
        let rows = rows.map_err(StoreError::database("list the tables of followed users"))?;
        Ok(rows.into_iter().map(|(user, table)| (UserId(user), TableId(table))).collect())
    }
}
