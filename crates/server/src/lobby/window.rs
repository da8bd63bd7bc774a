//! The window: the part of the lobby that its watchers see.

use std::collections::{HashMap, HashSet};

use quadrex_protocol::http::{Activity, LobbyCounts, TableStatus};
use quadrex_protocol::{ServerFrame, TableId};

use super::index::Index;
use crate::actor::TableOverview;
use crate::bus::Frame;
use quadrex_table::frames::encode;

/// The largest number of open tables in the window, and also the largest number of running tables.
const MAX_OF_EACH: usize = 50;

/// The state of the lobby that was published last. All watchers have received it. A new watcher
/// receives it as one frame. This frame is encoded once and used until the state changes.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The tables in display order.
    order: Vec<TableId>,
    /// The overviews of the tables, as they were published.
    shown_overviews: HashMap<TableId, TableOverview>,
    counts: LobbyCounts,
    activity: Activity,
    frame: Option<Frame>,
}

impl Window {
    /// Updates the whole window. Publishes nothing, so it must be called only while nobody watches.
    pub(super) fn reset(&mut self, index: &Index, activity: Activity) {
        self.update_tables(index);
        self.update_status(index, activity);
    }

    /// Returns the frame of the whole window, for a new watcher.
    pub(super) fn frame(&mut self) -> Frame {
        let Self { order, shown_overviews, counts, activity, frame } = self;
        let encoded = frame.get_or_insert_with(|| {
            let tables =
                order.iter().filter_map(|table| shown_overviews.get(table)).map(TableOverview::summary);
            encode(&ServerFrame::Lobby { tables: tables.collect(), counts: *counts, activity: *activity })
        });
        encoded.clone()
    }

    /// Returns the tables in display order.
    pub(super) fn tables(&self) -> &[TableId] {
        &self.order
    }

    /// Updates the set of tables, and the data of each table except its status. Returns the changes
    /// that have to be published.
    pub(super) fn update_tables(&mut self, index: &Index) -> Vec<ServerFrame> {
        let order: Vec<TableId> =
            index.open().take(MAX_OF_EACH).chain(index.ranked().take(MAX_OF_EACH)).collect();
        let stay: HashSet<TableId> = order.iter().copied().collect();
        // Watchers have never received a table whose overview was not read before the table disappeared.
        let listed = self.order.iter().filter(|table| self.shown_overviews.contains_key(table));
        let removed = listed.filter(|table| !stay.contains(table));
        let mut frames: Vec<_> = removed.map(|&table| ServerFrame::LobbyRemoved { table }).collect();
        self.shown_overviews.retain(|table, _| stay.contains(table));
        for &table in &order {
            // The overview of a hibernating table may still have to be read.
            let Some(overview) = index.listed_overview(table) else { continue };
            let is_known = self.shown_overviews.get(&table).is_some_and(|shown| {
                shown.has_outline_of(overview) || quadrex_runtime::has_planted!(LostLobbyUpdate)
            });
            if !is_known {
                frames.push(ServerFrame::LobbyTable { table: overview.summary() });
                self.shown_overviews.insert(table, overview.clone());
            }
        }
        if !frames.is_empty() || self.order != order {
            self.frame = None;
        }
        self.order = order;
        frames
    }

    /// Updates the status of the tables, the counts and the activity. Returns the change that has
    /// to be published, if anything has changed.
    pub(super) fn update_status(&mut self, index: &Index, activity: Activity) -> Option<ServerFrame> {
        let mut changed: Vec<TableStatus> = Vec::new();
        for table in &self.order {
            let (Some(shown), Some(overview)) =
                (self.shown_overviews.get_mut(table), index.listed_overview(*table))
            else {
                continue;
            };
            if shown.status != overview.status {
                shown.status = overview.status;
                changed.push(overview.status);
            }
        }
        let counts = Some(index.counts()).filter(|counts| *counts != self.counts);
        self.counts = index.counts();
        let activity = Some(activity).filter(|activity| *activity != self.activity);
        self.activity = activity.unwrap_or(self.activity);
        if changed.is_empty() && counts.is_none() && activity.is_none() {
            return None;
        }
        self.frame = None;
        Some(ServerFrame::LobbyPreview { tables: changed, counts, activity })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// A table whose overview was never read has not been published, so its removal is not published
    /// either.
    #[test]
    fn only_published_tables_are_removed() {
        let table = TableId(Uuid::from_u128(1));
        let mut index = Index::default();
        let mut window = Window::default();
        index.add_hibernating(table, 4);
        assert_eq!(window.update_tables(&index), []);
        assert_eq!(window.tables(), [table]);
        index.add_preview(table, None);
        assert_eq!(window.update_tables(&index), []);
        assert_eq!(window.tables(), []);
    }
}
