//! The index of the tables that have an actor, at this node or at another one. It finds tables by id
//! and by user, and keeps the public tables in the order in which the lobby lists them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use quadrex_protocol::http::{LobbyCounts, TableSummary};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Timestamp;

use super::activity::Starts;
use super::attendance::Attendance;
use super::own_tables::members;
use crate::actor::TableOverview;

/// A page of a list of tables, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TablePage {
    /// The table after which the page begins; `None` for the first page.
    pub before: Option<TableId>,
    /// The largest number of tables in the page.
    pub limit: u16,
}

/// A table in a page of the public tables.
#[derive(Debug)]
pub(super) enum ListedTable {
    /// A table that has an actor.
    Awake(Box<TableSummary>),
    /// A table whose match hibernates.
    Hibernating(TableId),
}

/// A page of the public tables. The summaries of hibernating tables are still to be read.
#[derive(Debug)]
pub(super) struct ListedTables {
    pub(super) tables: Vec<ListedTable>,
    /// The table after which the next page begins.
    pub(super) next: Option<TableId>,
    pub(super) counts: LobbyCounts,
}

/// The tables, in an order for each kind of lookup. Ids are UUIDv7, so the order of ids is the
/// order in which the tables were created.
#[derive(Debug, Default)]
pub(super) struct Index {
    tables: HashMap<TableId, IndexedTable>,
    /// For each user, the unfinished tables at which the user is seated or host.
    by_user: HashMap<UserId, BTreeSet<TableId>>,
    /// The public tables that the lobby lists: those with a running match, and those with open
    /// seats at which a person is seated or the host is present. A table that is only here and not
    /// in `tables` hibernates.
    public: BTreeMap<TableId, PublicEntry>,
    /// The overviews of those of the hibernating tables that the window shows.
    previews: HashMap<TableId, TableOverview>,
    /// Those of the public tables that have open seats.
    open: BTreeSet<TableId>,
    /// Those of the public tables that have a running match, ordered by the number of spectators at
    /// the time of the last ranking.
    ranked: BTreeSet<(u32, TableId)>,
    /// The tables whose number of spectators has changed since the last ranking.
    stale_ranks: HashSet<TableId>,
    /// The number of people who are seated at public tables.
    players: u32,
    /// The recent starts of public matches.
    starts: Starts,
}

/// A table in the index, with its last known overview.
#[derive(Debug)]
struct IndexedTable {
    overview: TableOverview,
    attendance: Attendance,
}

/// The change of a table's overview.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) before: TableOverview,
    pub(super) after: TableOverview,
}

impl Change {
    /// Returns whether more than the table's status has changed.
    pub(super) fn has_new_outline(&self) -> bool {
        !self.before.has_outline_of(&self.after)
    }

    /// Returns whether the table's entry in the list may have changed.
    pub(super) fn affects_list(&self) -> bool {
        self.has_new_outline() || self.before.is_host_present != self.after.is_host_present
    }

    /// Returns whether a public match has begun.
    fn has_begun(&self) -> bool {
        let Self { before, after } = self;
        let is_new = before.phase() != Phase::Running || before.head.match_id != after.head.match_id;
        is_new && is_public_match(after)
    }
}

/// The data of a public table from which the ranking and the counts follow.
#[derive(Clone, Copy, Debug)]
struct PublicEntry {
    phase: Phase,
    /// The number of spectators at the time of the last ranking. The ranking orders the running
    /// tables by this number.
    ranked_spectators: u32,
    /// The number of people who are seated.
    players: u32,
}

impl Index {
    /// Returns the last known overview of a table.
    pub(super) fn overview(&self, table: TableId) -> Option<&TableOverview> {
        self.tables.get(&table).map(|entry| &entry.overview)
    }

    /// Adds a table at `now`. If there is a table with the same id, replaces it. `is_new` is true
    /// if the table was just created.
    pub(super) fn add(&mut self, overview: TableOverview, is_new: bool, now: Timestamp) {
        let table = overview.status.table;
        self.remove(table);
        self.retract_public(table);
        self.insert(table, &overview);
        if is_new && is_public_match(&overview) {
            self.starts.add(now, 1);
        }
        let mut attendance = Attendance::default();
        attendance.update(&overview, now);
        self.tables.insert(table, IndexedTable { overview, attendance });
    }

