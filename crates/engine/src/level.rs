//! How well a bot plays.

use std::fmt;

use crate::evaluation::Knowledge;

/// From a beginner (1) to all the engine can do (8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// A number that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelError(pub u8);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a level: expected 1 to {}", self.0, Level::FULL.0)
    }
}

impl std::error::Error for LevelError {}

impl Level {
    /// The lowest.
    pub const LOWEST: Self = Self(1);

    /// Full strength: nothing but the limits of the task holds it back.
    pub const FULL: Self = Self(8);

    /// Every level, lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::FULL.0).map(Self)
    }

    /// Its number, 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// What holds a level back. It does so less and less as the board empties, so that whoever has won the middle game comes to
/// mate, a beginner too, and four bad players do not all end in a draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Positions looked at for a move while there are many pieces.
    nodes: u64,
    /// Of a thousand moves while there are many pieces, those that are made on a whim, without a thought for what others
    /// could do.
    whims: u64,
    /// Of a thousand moves on a whim, those for which nothing counts but what they take.
    greedy: u64,
}

/// By level, the lowest first; the highest is not held back. All parts were found by tournaments of one against three: about
/// half the whims with twice the positions are worth a level there (about 40 % of first places). Pieces of the others that
/// are overlooked, or noise on the scores, hardly tell. Each is first alone in 41 to 44 % of 400 games against three of the
/// level below, level 7 of 800, full strength with 30,000 positions (`cargo xtask bench engine -- levels`).
const MANNERS: [Manner; 7] = [
    Manner { nodes: 70, whims: 1_000, greedy: 1_000 },
    Manner { nodes: 240, whims: 962, greedy: 190 },
    Manner { nodes: 340, whims: 730, greedy: 20 },
    Manner { nodes: 660, whims: 368, greedy: 0 },
    Manner { nodes: 1_200, whims: 172, greedy: 0 },
    Manner { nodes: 2_150, whims: 80, greedy: 0 },
    Manner { nodes: 6_000, whims: 19, greedy: 0 },
];

/// Pieces for each player at the start.
const ARMY: u64 = 16;

/// Pieces for each player below which more and more positions are looked at, up to five times as many.
const THINNED: u64 = 8;

/// How many more positions are looked at, at most.
const MORE: u64 = 8_000;

/// Pieces for each player below which whims become rarer.
const CROWDED: u64 = 5;

/// Hundredths of a pawn by which a move may seem better than it is to who makes it on a whim, with all pieces on the
/// board.
const WHIM: u64 = 1_000;

/// How many stand on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd {
    /// Pieces, kings and pawns among them.
    pub(crate) pieces: u64,
    /// Players of the variant, those who are out among them.
    pub(crate) players: u64,
}

/// How a move is made without a thought for what others could do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whim {
    /// Hundredths of a pawn by which each move may seem better than it is. The fewer pieces there are the less there is to
    /// misjudge.
    pub(crate) misjudged: u64,
    /// Whether nothing counts but what the move takes.
    pub(crate) is_greedy: bool,
}

impl Manner {
    /// Positions looked at for a move.
    pub(crate) fn nodes(self, crowd: Crowd) -> u64 {
        let thinned = THINNED * crowd.players;
        self.nodes + (4 * self.nodes).min(MORE) * thinned.saturating_sub(crowd.pieces) / thinned
    }

    /// The whim on which a move is made, if it is made on one.
    pub(crate) fn whim(self, crowd: Crowd, chance: &mut Chance) -> Option<Whim> {
        let crowded = CROWDED * crowd.players;
        let is_whim = chance.below(1_000 * crowded) < self.whims * crowd.pieces.min(crowded);
        is_whim.then(|| Whim {
            misjudged: WHIM * crowd.pieces / (ARMY * crowd.players),
            is_greedy: chance.below(1_000) < self.greedy,
        })
    }
}

impl Level {
    /// How much of what counts on the board it knows. Beyond some 8,000 positions more of them tell little among four, so that
    /// knowing more is what full strength has before the other levels.
    pub(crate) const fn knowledge(self) -> Knowledge {
        if self.0 == Self::FULL.0 { Knowledge::Whole } else { Knowledge::Basic }
    }

    /// What holds it back, if anything does.
    pub(crate) fn manner(self) -> Option<Manner> {
        MANNERS.get(usize::from(self.0) - 1).copied()
    }
}

/// Chance that is the same for the same seed (SplitMix64; Steele, Lea, Flood, 2014).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
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
    fn full_strength_alone_knows_all_that_counts() {
        let knowing = Level::all().filter(|level| level.knowledge() == Knowledge::Whole);
        assert_eq!(knowing.collect::<Vec<_>>(), [Level::FULL]);
    }
}
