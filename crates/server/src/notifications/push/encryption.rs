//! The encryption of push messages for a browser (RFC 8291, with the coding of RFC 8188).

use quadrex_store::PushKeys;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// The size of the salt, in bytes.
const SALT_SIZE: usize = 16;

/// The size of a record in the header. The message has one record, which is smaller.
const RECORD_SIZE: u32 = 4096;

/// The byte after the text of the last record.
const LAST_RECORD: u8 = 2;

/// The length of a derived key, in bytes.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Returns whether messages can be encrypted with these keys: the public key is a point on the curve.
pub(in crate::notifications) fn is_usable(keys: &PushKeys) -> bool {
    encrypt(keys, b"").is_some()
}

/// Encrypts a message with a new key pair. Returns `None` if the public key of the browser is
/// invalid.
pub(super) fn encrypt(keys: &PushKeys, text: &[u8]) -> Option<Vec<u8>> {
    let random = SystemRandom::new();
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random).ok()?;
    let own_public = own.compute_public_key().ok()?;
    let browser = UnparsedPublicKey::new(&ECDH_P256, &keys.public_key);
    let mut salt = [0; SALT_SIZE];
    random.fill(&mut salt).ok()?;
    agree_ephemeral(own, &browser, |shared| {
        let first = Salt::new(HKDF_SHA256, &keys.auth_secret).extract(shared);
        let info = [b"WebPush: info\0".as_slice(), &keys.public_key, own_public.as_ref()];
        let secret: [u8; 32] = derive(&first, &info)?;
        let second = Salt::new(HKDF_SHA256, &salt).extract(&secret);
        let key: [u8; 16] = derive(&second, &[b"Content-Encoding: aes128gcm\0"])?;
        let nonce: [u8; 12] = derive(&second, &[b"Content-Encoding: nonce\0"])?;
        let mut record = text.to_vec();
        record.push(LAST_RECORD);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).ok()?);
        let nonce = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record).ok()?;
        let mut message = salt.to_vec();
        message.extend(RECORD_SIZE.to_be_bytes());
        message.push(u8::try_from(own_public.as_ref().len()).ok()?);
        message.extend(own_public.as_ref());
        message.append(&mut record);
        Some(message)
    })
    .ok()?
}

fn derive<const N: usize>(key: &Prk, info: &[&[u8]]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    key.expand(info, Length(N)).and_then(|derived| derived.fill(&mut bytes)).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_a_header_and_one_record() {
        let key = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let public_key = key.compute_public_key().unwrap().as_ref().try_into().unwrap();
        let message = encrypt(&PushKeys { public_key, auth_secret: [7; 16] }, b"hello").unwrap();
        assert_eq!(message[16..21], [0, 0, 16, 0, 65]);
        assert_eq!(message.len(), 16 + 4 + 1 + 65 + "hello".len() + 1 + 16);
    }

    #[test]
    fn a_key_that_is_no_point_on_the_curve_is_refused() {
        let mut public_key = [1; 65];
        public_key[0] = 4;
        assert!(!is_usable(&PushKeys { public_key, auth_secret: [7; 16] }));
        assert!(!is_usable(&PushKeys { public_key: [0; 65], auth_secret: [7; 16] }));
    }
}