    /// Removes a table and returns its last known overview.
    pub(super) fn remove(&mut self, table: TableId) -> Option<TableOverview> {
        let IndexedTable { overview, .. } = self.tables.remove(&table)?;
        self.retract(table, &overview);
        Some(overview)
    }

    /// Removes a table whose match hibernates. If the lobby lists it, its entry stays, with the
    /// overview if the window shows the table. Returns the number of people at a table that the lobby
    /// lists.
    pub(super) fn hibernate(&mut self, table: TableId, is_shown: bool) -> Option<u32> {
        let Some(entry) = self.public.get(&table).copied() else {
            self.remove(table);
            return None;
        };
        let overview = self.remove(table);
        self.add_hibernating(table, entry.players);
        self.previews.extend(overview.filter(|_| is_shown).map(|overview| (table, overview)));
        Some(entry.players)
    }

    /// Adds a hibernating table that the lobby lists. `players` is the number of people who are
    /// seated there.
    pub(super) fn add_hibernating(&mut self, table: TableId, players: u32) {
        if !self.tables.contains_key(&table) {
            self.retract_public(table);
            self.insert_public(table, PublicEntry { phase: Phase::Running, ranked_spectators: 0, players });
        }
    }

    /// Adds the overview of a hibernating table, which the window shows. `None` removes the table
    /// from all lists, because its match is over or its log is corrupt.
    pub(super) fn add_preview(&mut self, table: TableId, overview: Option<TableOverview>) {
        if self.tables.contains_key(&table) || !self.public.contains_key(&table) {
            return;
        }
        match overview {
            Some(overview) => drop(self.previews.insert(table, overview)),
            None => self.retract_public(table),
        }
    }

    /// Removes the overviews of the hibernating tables that are not among these. Returns those of
    /// these tables whose overviews are missing.
    pub(super) fn retain_previews(&mut self, shown: &[TableId]) -> Vec<TableId> {
        self.previews.retain(|table, _| shown.contains(table));
        shown.iter().copied().filter(|table| self.listed_overview(*table).is_none()).collect()
    }

    /// Returns the last known overview of a table in the list. A hibernating table may have none.
    pub(super) fn listed_overview(&self, table: TableId) -> Option<&TableOverview> {
        self.overview(table).or_else(|| self.previews.get(&table))
    }

    /// Replaces the overview of a table at `now`, and returns the change. Returns `None` if the index
    /// does not have the table.
    pub(super) fn update(&mut self, after: TableOverview, now: Timestamp) -> Option<Change> {
        let table = after.status.table;
        let entry = self.tables.get_mut(&table)?;
        let before = std::mem::replace(&mut entry.overview, after.clone());
        entry.attendance.update(&after, now);
        let change = Change { before, after };
        if change.has_begun() {
            self.starts.add(now, 1);
        }
        if change.affects_list() {
            self.retract(table, &change.before);
            self.insert(table, &change.after);
        } else if change.before.status.spectators != change.after.status.spectators {
            self.stale_ranks.insert(table);
        }
        Some(change)
    }

    /// Ranks the running tables by their current numbers of spectators.
    pub(super) fn rank(&mut self) {
        for table in std::mem::take(&mut self.stale_ranks) {
            let Some(known) = self.tables.get(&table) else { continue };
            let Some(entry) = self.public.get_mut(&table).filter(|entry| entry.phase == Phase::Running)
            else {
                continue;
            };
            self.ranked.remove(&(entry.ranked_spectators, table));
            entry.ranked_spectators = known.overview.status.spectators;
            self.ranked.insert((entry.ranked_spectators, table));
        }
    }

