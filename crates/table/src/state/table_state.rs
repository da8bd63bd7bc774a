//! The state of a table: its terms, its seats, and the stage of its match. The state is pure. It
//! reads no clock, no store and no random numbers.

use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::{AnyPosition, Color, Game, StartError, Timestamp};

use super::attendance::Attendance;
use super::chat::ChatRate;
use super::lag::LagBanks;
use super::move_timer::MoveTimer;
use super::rematch::Rematch;
use super::seating::{Seat, Seats};
use super::suspension::Suspensions;
use super::table_identity::TableIdentity;
use super::terms::MatchTerms;
use super::vacations::Vacations;

/// The stage of a match, with the game if there is one.
#[derive(Clone, Debug)]
pub enum Stage {
    /// Seats may be taken.
    Open,
    /// The match is being played.
    Running(Box<Game>),
    /// The match is over. There is no game if the table was closed before the match began.
    Ended(Option<Box<Game>>),
}

/// The state of a table, which follows from the log of its match.
#[derive(Clone, Debug)]
pub struct TableState {
    /// The ids of the table and the match, and the table's lot key.
    identity: TableIdentity,
    pub(super) terms: MatchTerms,
    start: AnyPosition,
    opened_at: Timestamp,
    pub(crate) seating: Seats,
    pub(crate) stage: Stage,
    pub(crate) attendance: Attendance,
    /// The current suspension of the match, if any, and the total time of the earlier pauses.
    pub(crate) suspensions: Suspensions,
    pub(crate) vacations: Vacations,
    pub(crate) lag: LagBanks,
    pub(crate) move_timer: MoveTimer,
    pub(super) rematch: Rematch,
    pub(super) is_closed: bool,
    pub(super) head: u64,
    pub(super) board_seq: u64,
    pub(super) plies: u32,
    /// The number of the event that started the match, once it has started.
    pub(crate) started_seq: Option<u64>,
    pub(crate) chat: ChatRate,
}

impl TableState {
    /// Returns the state of a table that was just opened. Its log has one event.
    ///
    /// # Errors
    /// Returns an error if no match can start from the setup in the terms (RULES S1).
    pub fn open(identity: TableIdentity, terms: MatchTerms, at: Timestamp) -> Result<Self, StartError> {
        let start = Game::new(terms.game_config(None), at)?.position().clone();
        let seating = Seats::open(start.active_players(), terms.host.clone(), &terms.kicked);
        Ok(Self {
            identity,
            terms,
            start,
            opened_at: at,
            seating,
            stage: Stage::Open,
            attendance: Attendance::new(),
            suspensions: Suspensions::default(),
            vacations: Vacations::new(),
            lag: LagBanks::new(),
            move_timer: MoveTimer::default(),
            rematch: Rematch::default(),
            is_closed: false,
            head: 1,
            board_seq: 1,
            plies: 0,
            started_seq: None,
            chat: ChatRate::default(),
        })
    }

    /// Returns the ids of the table and the match, and the key with which the table draws lots
    /// verifiably.
    #[must_use]
    pub fn identity(&self) -> TableIdentity {
        self.identity
    }

    /// Returns the id of the table.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.identity.table
    }

    /// Returns the id of the match.
    #[must_use]
    pub fn match_id(&self) -> MatchId {
        self.identity.match_id
    }

    /// Returns the terms with which the table was opened.
    #[must_use]
    pub fn terms(&self) -> &MatchTerms {
        &self.terms
    }

    /// Returns the time of the first event in the match's log: the table was opened, or this match
    /// was opened as a rematch.
    #[must_use]
    pub fn opened_at(&self) -> Timestamp {
        self.opened_at
    }

    /// Returns the start position. The player who begins may differ from the player to move in this
    /// position, because a lot selects the player who begins.
    #[must_use]
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// Returns the seats in turn order. There is a seat for each color that plays in the start
    /// position.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        self.seating.all()
    }

    /// Returns the current host.
    #[must_use]
    pub fn host(&self) -> &UserView {
        self.seating.host()
    }

    /// Returns the requests for a rematch and the answers to them.
    pub(crate) fn rematch(&self) -> &Rematch {
        &self.rematch
    }

    /// Returns the id of the next match, once all players have agreed to a rematch.
    #[must_use]
    pub fn next_match_id(&self) -> Option<MatchId> {
        self.rematch.next()
    }

    /// Returns whether the table is closed. A closed table accepts no more commands.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns the stage of the match.
    #[must_use]
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Returns the stage under its name on the wire.
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
    pub fn board_seq(&self) -> u64 {
        self.board_seq
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

    /// Returns the current position.
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
