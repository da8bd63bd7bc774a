//! How well a bot plays.

use std::fmt;

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

/// What holds a level back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Positions looked at for a move, at most.
    pub(crate) nodes: u64,
    /// Of a thousand moves while there are many pieces, those that are made on a whim, without a thought for what others
    /// could do.
    pub(crate) whims: u64,
}

/// By level, the lowest first; the highest is not held back. What tells with four players was found by tournaments of one
/// against three: less than half the whims with one and a half to two times the positions are worth a level (40 % of first
/// places). Levels 6 and 7 differ from those below by positions alone, which is worth less (28 % for twice as many). Pieces of
/// the others that are overlooked, or noise on the scores, hardly tell.
const MANNERS: [Manner; 7] = [
    Manner { nodes: 70, whims: 915 },
    Manner { nodes: 600, whims: 520 },
    Manner { nodes: 1_100, whims: 235 },
    Manner { nodes: 1_650, whims: 90 },
    Manner { nodes: 3_300, whims: 10 },
    Manner { nodes: 7_000, whims: 0 },
    Manner { nodes: 17_000, whims: 0 },
];

/// Hundredths of a pawn by which a move may seem better than it is to who makes it on a whim, with all pieces on the
/// board. The fewer there are the less there is to misjudge.
pub(crate) const WHIM: u32 = 1_000;

impl Level {
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
