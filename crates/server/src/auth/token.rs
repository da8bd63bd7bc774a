//! Random secrets: the tokens of sessions, and the secrets in the fragments of links.

use std::fmt;

use sha2::{Digest, Sha256};

use quadrex_clock::Entropy;
use quadrex_store::SecretHash;

/// The letters of Crockford's base 32 in lower case. No two of them look alike.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The number of random bytes in a token. They are 160 bits. The session management sheet of OWASP
/// requires at least 64 bits, and the rule of this project requires 128.
const BYTES: usize = 20;

/// A secret that only its owner knows. The server stores only a hash of it.
///
/// The secret has 32 letters, which encode 160 random bits. `Debug` does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Returns a new random token.
    pub fn draw(entropy: &Entropy) -> Self {
        Self(letters(&entropy.bytes()))
    }

    /// Returns the text of the token. It must be shown only to the owner, and only once.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the hash of the token. The store contains only this hash.
    pub fn hash(&self) -> SecretHash {
        Self::hash_of(&self.0)
    }

    /// Encodes the first 160 bits of a hash as the letters of tokens.
    pub(super) fn letters_of(hash: &[u8; 32]) -> String {
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(&hash[..BYTES]);
        letters(&bytes)
    }

    /// Returns the SHA-256 hash of these bytes.
    pub(super) fn digest(bytes: &[u8]) -> [u8; 32] {
        Sha256::digest(bytes).into()
    }

    /// Returns the hash of a text that may be a token. Every text has a hash, and only a lookup in
    /// the store shows whether it is the hash of a token. A hash without salt is enough, because
    /// 160 random bits cannot be guessed.
    pub fn hash_of(text: &str) -> SecretHash {
        SecretHash(Self::digest(text.as_bytes()))
    }
}

/// Encodes bytes as letters. Each letter encodes five bits.
fn letters(bytes: &[u8; BYTES]) -> String {
    // Five bytes are eight letters.
    let letters = bytes.chunks(5).flat_map(|chunk| {
        let bits = chunk.iter().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        (0..8).rev().map(move |index| char::from(LETTERS[(bits >> (5 * index) & 31) as usize]))
    });
    letters.collect()
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_token_has_32_letters_and_is_unique() {
        let entropy = Entropy::seeded(1);
        let tokens: Vec<_> = (0..1_000).map(|_| Token::draw(&entropy)).collect();
        for token in &tokens {
            assert_eq!(token.as_str().len(), 32);
            assert!(token.as_str().bytes().all(|letter| LETTERS.contains(&letter)));
        }
        let different: HashSet<_> = tokens.iter().map(Token::as_str).collect();
        assert_eq!(different.len(), tokens.len());
    }

    #[test]
    fn every_bit_changes_exactly_one_letter() {
        let zero = [0; BYTES];
        assert_eq!(letters(&zero), "0".repeat(32));
        assert_eq!(letters(&[0xff; BYTES]), "z".repeat(32));
        let mut seen = HashSet::new();
        for bit in 0..8 * BYTES {
            let mut bytes = zero;
            bytes[bit / 8] |= 0x80 >> (bit % 8);
            let text = letters(&bytes);
            let changed: Vec<_> = text.bytes().enumerate().filter(|&(_, letter)| letter != b'0').collect();
            assert_eq!(changed.len(), 1, "bit {bit}: {text}");
            assert_eq!(changed[0].0, bit / 5, "bit {bit}: {text}");
            assert!(seen.insert(text), "bit {bit} gives the same text as another one");
        }
    }

    /// The example from FIPS 180-2, appendix B.1.
    #[test]
    fn the_hash_is_sha_256() {
        let hash = Token::hash_of("abc").0;
        assert_eq!(hash[..4], [0xba, 0x78, 0x16, 0xbf]);
        assert_eq!(hash[28..], [0xf2, 0x00, 0x15, 0xad]);
    }

    #[test]
    fn debug_output_contains_neither_a_token_nor_its_hash() {
        let token = Token::draw(&Entropy::seeded(1));
        assert_eq!(format!("{token:?} {:?}", token.hash()), "Token(..) SecretHash(..)");
    }
}
