//! A TLS proxy in front of a server, and a client of a server with TLS.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::program;

/// A port that accepts TLS connections for `localhost`.
pub struct Tls {
    address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl Tls {
    /// Starts a proxy in front of the server at this address.
    ///
    /// # Errors
    /// If no port is free, or the certificate cannot be read.
    pub async fn before(server: SocketAddr) -> Result<Self> {
        let certificate = CertificateDer::from_pem_file(file("server.pem")).context("the certificate")?;
        let key = PrivateKeyDer::from_pem_file(file("server.key")).context("the key")?;
        let config =
            ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key)?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.context("listening for TLS")?;
        let address = listener.local_addr()?;
        let accepting = tokio::spawn(async move {
            let mut carried = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                carried.spawn(async move {
                    let mut client = acceptor.accept(client).await?;
                    let mut server = TcpStream::connect(server).await?;
                    copy_bidirectional(&mut client, &mut server).await
                });
                while carried.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, accepting })
    }

    /// Returns its URL.
    pub fn url(&self) -> String {
        format!("https://localhost:{}", self.address.port())
    }

    /// Returns the path of the certificate authority's certificate.
    pub fn authority() -> PathBuf {
        file("ca.pem")
    }
}

impl Drop for Tls {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// A port that accepts plain connections and relays them to a server with TLS, so that clients
/// without TLS can use it. It trusts the certificates of the tests.
pub struct TlsClient {
    address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl TlsClient {
    /// Starts to relay connections to the server at this address.
    ///
    /// # Errors
    /// If no port is free.
    pub async fn of(server: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.context("listening")?;
        let address = listener.local_addr()?;
        let accepting = tokio::spawn(async move {
            let mut carried = JoinSet::new();
            while let Ok((mut client, _)) = listener.accept().await {
                carried.spawn(async move {
                    let mut server = handshake(server).await?;
                    copy_bidirectional(&mut client, &mut server).await?;
                    anyhow::Ok(())
                });
                while carried.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, accepting })
    }

    /// Returns the address for plain connections.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for TlsClient {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Opens a connection to a server with TLS, as `localhost`.
///
/// # Errors
/// If the handshake fails.
pub async fn handshake(server: SocketAddr) -> Result<TlsStream<TcpStream>> {
    let trusted = [Tls::authority(), file("other.pem")].map(CertificateDer::from_pem_file);
    handshake_trusting(trusted.into_iter().collect::<Result<_, _>>()?, server).await
}

/// Opens a connection to a server with TLS, as `localhost`, whose certificate must be from one of
/// these authorities.
///
/// # Errors
/// If the handshake fails.
pub async fn handshake_trusting(
    authorities: Vec<CertificateDer<'static>>,
    server: SocketAddr,
) -> Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    for authority in authorities {
        roots.add(authority)?;
    }
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let stream = TcpStream::connect(server).await?;
    let name = ServerName::try_from("localhost")?;
    TlsConnector::from(Arc::new(config)).connect(name, stream).await.context("the TLS handshake")
}

/// Returns the path of a file in `tests/tls`, which contains a key and certificates for tests only.
pub fn file(name: &str) -> PathBuf {
    program::root().join("tests/tls").join(name)
}
