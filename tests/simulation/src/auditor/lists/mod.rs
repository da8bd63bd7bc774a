//! The lists of the lobby and of users' own tables, as clients know them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{OwnTable, TableSummary};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ServerFrame, TableId, UserId};
use quadrex_rules::Color;
use tokio::time::Instant;

use super::Auditor;
use super::outline::{Outline, shown_holders};
use crate::trace::virtual_now;

/// The largest number of open tables, and also of running tables, that the lobby shows.
const MOST_SHOWN: usize = 50;

/// A client's copies of the lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListMirror {
    lobby: Option<BTreeMap<TableId, TableSummary>>,
    own: Option<BTreeMap<TableId, OwnTable>>,
}

/// The lists of a connected client.
#[derive(Debug)]
pub(super) struct ClientLists {
    user: UserId,
    since: Instant,
    mirror: ListMirror,
}

impl ListMirror {
    /// Applies a frame.
    ///
    /// # Errors
    /// If the frame does not fit the lists.
    pub(crate) fn apply(&mut self, frame: &ServerFrame) -> Result<()> {
        match frame {
            ServerFrame::Lobby { tables, .. } => {
                self.lobby = Some(tables.iter().map(|table| (table.table, table.clone())).collect());
            }
            ServerFrame::OwnTables { tables } => {
                self.own = Some(tables.iter().map(|table| (table.summary.table, table.clone())).collect());
            }
            ServerFrame::LobbyTable { table } => {
                let lobby = self.lobby.as_mut().context("a listed table before the list")?;
                lobby.insert(table.table, table.clone());
            }
            ServerFrame::LobbyRemoved { table } => {
                let lobby = self.lobby.as_mut().context("a removed table before the list")?;
                ensure!(lobby.remove(table).is_some(), "the lobby removes {table}, which it has not listed");
            }
            ServerFrame::LobbyPreview { tables, .. } => {
                let lobby = self.lobby.as_mut().context("a preview before the list")?;
                for status in tables {
                    let listed = lobby.get_mut(&status.table);
                    let listed =
                        listed.with_context(|| format!("a preview of {}, unlisted", status.table))?;
                    (listed.turn, listed.plies) = (status.turn, status.plies);
                    listed.spectators = status.spectators;
                }
            }
            ServerFrame::OwnTable { table } => {
                let own = self.own.as_mut().context("an own table before the list")?;
                own.insert(table.summary.table, table.clone());
            }
            ServerFrame::OwnTableRemoved { table } => {
                let own = self.own.as_mut().context("a removed own table before the list")?;
                ensure!(own.remove(table).is_some(), "the own table {table} is removed, and was not listed");
            }
            _ => {}
        }
        Ok(())
    }
}

impl Auditor {
    /// Replaces the lists of a client; `None` if it is not connected any more.
    pub(crate) fn set_lists(&self, actor: &str, user: UserId, mirror: Option<ListMirror>) {
        let mut state = self.lock();
        match mirror {
            None => drop(state.lists.remove(actor)),
            Some(mirror) => match state.lists.get_mut(actor) {
                Some(lists) => lists.mirror = mirror,
                None => {
                    let lists = ClientLists { user, since: virtual_now(), mirror };
                    state.lists.insert(actor.to_owned(), lists);
                }
            },
        }
    }

    /// Compares the lists of clients with the tables in the database. `outlines` has the tables that have
    /// not changed since `unchanged_since`; `changing` has the others. Returns the number of lists.
    pub(super) fn check_lists(
        &self,
        outlines: &BTreeMap<TableId, Outline>,
        changing: &[TableId],
        unchanged_since: Instant,
    ) -> u64 {
        let mut count = 0;
        let mut wrong: Vec<(String, String)> = Vec::new();
        for (actor, lists) in &self.lock().lists {
            if lists.since > unchanged_since {
                continue;
            }
            let mut compare = |list: &str,
                               shown: BTreeMap<TableId, Shown>,
                               most: usize,
                               expected: &dyn Fn(&Outline) -> Expected| {
                count += 1;
                let is_full = |phase| shown.values().filter(|table| table.phase == phase).count() >= most;
                let mut add = |text: String| wrong.push((actor.clone(), format!("the {list} {text}")));
                for (table, outline) in outlines {
                    match (expected(outline), shown.get(table)) {
                        (Expected::Listed, None) if is_full(outline.phase) => {}
                        (Expected::Listed, None) => add(format!("lacks {table}: {outline:?}")),
                        (Expected::Unlisted, Some(_)) => add(format!("still has {table}: {outline:?}")),
                        (Expected::Listed, Some(shown)) if !shown.is(outline) => {
                            add(format!("shows {table} as {shown:?}, and it is {outline:?}"));
                        }
                        _ => {}
                    }
                }
                let is_known = |table: &&TableId| outlines.contains_key(table) || changing.contains(table);
                if let Some(unknown) = shown.keys().find(|table| !is_known(table)) {
                    add(format!("has the unknown table {unknown}"));
                }
            };
            if let Some(lobby) = &lists.mirror.lobby {
                let shown = lobby.iter().map(|(table, summary)| (*table, Shown::of(summary)));
                compare("lobby", shown.collect(), MOST_SHOWN, &in_lobby);
            }
            if let Some(own) = &lists.mirror.own {
                let shown = own.iter().map(|(table, own)| (*table, Shown::of(&own.summary)));
                let expected = |outline: &Outline| in_own(outline, lists.user);
                compare("list of own tables", shown.collect(), usize::MAX, &expected);
            }
        }
        for (actor, text) in wrong {
            self.violation(&actor, text);
        }
        count
    }
}

/// The facts about a table that a list shows.
#[derive(Debug)]
struct Shown {
    phase: Phase,
    host: UserId,
    seats: BTreeMap<Color, UserId>,
}

impl Shown {
    fn of(summary: &TableSummary) -> Self {
        let seats = shown_holders(&summary.seats);
        Self { phase: summary.phase, host: summary.host.id, seats }
    }

    fn is(&self, outline: &Outline) -> bool {
        (self.phase, self.host) == (outline.phase, outline.host) && self.seats == outline.seats
    }
}

/// The entry of a table in a list.
enum Expected {
    Listed,
    Unlisted,
    /// It depends on facts that are not in the log.
    Unknown,
}

fn in_lobby(outline: &Outline) -> Expected {
    match outline.phase {
        _ if !outline.is_public => Expected::Unlisted,
        Phase::Running => Expected::Listed,
        Phase::Open if outline.has_people => Expected::Listed,
        // An open table without people is listed if its host is present.
        Phase::Open => Expected::Unknown,
        Phase::Ended => Expected::Unlisted,
    }
}

fn in_own(outline: &Outline, user: UserId) -> Expected {
    let is_member = outline.host == user || outline.seats.values().any(|holder| *holder == user);
    if is_member && outline.phase != Phase::Ended { Expected::Listed } else { Expected::Unlisted }
}

#[cfg(test)]
mod tests;
