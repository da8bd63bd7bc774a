//! The lot: a verifiable random choice of the first player and of the seats (RULES D2).
//!
//! 1. Before anybody takes a seat, the server generates a secret and publishes its hash, the
//!    commitment. Each player contributes a nonce.
//! 2. When the match starts, [`draw`] computes the result from the secret, the nonces and the
//!    match's id: the first player and, if the seats are drawn too, the seats. The server publishes
//!    the secret.
//! 3. Everybody can repeat the computation and compare the secret with the commitment.
//!
//! Neither the server nor any player can choose the outcome, because the server did not know the
//! nonces when it published the commitment, and the players did not know the secret.
//! `docs/PROTOCOL.md`, section "The lot", describes the same procedure with an example.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ts_rs::TS;

use crate::{MatchId, hex};

/// The prefix of the input to the seed's hash.
const SEED_PREFIX: &[u8] = b"quadrex lot v1 seed\0";

/// The prefix of the input to the hash of each block of numbers.
const BLOCK_PREFIX: &[u8] = b"quadrex lot v1 block\0";

/// A random secret of the server for one lot. The server publishes it when the match starts.
/// Serialized as 64 hexadecimal digits.
///
/// `Debug` output does not reveal the secret.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
#[schemars(with = "Hex")]
pub struct Secret([u8; 32]);

/// The SHA-256 hash of a [`Secret`]'s 32 bytes. The server publishes this hash first, so the secret
/// cannot be changed later. Serialized as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
#[schemars(with = "Hex")]
pub struct Commitment([u8; 32]);

/// 64 hexadecimal digits, in lower case.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only describes the text of secrets and commitments")]
struct Hex(#[schemars(regex(pattern = "^[0-9a-f]{64}$"))] String);

/// The error for a text that is not a secret or commitment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not 64 hexadecimal digits in lower case")]
pub struct InvalidHex(String);

/// A player's random contribution to the lot: 1 to 64 printable ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct Nonce(#[schemars(regex(pattern = "^[ -~]{1,64}$"))] String);

/// The error for a text that is not a nonce.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a nonce has 1 to 64 printable ASCII characters, this one is {0:?}")]
pub struct InvalidNonce(String);

impl Secret {
    /// Makes a secret from 32 random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the secret. Nobody may learn them before the match starts.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the hash that is published before the start.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commitment({self})")
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

impl From<Secret> for String {
    fn from(secret: Secret) -> Self {
        hex::encode(&secret.0)
    }
}

impl TryFrom<String> for Secret {
    type Error = InvalidHex;

    fn try_from(text: String) -> Result<Self, InvalidHex> {
        from_hex(&text).map(Self)
    }
}

impl From<Commitment> for String {
    fn from(commitment: Commitment) -> Self {
        hex::encode(&commitment.0)
    }
}

impl TryFrom<String> for Commitment {
    type Error = InvalidHex;

    fn try_from(text: String) -> Result<Self, InvalidHex> {
        from_hex(&text).map(Self)
    }
}

fn from_hex(text: &str) -> Result<[u8; 32], InvalidHex> {
    hex::decode(text).ok_or_else(|| InvalidHex(text.chars().take(80).collect()))
}

impl Nonce {
    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Nonce {
    type Error = InvalidNonce;

    fn try_from(text: String) -> Result<Self, InvalidNonce> {
        let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if fits { Ok(Self(text)) } else { Err(InvalidNonce(text.chars().take(80).collect())) }
    }
}

impl FromStr for Nonce {
    type Err = InvalidNonce;

    fn from_str(text: &str) -> Result<Self, InvalidNonce> {
        Self::try_from(text.to_owned())
    }
}

impl From<Nonce> for String {
    fn from(nonce: Nonce) -> Self {
        nonce.0
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The parts of a lot that must be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LotParts {
    /// True if the seats are assigned by lot.
    pub seats: bool,
    /// True if the first player is drawn by lot.
    pub first_player: bool,
}

/// The result of a lot. It contains indices of seats in turn order, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LotResult {
    /// For each seat, the index of the seat that its new player had before. If the seats were not
    /// drawn, every seat has its own index here.
    pub seats: Vec<usize>,
    /// The index of the first player's seat, if the first player was drawn.
    pub first_player: Option<usize>,
}

/// Draws the lot and returns its result. `nonces` has one nonce for each seat, in turn order before
/// the draw.
#[must_use]
pub fn draw(secret: &Secret, match_id: MatchId, nonces: &[Nonce], parts: LotParts) -> LotResult {
    let mut numbers = RandomNumbers::new(seed(secret, match_id, nonces));
    let mut seats: Vec<usize> = (0..nonces.len()).collect();
    if parts.seats {
        // Fisher-Yates shuffle, from the last seat to the second.
        for last in (1..seats.len()).rev() {
            seats.swap(last, numbers.below(last + 1));
        }
    }
    let first_player = (parts.first_player && !seats.is_empty()).then(|| numbers.below(seats.len()));
    LotResult { seats, first_player }
}

/// Returns the SHA-256 hash of a fixed text, the match's id (16 bytes), the secret (32 bytes), and
/// for each nonce its length (1 byte) and the nonce itself.
fn seed(secret: &Secret, match_id: MatchId, nonces: &[Nonce]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(SEED_PREFIX);
    hash.update(match_id.0.as_bytes());
    hash.update(secret.0);
    for nonce in nonces {
        hash.update([u8::try_from(nonce.0.len()).expect("a nonce has 64 characters at most")]);
        hash.update(nonce.0.as_bytes());
    }
    hash.finalize().into()
}

/// A stream of numbers derived from a seed. Block `i` is the SHA-256 hash of a fixed text, the seed
/// and `i` (8 bytes), and contains four numbers of 8 bytes each. All numbers are big-endian.
struct RandomNumbers {
    seed: [u8; 32],
    blocks: u64,
    left: Vec<u64>,
}

impl RandomNumbers {
    fn new(seed: [u8; 32]) -> Self {
        Self { seed, blocks: 0, left: Vec::new() }
    }

    fn next(&mut self) -> u64 {
        loop {
            if let Some(number) = self.left.pop() {
                return number;
            }
            let mut hash = Sha256::new();
            hash.update(BLOCK_PREFIX);
            hash.update(self.seed);
            hash.update(self.blocks.to_be_bytes());
            let block: [u8; 32] = hash.finalize().into();
            self.blocks += 1;
            let number = |bytes: &[u8]| bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
            self.left = block.chunks(8).rev().map(number).collect();
        }
    }

    /// Returns a number below `bound`. Numbers of the stream that are not below the largest
    /// multiple of `bound` (at most 2^64) are skipped, so that all results are equally likely
    /// (rejection sampling).
    fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        // 2^64 mod bound, without overflow.
        let surplus = (u64::MAX % bound + 1) % bound;
        loop {
            let number = self.next();
            if number <= u64::MAX - surplus {
                return usize::try_from(number % bound).expect("it is below a number of seats");
            }
        }
    }
}
