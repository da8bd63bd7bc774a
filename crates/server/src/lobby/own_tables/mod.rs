//! The subscriptions of users to changes of their own tables: the tables at which they are seated
//! or host. Their invitations to other tables are published on the same channels.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use quadrex_protocol::http::{InvitationView, OwnTable};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ServerFrame, TableId, UserId};
use quadrex_rules::Timestamp;

use crate::actor::TableOverview;
use crate::bus::{Channel, Frame, Listener, Subscription};
use quadrex_table::OpenTurn;
use quadrex_table::frames::encode;

/// The channels of all users who subscribe to their own tables.
#[derive(Debug, Default)]
pub(super) struct OwnTables {
    channels: HashMap<UserId, Channel<Frame>>,
    /// The published invitations of these users, without empty lists.
    invitations: HashMap<UserId, Vec<InvitationView>>,
    /// The users with invitations to each table.
    invited: HashMap<TableId, BTreeSet<UserId>>,
    /// The tables in the lists of these users that the lobby has no overview of: their matches hibernate,
    /// or had no owner when the lists were read from the store.
    asleep: HashMap<UserId, BTreeSet<TableId>>,
}

impl OwnTables {
    /// Subscribes a listener to the changes of a user's tables.
    pub(super) fn subscribe(
        &mut self,
        user: UserId,
        listener: Arc<dyn Listener<Frame>>,
    ) -> Subscription<Frame> {
        // At each new subscription, channels without subscribers are removed.
        let channels = &mut self.channels;
        channels.retain(|_, channel| !channel.is_empty());
        let gone = self.invitations.keys().filter(|user| !channels.contains_key(user));
        for user in gone.copied().collect::<Vec<_>>() {
            self.set_invitations(user, Vec::new());
        }
        self.asleep.retain(|user, _| self.channels.contains_key(user));
        self.channels.entry(user).or_default().subscribe(listener)
    }

    /// Records that the list of a user has a table of which the lobby has no overview.
    pub(super) fn add_asleep(&mut self, user: UserId, table: TableId) {
        if self.is_followed(user) {
            self.asleep.entry(user).or_default().insert(table);
        }
    }

    /// Records that the lobby drops the overview of a table, which stays in the lists of its users.
    pub(super) fn fall_asleep(&mut self, table: &TableOverview) {
        members(table).for_each(|user| self.add_asleep(user, table.outline().table));
    }

    /// Returns whether a connection of this user subscribes to the user's own tables.
    pub(super) fn is_followed(&self, user: UserId) -> bool {
        self.channels.get(&user).is_some_and(|channel| !channel.is_empty())
    }

    /// Publishes the invitations of a user to the connections of the user.
    pub(super) fn publish_invitations(&mut self, user: UserId, invitations: Vec<InvitationView>) {
        if let Some(channel) = self.channels.get(&user).filter(|channel| !channel.is_empty()) {
            channel.publish(encode(&ServerFrame::Invitations { invitations: invitations.clone() }));
            self.set_invitations(user, invitations);
        }
    }

    /// Removes the invitations to a table whose match has started or was closed.
    pub(super) fn remove_invitations_to(&mut self, table: TableId) {
        for user in self.invited.get(&table).cloned().unwrap_or_default() {
            let mut invitations = self.invitations.get(&user).cloned().unwrap_or_default();
            invitations.retain(|invitation| invitation.table.table != table);
            self.publish_invitations(user, invitations);
        }
        self.invited.remove(&table);
    }

    fn set_invitations(&mut self, user: UserId, invitations: Vec<InvitationView>) {
        for invitation in self.invitations.remove(&user).unwrap_or_default() {
            let table = invitation.table.table;
            if let Some(invited) = self.invited.get_mut(&table) {
                invited.remove(&user);
                if invited.is_empty() {
                    self.invited.remove(&table);
                }
            }
        }
        for invitation in &invitations {
            self.invited.entry(invitation.table.table).or_default().insert(user);
        }
        if !invitations.is_empty() {
            self.invitations.insert(user, invitations);
        }
    }

    /// Publishes the change of a table to its users. `before` is `None` if the table was added, and
    /// `after` is `None` if it was removed.
    pub(super) fn publish(
        &mut self,
        before: Option<&TableOverview>,
        after: Option<&TableOverview>,
        now: Timestamp,
    ) {
        let users: BTreeSet<UserId> = [before, after].into_iter().flatten().flat_map(users).collect();
        for user in users {
            let Some(channel) = self.channels.get(&user).filter(|channel| !channel.is_empty()) else {
                continue;
            };
            let asleep = after.filter(|table| {
                let asleep = self.asleep.get_mut(&user);
                asleep.is_some_and(|asleep| asleep.remove(&table.outline().table))
            });
            let (was, is) =
                (before.filter(|table| is_own(table, user)), after.filter(|table| is_own(table, user)));
            match (was, is) {
                (Some(_), None) if quadrex_runtime::has_planted!(OwnTableNotRemoved) => {}
                (Some(table), None) => channel.publish(removal(table)),
                (Some(was), Some(is)) if is_same(was, is, user) => {}
                (_, Some(table)) => {
                    channel.publish(encode(&ServerFrame::OwnTable { table: own_table(table, user, now) }));
                }
                (None, None) if quadrex_runtime::has_planted!(EndedTableKept) => {}
                (None, None) => asleep.into_iter().for_each(|table| channel.publish(removal(table))),
            }
        }
    }
}

/// Returns a table as an entry in a user's list of own tables.
pub(super) fn own_table(table: &TableOverview, user: UserId, now: Timestamp) -> OwnTable {
    let turn = turn_of(table, user);
    let left = turn.and_then(|turn| turn.deadline).map(|deadline| deadline.since(now));
    OwnTable {
        summary: table.summary_for(Some(user)),
        match_id: table.head.match_id,
        your_move: turn.is_some(),
        left_ms: left.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX)),
    }
}

fn removal(table: &TableOverview) -> Frame {
    encode(&ServerFrame::OwnTableRemoved { table: table.outline().table })
}

/// Returns the host and the seated users of a table.
fn users(table: &TableOverview) -> impl Iterator<Item = UserId> + '_ {
    std::iter::once(table.host().id).chain(table.seated())
}

/// Returns the host and the seated users of a table. Returns no users if the match is over.
pub(super) fn members(table: &TableOverview) -> impl Iterator<Item = UserId> + '_ {
    users(table).filter(|_| table.phase() != Phase::Ended)
}

fn is_own(table: &TableOverview, user: UserId) -> bool {
    members(table).any(|member| member == user)
}

fn turn_of(table: &TableOverview, user: UserId) -> Option<OpenTurn> {
    table.open_turn.filter(|turn| turn.player == user)
}

/// Returns whether two overviews of a table result in the same entry in a user's list. The
/// remaining time is not compared.
fn is_same(before: &TableOverview, after: &TableOverview, user: UserId) -> bool {
    before.has_outline_of(after)
        && before.head.match_id == after.head.match_id
        && turn_of(before, user) == turn_of(after, user)
}

#[cfg(test)]
mod tests;
