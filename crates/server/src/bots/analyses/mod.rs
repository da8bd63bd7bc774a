//! Analyses: the best moves of any position, for people who look at it. The threads that look for the bots' moves do it
//! while no table wants them.

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

/// How much longer than its own time somebody waits for an analysis whose thread is wanted elsewhere.
const PATIENCE: Duration = Duration::from_secs(15);

/// Moves of a line that are told: what is expected further on seldom comes.
const LONGEST_LINE: usize = 12;

/// How closely a position is to be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closeness {
    /// How many of the best moves are told; 1 if not given.
    pub lines: Option<u32>,
    /// How many positions are looked at, at most; as many as may be if not given.
    pub nodes: Option<u32>,
}

/// Why there is no analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The settings allow none.
    #[error("this server makes no analyses")]
    Off,
    /// A number is not one of those that may be asked for.
    #[error("{what} must be 1 to {most}, not {asked}")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// What was asked for.
        asked: u32,
        /// The highest.
        most: u32,
    },
    /// There is nothing to play.
    #[error("the game is over in this position: there is no move to look for")]
    Over,
    /// The user has asked for others that are not answered yet.
    #[error("your analyses before this one are not done yet; ask again when they are")]
    TooManyOwn,
    /// Too many wait, or the threads are wanted at tables all the time.
    #[error("the engine has too much to do just now; ask again in a moment")]
    Busy,
    /// The engine gave no answer: a fault of ours, in the log already.
    #[error("the engine broke over a position")]
    Broken,
}

/// Makes analyses, and keeps them for a while.
#[derive(Debug)]
pub(super) struct Analyses {
    config: AnalysisConfig,
    places: AnalysisPermits,
    shelf: AnalysisCache,
}

impl Analyses {
    pub(super) fn new(config: AnalysisConfig) -> Self {
        Self { places: AnalysisPermits::new(config.places), shelf: AnalysisCache::new(config.kept), config }
    }

    /// What the engine thinks of the position a game has come to. Dropped, it is given up, unless others wait for the same.
    pub(super) async fn of(
        &self,
        pool: &Pool,
        game: &Game,
        closeness: Closeness,
        by: UserId,
    ) -> Result<Arc<Analysis>, AnalysisError> {
        if self.config.places == 0 {
            return Err(AnalysisError::Off);
        }
        let question = self.question(game, closeness)?;
        let answer = self.shelf.answer(question.clone());
        let looking = async {
            let place = self.place(by)?;
            self.look(pool, game.position(), question, by, place).await.map(Arc::new)
        };
        // Who asks the same meanwhile waits for this one, and goes on by itself if this one is given up.
        answer.get_or_try_init(|| looking).await.cloned()
    }

    fn question(&self, game: &Game, closeness: Closeness) -> Result<Question, AnalysisError> {
        let lines = within("lines", closeness.lines.unwrap_or(1), self.config.lines)?;
        let nodes = within("nodes", closeness.nodes.unwrap_or(self.config.nodes), self.config.nodes)?;
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

    fn place(&self, by: UserId) -> Result<AnalysisPermit, AnalysisError> {
        self.places.take(by).map_err(|none| match none {
            NoPermit::Own => AnalysisError::TooManyOwn,
            NoPermit::Any => AnalysisError::Busy,
        })
    }

    /// Has a thread look, for as long as the place is held.
    async fn look(
        &self,
        pool: &Pool,
        position: &AnyPosition,
        question: Question,
        by: UserId,
        _place: AnalysisPermit,
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
        let found = timeout(hard + PATIENCE, searching.found()).await.map_err(|_| AnalysisError::Busy)?;
        let report = found.ok_or(AnalysisError::Broken)?.report;
        Ok(Analysis {
            variant: position.variant(),
            turn: position.turn(),
            depth: report.depth,
            nodes: report.nodes,
            lines: report.lines.iter().map(|line| told(line, position)).collect(),
        })
    }
}

fn within(what: &'static str, asked: u32, most: u32) -> Result<u32, AnalysisError> {
    if (1..=most).contains(&asked) { Ok(asked) } else { Err(AnalysisError::OutOfRange { what, asked, most }) }
}

/// A line of a position as it is told.
fn told(line: &Line, position: &AnyPosition) -> AnalysisLine {
    let mut at = position.clone();
    let moves = line.moves.iter().take(LONGEST_LINE).map(|&mv| {
        let told = AnalysisMove { color: at.turn(), mv, notation: move_text(&at, mv) };
        at.play(mv);
        told
    });
    let moves = moves.collect();
    AnalysisLine {
        scores: scores(line, position).collect(),
        chances: line.win_probabilities(position).into_iter().collect(),
        moves,
    }
}

/// How each player stands. Between two it follows from the score of the one to move; among more that one's own mate is told,
/// and else what the line is worth to each when everybody plays for itself.
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
