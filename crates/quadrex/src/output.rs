//! The output of a command: a file or standard output.

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};

use crate::convert::is_standard;

/// A file or standard output.
pub(crate) struct Output {
    name: String,
    stream: Box<dyn Write>,
}

impl Output {
    pub(crate) fn create(path: &Path) -> Result<Self> {
        if is_standard(path) {
            return Ok(Self { name: "standard output".to_owned(), stream: Box::new(io::stdout().lock()) });
        }
        let name = path.display().to_string();
        let file = File::create(path).with_context(|| name.clone())?;
        Ok(Self { name, stream: Box::new(file) })
    }

    /// Writes a piece of the result completely. Returns `Break` if the reader has closed the pipe.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<ControlFlow<()>> {
        match self.stream.write_all(bytes).and_then(|()| self.stream.flush()) {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
            Err(error) => Err(error).context(self.name.clone()),
        }
    }
}
