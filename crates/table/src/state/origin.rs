//! The identity of a match.

use quadrex_protocol::{LotKey, MatchId, TableId};

/// The identity of a match, with the key of its lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The table.
    pub table: TableId,
    /// The match.
    pub match_id: MatchId,
    /// The key of the table's lots.
    pub lot_key: LotKey,
}
