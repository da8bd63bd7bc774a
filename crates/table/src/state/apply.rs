//! The application of events to the state of a table.

use std::time::Duration;

use quadrex_protocol::{Event, TurnAbsence};
use quadrex_rules::{Game, Timestamp};

use super::attendance::ConnectedPlayer;
use super::table_state::{Stage, TableState};

impl TableState {
    /// Applies the next event of the log. The event was just decided and appended, or it was read
    /// from the log.
    ///
    /// # Panics
    /// Panics if the event cannot occur in this state. Before a log from outside is applied,
    /// [`check_event`](Self::check_event) has to reject such events.
    pub fn apply(&mut self, event: &Event, at: Timestamp) {
        self.head += 1;
        match event {
            Event::Opened { .. } => panic!("a table is opened once"),
            Event::Seated { color, user, nonce } => self.seating.seat(*color, user, nonce),
            Event::Vacated { color, reason } => self.seating.vacate(*color, *reason),
            Event::HostChanged { host } => self.seating.set_host(host),
            Event::Started { first_player, seats, .. } => {
                self.seating.reseat(seats);
                let game = Game::new(self.terms.game_config(Some(*first_player)), at)
                    .expect("the setup was checked when the table was opened");
                self.stage = Stage::Running(Box::new(game));
                self.board_seq = self.head;
                self.started_seq = Some(self.head);
            }
            Event::MessageSent { user, room, .. } => self.chat.record(user.id, *room, at),
            Event::Moved { color, away_ms, lag_ms, .. } => {
                self.apply_to_game(event, at);
                self.lag.record_move(*color, Duration::from_millis(*lag_ms));
                self.attendance.record_logged(*color, Duration::from_millis(*away_ms));
                self.plies += 1;
                self.board_seq = self.head;
            }
            Event::TakenBack { plies, away_ms, .. } => {
                if let Some(turn) = self.turn() {
                    self.attendance.record_logged(turn, Duration::from_millis(*away_ms));
                }
                self.apply_to_game(event, at);
                self.plies -= plies;
                self.board_seq = self.head;
            }
            Event::Eliminated { .. } => {
                self.apply_to_game(event, at);
                self.board_seq = self.head;
            }
            Event::Requested { .. } | Event::Agreed { .. } | Event::Declined { .. } => {
                self.apply_to_game(event, at);
            }
            Event::Aborted { .. } | Event::Ended { .. } => {
                self.apply_to_game(event, at);
                self.board_seq = self.head;
                self.end();
                self.suspensions.apply(event, at);
            }
            Event::Interrupted { until_ms, resumes_ms, away_ms } => {
                let (until, resumes) =
                    (Timestamp::from_millis(*until_ms), Timestamp::from_millis(*resumes_ms));
                self.skip_time(until, resumes, Duration::from_millis(*away_ms));
            }
            Event::Paused {} | Event::Waiting { .. } | Event::Resuming { .. } | Event::Resumed {} => {
                self.suspensions.apply(event, at);
            }
            Event::VacationStarted { .. } | Event::VacationEnded { .. } => self.vacations.apply(event),
            Event::Substituted { color, bot } => self.seating.substitute(*color, Some(bot)),
            Event::Returned { color } => self.seating.substitute(*color, None),
            Event::RematchRequested { color, match_id, nonce, .. } => {
                self.rematch.ask(*color, *match_id, nonce);
            }
            Event::RematchAgreed { color, nonce } => self.rematch.agree(*color, nonce),
            Event::RematchDeclined { color } => self.rematch.decline(*color),
            Event::Rematched { match_id } => self.rematch.begin(*match_id),
            Event::Closed { .. } => self.close(),
        }
        if self.board_seq == self.head
            || matches!(event, Event::Interrupted { .. } | Event::Substituted { .. } | Event::Returned { .. })
        {
            self.attendance.set_basis(self.head);
        }
        self.update_frozen_clocks(event, at);
        self.update_running_bank(at);
        self.update_move_timer(event, at);
    }

