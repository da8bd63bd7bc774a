//! Rounds, seatings, and games side by side.

use anyhow::{Result, anyhow};
use quadrex_rules::{Game, Move, Variant};

use crate::engine::contest::Contestant::{self, A, B};
use crate::engine::contest::{Contest, Round, Seats};
use crate::engine::game::{Ending, Finished, Player};

/// Plays the first legal move, or the last.
struct Mechanical(Contestant);

impl Player for Mechanical {
    fn begin(&mut self, _: Variant, _: u64) -> Result<()> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &[Move]) -> Result<Move> {
        let moves = game.position().legal_moves();
        let chosen = if self.0 == A { moves.first() } else { moves.last() };
        chosen.copied().ok_or_else(|| anyhow!("no move"))
    }
}

fn contest(variant: Variant, seats: Seats, games: usize) -> Contest {
    Contest { variant, seats, games, concurrency: 2, longest: 60, seed: 1 }
}

#[test]
fn every_seat_is_held_as_often() {
    for (variant, seats, games, held) in [
        (Variant::Classic, Seats::Half, 2, 1),
        (Variant::Classic, Seats::One, 2, 1),
        (Variant::Dilkel, Seats::Half, 6, 3),
        (Variant::Dilkel, Seats::One, 4, 1),
    ] {
        let seatings = seats.seatings(variant);
        assert_eq!(seatings.len(), games);
        for seat in 0..variant.player_count() {
            assert_eq!(seatings.iter().filter(|seating| seating[seat] == A).count(), held);
        }
    }
}

#[test]
fn rounds_are_whole_and_the_same_however_many_are_played_at_a_time() {
    for variant in [Variant::Classic, Variant::Dilkel] {
        let contest = contest(variant, Seats::One, 9);
        let mut scores = [1, 2].map(|concurrency| {
            let contest = Contest { concurrency, ..contest };
            let rounds = contest.play(|who| Ok(Mechanical(who)), |_| true).unwrap();
            assert!(rounds.iter().all(|round| round.games.len() == variant.player_count()));
            let told = |round: &Round| format!("{:?}", round.games);
            rounds.iter().map(told).collect::<Vec<_>>()
        });
        scores.iter_mut().for_each(|scores| scores.sort());
        assert_eq!(scores[0].len(), 9_usize.div_ceil(variant.player_count()));
        assert_eq!(scores[0], scores[1]);
    }
}

#[test]
fn who_listens_can_end_it_and_a_player_that_fails_ends_it() {
    let contest = contest(Variant::Classic, Seats::Half, 1000);
    let rounds = contest.play(|who| Ok(Mechanical(who)), |rounds| rounds.len() < 3).unwrap();
    assert_eq!(rounds.len(), 3);
    let error = contest.play(|_| Err::<Mechanical, _>(anyhow!("no engine")), |_| true).unwrap_err();
    assert_eq!(error.to_string(), "no engine");
}

#[test]
fn the_score_is_a_s_part_of_the_first_place() {
    let finished = Finished { shares: vec![0.5, 0.5, 0.0, 0.0], ending: Ending::Cut, plies: 1 };
    let round = Round { games: vec![(vec![A, B, A, B], finished.clone()), (vec![B, B, A, A], finished)] };
    assert_eq!(round.score(), 0.25);
}
