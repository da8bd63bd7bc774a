//! The presence of the players at a table.

use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{LinkVisitor, PlayerView, Presence};
use quadrex_rules::{Color, Timestamp};

use crate::state::{Stage, TableState};
use crate::time::millis;

/// The presence at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PresenceView {
    /// The presence of each seated player, in turn order.
    pub players: Vec<PlayerView>,
    /// The number of connections of users without a seat that watch the table.
    pub spectators: u32,
    /// The users who have opened the table through a link. Only the host may see them.
    pub link_visitors: Vec<LinkVisitor>,
}

impl PresenceView {
    /// Returns the number of connected players.
    #[must_use]
    pub fn connected_count(&self) -> usize {
        self.players.iter().filter(|player| player.presence == Presence::Connected).count()
    }

    /// Returns the same presence with all players connected.
    #[must_use]
    pub fn with_all_connected(mut self) -> Self {
        self.players.iter_mut().for_each(|player| *player = connected(player.color));
        self
    }
}

const fn connected(color: Color) -> PlayerView {
    PlayerView { color, presence: Presence::Connected, bank_left_ms: None, bank_running: false }
}

impl TableState {
    /// Returns the presence of a seat's player at `now`.
    #[must_use]
    pub fn presence(&self, color: Color, now: Timestamp) -> PlayerView {
        let view =
            |presence, bank_left_ms, bank_running| PlayerView { color, presence, bank_left_ms, bank_running };
        if self.attendance.is_connected(color) || self.holder(color).is_some_and(UserView::is_server_bot) {
            return connected(color);
        }
        let bank_left = match self.stage() {
            Stage::Running(game) if game.position().is_playing(color) => self.full_bank(),
            _ => None,
        };
        let bank_left = bank_left.map(|bank| bank.saturating_sub(self.attendance.spent(color, now)));
        match bank_left {
            Some(bank_left) if !bank_left.is_zero() => view(
                Presence::Reconnecting,
                Some(millis(bank_left)),
                self.attendance.running() == Some(color),
            ),
            _ => view(Presence::Gone, None, false),
        }
    }
}