    /// Lets time run as if this interruption had been applied. The event is not in the log yet, but
    /// it will be the next event of the log.
    pub(crate) fn anticipate(&mut self, interrupted: &Event, at: Timestamp) {
        if let Event::Interrupted { until_ms, resumes_ms, away_ms } = interrupted {
            let (until, resumes) = (Timestamp::from_millis(*until_ms), Timestamp::from_millis(*resumes_ms));
            self.skip_time(until, resumes, Duration::from_millis(*away_ms));
            self.attendance.set_basis(self.head + 1);
            self.update_running_bank(at);
            self.update_move_timer(interrupted, at);
        }
    }

    /// Sets the connected players from `at` on: those with a connection that watches the table.
    pub fn set_connected(&mut self, players: &[ConnectedPlayer], at: Timestamp) {
        self.attendance.set_connected(players);
        self.lag.set_round_trips(players);
        self.update_running_bank(at);
    }

    /// Restores the time that an absent player has spent in the current turn. A server stored this
    /// time beside the log. `alive` is the last moment at which that server is known to have run.
    /// Does nothing if the log has a later event that changed the turn or recorded this time.
    pub(crate) fn restore_absence(&mut self, stored: &TurnAbsence, alive: Timestamp) {
        if let Some(turn) = self.turn() {
            self.attendance.restore(turn, stored, alive);
        }
    }

    fn apply_to_game(&mut self, event: &Event, at: Timestamp) {
        let Stage::Running(game) = &mut self.stage else { panic!("only a running match is played") };
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

    /// Skips the time of an interruption. The players are charged for the time up to `until`, and
    /// again for the time from `resumes` on. `resumes` may be in the future. Before the
    /// interruption the player to move had been absent for the time `away`, which the log did not
    /// have yet.
    fn skip_time(&mut self, until: Timestamp, resumes: Timestamp, away: Duration) {
        if let Stage::Running(game) = &mut self.stage {
            let turn = game.position().turn();
            game.charge_clock(until);
            game.restart_clock(resumes);
            self.attendance.record_logged(turn, away);
        }
        self.attendance.skip_time(until, resumes);
        self.move_timer.skip_time(until, resumes);
    }

    /// Freezes the clocks after an event if the match is suspended now, or if the player to move is on
    /// vacation, and thaws them otherwise. The clock of a player whose vacation has begun before the
    /// event is charged up to the beginning.
    fn update_frozen_clocks(&mut self, event: &Event, at: Timestamp) {
        let is_suspended = self.is_suspended();
        let Stage::Running(game) = &mut self.stage else { return };
        let is_frozen = is_suspended || self.vacations.end(game.position().turn()).is_some();
        if is_frozen == game.clock().is_frozen() {
            return;
        }
        let since = match event {
            Event::VacationStarted { since_ms, .. } => Timestamp::from_millis(*since_ms).min(at),
            _ => at,
        };
        if is_frozen { game.freeze_clocks(since) } else { game.thaw_clocks(at) }
    }

    /// Runs the bank of the player to move from `at` on if that player is absent.
    ///
    /// No bank runs while the clocks are frozen. No bank runs either while a player has a separate
    /// time for its first move.
    fn update_running_bank(&mut self, at: Timestamp) {
        let absent = match self.stage() {
            Stage::Running(game) if self.full_bank().is_some() && !game.clock().is_frozen() => {
                let turn = game.position().turn();
                let has_first_move_time = game.clock().turn_is_first() && game.config().time.base().is_some();
                (!self.is_attended(turn) && !has_first_move_time).then_some(turn)
            }
            _ => None,
        };
        self.attendance.run_bank(absent, at);
    }

    /// Updates the move timer after an event. The timer starts again when a move is made or taken
    /// back, when the player to move is eliminated, and when a bot replaces a player or the player
    /// returns.
    fn update_move_timer(&mut self, event: &Event, at: Timestamp) {
        let is_new_turn = matches!(
            event,
            Event::Moved { .. }
                | Event::TakenBack { .. }
                | Event::Substituted { .. }
                | Event::Returned { .. }
        );
        let (turn, is_suspended) = (self.turn(), self.is_suspended());
        self.move_timer.update(turn, is_new_turn, is_suspended, at);
    }
}
