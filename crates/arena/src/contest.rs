//! Many games of two contestants in all seatings, several at the same time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use anyhow::{Result, anyhow};
use quadrex_engine::Rng;
use quadrex_progress::Progress;
use quadrex_rules::{Color, Variant};

use crate::game::{self, GameResult, Player};
use crate::opening;

/// One of two contestants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// The first contestant. Scores are the scores of this contestant.
    A,
    /// The second.
    B,
}

use Contestant::{A, B};

/// The seats of the contestants. Each opening is played once in every seating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Seats {
    /// Half of the seats for each, in every order: 2 games with two players, 6 with four.
    Half,
    /// One seat for A and all other seats for B. A plays on each seat once: 2 games with two
    /// players, 4 with four.
    One,
}

impl Seats {
    /// Returns the seatings, each with the contestants in turn order.
    #[must_use]
    pub fn seatings(self, variant: Variant) -> Vec<Vec<Contestant>> {
        let players = variant.player_count();
        let seats_of_a = match self {
            Self::Half => players / 2,
            Self::One => 1,
        };
        let seating =
            |mask: u32| (0..players).map(|seat| if mask >> seat & 1 == 1 { A } else { B }).collect();
        (0..1_u32 << players).filter(|mask| mask.count_ones() as usize == seats_of_a).map(seating).collect()
    }
}

/// The settings of a contest.
#[derive(Clone, Copy, Debug)]
pub struct Contest {
    /// The variant.
    pub variant: Variant,
    /// The seats of the contestants.
    pub seats: Seats,
    /// The minimum number of games. More games are played if they are needed to complete the last
    /// round.
    pub games: usize,
    /// The number of games at the same time.
    pub concurrency: usize,
    /// The maximum length of a game in plies, after which it is a draw.
    pub max_plies: usize,
    /// The seed of the openings and of the players' random choices.
    pub seed: u64,
}

/// The games of one opening.
#[derive(Clone, Debug)]
pub struct Round {
    /// The seating and the result of each game.
    pub games: Vec<(Vec<Contestant>, GameResult)>,
}

impl Round {
    /// Returns A's mean share of the first place.
    #[must_use]
    pub fn score(&self) -> f64 {
        let share = |(seating, result): &(Vec<Contestant>, GameResult)| -> f64 {
            let seats = seating.iter().zip(&result.shares);
            seats.filter(|(contestant, _)| **contestant == A).map(|(_, share)| share).sum()
        };
        self.games.iter().map(share).sum::<f64>() / self.games.len() as f64
    }
}

impl Contest {
    /// Plays the games. `start` makes a player for a seat. Games that run at the same time have
    /// separate players. After each round `on_round` receives all rounds so far and the progress
    /// that is shown, and returns whether to continue.
    ///
    /// # Errors
    /// Returns an error if a player cannot be started, or returns no legal move.
    pub fn play<P: Player>(
        &self,
        start: impl Fn(Contestant) -> Result<P> + Sync,
        mut on_round: impl FnMut(&[Round], &Progress) -> bool,
    ) -> Result<Vec<Round>> {
        let seatings = self.seats.seatings(self.variant);
        let count = self.games.div_ceil(seatings.len()) as u64;
        let progress = Progress::of_steps(count * seatings.len() as u64, "games");
        let next = AtomicU64::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (sender, next, seatings, start) = (sender.clone(), &next, &seatings, &start);
                scope.spawn(move || {
                    if let Err(error) = self.work(seatings, count, next, start, &sender) {
                        // A missing receiver means that the contest has ended.
                        drop(sender.send(Err(error)));
                    }
                });
            }
            drop(sender);
            let mut rounds = Vec::new();
            for round in receiver {
                match round {
                    Ok(round) => rounds.push(round),
                    Err(error) => {
                        next.store(count, Ordering::Relaxed);
                        return Err(error);
                    }
                }
                progress.add(seatings.len() as u64);
                if !on_round(&rounds, &progress) {
                    next.store(count, Ordering::Relaxed);
                    break;
                }
            }
            if rounds.is_empty() { Err(anyhow!("expected at least one game")) } else { Ok(rounds) }
        })
    }

    /// Plays rounds until `next` reaches `count`, and sends their results.
    fn work<P: Player>(
        &self,
        seatings: &[Vec<Contestant>],
        count: u64,
        next: &AtomicU64,
        start: &impl Fn(Contestant) -> Result<P>,
        sender: &Sender<Result<Round>>,
    ) -> Result<()> {
        let mut players = Players::start(self.variant, start)?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(());
            }
            let round = players.play_round(self, number, seatings)?;
            if sender.send(Ok(round)).is_err() {
                return Ok(());
            }
        }
    }
}

