//! The identification of this server at push services (VAPID, RFC 8292).

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use quadrex_rules::Timestamp;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};

/// The lifetime of a token, in seconds. Push services accept at most a day.
const LIFETIME: u64 = 12 * 3_600;

/// The key pair with which the tokens are signed.
#[derive(Debug)]
pub(super) struct VapidKey(EcdsaKeyPair);

impl VapidKey {
    /// Returns a new private key, in PKCS #8.
    pub(super) fn fresh() -> Vec<u8> {
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        key.expect("the system has random numbers").as_ref().to_vec()
    }

    /// Reads a private key in PKCS #8. Returns `None` if it is invalid.
    pub(super) fn read(key: &[u8]) -> Option<Self> {
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, key, &SystemRandom::new()).ok().map(Self)
    }

    /// Returns the public key: an uncompressed point on the curve P-256.
    pub(super) fn public_key(&self) -> &[u8] {
        self.0.public_key().as_ref()
    }

    /// Returns a token for a push service.
    pub(super) fn token(&self, origin: &str, contact: &str, now: Timestamp) -> String {
        let claims = serde_json::json!({
            "aud": origin,
            "exp": now.as_millis() / 1000 + LIFETIME,
            "sub": contact,
        });
        let header = BASE64_URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"ES256"}"#);
        let signed = format!("{header}.{}", BASE64_URL_SAFE_NO_PAD.encode(claims.to_string()));
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = signature.expect("the system has random numbers");
        format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
    }
}
