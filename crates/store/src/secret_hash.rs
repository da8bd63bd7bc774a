//! Hashes of secrets.

use std::fmt;

/// The SHA-256 hash of a token or of a link's secret. The store never receives the token or the
/// secret itself.
///
/// `Debug` does not show the hash, so that it cannot get into a log file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(..)")
    }
}
