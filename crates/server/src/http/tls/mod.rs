//! TLS of the server itself, without a reverse proxy.

mod acme;
mod current;
mod files;
mod relay;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_rules::Timestamp;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

use super::connections::TimedStream;
use crate::config::{Config, PublicUrl};
use acme::AcmeCertificate;
use current::{CHALLENGE_PROTOCOL, CurrentCertificate};
use files::CertificateFiles;

/// The time within which a TLS handshake must end.
const HANDSHAKE_DEADLINE: Duration = Duration::from_secs(5);

/// The reason for which the certificate or the key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{}: {source}", file.display())]
    File {
        /// The path of the file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file does not have what it must have.
    #[error("{}: {reason}", file.display())]
    Content {
        /// The path of the file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// The TLS side of a server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Tls {
    source: Source,
    current: Arc<CurrentCertificate>,
    acceptor: TlsAcceptor,
}

/// The source of the certificate.
#[derive(Clone, Debug)]
enum Source {
    Files(Arc<CertificateFiles>),
    Acme(Arc<AcmeCertificate>),
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Tls {
    /// Reads the certificate and the key. Returns `None` if the settings have none. A server that
    /// requests its certificate may have none yet.
    ///
    /// # Errors
    /// Returns [`TlsError`] if they cannot be used.
    pub(crate) fn load(config: &Config) -> Result<Option<Self>, TlsError> {
        let current = Arc::new(CurrentCertificate::default());
        let domain = config.server.public_url.as_ref().and_then(PublicUrl::domain);
        let source = if config.tls.has_file() {
            Source::Files(Arc::new(CertificateFiles::load(&config.tls, Arc::clone(&current))?))
        } else if let Some(domain) = domain.filter(|_| config.acme.enabled) {
            let data = &config.server.data;
            let acme = AcmeCertificate::load(&config.acme, domain, data, Arc::clone(&current))?;
            Source::Acme(Arc::new(acme))
        } else {
            return Ok(None);
        };
        let provider = Arc::new(ring::default_provider());
        let mut server = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider supports the versions of TLS that are on by default")
            .with_no_client_auth()
            .with_cert_resolver(current.clone());
        server.alpn_protocols = vec![b"http/1.1".to_vec()];
        if matches!(source, Source::Acme(_)) {
            server.alpn_protocols.push(CHALLENGE_PROTOCOL.to_vec());
        }
        Ok(Some(Self { source, current, acceptor: TlsAcceptor::from(Arc::new(server)) }))
    }

    /// Reads the files again whenever they change, or requests and renews the certificate, without
    /// end.
    pub(crate) async fn keep_current(&self, clock: &Clock) -> std::convert::Infallible {
        match &self.source {
            Source::Files(files) => files.keep_current().await,
            Source::Acme(acme) => acme.keep_current(clock).await,
        }
    }

    /// Returns whether there is a certificate. A server that requests its certificate may have none
    /// yet.
    pub(crate) fn has_certificate(&self) -> bool {
        self.current.get().is_some()
    }

    /// Returns the time until which the certificate is valid, if it is known.
    pub(crate) fn valid_until(&self) -> Option<Timestamp> {
        self.current.get()?.validity().map(|validity| validity.until)
    }

    /// Makes the handshake of a connection. Returns a connection to the decrypted data, and the
    /// future that encrypts and decrypts until the connection ends. Returns `None` if the handshake
    /// fails or does not end in time.
    pub(crate) async fn accept(
        &self,
        stream: TimedStream,
    ) -> Option<(TimedStream, impl Future<Output = ()> + Send + 'static)> {
        let tls = match timeout(HANDSHAKE_DEADLINE, self.acceptor.accept(stream)).await {
            Ok(Ok(tls)) => tls,
            Ok(Err(error)) => {
                tracing::debug!("a TLS handshake failed: {error}");
                return None;
            }
            Err(_) => return None,
        };
        if tls.get_ref().1.alpn_protocol() == Some(CHALLENGE_PROTOCOL) {
            // The handshake was the whole check of the authority.
            return None;
        }
        let (ours, theirs) = match relay::pair() {
            Ok(pair) => pair,
            Err(error) => {
                tracing::warn!("a TLS connection cannot be served: {error}");
                return None;
            }
        };
        Some((TimedStream::new(theirs.into(), None), relay::run(tls, ours)))
    }
}
