//! The client's copy of a table. It is made from a snapshot, and all later events are applied to
//! it. It also contains the match's game, so that the client knows the position.

use quadrex_protocol::settings::TableSettings;
use quadrex_protocol::view::{Entry, Phase, SeatView, StateView, TableView};
use quadrex_protocol::{Event, MatchId, StatePatch, UserId};
use quadrex_rules::{Color, Game, GameConfig, GameEvent, Move, Setup, TimeControl, Timestamp};

/// The client's copy of a table and its current match.
#[derive(Debug)]
pub struct TableMirror {
    /// The id of the match.
    pub match_id: MatchId,
    /// The number of the last event that was applied.
    pub seq: u64,
    /// The settings of the table.
    pub settings: TableSettings,
    /// The seats in turn order.
    pub seats: Vec<SeatView>,
    /// The state of the match, as the server last reported it.
    pub state: StateView,
    /// The legal moves, if it is the turn of this client's user.
    pub legal: Option<Vec<Move>>,
    /// The time at which `state` was received.
    pub received_at: Timestamp,
    /// The number of the last event that changed the board or the turn.
    pub board_seq: u64,
    game: Option<Game>,
    /// The user of this client.
    me: Option<UserId>,
}

/// An inconsistency in the server's frames.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// An event is not the next one.
    #[error("event {seq} comes after {last}")]
    Gap {
        /// The number of the event.
        seq: u64,
        /// The number of the last event that was applied.
        last: u64,
    },
    /// An event is not possible by the rules.
    #[error("event {seq} is impossible: {reason}")]
    Event {
        /// The number of the event.
        seq: u64,
        /// The reason why the event is impossible.
        reason: String,
    },
}

impl TableMirror {
    /// Makes a copy from a snapshot. `me` is the user of this client.
    ///
    /// # Errors
    /// Returns [`MirrorError::Event`] if the history contradicts the rules.
    pub fn new(
        (match_id, seq): (MatchId, u64),
        view: TableView,
        me: Option<UserId>,
        received_at: Timestamp,
    ) -> Result<Self, MirrorError> {
        let TableView { settings, seats, history, state, legal_moves, .. } = view;
        let mut mirror = Self {
            match_id,
            seq: 0,
            settings,
            seats,
            state,
            legal: legal_moves,
            received_at,
            board_seq: 0,
            game: None,
            me,
        };
        // The history does not contain the events that this user may not see. Those have no effect
        // on the game.
        history.iter().try_for_each(|entry| mirror.apply_to_game(entry))?;
        mirror.seq = seq;
        Ok(mirror)
    }

    /// Applies the next event.
    ///
    /// # Errors
    /// Returns [`MirrorError`] if the event is not the next event, or if it contradicts the rules.
    pub fn apply(
        &mut self,
        entry: &Entry,
        state: StatePatch,
        legal: Option<Vec<Move>>,
        received_at: Timestamp,
    ) -> Result<(), MirrorError> {
        self.skip(entry.seq)?;
        let change_seat = |color: &Color, seats: &mut Vec<SeatView>, change: &dyn Fn(&mut SeatView)| {
            seats.iter_mut().filter(|seat| seat.color == *color).for_each(change);
        };
        match &entry.event {
            Event::Seated { color, user, .. } => {
                change_seat(color, &mut self.seats, &|seat| seat.user = Some(user.clone()));
            }
            Event::Vacated { color, .. } => change_seat(color, &mut self.seats, &|seat| seat.user = None),
            Event::Started { seats, .. } => {
                for (color, user) in seats {
                    change_seat(color, &mut self.seats, &|seat| seat.user = Some(user.clone()));
                }
            }
            Event::Substituted { color, bot } => {
                change_seat(color, &mut self.seats, &|seat| seat.substitute = Some(bot.clone()));
            }
            Event::Returned { color } => change_seat(color, &mut self.seats, &|seat| seat.substitute = None),
            _ => {}
        }
        self.apply_to_game(entry)?;
        self.state.merge(state);
        (self.legal, self.received_at) = (legal, received_at);
        Ok(())
    }

