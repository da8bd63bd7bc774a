//! Byte streams to servers, with or without TLS.

use std::fmt::Debug;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::address::Address;

/// The time limit for connecting.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A byte stream in both directions, with or without TLS.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Unpin + Send + Debug {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send + Debug> Duplex for T {}

/// Connects to a server. For a connection with TLS, this machine must trust the server's
/// certificate.
pub(crate) async fn connect(address: &Address) -> io::Result<Box<dyn Duplex>> {
    let connecting = async {
        let stream = TcpStream::connect((address.host.as_str(), address.port)).await?;
        stream.set_nodelay(true)?;
        if !address.is_secure {
            return Ok::<Box<dyn Duplex>, io::Error>(Box::new(stream));
        }
        let name = ServerName::try_from(address.host.clone())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        Ok(Box::new(TlsConnector::from(tls_config()?).connect(name, stream).await?))
    };
    timeout(TIMEOUT, connecting).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

/// Returns the TLS settings with the root certificates of the system, or with those in the file
/// that the environment variable `SSL_CERT_FILE` names. The certificates are loaded once.
fn tls_config() -> io::Result<Arc<ClientConfig>> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(config.clone());
    }
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(found.certs);
    if added == 0 {
        let reason = found.errors.first().map(|error| format!(" ({error})")).unwrap_or_default();
        let message =
            format!("the system has no trusted certificates{reason}: install Debian's ca-certificates");
        return Err(io::Error::other(message));
    }
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    Ok(CONFIG.get_or_init(|| Arc::new(config)).clone())
}
