//! What a table is: its terms, its seats, how far its match is. Pure: no clock, no store, no randomness.

use std::time::Duration;

use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::{AnyPosition, Color, Game, StartError, Timestamp};

use super::attendance::Attendance;
use super::chat::Chat;
use super::lag::Lag;
use super::lot::Origin;
use super::move_limit::MoveTimer;
use super::pause::Freeze;
use super::rematch::Rematch;
use super::seating::{Seat, Seats};
use super::settings::Terms;

/// How far the match is, with what exists only then.
#[derive(Clone, Debug)]
pub enum Stage {
    /// Seats may be taken.
    Open,
    /// Being played.
    Running(Box<Game>),
    /// Over; without a game if the table closed before one had begun.
    Ended(Option<Box<Game>>),
}

/// The state of a table: a fold of its match's log.
#[derive(Clone, Debug)]
pub struct TableState {
    origin: Origin,
    terms: Terms,
    start: AnyPosition,
    opened_at: Timestamp,
    pub(super) seating: Seats,
    pub(super) stage: Stage,
    pub(super) attendance: Attendance,
    pub(super) freeze: Freeze,
    pub(super) lag: Lag,
    pub(super) move_timer: MoveTimer,
    rematch: Rematch,
    is_closed: bool,
    head: u64,
    changed: u64,
    plies: u32,
    /// The event with which the match began.
    pub(super) began: Option<u64>,
    pub(super) chat: Chat,
}

