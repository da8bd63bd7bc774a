//! The identity of a match, which is the same in its whole log.

use quadrex_protocol::{LotKey, MatchId, TableId};

/// The ids of a match and its table, with the key from which the secret of the match's lot is made.
/// The lot decides who begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The id of the table.
    pub table: TableId,
    /// The id of the match.
    pub match_id: MatchId,
    /// The secret key of all lots at the table.
    pub lot_key: LotKey,
}
