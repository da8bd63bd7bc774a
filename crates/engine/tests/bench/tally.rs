//! What games are counted as.

use quadrex_rules::Reason;

use crate::engine::contest::Contestant::{self, A, B};
use crate::engine::contest::Round;
use crate::engine::game::{Ending, Finished};
use crate::engine::tally::Tally;

#[test]
fn first_places_alone_shared_and_cut_off_are_told_apart() {
    let game = |seating: [Contestant; 4], shares: [f64; 4], ending| {
        (seating.to_vec(), Finished { shares: shares.to_vec(), ending, plies: 10 })
    };
    let tally = Tally::of(&[
        Round {
            games: vec![
                game([A, B, B, B], [1.0, 0.0, 0.0, 0.0], Ending::Over(Reason::Mate)),
                game([B, A, B, B], [1.0, 0.0, 0.0, 0.0], Ending::Over(Reason::Mate)),
            ],
        },
        Round {
            games: vec![
                game([B, B, A, B], [0.0, 0.0, 0.5, 0.5], Ending::Over(Reason::Stalemate)),
                game([B, B, B, A], [0.0, 0.5, 0.5, 0.0], Ending::Cut),
            ],
        },
    ]);
    assert_eq!((tally.games, tally.share.value, tally.alone.value), (4, 0.375, 0.25));
    assert_eq!((tally.drawn, tally.cut, tally.plies), (0.5, 0.25, 10.0));
}
