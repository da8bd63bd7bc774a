//! The secret key of a table. The secrets of the table's lots are derived from this key.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::MatchId;
use crate::lot::Secret;

/// The prefix of the text whose hash is the secret for a match.
const SECRET: &[u8] = b"quadrex lot v1 secret\0";

/// 32 random bytes of a table. The secret of each lot at the table is derived from them. The server
/// stores the key and never sends it.
///
/// Because of the key, the secret of a rematch is fixed before anybody requests the rematch. The
/// secrets are hashes, so a published secret reveals nothing about the other secrets.
///
/// `Debug` output does not reveal the key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LotKey(pub [u8; 32]);

impl LotKey {
    /// Returns the secret for the lot of one of the table's matches.
    #[must_use]
    pub fn secret(&self, match_id: MatchId) -> Secret {
        let mut hash = Sha256::new();
        hash.update(SECRET);
        hash.update(self.0);
        hash.update(match_id.0.as_bytes());
        Secret::new(hash.finalize().into())
    }
}

impl fmt::Debug for LotKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LotKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn every_match_of_every_table_has_a_different_secret() {
        let secret = |key, number| LotKey([key; 32]).secret(MatchId(Uuid::from_u128(number)));
        assert_eq!(secret(1, 1), secret(1, 1));
        assert_ne!(secret(1, 1), secret(1, 2));
        assert_ne!(secret(1, 1), secret(2, 1));
        assert_ne!(secret(1, 1), Secret::new([1; 32]));
        assert_eq!(format!("{:?}", LotKey([1; 32])), "LotKey(..)");
    }
}
