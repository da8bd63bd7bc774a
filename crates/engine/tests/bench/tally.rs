//! What games are counted as.

use quadrex_rules::Reason;

use crate::engine::contest::Contestant::{self, A, B};
use crate::engine::contest::Round;
use crate::engine::game::Finished;
use crate::engine::tally::Tally;

#[test]
fn first_places_alone_shared_and_cut_off_are_told_apart() {
    let game = |seating: [Contestant; 4], shares: [f64; 4], reason| {
        (seating.to_vec(), Finished { shares: shares.to_vec(), reason, plies: 10 })
    };
    let tally = Tally::of(&[
        Round {
            games: vec![
                game([A, B, B, B], [1.0, 0.0, 0.0, 0.0], Some(Reason::Mate)),
                game([B, A, B, B], [1.0, 0.0, 0.0, 0.0], Some(Reason::Mate)),
            ],
        },
        Round {
            games: vec![
                game([B, B, A, B], [0.0, 0.0, 0.5, 0.5], Some(Reason::Stalemate)),
                game([B, B, B, A], [0.0, 0.5, 0.5, 0.0], None),
            ],
        },
    ]);
    assert_eq!((tally.games, tally.share.value, tally.alone.value), (4, 0.375, 0.25));
    assert_eq!((tally.drawn, tally.cut, tally.plies), (0.5, 0.25, 10.0));
}
