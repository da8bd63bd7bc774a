//! The state of a table: its terms, its seats, and the stage of its match. Pure: no clock, no store, no
//! randomness.

use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::{AnyPosition, Color, Game, StartError, Timestamp};

use super::attendance::Attendance;
use super::chat::ChatRate;
use super::lag::LagBanks;
use super::move_timer::MoveTimer;
use super::origin::Origin;
use super::rematch::Rematch;
use super::seating::{Seat, Seats};
use super::suspension::Suspensions;
use super::terms::Terms;

/// The stage of a match, with what exists only in it.
#[derive(Clone, Debug)]
pub enum Stage {
    /// Seats may be taken.
    Open,
    /// The match is played.
    Running(Box<Game>),
    /// The match is over; without a game if the table closed before it began.
    Ended(Option<Box<Game>>),
}

/// The state of a table: a fold of its match's log.
#[derive(Clone, Debug)]
pub struct TableState {
    origin: Origin,
    pub(super) terms: Terms,
    start: AnyPosition,
    opened_at: Timestamp,
    pub(crate) seating: Seats,
    pub(crate) stage: Stage,
    pub(crate) attendance: Attendance,
    pub(crate) suspensions: Suspensions,
    pub(crate) lag: LagBanks,
    pub(crate) move_timer: MoveTimer,
    pub(super) rematch: Rematch,
    pub(super) is_closed: bool,
    pub(super) head: u64,
    pub(super) changed: u64,
    pub(super) plies: u32,
    /// The number of the event that started the match.
    pub(crate) began: Option<u64>,
    pub(crate) chat: ChatRate,
}

impl TableState {
    /// Returns the state of a table just opened: its log has one event.
    ///
    /// # Errors
    /// If no match can start from the setup of the terms (RULES S1).
    pub fn open(origin: Origin, terms: Terms, at: Timestamp) -> Result<Self, StartError> {
        let start = Game::new(terms.game(None), at)?.position().clone();
        let seating = Seats::open(start.players_in(), terms.host.clone(), &terms.kicked);
        Ok(Self {
            origin,
            terms,
            start,
            opened_at: at,
            seating,
            stage: Stage::Open,
            attendance: Attendance::new(),
            suspensions: Suspensions::default(),
            lag: LagBanks::new(),
            move_timer: MoveTimer::default(),
            rematch: Rematch::default(),
            is_closed: false,
            head: 1,
            changed: 1,
            plies: 0,
            began: None,
            chat: ChatRate::default(),
        })
    }

    /// Returns the identity of the match, with the key of its lot.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the id of the table.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.origin.table
    }

    /// Returns the id of the match.
    #[must_use]
    pub fn match_id(&self) -> MatchId {
        self.origin.match_id
    }

    /// Returns the terms it was opened with.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the time at which it was opened.
    #[must_use]
    pub fn opened_at(&self) -> Timestamp {
        self.opened_at
    }

    /// Returns the start position; the drawn beginner may differ from its turn.
    #[must_use]
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// Returns the seats in turn order, one for each color that plays from the start.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        self.seating.all()
    }

    /// Returns the present host.
    #[must_use]
    pub fn host(&self) -> &UserView {
        self.seating.host()
    }

    /// Returns the state of the rematch.
    pub(crate) fn rematch(&self) -> &Rematch {
        &self.rematch
    }

    /// Returns the match after this one, once the players have agreed to a rematch.
    #[must_use]
    pub fn next_match_id(&self) -> Option<MatchId> {
        self.rematch.next()
    }

    /// Returns whether the table has closed: it accepts no more commands.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns the stage of the match.
    #[must_use]
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Returns the phase: the stage as the wire names it.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self.stage {
            Stage::Open => Phase::Open,
            Stage::Running(_) => Phase::Running,
            Stage::Ended(_) => Phase::Ended,
        }
    }

    /// Returns the number of the last event.
    #[must_use]
    pub fn head(&self) -> u64 {
        self.head
    }

    /// Returns the number of the last event that changed the board or the turn.
    #[must_use]
    pub fn changed(&self) -> u64 {
        self.changed
    }

    /// Returns the number of moves that were not taken back.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Returns the game, once the match has started.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        match &self.stage {
            Stage::Open | Stage::Ended(None) => None,
            Stage::Running(game) | Stage::Ended(Some(game)) => Some(game),
        }
    }

    /// Returns the present position.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        self.game().map_or(&self.start, Game::position)
    }

    /// Returns the holder of a seat.
    #[must_use]
    pub fn holder(&self, color: Color) -> Option<&UserView> {
        self.seats().iter().find(|seat| seat.color == color)?.holder.as_ref()
    }

    /// Returns the color to move, while the match runs.
    #[must_use]
    pub fn turn(&self) -> Option<Color> {
        match &self.stage {
            Stage::Running(game) => Some(game.position().turn()),
            Stage::Open | Stage::Ended(_) => None,
        }
    }
}
