//! A certificate in files, which are read again when they change.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::TlsError;
use super::current::{CurrentCertificate, KeyedCertificate, PemError};
use crate::config::TlsConfig;

/// The interval at which the files are compared with what was read before.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// The files of a certificate and its key.
#[derive(Debug)]
pub(super) struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
    current: Arc<CurrentCertificate>,
    /// The content of the files when they were read first.
    first: Content,
}

/// The content of the files.
#[derive(Clone, PartialEq, Eq)]
struct Content {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Content").finish_non_exhaustive()
    }
}

impl CertificateFiles {
    /// Reads the files, and sets their certificate.
    ///
    /// # Errors
    /// Returns [`TlsError`] if they cannot be used.
    pub(super) fn load(config: &TlsConfig, current: Arc<CurrentCertificate>) -> Result<Self, TlsError> {
        let (certificate, key) = (config.certificate.clone(), config.key.clone());
        let first = read(&certificate, &key)?;
        let files = Self { certificate, key, current, first };
        files.current.set(files.parse(&files.first)?);
        Ok(files)
    }

    /// Reads the files again whenever they change, without end. If the new ones cannot be used, the
    /// old certificate stays in use.
    pub(super) async fn keep_current(&self) -> Infallible {
        let mut seen = Some(self.first.clone());
        loop {
            tokio::time::sleep(CHECK_INTERVAL).await;
            let content = match self.read_in_background().await {
                Ok(content) if seen.as_ref() == Some(&content) => continue,
                Ok(content) => content,
                Err(error) => {
                    if seen.take().is_some() {
                        tracing::error!("the certificate stays as it was: {error}");
                    }
                    continue;
                }
            };
            match self.parse(&content) {
                Ok(certificate) => {
                    self.current.set(certificate);
                    tracing::info!("new connections use the new certificate");
                }
                // The files may be replaced one after the other, and fit again soon.
                Err(error) => tracing::error!("the certificate stays as it was: {error}"),
            }
            seen = Some(content);
        }
    }

    async fn read_in_background(&self) -> Result<Content, TlsError> {
        let (certificate, key) = (self.certificate.clone(), self.key.clone());
        let reading = quadrex_runtime::run_blocking(move || read(&certificate, &key));
        reading.await.expect("reading files does not panic")
    }

    /// Parses the files, and checks that the key belongs to the certificate.
    fn parse(&self, content: &Content) -> Result<KeyedCertificate, TlsError> {
        KeyedCertificate::parse(&content.certificate, &content.key).map_err(|error| {
            let file = match error {
                PemError::Certificate(_) => &self.certificate,
                PemError::Key(_) => &self.key,
            };
            TlsError::Content { file: file.clone(), reason: error.to_string() }
        })
    }
}

fn read(certificate: &Path, key: &Path) -> Result<Content, TlsError> {
    let read =
        |file: &Path| std::fs::read(file).map_err(|source| TlsError::File { file: file.to_owned(), source });
    Ok(Content { certificate: read(certificate)?, key: read(key)? })
}