    /// Counts an event that this user may not see.
    ///
    /// # Errors
    /// Returns [`MirrorError::Gap`] if the event is not the next event.
    pub fn skip(&mut self, seq: u64) -> Result<(), MirrorError> {
        if seq != self.seq + 1 {
            return Err(MirrorError::Gap { seq, last: self.seq });
        }
        self.seq = seq;
        Ok(())
    }

    /// Returns the match's game, once it has started.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Returns the seats that this client's user holds.
    pub fn own_seats(&self) -> impl Iterator<Item = &SeatView> {
        self.seats.iter().filter(|seat| seat.user.as_ref().is_some_and(|user| Some(user.id) == self.me))
    }

    /// Returns the user's first color that is still in the match.
    #[must_use]
    pub fn own_color(&self) -> Option<Color> {
        self.own_seats().map(|seat| seat.color).find(|color| self.state.active_players.contains(color))
    }

    /// Returns true if the match runs and the user is still in it.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.state.phase == Phase::Running && self.own_color().is_some()
    }

    /// Returns true if all other remaining players are bots.
    #[must_use]
    pub fn only_bots_play(&self) -> bool {
        let other_people = self.seats.iter().filter(|seat| {
            let user = seat.user.as_ref().filter(|user| Some(user.id) != self.me);
            self.state.active_players.contains(&seat.color) && user.is_some_and(|user| user.bot.is_none())
        });
        other_people.count() == 0
    }

    /// Applies an event to the game.
    fn apply_to_game(&mut self, entry: &Entry) -> Result<(), MirrorError> {
        let at = Timestamp::from_millis(entry.at_ms);
        let impossible = |reason: String| MirrorError::Event { seq: entry.seq, reason };
        if let Event::Started { first_player, .. } = &entry.event {
            self.game = Some(self.start(*first_player, at).map_err(impossible)?);
            self.board_seq = entry.seq;
        } else if let Some(event) = entry.event.to_rules() {
            let game = self.game.as_mut().ok_or_else(|| impossible("the match has not started".into()))?;
            check_event(game, &event).map_err(impossible)?;
            game.apply(&event, at);
            let changes_board = matches!(
                event,
                GameEvent::Moved { .. } | GameEvent::Eliminated { .. } | GameEvent::TakenBack { .. }
            );
            if changes_board {
                self.board_seq = entry.seq;
            }
        }
        Ok(())
    }

    fn start(&self, first_player: Color, at: Timestamp) -> Result<Game, String> {
        let TableSettings { variant, setup, draws, .. } = &self.settings;
        let start = match setup {
            Some(text) => Setup::parse(*variant, text).map_err(|error| error.to_string())?,
            None if variant.player_count() == 2 => Setup::start(*variant),
            None => Setup::start(*variant).with_turn(first_player),
        };
        // The server reports the clocks, so the game needs none.
        let config = GameConfig { setup: start, draws: *draws, time: TimeControl::None };
        Game::new(config, at).map_err(|error| error.to_string())
    }
}

/// Checks that an event can be applied to the game.
fn check_event(game: &Game, event: &GameEvent) -> Result<(), String> {
    let position = game.position();
    let fits = match event {
        GameEvent::Moved { color, mv, .. } => *color == position.turn() && position.is_legal(*mv),
        GameEvent::Eliminated { color, .. } => position.is_playing(*color),
        GameEvent::TakenBack { plies, .. } => *plies as usize <= game.moves().len(),
        GameEvent::Requested { .. }
        | GameEvent::Agreed { .. }
        | GameEvent::Declined { .. }
        | GameEvent::Aborted { .. }
        | GameEvent::Ended { .. } => true,
    };
    if fits && !game.is_over() { Ok(()) } else { Err(format!("{event:?} by our rules")) }
}
