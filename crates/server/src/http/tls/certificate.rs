//! The certificate of the server, which is read again when its files change.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::TlsError;
use crate::config::TlsConfig;

/// The interval at which the files are compared with what was read before.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// The certificate with its key.
pub(super) struct Certificate {
    certificate_file: PathBuf,
    key_file: PathBuf,
    current: RwLock<Arc<CertifiedKey>>,
    /// The content of the files when they were read first.
    first: Files,
}

/// The content of the files.
#[derive(Clone, PartialEq, Eq)]
struct Files {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Certificate {
    /// Reads the files.
    ///
    /// # Errors
    /// Returns [`TlsError`] if they cannot be used.
    pub(super) fn load(config: &TlsConfig) -> Result<Self, TlsError> {
        let TlsConfig { certificate, key, .. } = config;
        let first = read(certificate, key)?;
        let current = RwLock::new(Arc::new(parse(certificate, key, &first)?));
        Ok(Self { certificate_file: certificate.clone(), key_file: key.clone(), current, first })
    }

    /// Reads the files again whenever they change, without end. If the new ones cannot be used, the
    /// old certificate stays in use.
    pub(super) async fn keep_current(&self) -> Infallible {
        let mut seen = Some(self.first.clone());
        loop {
            tokio::time::sleep(CHECK_INTERVAL).await;
            let files = match self.read_in_background().await {
                Ok(files) if seen.as_ref() == Some(&files) => continue,
                Ok(files) => files,
                Err(error) => {
                    if seen.take().is_some() {
                        tracing::error!("the certificate stays as it was: {error}");
                    }
                    continue;
                }
            };
            match parse(&self.certificate_file, &self.key_file, &files) {
                Ok(certified) => {
                    *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(certified);
                    tracing::info!("new connections use the new certificate");
                }
                // The files may be replaced one after the other, and fit again soon.
                Err(error) => tracing::error!("the certificate stays as it was: {error}"),
            }
            seen = Some(files);
        }
    }

    async fn read_in_background(&self) -> Result<Files, TlsError> {
        let (certificate, key) = (self.certificate_file.clone(), self.key_file.clone());
        let reading = tokio::task::spawn_blocking(move || read(&certificate, &key));
        reading.await.expect("reading files does not panic")
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate")
            .field("certificate_file", &self.certificate_file)
            .finish_non_exhaustive()
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn read(certificate: &Path, key: &Path) -> Result<Files, TlsError> {
    let read =
        |file: &Path| std::fs::read(file).map_err(|source| TlsError::File { file: file.to_owned(), source });
    Ok(Files { certificate: read(certificate)?, key: read(key)? })
}

/// Parses the files, and checks that the key belongs to the certificate.
fn parse(certificate: &Path, key: &Path, files: &Files) -> Result<CertifiedKey, TlsError> {
    let refused = |file: &Path, reason: String| TlsError::Content { file: file.to_owned(), reason };
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&files.certificate).collect();
    let chain = chain.map_err(|error| refused(certificate, error.to_string()))?;
    if chain.is_empty() {
        return Err(refused(certificate, "it has no certificate in PEM form".to_owned()));
    }
    let private = PrivateKeyDer::from_pem_slice(&files.key);
    let private = private.map_err(|_| refused(key, "it has no private key in PEM form".to_owned()))?;
    CertifiedKey::from_der(chain, private, &ring::default_provider())
        .map_err(|error| refused(key, format!("it cannot be used with the certificate: {error}")))
}
