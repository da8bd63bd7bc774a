//! The key with which the nodes of a cluster sign their messages.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The length of a signature, in bytes.
pub(crate) const SIGNATURE_LENGTH: usize = 32;

/// The secret key of a cluster. All nodes read it from the database that they share, so a program
/// that reaches only the message server can forge no message.
///
/// `Debug` does not show the key, so that it cannot get into a log file.
#[derive(Clone)]
pub struct ClusterKey([u8; 32]);

impl ClusterKey {
    /// Returns the key with these random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the signature of these bytes: their HMAC-SHA256.
    pub(crate) fn sign(&self, signed: &[u8]) -> [u8; SIGNATURE_LENGTH] {
        self.mac(signed).finalize().into_bytes().into()
    }

    /// Returns whether the signature is the one of these bytes. Takes the same time for each wrong
    /// signature.
    pub(crate) fn verify(&self, signed: &[u8], signature: &[u8]) -> bool {
        self.mac(signed).verify_slice(signature).is_ok()
    }

    fn mac(&self, signed: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(signed);
        mac
    }
}

impl fmt::Debug for ClusterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClusterKey(..)")
    }
}
