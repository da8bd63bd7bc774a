//! Analyses, which show people the best moves of a position. The bots' search threads make the
//! analyses while no table needs the threads.

use std::sync::Arc;
use std::time::Duration;

use quadrex_engine::{Level, Limits, Line, Score};
use quadrex_protocol::UserId;
use quadrex_protocol::analysis::{Analysis, AnalysisLine, AnalysisMove, AnalysisScore};
use quadrex_rules::notation::move_text;
use quadrex_rules::{AnyPosition, Color, Game};
use tokio::time::timeout;

use super::analysis_cache::{AnalysisCache, AnalysisKey};
use super::analysis_permits::{AnalysisPermit, AnalysisPermits, NoPermit};
use super::pool::{Pool, Search, Urgency};
use crate::config::AnalysisConfig;

/// The time that a request may wait in addition to the time of the search itself, because tables
/// may need the threads first.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(15);

/// The largest number of moves of a line that are returned. Moves further ahead are seldom
/// predicted correctly.
const MAX_LINE_MOVES: usize = 12;

/// The effort that a user requests for an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The number of best moves to find; `None` for one.
    pub lines: Option<u32>,
    /// The largest number of positions to search; `None` for the maximum in the settings.
    pub nodes: Option<u32>,
}

/// The reason for which there is no analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The settings allow no analyses.
    #[error("this server makes no analyses")]
    Off,
    /// A number in the request is out of range.
    #[error("{what} must be 1 to {most}, not {asked}")]
    OutOfRange {
        /// The name of the number.
        what: &'static str,
        /// The requested value.
        asked: u32,
        /// The largest allowed value.
        most: u32,
    },
    /// The game is over, so there is nothing to analyse.
    #[error("the game is over in this position: there is no move to look for")]
    Over,
    /// The user's earlier analyses are not done yet.
    #[error("your analyses before this one are not done yet; ask again when they are")]
    UserLimit,
    /// Too many analyses wait, or tables need the threads all the time.
    #[error("the engine has too much to do just now; ask again in a moment")]
    Busy,
    /// The engine panicked. The panic is logged already.
    #[error("the engine broke over a position")]
    Broken,
}

/// The service that makes analyses and caches them.
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

    /// Analyses the position of a game for the user `by`. Dropping the future cancels the search,
    /// unless other requests wait for the same analysis.
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
        let key = self.key(game, effort)?;
        let cell = self.cache.cell(key.clone());
        let search = async {
            let permit = self.permit(by)?;
            self.search(pool, game.position(), key, by, permit).await.map(Arc::new)
        };
        // Other requests with the same key wait for this search. If this future is dropped, one of
        // those requests makes the search.
        cell.get_or_try_init(|| search).await.cloned()
    }

    fn key(&self, game: &Game, effort: Effort) -> Result<AnalysisKey, AnalysisError> {
        let lines = within("lines", effort.lines.unwrap_or(1), self.config.lines)?;
        let nodes = within("nodes", effort.nodes.unwrap_or(self.config.nodes), self.config.nodes)?;
        if game.is_over() {
            return Err(AnalysisError::Over);
        }
        Ok(AnalysisKey {
            variant: game.position().variant(),
            fen: game.setup().to_string(),
            earlier: game.earlier_keys().to_vec(),
            lines: lines as usize,
            nodes: nodes.into(),
        })
    }

    fn permit(&self, by: UserId) -> Result<AnalysisPermit, AnalysisError> {
        self.permits.acquire(by).map_err(|no_permit| match no_permit {
            NoPermit::UserLimit => AnalysisError::UserLimit,
            NoPermit::TotalLimit => AnalysisError::Busy,
        })
    }

    /// Searches on a thread of the pool. The permit is released when the search ends.
    async fn search(
        &self,
        pool: &Pool,
        position: &AnyPosition,
        key: AnalysisKey,
        by: UserId,
        _permit: AnalysisPermit,
    ) -> Result<Analysis, AnalysisError> {
        let time_limit = self.config.think;
        let searching = pool.search(Search {
            position: position.clone(),
            earlier: key.earlier,
            root_moves: Vec::new(),
            level: Level::FULL,
            seed: 0,
            limits: Limits { nodes: Some(key.nodes), hard: Some(time_limit), ..Limits::default() },
            lines: key.lines,
            urgency: Urgency::Analysis,
            requester: by,
        });
        let result =
            timeout(time_limit + QUEUE_TIMEOUT, searching.result()).await.map_err(|_| AnalysisError::Busy)?;
        let report = result.ok_or(AnalysisError::Broken)?.report;
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

/// Returns a line of moves in its form on the wire.
pub(super) fn view_of(line: &Line, position: &AnyPosition) -> AnalysisLine {
    let mut position_before = position.clone();
    let moves = line.moves.iter().take(MAX_LINE_MOVES).map(|&mv| {
        let notation = move_text(&position_before, mv);
        let view = AnalysisMove { color: position_before.turn(), mv, notation };
        position_before.play(mv);
        view
    });
    let moves = moves.collect();
    AnalysisLine {
        scores: scores(line, position).collect(),
        chances: line.win_probabilities(position).into_iter().collect(),
        moves,
    }
}

/// Returns the score of a line for each player.
///
/// With two players, the score of the player to move is the opposite of the other player's score.
/// With more players, a mate is only reported for the player to move. Every other score is the
/// value that the line has for a player if all players maximize their own value.
fn scores(line: &Line, position: &AnyPosition) -> impl Iterator<Item = (Color, AnalysisScore)> {
    let turn = position.turn();
    let is_between_two = position.active_players().count() == 2;
    let players: Vec<Color> = position.active_players().collect();
    players.into_iter().filter_map(move |color| {
        let is_to_move = color == turn;
        let score = match line.score {
            Score::Mate(moves) if is_to_move || is_between_two => {
                let count = moves.unsigned_abs().max(1);
                let mates = (moves > 0) == is_to_move;
                if mates {
                    AnalysisScore::Mates { moves: count }
                } else {
                    AnalysisScore::Mated { moves: count }
                }
            }
            Score::Centipawns(points) if is_between_two => {
                AnalysisScore::Points { centipawns: if is_to_move { points } else { -points } }
            }
            Score::Centipawns(_) | Score::Mate(_) => {
                let (_, centipawns) = *line.seats.iter().find(|(seat, _)| *seat == color)?;
                AnalysisScore::Points { centipawns }
            }
        };
        Some((color, score))
    })
}

#[cfg(test)]
mod tests;
