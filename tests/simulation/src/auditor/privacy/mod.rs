//! The frames that reach users: data of a private table reaches only people with a right to see it,
//! and a kicked user receives no more of it.

use std::collections::{BTreeMap, BTreeSet};

use quadrex_protocol::event::VacateReason;
use quadrex_protocol::{ClientFrame, CommandId, Event, MatchId, ServerFrame, TableId, UserId};
use quadrex_rules::Color;

use super::outline::TableLogs;
use super::{Answer, Auditor};

/// The rights at private tables, and the frames that users have received.
#[derive(Debug, Default)]
pub(super) struct Privacy {
    /// The users who may see each private table.
    members: BTreeMap<TableId, BTreeSet<UserId>>,
    /// The greatest number of an event of a match that a user has received.
    received: BTreeMap<(MatchId, UserId), u64>,
    /// The seats from which hosts have asked to kick the players.
    kicks: BTreeMap<(UserId, CommandId), Color>,
}

impl Auditor {
    /// Adds a private table, before anybody has asked for it.
    pub(crate) fn add_private_table(&self, table: TableId, members: BTreeSet<UserId>) {
        self.lock().privacy.members.insert(table, members);
    }

    /// Adds a user with a link to a private table. Does nothing if the table is public.
    pub(crate) fn add_member(&self, table: TableId, user: UserId) {
        if let Some(members) = self.lock().privacy.members.get_mut(&table) {
            members.insert(user);
        }
    }

    /// Records a command that is about players.
    pub(super) fn note_kick(&self, by: UserId, frame: &ClientFrame) {
        if let ClientFrame::Kick { cmd, color, .. } = frame {
            self.lock().privacy.kicks.insert((by, cmd.clone()), *color);
        }
    }

    /// Checks that a user may receive a frame.
    pub(crate) fn frame(&self, actor: &str, user: UserId, frame: &ServerFrame) {
        let (table, event) = match frame {
            ServerFrame::Lobby { tables, .. } => {
                return self.check_listed(actor, tables.iter().map(|table| table.table));
            }
            ServerFrame::LobbyTable { table } => return self.check_listed(actor, [table.table]),
            ServerFrame::LobbyPreview { tables, .. } => {
                return self.check_listed(actor, tables.iter().map(|table| table.table));
            }
            ServerFrame::OwnTable { table } => (table.summary.table, None),
            ServerFrame::Presence { table, .. } => (*table, None),
            ServerFrame::Ack { table, .. } => (*table, None),
            ServerFrame::Snapshot { table, match_id, seq, .. }
            | ServerFrame::Watching { table, match_id, seq }
            | ServerFrame::Skip { table, match_id, seq } => (*table, Some((*match_id, *seq))),
            ServerFrame::Event { table, match_id, entry, .. } => (*table, Some((*match_id, entry.seq))),
            _ => return,
        };
        let mut state = self.lock();
        let Some(members) = state.privacy.members.get(&table) else { return };
        let is_member = members.contains(&user);
        if let Some((match_id, seq)) = event {
            let last = state.privacy.received.entry((match_id, user)).or_default();
            *last = seq.max(*last);
        }
        drop(state);
        if !is_member {
            self.violation(actor, format_args!("receives a frame of the private table {table}"));
        }
    }

    /// Checks that the lobby lists only public tables.
    fn check_listed(&self, actor: &str, tables: impl IntoIterator<Item = TableId>) {
        let is_private = |table: &TableId| self.lock().privacy.members.contains_key(table);
        if let Some(table) = tables.into_iter().find(is_private) {
            self.violation(actor, format_args!("the lobby lists the private table {table}"));
        }
    }

    /// Checks for the matches of a table that kicked users hold no seat any more and, if it is private,
    /// have received nothing more.
    pub(super) fn check_kicks(&self, table: &TableLogs) {
        let (acknowledged, received, is_private) = {
            let state = self.lock();
            let mut acknowledged: BTreeSet<(MatchId, u64)> = BTreeSet::new();
            for key in state.privacy.kicks.keys() {
                if let Some(Answer::Ack(match_id, seq)) = state.answers.get(key) {
                    acknowledged.insert((*match_id, *seq));
                }
            }
            let is_private = state.privacy.members.contains_key(&table.table);
            (acknowledged, state.privacy.received.clone(), is_private)
        };
        let mut kicked: BTreeMap<UserId, (MatchId, u64)> = BTreeMap::new();
        for (match_id, log) in &table.matches {
            let mut holders: BTreeMap<Color, (UserId, bool)> = BTreeMap::new();
            for row in log {
                match &row.event {
                    Event::Seated { color, user, .. } => {
                        if kicked.contains_key(&user.id) {
                            let text = format!("{match_id}: a kicked user sits again at event {}", row.seq);
                            self.violation("the log", text);
                        }
                        holders.insert(*color, (user.id, user.bot.is_some()));
                    }
                    Event::Vacated { color, reason } => {
                        let Some((holder, is_bot)) = holders.remove(color) else { continue };
                        let is_kick =
                            *reason == VacateReason::Kicked || acknowledged.contains(&(*match_id, row.seq));
                        if is_kick && !is_bot {
                            kicked.insert(holder, (*match_id, row.seq));
                        }
                    }
                    _ => {}
                }
            }
            for (user, (kicked_in, seq)) in kicked.iter().filter(|_| is_private) {
                let last = received.get(&(*match_id, *user)).copied().unwrap_or_default();
                let allowed = if kicked_in == match_id { *seq } else { 0 };
                if last > allowed {
                    let text = format!("{match_id}: a user kicked by event {seq} has received event {last}");
                    self.violation("the log", text);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
