//! Analyses: the best moves of any position, for people. The threads of the bots make them while no
//! table needs them.

use std::sync::Arc;
use std::time::Duration;

use quadrex_engine::{Level, Limits, Line, Score};
use quadrex_protocol::UserId;
use quadrex_protocol::analysis::{Analysis, AnalysisLine, AnalysisMove, AnalysisScore};
use quadrex_rules::notation::move_text;
use quadrex_rules::{AnyPosition, Color, Game};
use tokio::time::timeout;

use super::analysis_cache::{AnalysisCache, Question};
use super::analysis_permits::{AnalysisPermit, AnalysisPermits, NoPermit};
use super::pool::{Pool, Search, Urgency};
use crate::config::AnalysisConfig;

/// The time beyond its search time that a client waits for an analysis whose thread is needed
/// elsewhere.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(15);

/// The largest number of moves in a line: expected moves further on seldom come.
const MAX_LINE_MOVES: usize = 12;

/// The effort of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The number of best moves; 1 if not given.
    pub lines: Option<u32>,
    /// The largest number of positions to search; the configured maximum if not given.
    pub nodes: Option<u32>,
}

/// The reason why there is no analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The settings allow none.
    #[error("this server makes no analyses")]
    Off,
    /// A number is out of range.
    #[error("{what} must be 1 to {most}, not {asked}")]
    OutOfRange {
        /// The name of the number.
        what: &'static str,
        /// Its value.
        asked: u32,
        /// The largest allowed value.
        most: u32,
    },
    /// The game is over.
    #[error("the game is over in this position: there is no move to look for")]
    Over,
    /// The user has other analyses under way.
    #[error("your analyses before this one are not done yet; ask again when they are")]
    TooManyOwn,
    /// Too many wait, or tables need the threads all the time.
    #[error("the engine has too much to do just now; ask again in a moment")]
    Busy,
    /// The engine panicked: a fault, which is logged already.
    #[error("the engine broke over a position")]
    Broken,
}

/// Analyses with a cache.
#[derive(Debug)]
pub(super) struct Analyses {
    config: AnalysisConfig,
    permits: AnalysisPermits,
    cache: AnalysisCache,
}

impl Analyses {
    pub(super) fn new(config: AnalysisConfig) -> Self {
        Self { permits: AnalysisPermits::new(config.places), cache: AnalysisCache::new(config.kept), config }
    }

    /// Analyses the position of a game. Dropping the future cancels the search, unless others wait
    /// for the same one.
    pub(super) async fn of(
        &self,
        pool: &Pool,
        game: &Game,
        effort: Effort,
        by: UserId,
    ) -> Result<Arc<Analysis>, AnalysisError> {
        if self.config.places == 0 {
            return Err(AnalysisError::Off);
        }
        let question = self.question(game, effort)?;
        let answer = self.cache.answer(question.clone());
        let search = async {
            let permit = self.permit(by)?;
            self.search(pool, game.position(), question, by, permit).await.map(Arc::new)
        };
        // Equal requests wait for this one, and search themselves if this one is dropped.
        answer.get_or_try_init(|| search).await.cloned()
    }

    fn question(&self, game: &Game, effort: Effort) -> Result<Question, AnalysisError> {
        let lines = within("lines", effort.lines.unwrap_or(1), self.config.lines)?;
        let nodes = within("nodes", effort.nodes.unwrap_or(self.config.nodes), self.config.nodes)?;
        if game.is_over() {
            return Err(AnalysisError::Over);
        }
        Ok(Question {
            variant: game.position().variant(),
            fen: game.setup().to_string(),
            earlier: game.earlier_keys().to_vec(),
            lines: lines as usize,
            nodes: nodes.into(),
        })
    }

    fn permit(&self, by: UserId) -> Result<AnalysisPermit, AnalysisError> {
        self.permits.acquire(by).map_err(|none| match none {
            NoPermit::Own => AnalysisError::TooManyOwn,
            NoPermit::Any => AnalysisError::Busy,
        })
    }

    /// Searches on a thread of the pool while the permit is in use.
    async fn search(
        &self,
        pool: &Pool,
        position: &AnyPosition,
        question: Question,
        by: UserId,
        _permit: AnalysisPermit,
    ) -> Result<Analysis, AnalysisError> {
        let hard = self.config.think;
        let searching = pool.search(Search {
            position: position.clone(),
            earlier: question.earlier,
            level: Level::FULL,
            seed: 0,
            limits: Limits { nodes: Some(question.nodes), hard: Some(hard), ..Limits::default() },
            lines: question.lines,
            urgency: Urgency::Analysis,
            account: by,
        });
        let found =
            timeout(hard + QUEUE_TIMEOUT, searching.found()).await.map_err(|_| AnalysisError::Busy)?;
        let report = found.ok_or(AnalysisError::Broken)?.report;
        Ok(Analysis {
            variant: position.variant(),
            turn: position.turn(),
            depth: report.depth,
            nodes: report.nodes,
            lines: report.lines.iter().map(|line| view_of(line, position)).collect(),
        })
    }
}

fn within(what: &'static str, asked: u32, most: u32) -> Result<u32, AnalysisError> {
    if (1..=most).contains(&asked) { Ok(asked) } else { Err(AnalysisError::OutOfRange { what, asked, most }) }
}

/// Returns a line for the wire.
fn view_of(line: &Line, position: &AnyPosition) -> AnalysisLine {
    let mut at = position.clone();
    let moves = line.moves.iter().take(MAX_LINE_MOVES).map(|&mv| {
        let view = AnalysisMove { color: at.turn(), mv, notation: move_text(&at, mv) };
        at.play(mv);
        view
    });
    let moves = moves.collect();
    AnalysisLine {
        scores: scores(line, position).collect(),
        chances: line.win_probabilities(position).into_iter().collect(),
        moves,
    }
}

/// Returns the score of each player. Between two it follows from the score of the player to move;
/// among more, the own mate is given, and else the value of the line to each when everybody plays
/// for themselves.
fn scores(line: &Line, position: &AnyPosition) -> impl Iterator<Item = (Color, AnalysisScore)> {
    let turn = position.turn();
    let is_between_two = position.players_in().count() == 2;
    let players: Vec<Color> = position.players_in().collect();
    players.into_iter().filter_map(move |color| {
        let is_own = color == turn;
        let score = match line.score {
            Score::Mate(moves) if is_own || is_between_two => {
                let count = moves.unsigned_abs().max(1);
                let mates = (moves > 0) == is_own;
                if mates {
                    AnalysisScore::Mates { moves: count }
                } else {
                    AnalysisScore::Mated { moves: count }
                }
            }
            Score::Centipawns(points) if is_between_two => {
                AnalysisScore::Points { centipawns: if is_own { points } else { -points } }
            }
            Score::Centipawns(_) | Score::Mate(_) => {
                let worth = line.seats.iter().find(|(seat, _)| *seat == color);
                AnalysisScore::Points { centipawns: worth?.1 }
            }
        };
        Some((color, score))
    })
}

#[cfg(test)]
mod tests;
