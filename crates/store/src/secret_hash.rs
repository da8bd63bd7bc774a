//! Hashes of secrets.

use std::fmt;

/// The SHA-256 of a token or of a link's secret. The store never receives either of these.
///
/// `Debug` shows none of it, so that it cannot get into a log.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(..)")
    }
}