/// Players of both contestants for every seat. Each has a transposition table of its own.
struct Players<P> {
    of_a: Vec<P>,
    of_b: Vec<P>,
}

impl<P: Player> Players<P> {
    fn start(variant: Variant, start: &impl Fn(Contestant) -> Result<P>) -> Result<Self> {
        let each =
            |contestant| variant.colors().iter().map(|_| start(contestant)).collect::<Result<Vec<P>>>();
        Ok(Self { of_a: each(A)?, of_b: each(B)? })
    }

    fn play_round(&mut self, contest: &Contest, number: u64, seatings: &[Vec<Contestant>]) -> Result<Round> {
        let variant = contest.variant;
        let opening = opening::random(variant, Rng::from_path(&[contest.seed, number]));
        let mut games = Vec::new();
        for (index, seating) in seatings.iter().enumerate() {
            let mut players: Vec<&mut dyn Player> = Vec::new();
            for ((seat, contestant), (a, b)) in
                (0..).zip(seating).zip(self.of_a.iter_mut().zip(&mut self.of_b))
            {
                let player: &mut dyn Player = if *contestant == A { a } else { b };
                let seed = Rng::from_path(&[contest.seed, number, index as u64, seat]).next_u64();
                player.begin(variant, seed)?;
                players.push(player);
            }
            // When all of A's players are eliminated, A's share is certainly 0.
            let is_of_a = |color: Color| seating[color.index()] == A;
            let result = game::play(variant, &opening, &mut players, is_of_a, contest.max_plies)?;
            games.push((seating.clone(), result));
        }
        Ok(Round { games })
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Game, Move};

    use super::*;
    use crate::game::Ending;

    /// A player that plays the first legal move as contestant A, and the last legal move as B.
    struct FixedPlayer(Contestant);

    impl Player for FixedPlayer {
        fn begin(&mut self, _: Variant, _: u64) -> Result<()> {
            Ok(())
        }

        fn choose(&mut self, game: &Game, _: usize) -> Result<Move> {
            let moves = game.position().legal_moves();
            let chosen = if self.0 == A { moves.first() } else { moves.last() };
            chosen.copied().ok_or_else(|| anyhow!("no move"))
        }
    }

    fn contest(variant: Variant, seats: Seats, games: usize) -> Contest {
        Contest { variant, seats, games, concurrency: 2, max_plies: 60, seed: 1 }
    }

    #[test]
    fn a_contestant_has_every_seat_equally_often() {
        for (variant, seats, games, of_a) in [
            (Variant::Classic, Seats::Half, 2, 1),
            (Variant::Classic, Seats::One, 2, 1),
            (Variant::Dilkel, Seats::Half, 6, 3),
            (Variant::Dilkel, Seats::One, 4, 1),
        ] {
            let seatings = seats.seatings(variant);
            assert_eq!(seatings.len(), games);
            for seat in 0..variant.player_count() {
                assert_eq!(seatings.iter().filter(|seating| seating[seat] == A).count(), of_a);
            }
        }
    }

    #[test]
    fn rounds_are_complete_and_do_not_depend_on_the_concurrency() {
        for variant in [Variant::Classic, Variant::Dilkel] {
            let contest = contest(variant, Seats::One, 9);
            let mut results = [1, 2].map(|concurrency| {
                let contest = Contest { concurrency, ..contest };
                let rounds = contest.play(|contestant| Ok(FixedPlayer(contestant)), |_, _| true).unwrap();
                assert!(rounds.iter().all(|round| round.games.len() == variant.player_count()));
                rounds.iter().map(|round| format!("{:?}", round.games)).collect::<Vec<_>>()
            });
            results.iter_mut().for_each(|rounds| rounds.sort());
            assert_eq!(results[0].len(), 9_usize.div_ceil(variant.player_count()));
            assert_eq!(results[0], results[1]);
        }
    }

    #[test]
    fn a_callback_or_a_failed_player_ends_a_contest() {
        let contest = contest(Variant::Classic, Seats::Half, 1000);
        let start = |contestant| Ok(FixedPlayer(contestant));
        let rounds = contest.play(start, |rounds, _| rounds.len() < 3).unwrap();
        assert_eq!(rounds.len(), 3);
        let error = contest.play(|_| Err::<FixedPlayer, _>(anyhow!("no engine")), |_, _| true).unwrap_err();
        assert_eq!(error.to_string(), "no engine");
    }

    #[test]
    fn the_score_is_the_mean_share_of_a() {
        let result = GameResult { shares: vec![0.5, 0.5, 0.0, 0.0], ending: Ending::MaxPlies, plies: 1 };
        let round = Round { games: vec![(vec![A, B, A, B], result.clone()), (vec![B, B, A, A], result)] };
        assert_eq!(round.score(), 0.25);
    }
}
