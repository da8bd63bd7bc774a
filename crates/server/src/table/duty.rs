//! What a table's bots have to do: told to whoever runs them, who comes back with commands like anybody else.

use std::fmt;
use std::sync::Arc;

use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Color, Game, Request, Timestamp};
use tokio::sync::watch;

use super::handle::TableHandle;
use super::state::{Stage, TableState};

/// What one bot has to do now.
#[derive(Clone, Debug)]
pub struct Duty {
    /// In which match.
    pub match_id: MatchId,
    /// The last event of which this follows.
    pub head: u64,
    /// The last event that changed the board or the turn.
    pub changed: u64,
    /// The bot.
    pub bot: UserView,
    /// For which color.
    pub color: Color,
    /// What.
    pub errand: Errand,
    /// The table's host.
    pub host: UserId,
    /// Who is at the table.
    pub attention: Attention,
}

/// The people at a table whose bots have something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// A person still plays, and somebody is there.
    Player,
    /// Only bots are left, and somebody watches them.
    Spectators,
    /// Nobody is there.
    Nobody,
}

/// What a bot can have to do.
#[derive(Clone, Debug)]
pub enum Errand {
    /// To answer a request.
    Answer {
        /// To what consent is asked.
        request: Request,
        /// The game as it stands.
        game: Arc<Game>,
    },
    /// To answer the wish for another match.
    Rematch,
    /// To move.
    Move {
        /// The game as it stands.
        game: Arc<Game>,
        /// Whether a draw may be claimed instead.
        claimable: bool,
        /// Whether all who are still in are bots.
        is_among_bots: bool,
    },
}

impl Duty {
    /// Whether nothing has happened between the two that matters to what is to be done.
    #[must_use]
    pub fn is_still(&self, other: &Self) -> bool {
        let key = |duty: &Self| {
            let request = match duty.errand {
                Errand::Answer { request, .. } => Some(request),
                Errand::Rematch | Errand::Move { .. } => None,
            };
            (duty.match_id, duty.changed, duty.bot.id, duty.color, request, duty.attention)
        };
        let same_kind = std::mem::discriminant(&self.errand) == std::mem::discriminant(&other.errand);
        same_kind && key(self) == key(other)
    }
}

/// Runs the bots of tables.
pub trait Steward: fmt::Debug + Send + Sync {
    /// Does what is to be done at this table, as it comes, until the table's actor has gone. Does not wait.
    fn attend(&self, table: TableHandle, duties: watch::Receiver<Option<Arc<Duty>>>);
}

/// How a table calls its bots. Most tables have none, and call nobody.
#[derive(Debug, Default)]
pub(super) struct Bell {
    /// To who runs them, once there was anything to do.
    duties: Option<watch::Sender<Option<Arc<Duty>>>>,
    /// Whether all that has happened was told.
    is_still: bool,
}

impl Bell {
    /// Something has happened that may concern the bots.
    pub(super) fn strike(&mut self) {
        self.is_still = false;
    }

    /// Whether something has happened that they were not told.
    pub(super) fn is_struck(&self) -> bool {
        !self.is_still
    }

    /// Tells what is to be done now, and the first time who is to do it.
    pub(super) fn ring(&mut self, duty: Option<Duty>, steward: &dyn Steward, table: Option<TableHandle>) {
        self.is_still = true;
        match (&self.duties, duty.map(Arc::new)) {
            (Some(duties), duty) => drop(duties.send_replace(duty)),
            (None, Some(duty)) => {
                let Some(table) = table else { return };
                let (duties, told) = watch::channel(Some(duty));
                steward.attend(table, told);
                self.duties = Some(duties);
            }
            (None, None) => {}
        }
    }
}

impl TableState {
    /// What a bot has to do next here: answers come before moves. Nothing while the match sleeps.
    pub(super) fn duty(&self, is_watched: bool, now: Timestamp) -> Option<Duty> {
        if !is_watched && self.sleeps_unwatched() {
            return None;
        }
        let attention = match is_watched {
            false => Attention::Nobody,
            true if self.is_played_by_people() => Attention::Player,
            true => Attention::Spectators,
        };
        let (color, errand) = match self.stage() {
            Stage::Open => return None,
            Stage::Running(game) => self.answer_due(game).or_else(|| self.move_due(game, now))?,
            Stage::Ended(_) => (self.rematch_due()?, Errand::Rematch),
        };
        let bot = self.player(color)?.clone();
        let (match_id, head, changed) = (self.match_id(), self.head(), self.changed());
        Some(Duty { match_id, head, changed, bot, color, errand, host: self.host().id, attention })
    }

    fn answer_due(&self, game: &Game) -> Option<(Color, Errand)> {
        let open = Request::ALL.into_iter().filter_map(|request| Some((request, game.request(request)?)));
        let mut due = open.filter_map(|(request, open)| {
            let mut asked = game.position().players_in().filter(|color| !open.agreed.contains(color));
            Some((asked.find(|color| self.is_played_by_bot(*color))?, request))
        });
        let (color, request) = due.next()?;
        Some((color, Errand::Answer { request, game: Arc::new(game.clone()) }))
    }

    fn move_due(&self, game: &Game, now: Timestamp) -> Option<(Color, Errand)> {
        let turn = game.position().turn();
        if self.is_frozen() || !self.is_played_by_bot(turn) {
            return None;
        }
        let errand = Errand::Move {
            game: Arc::new(game.clone()),
            claimable: game.may_claim_draw(now),
            is_among_bots: !self.is_played_by_people(),
        };
        Some((turn, errand))
    }

    fn rematch_due(&self) -> Option<Color> {
        let asked = self.rematch().view().filter(|_| !self.is_closed() && self.rematch().next().is_none())?;
        let mut waits =
            self.seats().iter().map(|seat| seat.color).filter(|color| !asked.agreed.contains(color));
        waits.find(|color| self.is_played_by_bot(*color))
    }
}
