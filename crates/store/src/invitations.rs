//! The invitations of users to tables whose matches have not started.

use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::{Color, Timestamp};
use uuid::Uuid;

use super::Store;
use super::database::{Sql, Transaction, execute, execute_in, fetch_all, fetch_one_in, fetch_optional};
use super::error::{StoreError, read_seq, unreadable};
use super::links::Link;
use super::seat_holders::OwnMatch;
use super::time_column::TimeColumn;
use super::users::{RawUser, User};

/// An invitation to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewInvitation {
    /// The table.
    pub table: TableId,
    /// The invited user.
    pub user: UserId,
    /// The user who sends the invitation.
    pub by: UserId,
    /// The seat for the user; `None` for any open seat.
    pub seat: Option<Color>,
    /// The time of the invitation.
    pub at: Timestamp,
    /// The time when the invitation expires.
    pub expires_at: Timestamp,
}

/// The outcome of an attempt to add an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationAdded {
    /// The invitation was added.
    Added,
    /// The user is invited already, or has declined.
    Known,
    /// The table has the maximum number of invitations.
    Full,
    /// The user was deleted, or is a guest who was removed.
    Gone,
}

/// An invitation as the host of the table sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentInvitation {
    /// The invited user.
    pub user: User,
    /// The seat for the user; `None` for any open seat.
    pub seat: Option<Color>,
    /// The time of the invitation.
    pub at: Timestamp,
    /// The time when the invitation expires.
    pub expires_at: Timestamp,
    /// True if the user has declined the invitation.
    pub declined: bool,
}

/// An invitation that waits for the answer of the invited user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedInvitation {
    /// The invited user.
    pub user: UserId,
    /// The table, with its match.
    pub unstarted: OwnMatch,
    /// The user who has sent the invitation.
    pub from: User,
    /// The seat for the invited user; `None` for any open seat.
    pub seat: Option<Color>,
    /// The time of the invitation.
    pub at: Timestamp,
    /// The time when the invitation expires.
    pub expires_at: Timestamp,
}

/// The outcome of an attempt to accept an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationAccepted {
    /// The link was added.
    Accepted,
    /// There is no such invitation any more.
    Gone,
    /// The table has the maximum number of links.
    TooManyLinks,
}

/// A row of `invitations` with a user, as the databases return it.
#[derive(sqlx::FromRow)]
struct RawSent {
    #[sqlx(flatten)]
    user: RawUser,
    seat: Option<String>,
    invited_at: TimeColumn,
    expires_at: TimeColumn,
    declined: bool,
}

/// A row of `invitations` with its sender and its table, as the databases return it.
#[derive(sqlx::FromRow)]
struct RawReceived {
    user_id: Uuid,
    table_id: Uuid,
    match_id: Uuid,
    head_seq: i64,
    #[sqlx(flatten)]
    from: RawUser,
    seat: Option<String>,
    invited_at: TimeColumn,
    expires_at: TimeColumn,
}

fn read_seat(seat: Option<String>) -> Result<Option<Color>, StoreError> {
    seat.map(|seat| seat.parse().map_err(|_| unreadable("invitations.seat", seat))).transpose()
}

impl RawSent {
    fn read(self) -> Result<SentInvitation, StoreError> {
        Ok(SentInvitation {
            user: self.user.read()?,
            seat: read_seat(self.seat)?,
            at: self.invited_at.read("invitations.invited_at")?,
            expires_at: self.expires_at.read("invitations.expires_at")?,
            declined: self.declined,
        })
    }
}

impl RawReceived {
    fn read(self) -> Result<ReceivedInvitation, StoreError> {
        Ok(ReceivedInvitation {
            user: UserId(self.user_id),
            unstarted: OwnMatch {
                table: TableId(self.table_id),
                match_id: MatchId(self.match_id),
                head_seq: read_seq("matches.head_seq", self.head_seq)?,
            },
            from: self.from.read()?,
            seat: read_seat(self.seat)?,
            at: self.invited_at.read("invitations.invited_at")?,
            expires_at: self.expires_at.read("invitations.expires_at")?,
        })
    }
}

impl Store {
    /// Adds an invitation and removes all expired ones, if the table has fewer than `max` that are
    /// not answered. A user who has accepted an earlier invitation to the table is invited again, but
    /// not a user who has declined.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, or the table or a user does not exist.
    pub async fn add_invitation(
        &self,
        invitation: &NewInvitation,
        max: u16,
    ) -> Result<InvitationAdded, StoreError> {
        let added = self.try_to_add_invitation(invitation, max).await;
        added.map_err(StoreError::database("invite a user to a table"))
    }

