//! A table as the bot knows it: a snapshot, and what happened since; and the game by the rules, for the engine.

use quadrex_protocol::settings::TableSettings;
use quadrex_protocol::view::{Entry, Phase, SeatView, StateView, TableView};
use quadrex_protocol::{Event, MatchId, StatePatch, UserId};
use quadrex_rules::{Color, Game, GameConfig, GameEvent, Move, Setup, TimeControl, Timestamp, Variant};

/// A table and the match there.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) match_id: MatchId,
    /// The number of the last event.
    pub(super) seq: u64,
    pub(super) settings: TableSettings,
    pub(super) seats: Vec<SeatView>,
    pub(super) state: StateView,
    /// Our legal moves, on our turn.
    pub(super) legal: Option<Vec<Move>>,
    /// When the state came.
    pub(super) seen: Timestamp,
    /// The number of the last event that changed the board or the turn.
    pub(super) board: u64,
    game: Option<Game>,
    me: UserId,
}

/// What the server says cannot be so.
#[derive(Debug, thiserror::Error)]
pub(super) enum Confusion {
    #[error("event {seq} comes after {last}")]
    Gap { seq: u64, last: u64 },
    #[error("event {seq} cannot be: {reason}")]
    Event { seq: u64, reason: String },
}

impl Place {
    /// From a snapshot.
    pub(super) fn new(
        (match_id, seq): (MatchId, u64),
        view: TableView,
        me: UserId,
        seen: Timestamp,
    ) -> Result<Self, Confusion> {
        let TableView { settings, seats, history, state, legal, .. } = view;
        let mut place =
            Self { match_id, seq: 0, settings, seats, state, legal, seen, board: 0, game: None, me };
        // What was kept from us changed nothing.
        history.iter().try_for_each(|entry| place.follow(entry))?;
        place.seq = seq;
        Ok(place)
    }

    /// Takes the next event.
    pub(super) fn take(
        &mut self,
        entry: &Entry,
        state: StatePatch,
        legal: Option<Vec<Move>>,
        seen: Timestamp,
    ) -> Result<(), Confusion> {
        self.skip(entry.seq)?;
        let seat = |color: &Color, seats: &mut Vec<SeatView>, change: &dyn Fn(&mut SeatView)| {
            seats.iter_mut().filter(|seat| seat.color == *color).for_each(change);
        };
        match &entry.event {
            Event::Seated { color, user, .. } => {
                seat(color, &mut self.seats, &|seat| seat.user = Some(user.clone()));
            }
            Event::Vacated { color, .. } => seat(color, &mut self.seats, &|seat| seat.user = None),
            Event::Started { seats, .. } => {
                for (color, user) in seats {
                    seat(color, &mut self.seats, &|seat| seat.user = Some(user.clone()));
                }
            }
            Event::StoodIn { color, bot } => {
                seat(color, &mut self.seats, &|seat| seat.stand_in = Some(bot.clone()));
            }
            Event::Returned { color } => seat(color, &mut self.seats, &|seat| seat.stand_in = None),
            _ => {}
        }
        self.follow(entry)?;
        self.state.merge(state);
        (self.legal, self.seen) = (legal, seen);
        Ok(())
    }

    /// Takes the number of an event that is not for us.
    pub(super) fn skip(&mut self, seq: u64) -> Result<(), Confusion> {
        if seq != self.seq + 1 {
            return Err(Confusion::Gap { seq, last: self.seq });
        }
        self.seq = seq;
        Ok(())
    }

    /// The match, once it has started.
    pub(super) fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// The seats that are ours.
    pub(super) fn own_seats(&self) -> impl Iterator<Item = &SeatView> {
        self.seats.iter().filter(|seat| seat.user.as_ref().is_some_and(|user| user.id == self.me))
    }

    /// The first of our seats that is still in.
    pub(super) fn own_color(&self) -> Option<Color> {
        self.own_seats().map(|seat| seat.color).find(|color| self.state.players_in.contains(color))
    }

    /// Whether the match runs and we are in it.
    pub(super) fn is_played(&self) -> bool {
        self.state.phase == Phase::Running && self.own_color().is_some()
    }

    /// Whether everybody else who is still in is a bot.
    pub(super) fn is_among_bots(&self) -> bool {
        let others = self.seats.iter().filter(|seat| {
            let user = seat.user.as_ref().filter(|user| user.id != self.me);
            self.state.players_in.contains(&seat.color) && user.is_some_and(|user| user.bot.is_none())
        });
        others.count() == 0
    }

    /// Lets the rules follow.
    fn follow(&mut self, entry: &Entry) -> Result<(), Confusion> {
        let at = Timestamp::from_millis(entry.at_ms);
        let wrong = |reason: String| Confusion::Event { seq: entry.seq, reason };
        if let Event::Started { beginner, .. } = &entry.event {
            self.game = Some(self.start(*beginner, at).map_err(wrong)?);
            self.board = entry.seq;
        } else if let Some(event) = entry.event.to_rules() {
            let game = self.game.as_mut().ok_or_else(|| wrong("the match has not started".into()))?;
            check(game, &event).map_err(wrong)?;
            game.apply(&event, at);
            let changes_board = matches!(
                event,
                GameEvent::Moved { .. } | GameEvent::Eliminated { .. } | GameEvent::TakenBack { .. }
            );
            if changes_board {
                self.board = entry.seq;
            }
        }
        Ok(())
    }

    fn start(&self, beginner: Color, at: Timestamp) -> Result<Game, String> {
        let TableSettings { variant, setup, draws, .. } = &self.settings;
        let start = match setup {
            Some(text) => Setup::parse(*variant, text).map_err(|error| error.to_string())?,
            None if *variant == Variant::Classic => Setup::start(*variant),
            None => Setup::start(*variant).with_turn(beginner),
        };
        // Clocks are told with every event.
        let config = GameConfig { setup: start, draws: *draws, time: TimeControl::None };
        Game::new(config, at).map_err(|error| error.to_string())
    }
}

/// Whether an event can follow, as far as applying it needs.
fn check(game: &Game, event: &GameEvent) -> Result<(), String> {
    let position = game.position();
    let fits = match event {
        GameEvent::Moved { color, mv, .. } => *color == position.turn() && position.is_legal(*mv),
        GameEvent::Eliminated { color, .. } => position.is_in(*color),
        GameEvent::TakenBack { plies, .. } => *plies as usize <= game.moves().len(),
        GameEvent::Requested { .. }
        | GameEvent::Agreed { .. }
        | GameEvent::Declined { .. }
        | GameEvent::Aborted { .. }
        | GameEvent::Ended { .. } => true,
    };
    if fits && !game.is_over() { Ok(()) } else { Err(format!("{event:?} by our rules")) }
}
