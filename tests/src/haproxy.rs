//! A temporary HAProxy on loopback ports, with the settings in `config/haproxy.cfg`.

use std::fmt::Write as _;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use crate::postgres::until;
use crate::program;

/// The number of attempts to find free ports, because another process may take a port first.
const ATTEMPTS: u32 = 5;

/// The service for http.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainHttp {
    /// A free port redirects to https, as in production.
    Redirects,
    /// A free port serves the nodes.
    ServesAtFreePort,
    /// This port serves the nodes.
    ServesAt(u16),
}

/// A running HAProxy with TLS for `localhost`. It is killed when this value is dropped.
#[derive(Debug)]
pub struct HaProxy {
    folder: TempDir,
    http: u16,
    https: u16,
    monitoring: u16,
    child: Option<Child>,
}

impl HaProxy {
    /// Starts HAProxy in front of nodes. The program is searched at `HAPROXY`, in `PATH`, and where
    /// Debian installs it. Returns `None` if it is not installed.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(nodes: &[SocketAddr], plain: PlainHttp) -> Result<Option<Self>> {
        let Some(program) = program::installed("HAPROXY", "haproxy")? else { return Ok(None) };
        let folder = tempfile::Builder::new().prefix("quadrex-haproxy-").tempdir()?;
        let mut haproxy = Self { folder, http: 0, https: 0, monitoring: 0, child: None };
        for attempt in 1.. {
            match haproxy.try_start(&program, nodes, plain) {
                Ok(()) => break,
                Err(error) if attempt == ATTEMPTS => return Err(error),
                Err(_) => {}
            }
        }
        Ok(Some(haproxy))
    }

    /// Returns the address for http.
    pub fn http(&self) -> SocketAddr {
        ([127, 0, 0, 1], self.http).into()
    }

    /// Returns the address for https.
    pub fn https(&self) -> SocketAddr {
        ([127, 0, 0, 1], self.https).into()
    }

    /// Returns the address for monitoring.
    pub fn monitoring(&self) -> SocketAddr {
        ([127, 0, 0, 1], self.monitoring).into()
    }

    /// Returns the log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn try_start(&mut self, program: &Path, nodes: &[SocketAddr], plain: PlainHttp) -> Result<()> {
        // All ports are taken before one is free again, so that they differ.
        let bind = || TcpListener::bind("127.0.0.1:0");
        let listeners = [bind()?, bind()?, bind()?];
        let port = |at: usize| Ok::<u16, anyhow::Error>(listeners[at].local_addr()?.port());
        (self.https, self.monitoring) = (port(0)?, port(1)?);
        self.http = match plain {
            PlainHttp::Redirects | PlainHttp::ServesAtFreePort => port(2)?,
            PlainHttp::ServesAt(port) => port,
        };
        drop(listeners);
        let settings = self.folder.path().join("haproxy.cfg");
        fs::write(&settings, self.settings(nodes, plain)?)?;
        let log = fs::File::create(self.log_path())?;
        let mut command = Command::new(program);
        // In the foreground, and in a process group that Ctrl-C in the terminal does not reach.
        command.args(["-db", "-f"]).arg(&settings).process_group(0);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.child = Some(command.spawn().context("haproxy cannot be run")?);
        until(|| self.is_ready())
    }

    /// Returns the settings in the repository with other addresses.
    fn settings(&self, nodes: &[SocketAddr], plain: PlainHttp) -> Result<String> {
        let tls = program::root().join("tests/tls");
        let parts = ["server.pem", "server.key"].map(|name| fs::read_to_string(tls.join(name)));
        let certificate = self.folder.path().join("certificate.pem");
        fs::write(&certificate, parts.into_iter().collect::<std::io::Result<String>>()?)?;

        let mut text = fs::read_to_string(program::root().join("config/haproxy.cfg"))?;
        let mut replace = |from: &str, to: &str| {
            ensure!(text.contains(from), "config/haproxy.cfg does not contain {from:?}");
            text = text.replace(from, to);
            Ok(())
        };
        replace("bind :8080", &format!("bind 127.0.0.1:{}", self.http))?;
        replace("bind :8443", &format!("bind 127.0.0.1:{}", self.https))?;
        replace("bind 127.0.0.1:8404", &format!("bind 127.0.0.1:{}", self.monitoring))?;
        replace("/run/secrets/certificate", &certificate.to_string_lossy())?;
        // The limit of open files of a test is lower than that of a service.
        replace("maxconn 30000", "maxconn 1000")?;
        if plain != PlainHttp::Redirects {
            replace("http-request redirect scheme https code 308", "default_backend nodes")?;
        }
        text = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("server "))
            .fold(String::new(), |text, line| text + line + "\n");
        // The section with the nodes is the last one.
        for (number, address) in (1..).zip(nodes) {
            writeln!(text, "    server node{number} {address}")?;
        }
        Ok(text)
    }

    fn is_ready(&mut self) -> Result<bool> {
        let child = self.child.as_mut().expect("it was just started");
        if let Some(status) = child.try_wait()? {
            self.child = None;
            bail!("haproxy ended with {status}: {}", self.log());
        }
        Ok([self.http, self.https].iter().all(|port| TcpStream::connect(("127.0.0.1", *port)).is_ok()))
    }
}

impl Drop for HaProxy {
    fn drop(&mut self) {
        // Nothing can be done about a process that cannot be killed.
        if let Some(mut child) = self.child.take() {
            child.kill().ok();
            child.wait().ok();
        }
    }
}