    /// Returns the public tables with open seats, newest first.
    pub(super) fn open(&self) -> impl Iterator<Item = TableId> + '_ {
        self.open.iter().rev().copied()
    }

    /// Returns the public tables with a running match. Tables with more spectators come first. Of
    /// tables with equal numbers of spectators, the newest comes first.
    pub(super) fn ranked(&self) -> impl Iterator<Item = TableId> + '_ {
        self.ranked.iter().rev().map(|(_, table)| *table)
    }

    /// Returns the public tables with open seats at which all seated people would notice the start
    /// of a match. `follows` returns whether a connection of a user subscribes to the user's own
    /// tables.
    pub(super) fn attended(
        &self,
        now: Timestamp,
        follows: impl Fn(UserId) -> bool,
    ) -> impl Iterator<Item = &TableSummary> {
        let entries = self.open().filter_map(|table| self.tables.get(&table));
        entries
            .filter(move |entry| entry.attendance.is_complete(&entry.overview, now, &follows))
            .map(|entry| entry.overview.outline())
    }

    /// Returns the people who are seated at public tables with open seats.
    pub(super) fn waiting_people(&self) -> impl Iterator<Item = UserId> + '_ {
        self.open().filter_map(|table| self.tables.get(&table)).flat_map(|entry| entry.overview.people())
    }

    /// Adds public matches that began at this time, before the server started. `count` is their
    /// number.
    pub(super) fn add_starts(&mut self, at: Timestamp, count: u32) {
        self.starts.add(at, count);
    }

    /// Returns the number of public matches that have begun within a day before `now`.
    pub(super) fn starts(&mut self, now: Timestamp) -> u32 {
        self.starts.count(now)
    }

    /// Returns the numbers of public tables and of the players at these tables.
    pub(super) fn counts(&self) -> LobbyCounts {
        let count = |length| u32::try_from(length).unwrap_or(u32::MAX);
        LobbyCounts { open: count(self.open.len()), running: count(self.ranked.len()), players: self.players }
    }

    /// Returns a page of the public tables.
    pub(super) fn public(&self, page: TablePage) -> ListedTables {
        let before = page.before.map_or(Bound::Unbounded, Bound::Excluded);
        let mut tables = self.public.range((Bound::Unbounded, before)).rev().map(|(table, _)| *table);
        let page: Vec<_> = tables.by_ref().take(page.limit.into()).collect();
        let next = page.last().copied().filter(|_| tables.next().is_some());
        let listed = |table| match self.overview(table) {
            Some(overview) => ListedTable::Awake(Box::new(overview.summary())),
            None => ListedTable::Hibernating(table),
        };
        ListedTables { tables: page.into_iter().map(listed).collect(), next, counts: self.counts() }
    }

    /// Returns the unfinished tables at which a user is seated or host, newest first.
    pub(super) fn own(&self, user: UserId) -> impl Iterator<Item = &TableOverview> {
        let tables = self.by_user.get(&user).into_iter().flat_map(|tables| tables.iter().rev());
        tables.filter_map(|table| self.overview(*table))
    }

    fn insert(&mut self, table: TableId, overview: &TableOverview) {
        for user in members(overview) {
            self.by_user.entry(user).or_default().insert(table);
        }
        let is_private = overview.settings().privacy == Privacy::Private
            && !quadrex_runtime::has_planted!(PrivateTableListed);
        if is_private || overview.phase() == Phase::Ended {
            return;
        }
        let players = u32::try_from(overview.people().count()).unwrap_or(u32::MAX);
        if overview.phase() == Phase::Open && players == 0 && !overview.is_host_present {
            return;
        }
        let entry =
            PublicEntry { phase: overview.phase(), ranked_spectators: overview.status.spectators, players };
        self.insert_public(table, entry);
    }

    fn insert_public(&mut self, table: TableId, entry: PublicEntry) {
        match entry.phase {
            Phase::Open => drop(self.open.insert(table)),
            Phase::Running | Phase::Ended => drop(self.ranked.insert((entry.ranked_spectators, table))),
        }
        self.players += entry.players;
        self.public.insert(table, entry);
    }

    fn retract(&mut self, table: TableId, overview: &TableOverview) {
        for user in members(overview) {
            if let Some(tables) = self.by_user.get_mut(&user) {
                tables.remove(&table);
                if tables.is_empty() {
                    self.by_user.remove(&user);
                }
            }
        }
        self.stale_ranks.remove(&table);
        self.retract_public(table);
    }

    fn retract_public(&mut self, table: TableId) {
        self.previews.remove(&table);
        if let Some(entry) = self.public.remove(&table) {
            self.open.remove(&table);
            self.ranked.remove(&(entry.ranked_spectators, table));
            self.players -= entry.players;
        }
    }
}

/// Returns whether the match of a public table runs.
fn is_public_match(overview: &TableOverview) -> bool {
    overview.phase() == Phase::Running && overview.settings().privacy == Privacy::Public
}