    async fn try_to_add_invitation(
        &self,
        invitation: &NewInvitation,
        max: u16,
    ) -> Result<InvitationAdded, sqlx::Error> {
        let NewInvitation { table, user, by, seat, at, expires_at } = *invitation;
        let mut transaction = self.database.begin().await?;
        transaction.remove_expired_invitations(at).await?;
        let gone = Sql {
            postgres: "select count(*) from users
                       where id = $1 and (deleted_at is not null or removed_at is not null)",
            sqlite: "select count(*) from users
                     where id = $1 and (deleted_at_ms is not null or removed_at_ms is not null)",
        };
        let known = Sql::both(
            "select count(*) from invitations where table_id = $1 and user_id = $2
             and (answer is null or answer = 'declined')",
        );
        let open = Sql::both("select count(*) from invitations where table_id = $1 and answer is null");
        let (gone,) = fetch_one_in!(&mut transaction, (i64,), gone, user.0)?;
        let (known,) = fetch_one_in!(&mut transaction, (i64,), known, table.0, user.0)?;
        let (open,) = fetch_one_in!(&mut transaction, (i64,), open, table.0)?;
        let outcome = match (gone, known, open) {
            (1.., _, _) => InvitationAdded::Gone,
            (_, 1.., _) => InvitationAdded::Known,
            _ if open >= i64::from(max) => InvitationAdded::Full,
            _ => InvitationAdded::Added,
        };
        if outcome == InvitationAdded::Added {
            let sql = Sql {
                postgres: "insert into invitations
                               (table_id, user_id, invited_by, seat, invited_at, expires_at)
                           values ($1, $2, $3, $4, $5, $6)
                           on conflict (table_id, user_id) do update
                           set invited_by = excluded.invited_by, seat = excluded.seat, answer = null,
                               link = null, invited_at = excluded.invited_at,
                               expires_at = excluded.expires_at",
                sqlite: "insert into invitations
                             (table_id, user_id, invited_by, seat, invited_at_ms, expires_at_ms)
                         values ($1, $2, $3, $4, $5, $6)
                         on conflict (table_id, user_id) do update
                         set invited_by = excluded.invited_by, seat = excluded.seat, answer = null,
                             link = null, invited_at_ms = excluded.invited_at_ms,
                             expires_at_ms = excluded.expires_at_ms",
            };
            let (at, expires_at) = (TimeColumn::from(at), TimeColumn::from(expires_at));
            let seat = seat.map(|seat| seat.to_string());
            execute_in!(&mut transaction, sql, table.0, user.0, by.0, seat, at, expires_at)?;
        }
        transaction.commit().await?;
        Ok(outcome)
    }

