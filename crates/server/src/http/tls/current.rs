//! The certificate that handshakes use.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use quadrex_rules::Timestamp;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use x509_cert::Certificate;
use x509_cert::der::Decode;

/// The protocol in which an authority checks that the server has its domain (RFC 8737).
pub(super) const CHALLENGE_PROTOCOL: &[u8] = b"acme-tls/1";

/// A certificate with its key.
#[derive(Clone)]
pub(super) struct KeyedCertificate {
    key: Arc<CertifiedKey>,
    validity: Option<Validity>,
}

/// The time in which a certificate is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Validity {
    pub(super) from: Timestamp,
    pub(super) until: Timestamp,
}

/// The reason for which a certificate cannot be used with a key.
#[derive(Debug, thiserror::Error)]
pub(super) enum PemError {
    #[error("{0}")]
    Certificate(String),
    #[error("{0}")]
    Key(String),
}

impl KeyedCertificate {
    /// Parses a certificate with its chain, and its private key, and checks that they belong
    /// together. Both texts are PEM, and may be the same.
    pub(super) fn parse(chain: &[u8], key: &[u8]) -> Result<Self, PemError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain).collect();
        let chain = chain.map_err(|error| PemError::Certificate(error.to_string()))?;
        let key = PrivateKeyDer::from_pem_slice(key);
        let key = key.map_err(|_| PemError::Key("it has no private key in PEM form".to_owned()))?;
        let Some(own) = chain.first() else {
            return Err(PemError::Certificate("it has no certificate in PEM form".to_owned()));
        };
        let validity = validity_of(own);
        let key = CertifiedKey::from_der(chain, key, &ring::default_provider());
        let key =
            key.map_err(|error| PemError::Key(format!("it cannot be used with the certificate: {error}")))?;
        Ok(Self { key: Arc::new(key), validity })
    }

    /// Returns a certificate for a check by an authority. It is not checked here, because it has an
    /// extension that only authorities know.
    pub(super) fn for_check(
        certificate: CertificateDer<'static>,
        key: PrivateKeyDer<'static>,
    ) -> Result<Self, PemError> {
        let key = ring::default_provider().key_provider.load_private_key(key);
        let key = key.map_err(|error| PemError::Key(error.to_string()))?;
        Ok(Self { key: Arc::new(CertifiedKey::new(vec![certificate], key)), validity: None })
    }

    /// Returns the time in which the certificate is valid; `None` if it cannot be read.
    pub(super) fn validity(&self) -> Option<Validity> {
        self.validity
    }
}

fn validity_of(certificate: &CertificateDer<'_>) -> Option<Validity> {
    let certificate = Certificate::from_der(certificate).ok()?;
    let validity = certificate.tbs_certificate().validity();
    let time = |time: &x509_cert::time::Time| {
        u64::try_from(time.to_unix_duration().as_millis()).ok().map(Timestamp::from_millis)
    };
    Some(Validity { from: time(&validity.not_before)?, until: time(&validity.not_after)? })
}

/// The certificate that new connections use, and the one for the checks of an authority.
#[derive(Default)]
pub(super) struct CurrentCertificate {
    certificate: RwLock<Option<KeyedCertificate>>,
    challenge: RwLock<Option<KeyedCertificate>>,
}

impl CurrentCertificate {
    /// Returns the certificate that new connections use.
    pub(super) fn get(&self) -> Option<KeyedCertificate> {
        self.certificate.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the certificate that new connections use.
    pub(super) fn set(&self, certificate: KeyedCertificate) {
        *self.certificate.write().unwrap_or_else(PoisonError::into_inner) = Some(certificate);
    }

    /// Sets the certificate for the checks of an authority.
    pub(super) fn set_challenge(&self, certificate: Option<KeyedCertificate>) {
        *self.challenge.write().unwrap_or_else(PoisonError::into_inner) = certificate;
    }
}

impl fmt::Debug for KeyedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedCertificate").field("validity", &self.validity).finish_non_exhaustive()
    }
}

impl fmt::Debug for CurrentCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let validity = self.get().and_then(|certificate| certificate.validity);
        f.debug_struct("CurrentCertificate").field("validity", &validity).finish_non_exhaustive()
    }
}

impl ResolvesServerCert for CurrentCertificate {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let is_check =
            hello.alpn().is_some_and(|mut protocols| protocols.any(|name| name == CHALLENGE_PROTOCOL));
        let slot = if is_check { &self.challenge } else { &self.certificate };
        let certificate = slot.read().unwrap_or_else(PoisonError::into_inner);
        certificate.as_ref().map(|certificate| Arc::clone(&certificate.key))
    }
}
