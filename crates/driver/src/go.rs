//! What an engine is told before it searches: the position, and how long it may take.

use std::time::Duration;

use quadrex_rules::{Color, Game};

/// How long a search may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Go {
    /// What the engine is told.
    pub time: Time,
    /// After so long it is told to stop, and must answer.
    pub most: Duration,
}

/// The time as an engine is told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Time {
    /// So long for this move.
    Move(Duration),
    /// Clocks, from which it makes up its mind itself: what everybody has who is in.
    Clocks(Vec<(Color, Hand)>),
}

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand {
    /// What is left.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
}

impl Go {
    /// So long for this move; a little later it is told to stop.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self { time: Time::Move(time), most: time + GRACE }
    }

    /// The command.
    pub(crate) fn line(&self) -> String {
        match &self.time {
            Time::Move(time) => format!("go movetime {}", time.as_millis().max(1)),
            Time::Clocks(hands) => {
                let time = |(color, hand): &(Color, Hand)| {
                    format!(" {}time {}", color.letter(), hand.left.as_millis().max(1))
                };
                let increment = |(color, hand): &(Color, Hand)| {
                    format!(" {}inc {}", color.letter(), hand.increment.as_millis())
                };
                let (times, increments): (String, String) =
                    (hands.iter().map(time).collect(), hands.iter().map(increment).collect());
                format!("go{times}{increments}")
            }
        }
    }
}

/// How much later than asked an engine may say its move by itself.
const GRACE: Duration = Duration::from_secs(1);

/// The position as engines are told it: with all moves since the start, or since a player went out, so that they know what
/// has occurred. A going-out is no move, and nothing that was before it can occur again.
pub(crate) fn position(game: &Game) -> String {
    let moves: String = game.moves().iter().map(|mv| format!(" {mv}")).collect();
    let moves = if moves.is_empty() { moves } else { format!(" moves{moves}") };
    format!("position fen {}{moves}", game.moves_from().setup())
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{GameCommand, GameConfig, Setup, TimeControl, Timestamp, Variant};

    use super::*;

    fn game(variant: Variant) -> Game {
        let setup = Setup::start(variant);
        let config = GameConfig { setup, draws: Default::default(), time: TimeControl::None };
        Game::new(config, Timestamp::from_millis(0)).unwrap()
    }

    fn play(game: &mut Game, command: &GameCommand) {
        let at = Timestamp::from_millis(0);
        let events = game.decide(command, at).unwrap();
        events.iter().for_each(|event| game.apply(event, at));
    }

    fn mv(color: Color, mv: &str) -> GameCommand {
        GameCommand::Move { color, mv: mv.parse().unwrap(), claim_draw: false }
    }

    #[test]
    fn a_position_is_told_with_all_moves_since_the_start() {
        let mut game = game(Variant::Classic);
        assert_eq!(position(&game), format!("position fen {}", Setup::start(Variant::Classic)));
        play(&mut game, &mv(Color::White, "e2e4"));
        play(&mut game, &mv(Color::Black, "e7e5"));
        assert_eq!(
            position(&game),
            format!("position fen {} moves e2e4 e7e5", Setup::start(Variant::Classic))
        );
    }

    #[test]
    fn with_four_players_the_moves_begin_again_where_one_goes_out() {
        let mut game = game(Variant::Dilkel);
        play(&mut game, &mv(Color::Red, "h2h4"));
        assert!(position(&game).ends_with(" moves h2h4"));
        play(&mut game, &GameCommand::Resign { color: Color::Blue });
        assert_eq!(position(&game), format!("position fen {}", game.position().setup()));
        let next = game.position().legal_moves()[0];
        play(&mut game, &mv(Color::Yellow, &next.to_string()));
        assert!(position(&game).ends_with(&format!(" moves {next}")) && !position(&game).contains("h2h4"));
    }

    #[test]
    fn every_player_who_is_in_has_a_clock() {
        let hand = |left, increment| Hand {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        let two = Time::Clocks(vec![(Color::White, hand(60_000, 2_000)), (Color::Black, hand(0, 2_000))]);
        let most = Duration::from_secs(1);
        assert_eq!(Go { time: two, most }.line(), "go wtime 60000 btime 1 winc 2000 binc 2000");
        let three = [Color::Red, Color::Yellow, Color::Green].map(|color| (color, hand(5_000, 0)));
        let line = Go { time: Time::Clocks(three.into()), most }.line();
        assert_eq!(line, "go rtime 5000 ytime 5000 gtime 5000 rinc 0 yinc 0 ginc 0");
        assert_eq!(Go::within(Duration::from_millis(250)).line(), "go movetime 250");
    }
}
