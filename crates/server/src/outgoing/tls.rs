//! TLS to other servers.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// TLS with the root certificates of the system, or with those in the file that the environment
/// variable `SSL_CERT_FILE` names. The certificates are loaded for the first connection.
#[derive(Debug, Default)]
pub(super) struct TrustedTls(OnceLock<Arc<ClientConfig>>);

impl TrustedTls {
    /// Makes the handshake with a server and checks its certificate.
    pub(super) async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        host: &str,
        stream: S,
    ) -> io::Result<TlsStream<S>> {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        TlsConnector::from(self.config()?).connect(name, stream).await
    }

    fn config(&self) -> io::Result<Arc<ClientConfig>> {
        if let Some(config) = self.0.get() {
            return Ok(config.clone());
        }
        let found = rustls_native_certs::load_native_certs();
        let mut roots = RootCertStore::empty();
        let (added, _) = roots.add_parsable_certificates(found.certs);
        if added == 0 {
            return Err(io::Error::other("the system has no trusted certificates"));
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider supports the versions of TLS that are on by default")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(self.0.get_or_init(|| Arc::new(config)).clone())
    }
}
