//! Random nonces. A nonce is a player's contribution to the lot, the verifiable draw of the player
//! who begins.

use quadrex_clock::Entropy;
use quadrex_protocol::hex;
use quadrex_protocol::lot::Nonce;

/// Returns a random nonce for a player who sent none.
#[must_use]
pub fn random_nonce(entropy: &Entropy) -> Nonce {
    hex::encode(&entropy.bytes::<16>()).parse().expect("32 hexadecimal digits are a nonce")
}
