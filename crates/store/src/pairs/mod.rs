//! Statistics of what players do to each other in rated matches of more than two players, by which
//! operators find pairs of users who spare each other.

mod sparing;
mod written;

use quadrex_protocol::UserId;
use quadrex_protocol::archive::MatchSummary;

use crate::error::{StoreError, unreadable};

pub use sparing::UserPair;
pub(crate) use written::put_pair_acts;

/// The acts of a kind, and the expected number of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActCount {
    /// The number of acts.
    pub seen: u32,
    /// The number that would follow if the player had spread the acts over all opponents.
    pub expected: f64,
}

/// The acts of a player against another one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Acts {
    /// The captured pieces.
    pub captures: ActCount,
    /// The checks given by a move.
    pub checks: ActCount,
    /// The eliminations by a mate in which the player attacked the king.
    pub eliminations: ActCount,
}

/// The acts of a player against another one in a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairActs {
    /// The player.
    pub by: UserId,
    /// The other player.
    pub on: UserId,
    /// True if the players sat opposite each other.
    pub is_opposite: bool,
    /// The acts.
    pub acts: Acts,
}

fn read_summary((text,): (String,)) -> Result<MatchSummary, StoreError> {
    serde_json::from_str(&text).map_err(|error| unreadable("archived_matches.summary", error))
}

fn count(seen: i64, expected: f64) -> Result<ActCount, StoreError> {
    let seen = u32::try_from(seen).map_err(|_| unreadable("match_pairs", seen))?;
    Ok(ActCount { seen, expected })
}
