//! The tables that have an actor, and the ways to find them: by id, by their people, and the public ones in order.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use quadrex_protocol::http::{LobbyCounts, TableList, TableSummary};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{TableId, UserId};

use crate::table::{TableHandle, TableOverview};

/// A part of a list of tables that has the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TablePage {
    /// Only tables that come after this one.
    pub before: Option<TableId>,
    /// So many at most.
    pub limit: u16,
}

/// Tables by all that they are asked for. UUIDv7: the order of ids is the order of making.
#[derive(Debug, Default)]
pub(super) struct Index {
    tables: HashMap<TableId, Known>,
    /// The unfinished tables where a user sits or is host.
    by_user: HashMap<UserId, BTreeSet<TableId>>,
    /// The public tables that are open or running.
    public: BTreeMap<TableId, Standing>,
    open: BTreeSet<TableId>,
    /// The running ones by how many watched when they were ranked last.
    ranked: BTreeSet<(u32, TableId)>,
    /// Those whose spectators have changed since.
    stale_ranks: HashSet<TableId>,
    players: u32,
}

/// A table, as it was when it was looked at last.
#[derive(Debug)]
struct Known {
    handle: TableHandle,
    overview: TableOverview,
}

/// How a public table was counted.
#[derive(Clone, Copy, Debug)]
struct Standing {
    phase: Phase,
    /// Spectators by which it is ranked, if it runs.
    rank: u32,
    players: u32,
}

impl Index {
    /// The way to a table.
    pub(super) fn handle(&self, table: TableId) -> Option<&TableHandle> {
        self.tables.get(&table).map(|known| &known.handle)
    }

    /// The ways to all tables.
    pub(super) fn handles(&self) -> impl Iterator<Item = &TableHandle> {
        self.tables.values().map(|known| &known.handle)
    }

    /// How a table looked last.
    pub(super) fn overview(&self, table: TableId) -> Option<&TableOverview> {
        self.tables.get(&table).map(|known| &known.overview)
    }

    /// Adds a table, in place of one with the same id.
    pub(super) fn add(&mut self, handle: TableHandle) {
        let (table, overview) = (handle.table(), handle.overview());
        self.remove(table);
        self.enter(table, &overview);
        self.tables.insert(table, Known { handle, overview });
    }

    /// Removes a table.
    pub(super) fn remove(&mut self, table: TableId) {
        if let Some(Known { overview, .. }) = self.tables.remove(&table) {
            self.withdraw(table, &overview);
        }
    }

    /// Looks at a table again; returns whether more than its status differs.
    pub(super) fn renew(&mut self, table: TableId) -> bool {
        let Some(known) = self.tables.get_mut(&table) else { return false };
        let after = known.handle.overview();
        let before = std::mem::replace(&mut known.overview, after.clone());
        if before.has_outline_of(&after) {
            if before.status.spectators != after.status.spectators {
                self.stale_ranks.insert(table);
            }
            return false;
        }
        self.withdraw(table, &before);
        self.enter(table, &after);
        true
    }

    /// Ranks running tables by those who watch now.
    pub(super) fn rank(&mut self) {
        for table in std::mem::take(&mut self.stale_ranks) {
            let Some(known) = self.tables.get(&table) else { continue };
            let Some(standing) = self.public.get_mut(&table).filter(|one| one.phase == Phase::Running) else {
                continue;
            };
            self.ranked.remove(&(standing.rank, table));
            standing.rank = known.overview.status.spectators;
            self.ranked.insert((standing.rank, table));
        }
    }

