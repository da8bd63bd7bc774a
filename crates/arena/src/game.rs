//! One game, with the rules as referee.

use anyhow::{Context, Result};
use quadrex_rules::{Color, Game, Move, Reason, Variant};

use crate::opening;

/// A player of one seat.
pub trait Player {
    /// Starts a new game. Random choices of the player come from `seed`.
    ///
    /// # Errors
    /// Returns an error if the player cannot play the variant.
    fn begin(&mut self, variant: Variant, seed: u64) -> Result<()>;

    /// Returns a move for the player to move. `ply` is the number of plies played so far.
    ///
    /// # Errors
    /// Returns an error if the player finds no move.
    fn choose(&mut self, game: &Game, ply: usize) -> Result<Move>;
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn begin(&mut self, variant: Variant, seed: u64) -> Result<()> {
        self.as_mut().begin(variant, seed)
    }

    fn choose(&mut self, game: &Game, ply: usize) -> Result<Move> {
        self.as_mut().choose(game, ply)
    }
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game is over by the rules.
    Over(Reason),
    /// The game has reached the maximum length.
    MaxPlies,
    /// No player is left who matters for the result.
    Decided,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    /// The share of the first place that each seat has, in turn order: 1 for a sole winner, 1/2 for
    /// each of two who share it, 0 for all others. The sum is 1.
    pub shares: Vec<f64>,
    /// The reason why the game ended.
    pub ending: Ending,
    /// The length with the opening.
    pub plies: usize,
}

impl GameResult {
    /// Returns true if the first place is shared.
    #[must_use]
    pub fn is_draw(&self) -> bool {
        self.ending != Ending::Decided && self.shares.iter().all(|&share| share < 1.0)
    }
}

/// Plays a game from an opening. It ends early after `max_plies` plies, or when no player is left
/// for whom `matters` is true. The players who are still in the game then share the first place.
///
/// # Errors
/// Returns an error if a player returns no move, or an illegal move.
pub fn play(
    variant: Variant,
    opening: &[Move],
    players: &mut [&mut dyn Player],
    matters: impl Fn(Color) -> bool,
    max_plies: usize,
) -> Result<GameResult> {
    let mut playback = opening::start(variant);
    let mut moves = Vec::new();
    for &mv in opening {
        playback.play(mv, None).context("playing an opening")?;
        moves.push(mv);
    }
    let ending = loop {
        let game = playback.game();
        if let Some(outcome) = game.outcome() {
            break Ending::Over(outcome.reason);
        }
        if !game.position().active_players().any(&matters) {
            break Ending::Decided;
        }
        if moves.len() >= max_plies {
            break Ending::MaxPlies;
        }
        let turn = game.position().turn();
        let mv = players[turn.index()].choose(game, moves.len())?;
        playback.play(mv, None).with_context(|| format!("{turn} chose {mv} after {}", joined(&moves)))?;
        moves.push(mv);
    };
    let game = playback.game();
    let winners: Vec<_> = match game.outcome() {
        Some(outcome) => {
            outcome.places.iter().filter(|&(_, place)| place == 1).map(|(color, _)| color).collect()
        }
        None => game.position().active_players().collect(),
    };
    let share = 1.0 / winners.len() as f64;
    let shares =
        variant.colors().iter().map(|color| if winners.contains(color) { share } else { 0.0 }).collect();
    Ok(GameResult { shares, ending, plies: moves.len() })
}

/// Returns moves as text, with blanks between.
fn joined(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player with prepared moves.
    struct ScriptedPlayer(Vec<&'static str>);

    impl Player for ScriptedPlayer {
        fn begin(&mut self, _: Variant, _: u64) -> Result<()> {
            Ok(())
        }

        fn choose(&mut self, _: &Game, _: usize) -> Result<Move> {
            Ok(self.0.remove(0).parse()?)
        }
    }

    fn classic(white: &[&'static str], black: &[&'static str], max_plies: usize) -> Result<GameResult> {
        let (mut white, mut black) = (ScriptedPlayer(white.to_vec()), ScriptedPlayer(black.to_vec()));
        play(Variant::Classic, &[], &mut [&mut white, &mut black], |_| true, max_plies)
    }

    #[test]
    fn the_player_who_mates_has_the_first_place() {
        let result = classic(&["f2f3", "g2g4"], &["e7e5", "d8h4"], 100).unwrap();
        assert_eq!(
            result,
            GameResult { shares: vec![0.0, 1.0], ending: Ending::Over(Reason::Mate), plies: 4 }
        );
        assert!(!result.is_draw());
    }

    #[test]
    fn a_repetition_and_the_maximum_length_share_the_first_place() {
        let (white, black) = (["g1f3", "f3g1", "g1f3", "f3g1"], ["g8f6", "f6g8", "g8f6", "f6g8"]);
        let repeated = classic(&white, &black, 100).unwrap();
        assert_eq!(
            repeated,
            GameResult { shares: vec![0.5, 0.5], ending: Ending::Over(Reason::Repetition), plies: 8 }
        );
        let long = classic(&white, &black, 3).unwrap();
        assert_eq!(long, GameResult { shares: vec![0.5, 0.5], ending: Ending::MaxPlies, plies: 3 });
        assert!(long.is_draw());
    }

    #[test]
    fn a_game_without_a_player_that_matters_is_decided_and_no_draw() {
        let (mut white, mut black) = (ScriptedPlayer(vec!["e2e4"]), ScriptedPlayer(vec!["e7e5"]));
        let seats: &mut [&mut dyn Player] = &mut [&mut white, &mut black];
        let result = play(Variant::Classic, &[], seats, |_| false, 100).unwrap();
        assert_eq!((result.ending, result.plies, result.is_draw()), (Ending::Decided, 0, false));
    }

    #[test]
    fn an_illegal_move_is_an_error_that_names_it() {
        let error = classic(&["e2e4", "e2e4"], &["e7e5"], 100).unwrap_err();
        assert_eq!(error.to_string(), "white chose e2e4 after e2e4 e7e5");
    }
}
