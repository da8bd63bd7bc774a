//! A temporary NATS server on a free loopback port, removed with its owner.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::postgres::{unprivileged, until};
use crate::program;

/// The number of ports to try, because another process may take a free port before NATS listens on
/// it.
const PORTS: u32 = 5;

/// The maximum time for which the server may keep a test's socket waiting.
const SOCKET_PATIENCE: Duration = Duration::from_secs(30);

/// The access to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody may connect, without encryption.
    Open,
    /// Only `quadrex` with the password `rosebud` may connect, by the settings in
    /// `config/nats.conf`.
    Password,
    /// Everybody may connect, with TLS for `localhost`.
    Tls,
}

/// A running NATS server. When it is dropped, the server is killed and its files are removed.
#[derive(Debug)]
pub struct Nats {
    program: PathBuf,
    /// The user and group of the server if the test runs as root.
    run_as: Option<(u32, u32)>,
    /// True if the server is in a process group of its own.
    is_apart: bool,
    folder: TempDir,
    access: Access,
    port: u16,
    server: Option<Child>,
}

impl Nats {
    /// Starts a server to which everybody may connect. The program is searched at `NATS_SERVER`, in
    /// `PATH`, and where Debian installs it.
    ///
    /// # Errors
    /// If NATS is not installed, or the server's output if it does not start.
    pub fn start() -> Result<Self> {
        Self::start_with(Access::Open)
    }

    /// Starts a server like [`start`](Self::start), in a process group of its own, so that Ctrl-C
    /// in the terminal does not stop it before its clients.
    ///
    /// # Errors
    /// If NATS is not installed, or the server's output if it does not start.
    pub fn start_apart() -> Result<Self> {
        Self::start_in(Access::Open, true)
    }

    /// Starts a server like [`start`](Self::start), with this access.
    ///
    /// # Errors
    /// If NATS is not installed, or the server's output if it does not start.
    pub fn start_with(access: Access) -> Result<Self> {
        Self::start_in(access, false)
    }

    fn start_in(access: Access, is_apart: bool) -> Result<Self> {
        let program = program::installed("NATS_SERVER", "nats-server")?.context(
            "NATS is not installed: nats-server is neither in PATH nor in /usr/sbin. Install it (Debian: apt-get \
             install nats-server), or name its path in NATS_SERVER",
        )?;
        let folder = tempfile::Builder::new().prefix("quadrex-nats-").tempdir()?;
        let run_as = if fs::metadata("/proc/self")?.uid() == 0 { Some(unprivileged()?) } else { None };
        let mut nats = Self { program, run_as, is_apart, folder, access, port: 0, server: None };
        for attempt in 1.. {
            nats.port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            match nats.restart() {
                Ok(()) => break,
                Err(error) if attempt == PORTS => return Err(error),
                Err(_) => {}
            }
        }
        Ok(nats)
    }

    /// Returns the server's URL.
    pub fn url(&self) -> String {
        match self.access {
            Access::Open | Access::Password => format!("nats://127.0.0.1:{}", self.port),
            Access::Tls => format!("tls://localhost:{}", self.port),
        }
    }

    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// Starts the server again on the same port, or stops and starts it.
    ///
    /// # Errors
    /// The output of the server, if it does not start.
    pub fn restart(&mut self) -> Result<()> {
        self.sigkill()?;
        let settings = self.write_settings()?;
        let log = File::create(self.folder.path().join("log"))?;
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(settings).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        if let Some((user, group)) = self.run_as {
            command.uid(user).gid(group);
        }
        if self.is_apart {
            command.process_group(0);
        }
        if self.access == Access::Password {
            command.env("NATS_PASSWORD", "\"rosebud\"");
        }
        self.server = Some(command.spawn().context("nats-server cannot be run")?);
        until(|| self.is_ready())
    }

    /// Kills the server with SIGKILL.
    ///
    /// # Errors
    /// If it cannot be killed.
    pub fn sigkill(&mut self) -> Result<()> {
        if let Some(mut server) = self.server.take() {
            server.kill()?;
            server.wait()?;
        }
        Ok(())
    }

    /// Publishes bytes to a subject, over a connection of its own. Returns when the server has
    /// passed them on.
    ///
    /// # Errors
    /// If the server does not accept the connection or the bytes.
    pub fn publish(&self, subject: &str, bytes: &[u8]) -> Result<()> {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port))?;
        socket.set_read_timeout(Some(SOCKET_PATIENCE))?;
        let mut text = b"CONNECT {\"verbose\":false}\r\n".to_vec();
        text.extend(format!("PUB {subject} {}\r\n", bytes.len()).as_bytes());
        text.extend(bytes);
        text.extend(b"\r\nPING\r\n");
        socket.write_all(&text)?;
        for line in BufReader::new(socket).lines() {
            match line? {
                line if line.starts_with("PONG") => return Ok(()),
                line if line.starts_with("-ERR") => bail!("NATS: {line}"),
                _ => {}
            }
        }
        bail!("NATS closed the connection")
    }

    /// Writes the settings. Returns their file, which the server's user can read.
    fn write_settings(&self) -> Result<PathBuf> {
        let mut text = format!("listen: \"127.0.0.1:{}\"\n", self.port);
        match self.access {
            Access::Open => {}
            Access::Password => {
                let production = fs::read_to_string(program::root().join("config/nats.conf"))?;
                let is_address = |line: &str| line.starts_with("listen:") || line.starts_with("http:");
                let rest = production.lines().filter(|line| !is_address(line));
                text.extend(rest.flat_map(|line| [line, "\n"]));
            }
            Access::Tls => {
                let copy = |name: &str| -> Result<PathBuf> {
                    let path = self.folder.path().join(name);
                    fs::copy(program::root().join("tests/tls").join(name), &path)?;
                    Ok(path)
                };
                let (certificate, key) = (copy("server.pem")?, copy("server.key")?);
                writeln!(text, "tls {{ cert_file: {certificate:?}, key_file: {key:?} }}")?;
            }
        }
        let settings = self.folder.path().join("settings.conf");
        fs::write(&settings, text)?;
        if let Some((user, group)) = self.run_as {
            for entry in fs::read_dir(self.folder.path())? {
                chown(entry?.path(), Some(user), Some(group))?;
            }
            chown(self.folder.path(), Some(user), Some(group))?;
        }
        Ok(settings)
    }

    /// Returns true if the server greets a connection.
    fn is_ready(&mut self) -> Result<bool> {
        let server = self.server.as_mut().expect("it was just started");
        if let Some(status) = server.try_wait()? {
            self.server = None;
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            bail!("nats-server ended with {status}: {log}");
        }
        let Ok(socket) = TcpStream::connect(("127.0.0.1", self.port)) else { return Ok(false) };
        socket.set_read_timeout(Some(SOCKET_PATIENCE))?;
        let mut greeting = String::new();
        BufReader::new(socket).read_line(&mut greeting).ok();
        Ok(greeting.starts_with("INFO "))
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // Nothing can be done about a server that cannot be killed.
        self.sigkill().ok();
    }
}