    /// The public tables with open seats, the newest first.
    pub(super) fn open(&self) -> impl Iterator<Item = TableId> + '_ {
        self.open.iter().rev().copied()
    }

    /// The public tables where a match runs, those with the most spectators first, and the newest of equal ones.
    pub(super) fn ranked(&self) -> impl Iterator<Item = TableId> + '_ {
        self.ranked.iter().rev().map(|(_, table)| *table)
    }

    /// What the public tables with open seats were opened with, and who sits there.
    pub(super) fn open_outlines(&self) -> impl Iterator<Item = &TableSummary> {
        self.open().filter_map(|table| self.overview(table)).map(TableOverview::outline)
    }

    /// The numbers of the public tables.
    pub(super) fn counts(&self) -> LobbyCounts {
        let count = |length| u32::try_from(length).unwrap_or(u32::MAX);
        LobbyCounts { open: count(self.open.len()), running: count(self.ranked.len()), players: self.players }
    }

    /// A page of the public tables.
    pub(super) fn public(&self, page: TablePage) -> TableList {
        let before = page.before.map_or(Bound::Unbounded, Bound::Excluded);
        let tables = self.public.range((Bound::Unbounded, before)).rev().map(|(table, _)| *table);
        let (tables, next) = self.page(tables, page.limit);
        TableList { tables, next, counts: self.counts() }
    }

    /// A page of the unfinished tables where a user sits or is host.
    pub(super) fn of_user(&self, user: UserId, page: TablePage) -> (Vec<TableSummary>, Option<TableId>) {
        let before = page.before.map_or(Bound::Unbounded, Bound::Excluded);
        let tables = self.by_user.get(&user).into_iter();
        self.page(
            tables.flat_map(|tables| tables.range((Bound::Unbounded, before)).rev().copied()),
            page.limit,
        )
    }

    /// The ways to the unfinished tables where a user sits or is host.
    pub(super) fn handles_of(&self, user: UserId) -> impl Iterator<Item = &TableHandle> {
        self.by_user.get(&user).into_iter().flatten().filter_map(|table| self.handle(*table))
    }

    /// The first tables of a list, and what to go on from if there are more.
    fn page(
        &self,
        mut tables: impl Iterator<Item = TableId>,
        limit: u16,
    ) -> (Vec<TableSummary>, Option<TableId>) {
        let page: Vec<_> = tables.by_ref().take(limit.into()).collect();
        let next = page.last().copied().filter(|_| tables.next().is_some());
        let summaries = page.into_iter().filter_map(|table| self.overview(table)).map(TableOverview::summary);
        (summaries.collect(), next)
    }

    fn enter(&mut self, table: TableId, overview: &TableOverview) {
        for user in people(overview) {
            self.by_user.entry(user).or_default().insert(table);
        }
        if overview.settings().privacy == Privacy::Private || overview.phase() == Phase::Ended {
            return;
        }
        let players = players(overview);
        let standing = Standing { phase: overview.phase(), rank: overview.status.spectators, players };
        match standing.phase {
            Phase::Open => drop(self.open.insert(table)),
            Phase::Running | Phase::Ended => drop(self.ranked.insert((standing.rank, table))),
        }
        self.players += players;
        self.public.insert(table, standing);
    }

    fn withdraw(&mut self, table: TableId, overview: &TableOverview) {
        for user in people(overview) {
            if let Some(tables) = self.by_user.get_mut(&user) {
                tables.remove(&table);
                if tables.is_empty() {
                    self.by_user.remove(&user);
                }
            }
        }
        self.stale_ranks.remove(&table);
        if let Some(standing) = self.public.remove(&table) {
            self.open.remove(&table);
            self.ranked.remove(&(standing.rank, table));
            self.players -= standing.players;
        }
    }
}

/// Those to whom an unfinished table belongs.
fn people(overview: &TableOverview) -> impl Iterator<Item = UserId> + '_ {
    let host = std::iter::once(overview.host().id);
    host.chain(overview.seated()).filter(|_| overview.phase() != Phase::Ended)
}

fn players(overview: &TableOverview) -> u32 {
    let is_held =
        |seat: &&quadrex_protocol::view::SeatView| seat.user.as_ref().is_some_and(|user| !user.is_served());
    let held = overview.seats().iter().filter(is_held).count();
    u32::try_from(held).unwrap_or(u32::MAX)
}
