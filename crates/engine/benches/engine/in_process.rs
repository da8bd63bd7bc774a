//! The engine of this build as a player.

use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_engine::tuning::Weights;
use quadrex_engine::{Engine, Level, Limits, SearchRequest, Strategy, Untimed};
use quadrex_rules::{Game, Move, Variant};

use super::game::Player;
use super::random::Random;
use super::stopwatch::Stopwatch;

/// Its table, in MiB: room for what is looked at here between two moves.
const TABLE_MIB: usize = 8;

/// The engine at a level, with the same for each move.
pub(crate) struct InProcess {
    engine: Engine,
    level: Level,
    limits: Limits,
    strategy: Strategy,
    weights: Option<Weights>,
    seed: u64,
}

impl InProcess {
    /// With a limit of nodes it is the same on every machine.
    pub(crate) fn with_nodes(level: Level, nodes: u64) -> Self {
        Self::new(level, Limits { nodes: Some(nodes), ..Limits::default() })
    }

    /// With so much time for each move.
    pub(crate) fn with_time(level: Level, each: Duration) -> Self {
        Self::new(level, Limits { hard: Some(each), ..Limits::default() })
    }

    fn new(level: Level, limits: Limits) -> Self {
        let (engine, strategy) = (Engine::new(TABLE_MIB), Strategy::default());
        Self { engine, level, limits, strategy, weights: None, seed: 0 }
    }

    /// The same with another way to take four players' play into account.
    pub(crate) fn with_strategy(self, strategy: Strategy) -> Self {
        Self { strategy, ..self }
    }

    /// Gives it, from the next game on, other weights of what counts on the board.
    pub(crate) fn use_weights(&mut self, weights: Weights) {
        self.weights = Some(weights);
    }
}

impl Player for InProcess {
    fn begin(&mut self, _: Variant, seed: u64) -> Result<()> {
        self.engine.clear();
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &Game, moves: &[Move]) -> Result<Move> {
        let seed = Random::of(&[self.seed, moves.len() as u64]).next();
        let task = SearchRequest {
            level: self.level,
            strategy: self.strategy,
            weights: self.weights.as_ref(),
            seed,
            ..SearchRequest::of_game(game, self.limits)
        };
        let found = match self.limits.hard {
            None => self.engine.search(&task, &Untimed, &mut |_| ()),
            Some(_) => self.engine.search(&task, &Stopwatch::start(), &mut |_| ()),
        };
        found.best.with_context(|| format!("the engine found no move in {}", game.setup()))
    }
}
