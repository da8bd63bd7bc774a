//! Tasks of a table's bots. A bot sends commands like any other client.

use std::sync::Arc;

use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Color, Game, Request, Timestamp};

use crate::state::{Stage, TableState};

/// The task of one bot.
#[derive(Clone, Debug)]
pub struct BotTask {
    /// The match.
    pub match_id: MatchId,
    /// The last event that the task takes into account.
    pub head: u64,
    /// The last event that changed the board or the turn.
    pub changed: u64,
    /// The bot.
    pub bot: UserView,
    /// The color it plays.
    pub color: Color,
    /// The kind of task.
    pub kind: BotTaskKind,
    /// The table's host.
    pub host: UserId,
    /// The people at the table.
    pub attention: Attention,
}

/// The people at a table whose bots have something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// A person still plays, and somebody is present.
    Player,
    /// Only bots still play, and somebody watches them.
    Spectators,
    /// Nobody is present.
    Nobody,
}

/// The kinds of bot tasks.
#[derive(Clone, Debug)]
pub enum BotTaskKind {
    /// Answer a request.
    Answer {
        /// The request.
        request: Request,
        /// The present game.
        game: Arc<Game>,
    },
    /// Answer a rematch request.
    Rematch,
    /// Move.
    Move {
        /// The present game.
        game: Arc<Game>,
        /// True if a draw may be claimed instead.
        claimable: bool,
        /// True if all remaining players are bots.
        is_among_bots: bool,
    },
}

impl BotTask {
    /// Returns whether the two are the same task, apart from events that do not matter to it.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let key = |task: &Self| {
            let request = match task.kind {
                BotTaskKind::Answer { request, .. } => Some(request),
                BotTaskKind::Rematch | BotTaskKind::Move { .. } => None,
            };
            (task.match_id, task.changed, task.bot.id, task.color, request, task.attention)
        };
        let same_kind = std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind);
        same_kind && key(self) == key(other)
    }
}

impl TableState {
    /// Returns the next task of a bot: answers come before moves. There is none while the match
    /// sleeps.
    #[must_use]
    pub fn task(&self, is_watched: bool, now: Timestamp) -> Option<BotTask> {
        if !is_watched && self.pauses_unwatched() {
            return None;
        }
        let attention = match is_watched {
            false => Attention::Nobody,
            true if self.is_played_by_people() => Attention::Player,
            true => Attention::Spectators,
        };
        let (color, kind) = match self.stage() {
            Stage::Open => return None,
            Stage::Running(game) => self.answer_due(game).or_else(|| self.move_due(game, now))?,
            Stage::Ended(_) => (self.rematch_due()?, BotTaskKind::Rematch),
        };
        let bot = self.player(color)?.clone();
        let (match_id, head, changed) = (self.match_id(), self.head(), self.changed());
        Some(BotTask { match_id, head, changed, bot, color, kind, host: self.host().id, attention })
    }

    fn answer_due(&self, game: &Game) -> Option<(Color, BotTaskKind)> {
        let open = Request::ALL.into_iter().filter_map(|request| Some((request, game.request(request)?)));
        let mut due = open.filter_map(|(request, open)| {
            let mut asked = game.position().players_in().filter(|color| !open.agreed.contains(color));
            Some((asked.find(|color| self.is_played_by_bot(*color))?, request))
        });
        let (color, request) = due.next()?;
        Some((color, BotTaskKind::Answer { request, game: Arc::new(game.clone()) }))
    }

    fn move_due(&self, game: &Game, now: Timestamp) -> Option<(Color, BotTaskKind)> {
        let turn = game.position().turn();
        if self.is_suspended() || !self.is_played_by_bot(turn) {
            return None;
        }
        let kind = BotTaskKind::Move {
            game: Arc::new(game.clone()),
            claimable: game.may_claim_draw(now),
            is_among_bots: !self.is_played_by_people(),
        };
        Some((turn, kind))
    }

    fn rematch_due(&self) -> Option<Color> {
        let asked = self.rematch().view().filter(|_| !self.is_closed() && self.rematch().next().is_none())?;
        let mut waits =
            self.seats().iter().map(|seat| seat.color).filter(|color| !asked.agreed.contains(color));
        waits.find(|color| self.is_played_by_bot(*color))
    }
}
