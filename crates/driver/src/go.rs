//! The commands of a search: the position and the time limit.

use std::time::Duration;

use quadrex_rules::{Color, Game};

/// The time limit of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Go {
    /// The time sent to the engine.
    pub time: Time,
    /// The time after which the engine is stopped and must answer.
    pub timeout: Duration,
}

/// The time, or another limit, sent to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Time {
    /// A fixed time for this move.
    Move(Duration),
    /// A number of nodes for this move, without a time.
    Nodes(u64),
    /// The clocks of all players still in the match, from which the engine computes its own limit.
    Clocks(Vec<(Color, PlayerClock)>),
}

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerClock {
    /// The time left.
    pub left: Duration,
    /// The increment of each move.
    pub increment: Duration,
}

impl Go {
    /// Returns a limit of a fixed time for this move. An engine that exceeds the limit is stopped a
    /// little later.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self { time: Time::Move(time), timeout: time + GRACE }
    }

    /// Returns the text of the command.
    pub(crate) fn line(&self) -> String {
        match &self.time {
            Time::Move(time) => format!("go movetime {}", time.as_millis().max(1)),
            Time::Nodes(nodes) => format!("go nodes {nodes}"),
            Time::Clocks(clocks) => {
                let time = |(color, clock): &(Color, PlayerClock)| {
                    format!(" {}time {}", color.letter(), clock.left.as_millis().max(1))
                };
                let increment = |(color, clock): &(Color, PlayerClock)| {
                    format!(" {}inc {}", color.letter(), clock.increment.as_millis())
                };
                let (times, increments): (String, String) =
                    (clocks.iter().map(time).collect(), clocks.iter().map(increment).collect());
                format!("go{times}{increments}")
            }
        }
    }
}

/// The time by which an engine may exceed its limit before it is stopped.
const GRACE: Duration = Duration::from_secs(1);

/// Returns the `position` command. It contains all moves since the start or since the last
/// elimination, because the engine needs them to detect repetitions. Earlier moves are not needed,
/// because no position from before an elimination can occur again after it.
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
    fn a_position_command_has_all_moves_since_the_start() {
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
    fn the_moves_start_over_after_an_elimination() {
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
    fn every_player_still_in_has_a_clock() {
        let clock = |left, increment| PlayerClock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        let two = Time::Clocks(vec![(Color::White, clock(60_000, 2_000)), (Color::Black, clock(0, 2_000))]);
        let timeout = Duration::from_secs(1);
        assert_eq!(Go { time: two, timeout }.line(), "go wtime 60000 btime 1 winc 2000 binc 2000");
        let three = [Color::Red, Color::Yellow, Color::Green].map(|color| (color, clock(5_000, 0)));
        let line = Go { time: Time::Clocks(three.into()), timeout }.line();
        assert_eq!(line, "go rtime 5000 ytime 5000 gtime 5000 rinc 0 yinc 0 ginc 0");
        assert_eq!(Go::within(Duration::from_millis(250)).line(), "go movetime 250");
        assert_eq!(Go { time: Time::Nodes(5_000), timeout }.line(), "go nodes 5000");
    }
}
