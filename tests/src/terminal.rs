//! A pseudo-terminal, for tests of output that appears only on a terminal.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result};
use rustix::io::Errno;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The controlling end of a pseudo-terminal.
#[derive(Debug)]
pub struct Terminal {
    screen: File,
    path: PathBuf,
}

impl Terminal {
    /// Opens a pseudo-terminal.
    ///
    /// # Errors
    /// If the system provides no pseudo-terminal.
    pub fn open() -> Result<Self> {
        let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).context("opening a pseudo-terminal")?;
        grantpt(screen.as_fd())?;
        unlockpt(screen.as_fd())?;
        let name = ptsname(screen.as_fd(), Vec::new())?;
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes()));
        Ok(Self { screen: screen.into(), path })
    }

    /// Opens the end that a process writes to.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn line(&self) -> Result<Stdio> {
        let line = OpenOptions::new().read(true).write(true).open(&self.path);
        Ok(line.with_context(|| format!("opening {}", self.path.display()))?.into())
    }

    /// Reads until every process has closed its end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_to_end(self) -> Result<String> {
        self.read(|_| false)
    }

    /// Reads until this text has arrived, or until every process has closed its end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_until(self, text: &str) -> Result<String> {
        self.read(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
    }

    fn read(mut self, is_enough: impl Fn(&[u8]) -> bool) -> Result<String> {
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        while !is_enough(&bytes) {
            match self.screen.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
                // Linux reports with this error that the last end was closed.
                Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error).context("reading a pseudo-terminal"),
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