    /// Returns the invitations to a table that were not accepted and have not expired at `now`, newest
    /// first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn invitations_to(
        &self,
        table: TableId,
        now: Timestamp,
    ) -> Result<Vec<SentInvitation>, StoreError> {
        let sql = Sql {
            postgres: "select id, name, created_at, bot::text as bot, seat, invited_at, expires_at,
                              answer is not null as declined,
                              exists (select 1 from accounts where accounts.user_id = users.id) as account
                       from invitations join users on id = invitations.user_id
                       where table_id = $1 and expires_at > $2 and answer is distinct from 'accepted'
                       order by invited_at desc, id",
            sqlite: "select id, name, created_at_ms as created_at, bot, seat, invited_at_ms as invited_at,
                            expires_at_ms as expires_at, answer is not null as declined,
                            exists (select 1 from accounts where accounts.user_id = users.id) as account
                     from invitations join users on id = invitations.user_id
                     where table_id = $1 and expires_at_ms > $2 and answer is not 'accepted'
                     order by invited_at_ms desc, id",
        };
        let rows = fetch_all!(self, RawSent, sql, table.0, TimeColumn::from(now));
        let rows = rows.map_err(StoreError::database("list the invitations to a table"))?;
        rows.into_iter().map(RawSent::read).collect()
    }

    /// Returns the invitations of these users that wait for an answer at `now`, newest first: those to
    /// tables whose matches have not started. An invitation is left out while there is a block between
    /// its sender and the invited user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn invitations_of(
        &self,
        users: &[UserId],
        now: Timestamp,
    ) -> Result<Vec<ReceivedInvitation>, StoreError> {
        let ids = serde_json::to_string(users).expect("ids are texts");
        let sql = Sql {
            postgres: "
                select invitations.user_id, invitations.table_id, matches.id as match_id, head_seq, users.id,
                       name, users.created_at, bot::text as bot, seat, invited_at, expires_at,
                       exists (select 1 from accounts where accounts.user_id = users.id) as account
                from invitations join users on users.id = invited_by
                join matches on matches.table_id = invitations.table_id and status = 'open'
                where invitations.user_id in (select value::uuid from json_array_elements_text($1::json))
                  and answer is null and expires_at > $2
                  and not exists (select 1 from user_relations as block where block.kind = 'block'
                      and ((block.user_id = invitations.user_id and block.other_id = invited_by)
                           or (block.user_id = invited_by and block.other_id = invitations.user_id)))
                order by invited_at desc, invitations.table_id",
            sqlite: "
                select invitations.user_id, invitations.table_id, matches.id as match_id, head_seq, users.id,
                       name, users.created_at_ms as created_at, bot, seat, invited_at_ms as invited_at,
                       expires_at_ms as expires_at,
                       exists (select 1 from accounts where accounts.user_id = users.id) as account
                from invitations join users on users.id = invited_by
                join matches on matches.table_id = invitations.table_id and status = 'open'
                where invitations.user_id in (select unhex(replace(value, '-', '')) from json_each($1))
                  and answer is null and expires_at_ms > $2
                  and not exists (select 1 from user_relations as block where block.kind = 'block'
                      and ((block.user_id = invitations.user_id and block.other_id = invited_by)
                           or (block.user_id = invited_by and block.other_id = invitations.user_id)))
                order by invited_at_ms desc, invitations.table_id",
        };
        let rows = fetch_all!(self, RawReceived, sql, ids, TimeColumn::from(now));
        let rows = rows.map_err(StoreError::database("list the invitations of users"))?;
        rows.into_iter().map(RawReceived::read).collect()
    }

    /// Returns the seat of an invitation that the user may accept at `now`: one that was not declined.
    /// The inner value is `None` for any open seat. An invitation that was accepted may be accepted
    /// again.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn acceptable_invitation(
        &self,
        table: TableId,
        user: UserId,
        now: Timestamp,
    ) -> Result<Option<Option<Color>>, StoreError> {
        let sql = Sql {
            postgres: "
                select seat from invitations where table_id = $1 and user_id = $2 and expires_at > $3
                  and answer is distinct from 'declined'
                  and exists (select 1 from matches where matches.table_id = $1 and status = 'open')
                  and not exists (select 1 from user_relations as block where block.kind = 'block'
                      and ((block.user_id = $2 and block.other_id = invited_by)
                           or (block.user_id = invited_by and block.other_id = $2)))",
            sqlite: "
                select seat from invitations where table_id = $1 and user_id = $2 and expires_at_ms > $3
                  and answer is not 'declined'
                  and exists (select 1 from matches where matches.table_id = $1 and status = 'open')
                  and not exists (select 1 from user_relations as block where block.kind = 'block'
                      and ((block.user_id = $2 and block.other_id = invited_by)
                           or (block.user_id = invited_by and block.other_id = $2)))",
        };
        let row = fetch_optional!(self, (Option<String>,), sql, table.0, user.0, TimeColumn::from(now));
        let row = row.map_err(StoreError::database("look up an invitation"))?;
        row.map(|(seat,)| read_seat(seat)).transpose()
    }

    /// Records that a user has accepted an invitation, and adds the link by which the user takes a
    /// seat, if the table has fewer than `max_links`. The link replaces that of an earlier acceptance.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn accept_invitation(
        &self,
        user: UserId,
        link: &Link,
        max_links: u32,
    ) -> Result<InvitationAccepted, StoreError> {
        let accepted = self.try_to_accept(user, link, max_links).await;
        accepted.map_err(StoreError::database("accept an invitation"))
    }

    async fn try_to_accept(
        &self,
        user: UserId,
        link: &Link,
        max_links: u32,
    ) -> Result<InvitationAccepted, sqlx::Error> {
        let mut transaction = self.database.begin().await?;
        transaction.remove_link_of_invitation(link.table, user).await?;
        let sql = Sql::both(
            "update invitations set answer = 'accepted', link = $3
             where table_id = $1 and user_id = $2 and (answer is null or answer = 'accepted')",
        );
        let changed = execute_in!(&mut transaction, sql, link.table.0, user.0, link.secret.0.as_slice())?;
        if changed == 0 {
            transaction.roll_back().await?;
            return Ok(InvitationAccepted::Gone);
        }
        if !transaction.insert_link(link, max_links).await? {
            transaction.roll_back().await?;
            return Ok(InvitationAccepted::TooManyLinks);
        }
        transaction.commit().await?;
        Ok(InvitationAccepted::Accepted)
    }

    /// Records that a user has declined an invitation. Returns false if no invitation of the user to
    /// the table waits for an answer.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn decline_invitation(&self, table: TableId, user: UserId) -> Result<bool, StoreError> {
        let sql = Sql::both(
            "update invitations set answer = 'declined'
             where table_id = $1 and user_id = $2 and answer is null",
        );
        let declined = execute!(self, sql, table.0, user.0);
        Ok(declined.map_err(StoreError::database("decline an invitation"))? > 0)
    }

    /// Removes an invitation, with the link by which the user would take a seat. Returns false if there
    /// is no such invitation.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn remove_invitation(&self, table: TableId, user: UserId) -> Result<bool, StoreError> {
        let removed = async {
            let mut transaction = self.database.begin().await?;
            transaction.remove_link_of_invitation(table, user).await?;
            let sql = Sql::both("delete from invitations where table_id = $1 and user_id = $2");
            let removed = execute_in!(&mut transaction, sql, table.0, user.0)?;
            transaction.commit().await?;
            Ok::<u64, sqlx::Error>(removed)
        };
        Ok(removed.await.map_err(StoreError::database("remove an invitation"))? > 0)
    }

    /// Returns whether one of two users follows the other one, both are in one group, or both have
    /// played in one of the last `matches` matches of the first one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn are_acquainted(
        &self,
        user: UserId,
        other: UserId,
        matches: u16,
    ) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "
                with own as (select distinct started_at, match_id from archived_seats where user_id = $1
                             order by started_at desc, match_id desc limit $3)
                select 1 where exists (select 1 from user_relations where kind = 'follow'
                                       and ((user_id = $1 and other_id = $2) or (user_id = $2 and other_id = $1)))
                    or exists (select 1 from group_members as one
                               join group_members as two on two.group_id = one.group_id
                               where one.user_id = $1 and two.user_id = $2
                                 and one.role <> 'removed' and two.role <> 'removed')
                    or exists (select 1 from own join archived_seats as seat on seat.match_id = own.match_id
                               where seat.user_id = $2)",
            sqlite: "
                with own as (select distinct started_at_ms, match_id from archived_seats where user_id = $1
                             order by started_at_ms desc, match_id desc limit $3)
                select 1 where exists (select 1 from user_relations where kind = 'follow'
                                       and ((user_id = $1 and other_id = $2) or (user_id = $2 and other_id = $1)))
                    or exists (select 1 from group_members as one
                               join group_members as two on two.group_id = one.group_id
                               where one.user_id = $1 and two.user_id = $2
                                 and one.role <> 'removed' and two.role <> 'removed')
                    or exists (select 1 from own join archived_seats as seat on seat.match_id = own.match_id
                               where seat.user_id = $2)",
        };
        let row = fetch_optional!(self, (i32,), sql, user.0, other.0, i64::from(matches));
        Ok(row.map_err(StoreError::database("look up the relation of two users"))?.is_some())
    }
}

impl Transaction {
    /// Removes the invitations that have expired at `now`. Returns their number.
    pub(super) async fn remove_expired_invitations(&mut self, now: Timestamp) -> Result<u64, sqlx::Error> {
        let sql = Sql {
            postgres: "delete from invitations where expires_at <= $1",
            sqlite: "delete from invitations where expires_at_ms <= $1",
        };
        execute_in!(self, sql, TimeColumn::from(now))
    }

    /// Removes the link that a user has got by accepting an invitation to a table.
    async fn remove_link_of_invitation(&mut self, table: TableId, user: UserId) -> Result<(), sqlx::Error> {
        let sql = Sql::both(
            "delete from links where table_id = $1 and used_by is null and secret_hash in
             (select link from invitations where table_id = $1 and user_id = $2 and link is not null)",
        );
        execute_in!(self, sql, table.0, user.0).map(drop)
    }
}
