//! Tasks of the bots at a table. A bot fulfils its task by a command, in the same way as a person
//! acts.

use std::sync::Arc;

use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Color, Game, Request, Timestamp};

use crate::state::{Stage, TableState};

/// Something that a bot must do now: move, or answer a request.
#[derive(Clone, Debug)]
pub struct BotTask {
    /// The match in which the bot plays.
    pub match_id: MatchId,
    /// The number of the match's last event when the task was created.
    pub head: u64,
    /// The number of the last event that changed the board or the turn.
    pub board_seq: u64,
    /// The bot that has the task.
    pub bot: UserView,
    /// The color that the bot plays.
    pub color: Color,
    /// The kind of the task, with the data that the bot needs for it.
    pub kind: BotTaskKind,
    /// The host of the table, for whom the bot searches.
    pub host: UserId,
    /// The attention that people pay to the match.
    pub attention: Attention,
}

/// The attention that people pay to a match. If several bots wait for a search, their matches'
/// attention decides which search comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Somebody is present, and a person is among the remaining players.
    Player,
    /// Somebody is present, but the remaining players are bots.
    Spectators,
    /// Nobody is present.
    Nobody,
}

/// The kinds of bot tasks.
#[derive(Clone, Debug)]
pub enum BotTaskKind {
    /// Answer a request, such as a draw offer.
    Answer {
        /// The kind of request.
        request: Request,
        /// The game at this moment.
        game: Arc<Game>,
    },
    /// Answer a rematch request.
    Rematch,
    /// Make a move.
    Move {
        /// The game at this moment.
        game: Arc<Game>,
        /// True if the bot may claim a draw instead.
        can_claim_draw: bool,
        /// True if all remaining players are bots.
        only_bots_play: bool,
    },
}

impl BotTask {
    /// Returns whether two tasks ask for the same decision. Events that do not affect the decision,
    /// such as chat messages, may have happened between them.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let key = |task: &Self| {
            let request = match task.kind {
                BotTaskKind::Answer { request, .. } => Some(request),
                BotTaskKind::Rematch | BotTaskKind::Move { .. } => None,
            };
            (task.match_id, task.board_seq, task.bot.id, task.color, request, task.attention)
        };
        let same_kind = std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind);
        same_kind && key(self) == key(other)
    }
}

impl TableState {
    /// Returns the next task of a bot at the table, if there is one. Answers come before moves.
    /// There is no task while nobody watches a match that goes on only while somebody watches.
    #[must_use]
    pub fn bot_task(&self, is_watched: bool, now: Timestamp) -> Option<BotTask> {
        if !is_watched && self.sleeps_unwatched() {
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
        let (match_id, head, board_seq) = (self.match_id(), self.head(), self.board_seq());
        Some(BotTask { match_id, head, board_seq, bot, color, kind, host: self.host().id, attention })
    }

    fn answer_due(&self, game: &Game) -> Option<(Color, BotTaskKind)> {
        let open = Request::ALL.into_iter().filter_map(|request| Some((request, game.request(request)?)));
        let mut due_answers = open.filter_map(|(request, open)| {
            let mut colors_to_agree =
                game.position().active_players().filter(|color| !open.agreed.contains(color));
            Some((colors_to_agree.find(|color| self.is_played_by_bot(*color))?, request))
        });
        let (color, request) = due_answers.next()?;
        Some((color, BotTaskKind::Answer { request, game: Arc::new(game.clone()) }))
    }

    fn move_due(&self, game: &Game, now: Timestamp) -> Option<(Color, BotTaskKind)> {
        let turn = game.position().turn();
        if self.is_suspended() || !self.is_played_by_bot(turn) {
            return None;
        }
        let kind = BotTaskKind::Move {
            game: Arc::new(game.clone()),
            can_claim_draw: game.may_claim_draw(now),
            only_bots_play: !self.is_played_by_people(),
        };
        Some((turn, kind))
    }

    fn rematch_due(&self) -> Option<Color> {
        let open_rematch =
            self.rematch().view().filter(|_| !self.is_closed() && self.rematch().next().is_none())?;
        let mut colors_to_agree =
            self.seats().iter().map(|seat| seat.color).filter(|color| !open_rematch.agreed.contains(color));
        colors_to_agree.find(|color| self.is_played_by_bot(*color))
    }
}
