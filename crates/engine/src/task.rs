//! What is asked of a search.

use std::time::Duration;

use quadrex_rules::{AnyPosition, Game, Move};

use crate::evaluation::{Valued, Weight};
use crate::fit::Weights;
use crate::level::Level;

/// How much may be looked at. Whatever is reached first ends the search; without any limit only
/// [`Watch::is_stopped`] does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies looked ahead before captures alone are followed; at least one is.
    pub depth: Option<u32>,
    /// Positions looked at, in all threads together. At least one ply is looked at in any case.
    pub nodes: Option<u64>,
    /// Moves of the player to move within which it is to mate: found, the search ends.
    pub mate: Option<u32>,
    /// After this time no deeper look is begun; a search that is sure of its move ends earlier, one in doubt later.
    pub soft: Option<Duration>,
    /// After this time the search is broken off.
    pub hard: Option<Duration>,
}

/// How more than two players are taken to play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// All opponents play against the one who asks.
    #[default]
    Paranoid,
    /// Between two moves of the one who asks only one opponent moves, the one that does it the most harm.
    BestReply,
    /// Everybody plays for itself.
    MaxN,
}

/// A position to choose a move in.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// Keys ([`AnyPosition::hash`]) of the positions since the last pawn move, capture or going out, oldest first,
    /// without the present one: what comes again is a step toward a draw (G10).
    pub earlier: &'a [u64],
    /// The moves to choose among; none for every legal one.
    pub moves: &'a [Move],
    /// How many of the best moves are told, each with its line; 0 is taken as 1.
    pub lines: usize,
    /// Threads that search; 0 is taken as 1. They live no longer than the search.
    pub threads: usize,
    /// How well it plays.
    pub level: Level,
    /// How more than two players are taken to play.
    pub strategy: Strategy,
    /// What a level below the highest draws its mistakes from; the same seed gives the same ones.
    pub seed: u64,
    /// When to end.
    pub limits: Limits,
    /// What the terms of the position's variant count for, in place of what the level goes by. A table keeps scores of the
    /// one and of the other alike: an engine is to be asked with the same ones until it is cleared.
    pub weights: Option<&'a Weights>,
}

impl<'a> Task<'a> {
    /// The best move of a position, by one thread at full strength.
    #[must_use]
    pub fn new(position: &'a AnyPosition, limits: Limits) -> Self {
        let (earlier, moves): (&[u64], &[Move]) = (&[], &[]);
        Self {
            position,
            earlier,
            moves,
            lines: 1,
            threads: 1,
            level: Level::FULL,
            strategy: Strategy::default(),
            seed: 0,
            limits,
            weights: None,
        }
    }

    /// What it goes by.
    pub(crate) fn goes_by<V: Valued>(&self) -> &'a [Weight] {
        self.weights.map_or_else(|| V::weights(self.level.knowledge()), |weights| &weights.0)
    }

    /// The same for the position a game has come to, with what has occurred in it.
    #[must_use]
    pub fn of_game(game: &'a Game, limits: Limits) -> Self {
        Self { earlier: game.earlier_keys(), ..Self::new(game.position(), limits) }
    }
}

/// Time as far as a search knows it. Asked every few thousand nodes.
pub trait Watch: Sync {
    /// How long the search has gone on.
    fn elapsed(&self) -> Duration;

    /// Whether it is to end now.
    fn is_stopped(&self) -> bool;
}

/// No time passes: only depth, nodes and mates end a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Untimed;

impl Watch for Untimed {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn is_stopped(&self) -> bool {
        false
    }
}
