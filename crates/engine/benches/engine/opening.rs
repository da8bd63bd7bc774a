//! Where games begin, so that players who always answer alike do not play the same game again and again.

use quadrex_rules::notation::Playback;
use quadrex_rules::{DrawPolicy, Move, Setup, Variant};

use super::random::Random;

/// Moves that each player makes by chance before the players choose their own: some ten thousand openings of two
/// players, many more of four.
pub(crate) const MOVES_EACH: usize = 4;

/// A game from a variant's start. Draws need no claim in it, since nobody here claims one.
pub(crate) fn start(variant: Variant) -> Playback {
    Playback::new(Setup::start(variant), DrawPolicy::Automatic).expect("a variant's own set-up is a position")
}

/// Legal moves by chance, after which everybody is still in.
pub(crate) fn random(variant: Variant, mut random: Random) -> Vec<Move> {
    let players = variant.player_count();
    loop {
        let mut playback = start(variant);
        while !playback.game().is_over() && playback.plies().count() < MOVES_EACH * players {
            let mv = random.pick(&playback.game().position().legal_moves());
            playback.play(mv, None).expect("a listed move is legal");
        }
        if !playback.game().is_over() && playback.game().position().players_in().count() == players {
            return playback.plies().map(|(_, mv)| mv).collect();
        }
    }
}
