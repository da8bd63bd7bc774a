//! One game and its end.

use anyhow::Result;
use quadrex_rules::{Game, Move, Reason, Variant};

use crate::engine::game::{Ending, Finished, Player, play};

/// Plays these moves, one after the other.
struct Script(Vec<&'static str>);

impl Player for Script {
    fn begin(&mut self, _: Variant, _: u64) -> Result<()> {
        Ok(())
    }

    fn choose(&mut self, _: &Game, _: &[Move]) -> Result<Move> {
        Ok(self.0.remove(0).parse()?)
    }
}

fn classic(white: &[&'static str], black: &[&'static str], longest: usize) -> Result<Finished> {
    let (mut white, mut black) = (Script(white.to_vec()), Script(black.to_vec()));
    play(Variant::Classic, &[], &mut [&mut white, &mut black], |_| true, longest)
}

#[test]
fn who_mates_has_the_first_place() {
    let finished = classic(&["f2f3", "g2g4"], &["e7e5", "d8h4"], 100).unwrap();
    assert_eq!(finished, Finished { shares: vec![0.0, 1.0], ending: Ending::Over(Reason::Mate), plies: 4 });
    assert!(!finished.is_draw());
}

#[test]
fn a_third_occurrence_and_the_greatest_length_share_it() {
    let (white, black) = (["g1f3", "f3g1", "g1f3", "f3g1"], ["g8f6", "f6g8", "g8f6", "f6g8"]);
    let finished = classic(&white, &black, 100).unwrap();
    assert_eq!(
        finished,
        Finished { shares: vec![0.5, 0.5], ending: Ending::Over(Reason::Repetition), plies: 8 }
    );
    let cut = classic(&white, &black, 3).unwrap();
    assert_eq!(cut, Finished { shares: vec![0.5, 0.5], ending: Ending::Cut, plies: 3 });
    assert!(cut.is_draw());
}

#[test]
fn when_nobody_who_counts_is_in_a_game_is_not_played_on_and_not_drawn() {
    let (mut white, mut black) = (Script(vec!["e2e4"]), Script(vec!["e7e5"]));
    let seats: &mut [&mut dyn Player] = &mut [&mut white, &mut black];
    let finished = play(Variant::Classic, &[], seats, |_| false, 100).unwrap();
    assert_eq!((finished.ending, finished.plies, finished.is_draw()), (Ending::Settled, 0, false));
}

#[test]
fn an_illegal_move_ends_the_measurement_and_is_named() {
    let error = classic(&["e2e4", "e2e4"], &["e7e5"], 100).unwrap_err();
    assert_eq!(error.to_string(), "white chose e2e4 after e2e4 e7e5");
}
