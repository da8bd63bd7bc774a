//! A temporary Pebble, the test server of Let's Encrypt for ACME, on loopback ports.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use tempfile::TempDir;
use tokio::time::{sleep, timeout};
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;

use crate::http::Http;
use crate::postgres::unprivileged;
use crate::tls::{TlsClient, file};
use crate::{PATIENCE, program};

/// The interval between two attempts to connect.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A running Pebble, an authority that issues certificates for servers at a loopback port. It is
/// killed when this value is dropped.
#[derive(Debug)]
pub struct Pebble {
    folder: TempDir,
    directory: SocketAddr,
    management: SocketAddr,
    tls: SocketAddr,
    child: Child,
}

impl Pebble {
    /// Starts Pebble. Its certificates are valid for this time. The program is searched at `PEBBLE`,
    /// in `PATH`, and where Debian installs it.
    ///
    /// # Errors
    /// If it is not installed, or does not start.
    pub async fn start(validity: Duration) -> Result<Self> {
        let program = program::installed("PEBBLE", "pebble")?
            .context("Pebble is not installed (Debian: apt-get install pebble)")?;
        let folder = tempfile::Builder::new().prefix("quadrex-pebble-").tempdir()?;
        // All ports are taken before one is free again, so that they differ.
        let bind = || TcpListener::bind("127.0.0.1:0");
        let listeners = [bind()?, bind()?, bind()?];
        let [directory, management, tls] =
            [listeners[0].local_addr()?, listeners[1].local_addr()?, listeners[2].local_addr()?];
        drop(listeners);
        for name in ["server.pem", "server.key"] {
            fs::copy(file(name), folder.path().join(name))?;
        }
        let settings = json!({"pebble": {
            "listenAddress": directory.to_string(),
            "managementListenAddress": management.to_string(),
            "certificate": "server.pem",
            "privateKey": "server.key",
            "httpPort": 1,
            "tlsPort": tls.port(),
            "certificateValidityPeriod": validity.as_secs(),
        }});
        fs::write(folder.path().join("settings.json"), settings.to_string())?;
        let log = File::create(folder.path().join("log"))?;
        let mut command = Command::new(program);
        command.args(["-config", "settings.json"]).current_dir(folder.path());
        // It would otherwise wait before its checks, and refuse good requests at random.
        command.env("PEBBLE_VA_NOSLEEP", "1").env("PEBBLE_WFE_NONCEREJECT", "0");
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
        if fs::metadata("/proc/self")?.uid() == 0 {
            let (user, group) = unprivileged()?;
            for entry in fs::read_dir(folder.path())? {
                chown(entry?.path(), Some(user), Some(group))?;
            }
            chown(folder.path(), Some(user), Some(group))?;
            command.uid(user).gid(group);
        }
        let child = command.spawn().context("pebble cannot be run")?;
        let mut pebble = Self { folder, directory, management, tls, child };
        let answering = async {
            while pebble.root().await.is_err() {
                ensure!(pebble.child.try_wait()?.is_none(), "pebble has ended: {}", pebble.log());
                sleep(POLL_INTERVAL).await;
            }
            Ok(())
        };
        timeout(PATIENCE, answering).await.context("pebble does not answer")??;
        Ok(pebble)
    }

    /// Returns the URL of its directory.
    pub fn directory(&self) -> String {
        format!("https://localhost:{}/dir", self.directory.port())
    }

    /// Returns the address at which it checks servers.
    pub fn tls_address(&self) -> SocketAddr {
        self.tls
    }

    /// Returns its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Returns the root of the certificates that it issues.
    ///
    /// # Errors
    /// If it does not answer.
    pub async fn root(&self) -> Result<CertificateDer<'static>> {
        let client = TlsClient::of(self.management).await?;
        let answer = Http::new(client.address()).get("/roots/0").await?;
        ensure!(answer.status == 200, "{answer:?}");
        Ok(CertificateDer::from_pem_slice(answer.body.as_bytes())?)
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
