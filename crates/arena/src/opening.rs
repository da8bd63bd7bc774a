//! Random openings, so that deterministic players do not repeat the same game.

use quadrex_engine::Rng;
use quadrex_rules::notation::Playback;
use quadrex_rules::{DrawPolicy, Move, Setup, Variant};

/// The number of random moves that each player makes at the start. With two players there are some
/// ten thousand such openings, and many more with four.
const MOVES_EACH: usize = 4;

/// Returns a game at a variant's start position. Draws are automatic in this game, because players
/// of a tournament do not claim draws.
#[must_use]
pub fn start(variant: Variant) -> Playback {
    Playback::new(Setup::start(variant), DrawPolicy::Automatic).expect("a variant's start is a position")
}

/// Returns random legal moves from the start position, after which all players are still in the
/// game.
#[must_use]
pub fn random(variant: Variant, mut rng: Rng) -> Vec<Move> {
    let players = variant.player_count();
    loop {
        let mut playback = start(variant);
        while !playback.game().is_over() && playback.plies().count() < MOVES_EACH * players {
            let moves = playback.game().position().legal_moves();
            let mv = moves[rng.index(moves.len())];
            playback.play(mv, None).expect("a listed move is legal");
        }
        if !playback.game().is_over() && playback.game().position().active_players().count() == players {
            return playback.plies().map(|(_, mv)| mv).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_differ_and_eliminate_nobody() {
        for variant in Variant::ALL {
            let openings: Vec<_> = (0..50).map(|seed| random(variant, Rng::from_path(&[seed]))).collect();
            for (index, opening) in openings.iter().enumerate() {
                assert_eq!(opening.len(), MOVES_EACH * variant.player_count());
                assert!(!openings[..index].contains(opening), "{variant}: {opening:?} is repeated");
            }
            assert_eq!(openings[7], random(variant, Rng::from_path(&[7])));
        }
    }
}