impl TableState {
    /// A table just opened: its log has one event.
    ///
    /// # Errors
    /// When no match can start from the terms' set-up (RULES S1).
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
            freeze: Freeze::default(),
            lag: Lag::new(),
            move_timer: MoveTimer::default(),
            rematch: Rematch::default(),
            is_closed: false,
            head: 1,
            changed: 1,
            plies: 0,
            began: None,
            chat: Chat::default(),
        })
    }

    /// Takes in the next event: one just decided and stored, or one from the log.
    ///
    /// # Panics
    /// On an event that cannot have happened here; [`misfit`](Self::misfit) finds those in a log.
    pub fn apply(&mut self, event: &Event, at: Timestamp) {
        self.head += 1;
        match event {
            Event::Opened { .. } => unreachable!("a table is opened once"),
            Event::Seated { color, user, nonce } => self.seating.seat(*color, user, nonce),
            Event::Vacated { color, reason } => self.seating.vacate(*color, *reason),
            Event::HostChanged { host: to } => self.seating.pass_host(to),
            Event::Started { first_player, seats, .. } => {
                self.seating.sit_anew(seats);
                let game = Game::new(self.terms.game(Some(*first_player)), at)
                    .expect("the set-up was judged when the table was opened");
                self.stage = Stage::Running(Box::new(game));
                self.changed = self.head;
                self.began = Some(self.head);
            }
            Event::MessageSent { user, room, .. } => self.chat.said(user.id, *room, at),
            Event::Moved { color, away_ms, lag_ms, .. } => {
                self.apply_to_game(event, at);
                self.lag.log(*color, Duration::from_millis(*lag_ms));
                self.attendance.log(*color, Duration::from_millis(*away_ms));
                self.plies += 1;
                self.changed = self.head;
            }
            Event::TakenBack { plies, .. } => {
                self.apply_to_game(event, at);
                self.plies -= plies;
                self.changed = self.head;
            }
            Event::Eliminated { .. } => {
                self.apply_to_game(event, at);
                self.changed = self.head;
            }
            Event::Requested { .. } | Event::Agreed { .. } | Event::Declined { .. } => {
                self.apply_to_game(event, at);
            }
            Event::Aborted { .. } | Event::Ended { .. } => {
                self.apply_to_game(event, at);
                self.changed = self.head;
                self.end();
                self.apply_freeze(event, at);
            }
            Event::Interrupted { until_ms, resumes_ms, away_ms } => {
                let (until, resumes) =
                    (Timestamp::from_millis(*until_ms), Timestamp::from_millis(*resumes_ms));
                self.pass_over(until, resumes, Duration::from_millis(*away_ms));
            }
            Event::Paused {} | Event::Waiting { .. } | Event::Resuming { .. } | Event::Resumed {} => {
                self.apply_freeze(event, at);
            }
            Event::Substituted { color, bot } => self.seating.stand_in(*color, Some(bot)),
            Event::Returned { color } => self.seating.stand_in(*color, None),
            Event::RematchRequested { .. }
            | Event::RematchAgreed { .. }
            | Event::RematchDeclined { .. }
            | Event::Rematched { .. } => self.rematch.apply(event),
            Event::Closed {} => self.close(),
        }
        if self.changed == self.head
            || matches!(event, Event::Interrupted { .. } | Event::Substituted { .. } | Event::Returned { .. })
        {
            self.attendance.rest_on(self.head);
        }
        self.recount(at);
        self.count_turn(event, at);
    }

    /// Lets time run as it will after an interruption that is not in the log yet, and will be its next event.
    pub(super) fn foresee(&mut self, interrupted: &Event, at: Timestamp) {
        if let Event::Interrupted { until_ms, resumes_ms, away_ms } = interrupted {
            let (until, resumes) = (Timestamp::from_millis(*until_ms), Timestamp::from_millis(*resumes_ms));
            self.pass_over(until, resumes, Duration::from_millis(*away_ms));
            self.attendance.rest_on(self.head + 1);
            self.recount(at);
            self.count_turn(interrupted, at);
        }
    }

    fn apply_to_game(&mut self, event: &Event, at: Timestamp) {
        let Stage::Running(game) = &mut self.stage else { unreachable!("only a running match is played") };
        game.apply(&event.to_rules().expect("the caller passes events of the game"), at);
    }

    fn end(&mut self) {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Open) {
            Stage::Running(game) => Stage::Ended(Some(game)),
            other => other,
        };
    }

    fn close(&mut self) {
        self.is_closed = true;
        if let Stage::Open = self.stage {
            self.stage = Stage::Ended(None);
        }
    }

    /// Which match, at which table, and what its lot is drawn with.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Which table.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.origin.table
    }

    /// Which match.
    #[must_use]
    pub fn match_id(&self) -> MatchId {
        self.origin.match_id
    }

    /// What it was opened with.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// When it was opened.
    #[must_use]
    pub fn opened_at(&self) -> Timestamp {
        self.opened_at
    }

    /// The position the match starts from; another may begin than its turn says.
    #[must_use]
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// The seats in turn order: one for each color that plays from the start.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        self.seating.all()
    }

    /// Who is host now.
    #[must_use]
    pub fn host(&self) -> &UserView {
        self.seating.host()
    }

    /// How far those who sat are towards another match.
    pub(super) fn rematch(&self) -> &Rematch {
        &self.rematch
    }

    /// Whether the table has closed: nothing can be done there any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// How far the match is.
    #[must_use]
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The same in the wire's word.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self.stage {
            Stage::Open => Phase::Open,
            Stage::Running(_) => Phase::Running,
            Stage::Ended(_) => Phase::Ended,
        }
    }

    /// The number of the last event.
    #[must_use]
    pub fn head(&self) -> u64 {
        self.head
    }

    /// The number of the last event that changed the board or the turn.
    #[must_use]
    pub fn changed(&self) -> u64 {
        self.changed
    }

    /// Moves made so far and not taken back.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The game, once the match has started.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        match &self.stage {
            Stage::Open | Stage::Ended(None) => None,
            Stage::Running(game) | Stage::Ended(Some(game)) => Some(game),
        }
    }

    /// The position on the board now.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        self.game().map_or(&self.start, Game::position)
    }

    /// Who holds a seat.
    #[must_use]
    pub fn holder(&self, color: Color) -> Option<&UserView> {
        self.seats().iter().find(|seat| seat.color == color)?.holder.as_ref()
    }

    /// Who is to move, while the match runs.
    #[must_use]
    pub fn turn(&self) -> Option<Color> {
        match &self.stage {
            Stage::Running(game) => Some(game.position().turn()),
            Stage::Open | Stage::Ended(_) => None,
        }
    }
}
