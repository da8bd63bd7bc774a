//! The turns of people in correspondence matches that have just started.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use quadrex_table::TableState;
use tokio::sync::Notify;

/// A turn of a person in a correspondence match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartedTurn {
    /// The table.
    pub table: TableId,
    /// The match.
    pub match_id: MatchId,
    /// The player whose turn it is.
    pub player: UserId,
    /// The number of moves before the turn.
    pub ply: u32,
    /// The time until which the player has to move.
    pub deadline: Timestamp,
}

impl StartedTurn {
    /// Returns the current turn of a person. Returns `None` if the match is no correspondence match,
    /// if nobody may move, or if a bot moves.
    pub(super) fn of(state: &TableState) -> Option<Self> {
        let TimeSetting::Correspondence { .. } = state.terms().settings.time else { return None };
        let turn = state.open_turn()?;
        let person = state.holder(state.turn()?).filter(|holder| holder.bot.is_none())?;
        (person.id == turn.player).then_some(Self {
            table: state.table(),
            match_id: state.match_id(),
            player: person.id,
            ply: state.plies(),
            deadline: turn.deadline?,
        })
    }
}

/// The turns that have started, one for each table. An actor adds the turns of its table, also those
/// that started before the actor. The notifications empty the set.
#[derive(Debug, Default)]
pub struct StartedTurns {
    turns: Mutex<HashMap<TableId, StartedTurn>>,
    added: Notify,
}

impl StartedTurns {
    /// Adds a turn. It replaces an earlier turn at the table. Never waits.
    pub(super) fn add(&self, turn: StartedTurn) {
        self.lock().insert(turn.table, turn);
        self.added.notify_one();
    }

    /// Puts turns back that could not be handled. Those of tables with a later turn are dropped.
    pub fn put_back(&self, turns: impl IntoIterator<Item = StartedTurn>) {
        let mut all = self.lock();
        for turn in turns {
            all.entry(turn.table).or_insert(turn);
        }
        self.added.notify_one();
    }

    /// Empties the set and returns the turns that were in it.
    #[must_use]
    pub fn take(&self) -> Vec<StartedTurn> {
        std::mem::take(&mut *self.lock()).into_values().collect()
    }

    /// Waits until a turn is added. Returns at once if a turn was added since the last wait.
    pub async fn wait_for_turn(&self) {
        self.added.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TableId, StartedTurn>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
