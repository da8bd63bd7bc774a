//! Passwords of accounts, and their hashes by Argon2id.

use std::fmt;

use argon2::password_hash::phc::{Output, Salt};
use argon2::{
    ARGON2ID_IDENT, Algorithm, Argon2, Params, PasswordHash, PasswordHasher as _, PasswordVerifier as _,
    Version,
};
use quadrex_clock::Entropy;
use unicode_normalization::UnicodeNormalization;

use super::name::NameKey;
use crate::config::AccountsConfig;

mod common;

/// The smallest number of characters of a password (NIST SP 800-63B, section 5.1.1).
const MIN_LENGTH: usize = 8;

/// The largest number of characters of a password. NIST requires that at least 64 are allowed.
const MAX_LENGTH: usize = 128;

/// The number of random bytes of a salt, as RFC 9106, section 3.1, recommends.
const SALT_BYTES: usize = 16;

/// A password in Unicode's normal form KC, so that it does not depend on how a keyboard composes
/// characters. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// The reason for which a text cannot be a new password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPassword {
    /// The text is too short or too long.
    #[error("a password has {MIN_LENGTH} to {MAX_LENGTH} characters, this one has {0}")]
    Length(usize),
    /// The password is one of those that attackers try first.
    #[error("this password is one of the most common ones")]
    Common,
    /// The password is the name of the account.
    #[error("a password cannot be the name of the account")]
    Name,
}

impl Password {
    /// Validates a new password for the account with this name.
    ///
    /// # Errors
    /// Returns [`InvalidPassword`] if the password is too short, too long, or easy to guess.
    pub fn choose(text: &str, name: &NameKey) -> Result<Self, InvalidPassword> {
        let password = Self::entered(text);
        let length = password.0.chars().count();
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
            return Err(InvalidPassword::Length(length));
        }
        if common::contains(&password.0) {
            return Err(InvalidPassword::Common);
        }
        if NameKey::of(&password.0).as_ref() == Some(name) {
            return Err(InvalidPassword::Name);
        }
        Ok(password)
    }

    /// Returns a text that a client has sent as the password of an account. It may be wrong.
    pub fn entered(text: &str) -> Self {
        Self(text.nfkc().collect())
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// The functions that hash and verify passwords. Each call takes tens of milliseconds and the memory
/// of the settings, so it must run on a worker.
#[derive(Clone, Debug)]
pub struct PasswordHasher {
    argon2: Argon2<'static>,
    entropy: Entropy,
    /// The hash of no password. It is verified in place of that of an unknown account.
    dummy: String,
}

impl PasswordHasher {
    /// Returns a hasher with these settings.
    pub fn new(accounts: &AccountsConfig, entropy: Entropy) -> Self {
        let params = Params::new(accounts.memory_kib, accounts.iterations, 1, None);
        let params = params.expect("the settings are within the ranges of Argon2");
        let text = format!("m={},t={},p=1", params.m_cost(), params.t_cost());
        let (salt, hash) = (entropy.bytes::<SALT_BYTES>(), entropy.bytes::<32>());
        let dummy = PasswordHash {
            algorithm: ARGON2ID_IDENT,
            version: Some(Version::V0x13.into()),
            params: text.parse().expect("these are parameters"),
            salt: Some(Salt::new(&salt).expect("it has the length of a salt")),
            hash: Some(Output::new(&hash).expect("it has the length of a hash")),
        };
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        Self { argon2, entropy, dummy: dummy.to_string() }
    }

    /// Returns the hash of a password, with its parameters and its salt, as text.
    pub fn hash(&self, password: &Password) -> String {
        let salt = self.entropy.bytes::<SALT_BYTES>();
        let hash = self.argon2.hash_password_with_salt(password.0.as_bytes(), &salt);
        hash.expect("the parameters and the salt are valid").to_string()
    }

    /// Returns whether a password belongs to a stored hash. Without a hash, the function takes as long
    /// and returns false.
    pub fn verify(&self, password: &Password, stored: Option<&str>) -> bool {
        let text = stored.unwrap_or(&self.dummy);
        let parsed = PasswordHash::new(text);
        let is_valid =
            parsed.is_ok_and(|hash| self.argon2.verify_password(password.0.as_bytes(), &hash).is_ok());
        is_valid && stored.is_some()
    }

    /// Returns whether a stored hash was made with other parameters than those of the settings.
    pub fn is_outdated(&self, stored: &str) -> bool {
        let params = |text: &str| PasswordHash::new(text).ok().map(|hash| (hash.version, hash.params));
        params(stored) != params(&self.dummy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(text: &str) -> Result<Password, InvalidPassword> {
        Password::choose(text, &NameKey::of("Ada Lovelace").unwrap())
    }

    fn hasher(memory_kib: u32) -> PasswordHasher {
        let config = crate::config::Config::load(None, [], &crate::config::Flags::default()).unwrap();
        PasswordHasher::new(&AccountsConfig { memory_kib, ..config.accounts }, Entropy::seeded(1))
    }

    #[test]
    fn a_password_has_a_length_and_is_hard_to_guess() {
        assert_eq!(choose("seven 7"), Err(InvalidPassword::Length(7)));
        assert_eq!(choose(&"ab".repeat(65)), Err(InvalidPassword::Length(130)));
        assert!(choose("eight 88").is_ok());
        assert!(choose(&"äx".repeat(64)).is_ok());
        for common in ["password", "PassW0rd", "12345678", "aaaaaaaaaaaa", "3456789012", "Hallo1234"] {
            assert_eq!(choose(common), Err(InvalidPassword::Common), "{common}");
        }
        for name in ["Ada Lovelace", "adalovelace", "ADA-LOVELACE"] {
            assert_eq!(choose(name), Err(InvalidPassword::Name), "{name}");
        }
        assert!(choose("Ada Lovelace 1815").is_ok());
    }

    #[test]
    fn a_password_is_verified_by_its_hash() {
        let hasher = hasher(64);
        let password = choose("correct horse").unwrap();
        let hash = hasher.hash(&password);
        assert!(hash.starts_with("$argon2id$v=19$m=64,t=2,p=1$"), "{hash}");
        assert_ne!(hash, hasher.hash(&password), "each hash has its own salt");
        assert!(hasher.verify(&password, Some(&hash)));
        assert!(!hasher.verify(&Password::entered("correct horsE"), Some(&hash)));
        assert!(!hasher.verify(&password, None));
        assert!(!hasher.verify(&password, Some("nonsense")));
        // The same text, composed differently.
        let hash = hasher.hash(&choose("Zoë is here").unwrap());
        assert!(hasher.verify(&Password::entered("Zoe\u{308} is here"), Some(&hash)));
    }

    #[test]
    fn a_hash_is_verified_after_a_change_of_the_settings() {
        let password = choose("correct horse").unwrap();
        let hash = hasher(64).hash(&password);
        assert!(!hasher(64).is_outdated(&hash));
        assert!(hasher(128).is_outdated(&hash));
        assert!(hasher(128).verify(&password, Some(&hash)));
    }

    #[test]
    fn debug_output_contains_no_password() {
        assert_eq!(format!("{:?}", choose("correct horse")), "Ok(Password(..))");
    }
}
