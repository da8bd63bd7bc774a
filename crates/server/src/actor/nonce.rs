//! Nonces for seats whose users sent none.

use quadrex_clock::Entropy;
use quadrex_protocol::hex;
use quadrex_protocol::lot::Nonce;

/// Returns a random nonce.
#[must_use]
pub fn make_nonce(entropy: &Entropy) -> Nonce {
    hex::encode(&entropy.bytes::<16>()).parse().expect("32 hexadecimal digits are a nonce")
}
