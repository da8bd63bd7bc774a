//! The engine of this build as a player.

use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_engine::tuning::Weights;
use quadrex_engine::{Engine, Level, Limits, Rng, SearchRequest, Strategy, Untimed};
use quadrex_rules::{Game, Move, Variant};

use crate::game::Player;
use crate::stopwatch::Stopwatch;

/// The size of the transposition table in MiB, enough for the short searches of a tournament.
const HASH_MIB: usize = 8;

/// The engine of this build at a level, with the same limit for every move.
#[derive(Debug)]
pub struct BuiltInPlayer {
    engine: Engine,
    level: Level,
    limits: Limits,
    strategy: Strategy,
    weights: Option<Weights>,
    seed: u64,
}

impl BuiltInPlayer {
    /// Returns a player with a node limit, which plays the same moves on every machine.
    #[must_use]
    pub fn with_nodes(level: Level, nodes: u64) -> Self {
        Self::new(level, Limits { nodes: Some(nodes), ..Limits::default() })
    }

    /// Returns a player with a time limit for each move.
    #[must_use]
    pub fn with_time(level: Level, time: Duration) -> Self {
        Self::new(level, Limits { hard: Some(time), ..Limits::default() })
    }

    fn new(level: Level, limits: Limits) -> Self {
        let (engine, strategy) = (Engine::new(HASH_MIB), Strategy::default());
        Self { engine, level, limits, strategy, weights: None, seed: 0 }
    }

    /// Returns the player with another search model for four players.
    #[must_use]
    pub fn with_strategy(self, strategy: Strategy) -> Self {
        Self { strategy, ..self }
    }

    /// Replaces the weights of the evaluation from the next game on.
    pub fn set_weights(&mut self, weights: Weights) {
        self.weights = Some(weights);
    }
}

impl Player for BuiltInPlayer {
    fn begin(&mut self, _: Variant, seed: u64) -> Result<()> {
        self.engine.clear();
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &Game, ply: usize) -> Result<Move> {
        let seed = Rng::from_path(&[self.seed, ply as u64]).next_u64();
        let request = SearchRequest {
            level: self.level,
            strategy: self.strategy,
            weights: self.weights.as_ref(),
            seed,
            ..SearchRequest::of_game(game, self.limits)
        };
        let result = match self.limits.hard {
            None => self.engine.search(&request, &Untimed, &mut |_| ()),
            Some(_) => self.engine.search(&request, &Stopwatch::start(), &mut |_| ()),
        };
        result.best.with_context(|| format!("the engine found no move in {}", game.setup()))
    }
}
