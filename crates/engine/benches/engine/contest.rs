//! Many games of two contestants, in all seatings, side by side.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use quadrex_rules::{Color, Variant};

use super::game::{self, Finished, Player};
use super::opening;
use super::random::Random;

/// Who of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contestant {
    A,
    B,
}

use Contestant::{A, B};

/// Who has which seats of one opening, each a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Seats {
    /// Half of them each, in every way there is: 2 games of two players, 6 of four
    Half,
    /// One against all others, on each seat once: 2 games of two players, 4 of four
    One,
}

impl Seats {
    /// Who has each seat, in turn order, in each of the games.
    pub(crate) fn seatings(self, variant: Variant) -> Vec<Vec<Contestant>> {
        let players = variant.player_count();
        let held = match self {
            Self::Half => players / 2,
            Self::One => 1,
        };
        let seating =
            |mask: u32| (0..players).map(|seat| if mask >> seat & 1 == 1 { A } else { B }).collect();
        (0..1_u32 << players).filter(|mask| mask.count_ones() as usize == held).map(seating).collect()
    }
}

/// What is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contest {
    pub variant: Variant,
    pub seats: Seats,
    /// At least so many games; the last round is played to its end.
    pub games: usize,
    /// Games at the same time.
    pub concurrency: usize,
    /// Where a game is cut off, in plies.
    pub longest: usize,
    /// What the openings, and the chance in players, are drawn from.
    pub seed: u64,
}

/// The games of one opening, with A's part of the first places.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub games: Vec<(Vec<Contestant>, Finished)>,
}

impl Round {
    /// The mean of what A's seats have of the first place together.
    pub(crate) fn score(&self) -> f64 {
        self.games.iter().map(Self::share).sum::<f64>() / self.games.len() as f64
    }

    /// What A's seats have of the first place in a game.
    pub(crate) fn share((seating, finished): &(Vec<Contestant>, Finished)) -> f64 {
        let seats = seating.iter().zip(&finished.shares);
        seats.filter(|(who, _)| **who == A).map(|(_, share)| share).sum()
    }
}

impl Contest {
    /// Plays. `make` starts a player for a seat; each game at a time has players of its own. `heard` is told of all
    /// rounds so far after each, and says whether to go on.
    ///
    /// # Errors
    /// When a player cannot be started or does not play.
    pub(crate) fn play<P: Player>(
        &self,
        make: impl Fn(Contestant) -> Result<P> + Sync,
        mut heard: impl FnMut(&[Round]) -> bool,
    ) -> Result<Vec<Round>> {
        let seatings = self.seats.seatings(self.variant);
        let count = self.games.div_ceil(seatings.len()) as u64;
        let progress = progress(count * seatings.len() as u64);
        let next = AtomicU64::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (sender, next, seatings, make) = (sender.clone(), &next, &seatings, &make);
                scope.spawn(move || {
                    let work = || -> Result<()> {
                        let mut table = Table::new(self.variant, make)?;
                        loop {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            if number >= count {
                                return Ok(());
                            }
                            let round = table.round(self, number, seatings)?;
                            if sender.send(Ok(round)).is_err() {
                                return Ok(());
                            }
                        }
                    };
                    if let Err(error) = work() {
                        // Without a listener there is nobody left to tell.
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
                progress.inc(seatings.len() as u64);
                if !progress.suspend(|| heard(&rounds)) {
                    next.store(count, Ordering::Relaxed);
                    break;
                }
            }
            if rounds.is_empty() { Err(anyhow!("no game was asked for")) } else { Ok(rounds) }
        })
    }
}

/// The progress through so many games, on standard error while that is a terminal.
fn progress(games: u64) -> ProgressBar {
    let template = "games [{wide_bar}] {pos}/{len}  {per_sec}  {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let bar = bar.with_style(style.progress_chars("=> ")).with_finish(ProgressFinish::AndClear);
    if !bar.is_hidden() {
        bar.tick();
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

/// Players of both contestants for every seat, so that none remembers another's thoughts.
struct Table<P> {
    of_a: Vec<P>,
    of_b: Vec<P>,
}

impl<P: Player> Table<P> {
    fn new(variant: Variant, make: &impl Fn(Contestant) -> Result<P>) -> Result<Self> {
        let each = |who| variant.colors().iter().map(|_| make(who)).collect::<Result<Vec<P>>>();
        Ok(Self { of_a: each(A)?, of_b: each(B)? })
    }

    fn round(&mut self, contest: &Contest, number: u64, seatings: &[Vec<Contestant>]) -> Result<Round> {
        let variant = contest.variant;
        let opening = opening::random(variant, Random::of(&[contest.seed, number]));
        let mut games = Vec::new();
        for (index, seating) in seatings.iter().enumerate() {
            let mut players: Vec<&mut dyn Player> = Vec::new();
            for ((seat, who), (a, b)) in (0..).zip(seating).zip(self.of_a.iter_mut().zip(&mut self.of_b)) {
                let player: &mut dyn Player = if *who == A { a } else { b };
                player.begin(variant, Random::of(&[contest.seed, number, index as u64, seat]).next())?;
                players.push(player);
            }
            // Once A has nobody in any more it has no part of the first place, whoever has it.
            let is_of_a = |color: Color| seating[color.index()] == A;
            let finished = game::play(variant, &opening, &mut players, is_of_a, contest.longest)?;
            games.push((seating.clone(), finished));
        }
        Ok(Round { games })
    }
}
