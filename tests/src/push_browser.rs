//! A browser with a push subscription: it decrypts messages (RFC 8291), and checks the identity of
//! their sender as a push service does (RFC 8292). It shares no code with the server.

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Key, Nonce};
use anyhow::{Context, Result, anyhow, ensure};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::{PublicKey, SecretKey};
use serde_json::{Value, json};
use sha2::Sha256;

/// A browser.
pub struct PushBrowser {
    secret: SecretKey,
    auth: [u8; 16],
}

impl PushBrowser {
    /// Returns a browser with these keys.
    ///
    /// # Errors
    /// If the private key is invalid.
    pub fn new(private_key: &[u8], auth: [u8; 16]) -> Result<Self> {
        let secret = SecretKey::from_slice(private_key).map_err(|_| anyhow!("an invalid private key"))?;
        Ok(Self { secret, auth })
    }

    /// Returns a browser with keys that follow from a number.
    pub fn numbered(number: u8) -> Self {
        let auth = [number; 16];
        Self { secret: SecretKey::from_slice(&[number.max(1); 32]).expect("a valid key"), auth }
    }

    fn public_key(&self) -> Vec<u8> {
        self.secret.public_key().to_sec1_bytes().to_vec()
    }

    /// Returns the body of the request with which the browser subscribes.
    pub fn subscription(&self, endpoint: &str, language: &str) -> Value {
        let keys = json!({
            "p256dh": BASE64_URL_SAFE_NO_PAD.encode(self.public_key()),
            "auth": BASE64_URL_SAFE_NO_PAD.encode(self.auth),
        });
        json!({"endpoint": endpoint, "keys": keys, "language": language})
    }

    /// Decrypts a message.
    ///
    /// # Errors
    /// If the message was not encrypted for this browser.
    pub fn decrypt(&self, message: &[u8]) -> Result<Vec<u8>> {
        let (salt, rest) = message.split_at_checked(16).context("no salt")?;
        let (size, rest) = rest.split_at_checked(4).context("no record size")?;
        let (length, rest) = rest.split_first().context("no length of the key")?;
        let (sender, record) = rest.split_at_checked(usize::from(*length)).context("no key")?;
        let size = u32::from_be_bytes(size.try_into()?) as usize;
        ensure!(record.len() <= size, "the record has {} bytes, not at most {size}", record.len());
        let sender_key = PublicKey::from_sec1_bytes(sender).map_err(|_| anyhow!("an invalid key"))?;
        let shared = p256::ecdh::diffie_hellman(self.secret.to_nonzero_scalar(), sender_key.as_affine());
        let mut info = b"WebPush: info\0".to_vec();
        info.extend(self.public_key());
        info.extend(sender);
        let secret: [u8; 32] = derive(&self.auth, shared.raw_secret_bytes(), &info)?;
        let key: [u8; 16] = derive(salt, &secret, b"Content-Encoding: aes128gcm\0")?;
        let nonce: [u8; 12] = derive(salt, &secret, b"Content-Encoding: nonce\0")?;
        let cipher = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key));
        let mut text = cipher.decrypt(&Nonce::from(nonce), record).map_err(|_| anyhow!("a wrong record"))?;
        while text.last() == Some(&0) {
            text.pop();
        }
        ensure!(text.pop() == Some(2), "this is not the last record");
        Ok(text)
    }
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[u8]) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let derived = Hkdf::<Sha256>::new(Some(salt), secret).expand(info, &mut bytes);
    derived.map_err(|_| anyhow!("the key is too long"))?;
    Ok(bytes)
}

/// Checks the header `Authorization` of a request to a push service, and returns the claims.
///
/// # Errors
/// If the sender does not have the private key of `public_key`, which is in base64url.
pub fn check_sender(authorization: &str, public_key: &str) -> Result<Value> {
    let parameters = authorization.strip_prefix("vapid ").context("the scheme is not vapid")?;
    let parameter = |name: &str| {
        let mut all = parameters.split(',').filter_map(|parameter| parameter.trim().split_once('='));
        all.find(|(known, _)| *known == name).map(|(_, value)| value).context("a parameter is missing")
    };
    let key = parameter("k")?;
    ensure!(key == public_key, "the sender has the key {key}, the browser expects {public_key}");
    let key = VerifyingKey::from_sec1_bytes(&BASE64_URL_SAFE_NO_PAD.decode(key)?);
    let (signed, signature) = parameter("t")?.rsplit_once('.').context("the token has no signature")?;
    let signature = Signature::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(signature)?);
    let (key, signature) =
        (key.map_err(|_| anyhow!("a wrong key"))?, signature.map_err(|_| anyhow!("no signature"))?);
    key.verify(signed.as_bytes(), &signature).map_err(|_| anyhow!("the signature is wrong"))?;
    let (header, claims) = signed.split_once('.').context("the token has no claims")?;
    let header: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(header)?)?;
    ensure!(header == json!({"typ": "JWT", "alg": "ES256"}), "the header is {header}");
    Ok(serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(claims)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 8291, section 5.
    #[test]
    fn the_example_of_the_standard_is_decrypted() {
        let read = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).unwrap();
        let auth = read("BTBZMqHH6r4Tts7J_aSIgg").try_into().unwrap();
        let browser = PushBrowser::new(&read("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), auth).unwrap();
        let message = read(
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w\
             EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
        );
        let text = browser.decrypt(&message).unwrap();
        assert_eq!(text, b"When I grow up, I want to be a watermelon");
    }
}
