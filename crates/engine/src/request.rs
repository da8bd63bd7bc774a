//! Requests for a search.

use std::time::Duration;

use quadrex_rules::{AnyPosition, Game, Move};

use crate::evaluation::{Evaluate, Weight};
use crate::level::Level;
use crate::tuning::Weights;

/// The limits of a search. The search ends when it reaches the first of these limits. Without any
/// limit, only [`SearchControl::is_stopped`] ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The depth of the search in plies, before quiescence search; at least 1.
    pub depth: Option<u32>,
    /// The number of nodes of all threads together. Depth 1 is always completed.
    pub nodes: Option<u64>,
    /// The number of own moves within which a mate is searched for. The search ends when the mate
    /// is found or disproved.
    pub mate: Option<u32>,
    /// The time after which no deeper iteration starts. This time is shortened while the best move
    /// stays the same, and extended while the best move changes.
    pub soft: Option<Duration>,
    /// The time after which the search is stopped.
    pub hard: Option<Duration>,
}

/// The assumption about the opponents in a search with more than two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// All opponents play against the player to move.
    #[default]
    Paranoid,
    /// Between two moves of the player to move only one opponent moves: the opponent whose reply is
    /// the worst for the player.
    BestReply,
    /// Every player maximises its own score.
    MaxN,
}

/// A position to search, and the parameters of the search.
#[derive(Clone, Debug)]
pub struct SearchRequest<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// The hashes ([`AnyPosition::hash`]) of the positions since the last pawn move, capture or
    /// elimination, oldest first, without the present position. A return to one of these positions
    /// is a repetition (rule G10).
    pub earlier: &'a [u64],
    /// The moves of the position to choose from; empty for every legal move.
    pub root_moves: &'a [Move],
    /// The number of best moves to report, each with its principal variation. 0 means 1.
    pub lines: usize,
    /// The number of search threads. 0 means 1.
    pub threads: usize,
    /// The playing strength.
    pub level: Level,
    /// The model of the opponents.
    pub strategy: Strategy,
    /// The seed of the random numbers for the mistakes of levels below the highest.
    pub seed: u64,
    /// The limits of the search.
    pub limits: Limits,
    /// The evaluation weights, if they differ from the weights of the level. Clear the engine
    /// before a request with other weights, because the transposition table does not distinguish
    /// the scores of different weights.
    pub weights: Option<&'a Weights>,
}

impl<'a> SearchRequest<'a> {
    /// Creates a request for the best move of a position, by one thread at full strength.
    #[must_use]
    pub fn new(position: &'a AnyPosition, limits: Limits) -> Self {
        let (earlier, root_moves): (&[u64], &[Move]) = (&[], &[]);
        Self {
            position,
            earlier,
            root_moves,
            lines: 1,
            threads: 1,
            level: Level::FULL,
            strategy: Strategy::default(),
            seed: 0,
            limits,
            weights: None,
        }
    }

    /// Returns the evaluation weights in use.
    pub(crate) fn weights_in_use<V: Evaluate>(&self) -> &'a [Weight] {
        self.weights.map_or_else(|| V::weights(self.level.evaluation_set()), |weights| &weights.0)
    }

    /// Creates a request for the present position of a game, with the earlier positions for the
    /// detection of repetitions.
    #[must_use]
    pub fn of_game(game: &'a Game, limits: Limits) -> Self {
        Self { earlier: game.earlier_keys(), ..Self::new(game.position(), limits) }
    }
}

/// The clock and stop flag of a search, checked every few hundred nodes.
pub trait SearchControl: Sync {
    /// Returns the time since the search began.
    fn elapsed(&self) -> Duration;

    /// Returns true if the search should end now.
    fn is_stopped(&self) -> bool;
}

/// A control without a clock: only depth, nodes and mates end a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Untimed;

impl SearchControl for Untimed {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn is_stopped(&self) -> bool {
        false
    }
}
