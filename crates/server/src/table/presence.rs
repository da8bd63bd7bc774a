//! Who is at a table: which seats have a line open, and how many only watch.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use quadrex_rules::Color;

use super::state::TableState;
use crate::bus::Viewer;

/// One line's watching of one table, from `watch` to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Visit(u64);

impl Visit {
    /// Another one than all others of this process.
    pub(super) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self(COUNT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Who is there, as all may know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Present {
    /// The seats whose holders watch, in turn order.
    pub connected: Vec<Color>,
    /// How many lines watch without a seat.
    pub spectators: u32,
}

/// Everybody who watches a table.
#[derive(Debug, Default)]
pub(super) struct Audience {
    visits: HashMap<Visit, Viewer>,
}

impl Audience {
    /// A line began to watch.
    pub(super) fn enter(&mut self, visit: Visit, viewer: Viewer) {
        self.visits.insert(visit, viewer);
    }

    /// A line ceased to watch.
    pub(super) fn leave(&mut self, visit: Visit) {
        self.visits.remove(&visit);
    }

    /// Whether nobody watches.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.visits.is_empty()
    }

    /// Who is there, seen with the seats as they are held now.
    #[must_use]
    pub(super) fn present(&self, state: &TableState) -> Present {
        let watching: Vec<Option<Color>> =
            self.visits.values().map(|viewer| seat_of(state, *viewer)).collect();
        let spectators = watching.iter().filter(|seat| seat.is_none()).count();
        Present {
            connected: state
                .seats()
                .iter()
                .map(|seat| seat.color)
                .filter(|color| watching.contains(&Some(*color)))
                .collect(),
            spectators: u32::try_from(spectators).unwrap_or(u32::MAX),
        }
    }
}

/// The seat a viewer holds.
pub(super) fn seat_of(state: &TableState, viewer: Viewer) -> Option<Color> {
    match viewer {
        Viewer::User(user) => state.seat_of(user),
        Viewer::Anonymous => None,
    }
}
