//! TLS of the server itself, without a reverse proxy.

mod certificate;
mod relay;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

use super::connections::TimedStream;
use crate::config::TlsConfig;
use certificate::Certificate;

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
    certificate: Arc<Certificate>,
    acceptor: TlsAcceptor,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}

impl Tls {
    /// Reads the certificate and the key. Returns `None` if the settings name none.
    ///
    /// # Errors
    /// Returns [`TlsError`] if they cannot be used.
    pub(crate) fn load(config: &TlsConfig) -> Result<Option<Self>, TlsError> {
        if !config.is_enabled() {
            return Ok(None);
        }
        let certificate = Arc::new(Certificate::load(config)?);
        let provider = Arc::new(ring::default_provider());
        let mut server = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider supports the versions of TLS that are on by default")
            .with_no_client_auth()
            .with_cert_resolver(certificate.clone());
        server.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Some(Self { certificate, acceptor: TlsAcceptor::from(Arc::new(server)) }))
    }

    /// Reads the files again whenever they change, without end.
    pub(crate) async fn keep_current(&self) -> std::convert::Infallible {
        self.certificate.keep_current().await
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
        let (ours, theirs) = match relay::pair() {
            Ok(pair) => pair,
            Err(error) => {
                tracing::warn!("a TLS connection cannot be served: {error}");
                return None;
            }
        };
        Some((TimedStream::new(theirs, None), relay::run(tls, ours)))
    }
}
