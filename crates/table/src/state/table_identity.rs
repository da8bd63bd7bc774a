//! The identity of a match. It never changes.

use quadrex_protocol::{LotKey, MatchId, TableId};

/// The ids of a match and its table, and the key from which the secret of the match's lot is
/// derived. The lot is the verifiable draw of the player who begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableIdentity {
    /// The id of the table.
    pub table: TableId,
    /// The id of the match.
    pub match_id: MatchId,
    /// The secret key of all lots at the table.
    pub lot_key: LotKey,
}
