//! Playing strength.

use std::fmt;

use crate::evaluation::EvaluationSet;
use crate::rng::Rng;

/// A playing strength, from a beginner (1) to the full engine (8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The error for a number that is not a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelError(pub u8);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a level: expected 1 to {}", self.0, Level::FULL.0)
    }
}

impl std::error::Error for LevelError {}

impl Level {
    /// The lowest level.
    pub const LOWEST: Self = Self(1);

    /// Full strength.
    pub const FULL: Self = Self(8);

    /// Returns every level, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::FULL.0).map(Self)
    }

    /// Returns the level's number, 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The handicap of a level.
///
/// The handicap becomes smaller as pieces leave the board. A weak player who has won the middle
/// game can therefore still mate, and games of four weak players do not all end in draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelProfile {
    /// The number of nodes per move on a full board.
    nodes: u64,
    /// The number of blunders per thousand moves on a full board.
    blunders: u64,
    /// The number of greedy blunders per thousand blunders.
    greedy: u64,
}

/// The profiles of all levels except the highest, beginning with the lowest.
///
/// The values were found in tournaments of one player against three equal players (`cargo xtask
/// bench engine -- levels`). With half the blunders and twice the nodes a player is about one level
/// stronger: it reaches first place in 40 % of the games. Two other handicaps made little
/// difference: overlooking opponents' pieces, and noise on the scores.
///
/// In 400 games against three players of the level below, each level finished first alone in 41 to
/// 44 %. Level 7 was measured in 800 games, and full strength with 30,000 nodes a move.
const PROFILES: [LevelProfile; 7] = [
    LevelProfile { nodes: 70, blunders: 1_000, greedy: 1_000 },
    LevelProfile { nodes: 240, blunders: 962, greedy: 190 },
    LevelProfile { nodes: 340, blunders: 730, greedy: 20 },
    LevelProfile { nodes: 660, blunders: 368, greedy: 0 },
    LevelProfile { nodes: 1_200, blunders: 172, greedy: 0 },
    LevelProfile { nodes: 2_150, blunders: 80, greedy: 0 },
    LevelProfile { nodes: 6_000, blunders: 19, greedy: 0 },
];

/// The number of pieces per player at the start.
const PIECES_AT_START: u64 = 16;

/// The number of pieces per player below which a search gets more nodes, up to five times as many.
const NODE_GROWTH_PIECES: u64 = 8;

/// The greatest number of nodes that are added with fewer pieces.
const ADDED_NODE_LIMIT: u64 = 8_000;

/// The number of pieces per player below which blunders become rarer.
const BLUNDER_DECLINE_PIECES: u64 = 5;

/// The greatest overestimation of a move in a blunder on a full board, in centipawns.
const BLUNDER_ERROR_LIMIT: u64 = 1_000;

/// The number of pieces on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardDensity {
    /// The number of all pieces, including kings and pawns.
    pub(crate) pieces: u64,
    /// The number of players of the variant, including eliminated players.
    pub(crate) players: u64,
}

/// The way in which one move is chosen without a search of the replies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blunder {
    /// The greatest overestimation of a move, in centipawns.
    pub(crate) max_error: u64,
    /// True if only the captured material counts.
    pub(crate) is_greedy: bool,
}

impl LevelProfile {
    /// Returns the node limit of a move.
    pub(crate) fn nodes(self, density: BoardDensity) -> u64 {
        let threshold = NODE_GROWTH_PIECES * density.players;
        self.nodes
            + (4 * self.nodes).min(ADDED_NODE_LIMIT) * threshold.saturating_sub(density.pieces) / threshold
    }

    /// Decides at random whether a move is a blunder. Returns the kind of blunder; `None` if the
    /// move is not a blunder.
    pub(crate) fn blunder(self, density: BoardDensity, rng: &mut Rng) -> Option<Blunder> {
        let threshold = BLUNDER_DECLINE_PIECES * density.players;
        let is_blunder = rng.below(1_000 * threshold) < self.blunders * density.pieces.min(threshold);
        is_blunder.then(|| Blunder {
            max_error: BLUNDER_ERROR_LIMIT * density.pieces / (PIECES_AT_START * density.players),
            is_greedy: rng.below(1_000) < self.greedy,
        })
    }
}

impl Level {
    /// Returns the evaluation weights of the level. With four players, nodes beyond about 8,000 add
    /// little strength. Therefore only full strength uses the tuned weights, which make it stronger
    /// than the level below.
    pub(crate) const fn evaluation_set(self) -> EvaluationSet {
        if self.0 == Self::FULL.0 { EvaluationSet::Full } else { EvaluationSet::Basic }
    }

    /// Returns the handicap; `None` at full strength.
    pub(crate) fn profile(self) -> Option<LevelProfile> {
        PROFILES.get(usize::from(self.0) - 1).copied()
    }
}

impl TryFrom<u8> for Level {
    type Error = LevelError;

    fn try_from(number: u8) -> Result<Self, LevelError> {
        if (Self::LOWEST.0..=Self::FULL.0).contains(&number) {
            Ok(Self(number))
        } else {
            Err(LevelError(number))
        }
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_strength_has_the_tuned_weights() {
        let tuned = Level::all().filter(|level| level.evaluation_set() == EvaluationSet::Full);
        assert_eq!(tuned.collect::<Vec<_>>(), [Level::FULL]);
    }
}
