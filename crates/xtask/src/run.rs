//! `cargo xtask run`: builds and starts the server.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::{client, process, workspace};

/// The arguments of `cargo xtask run`, all of which are passed to `quadrex serve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    bind: Option<String>,
    /// Folder of the embedded database [default: data/ in the repository]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Settings file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Further arguments of `quadrex serve`
    #[arg(last = true, value_name = "ARGS")]
    rest: Vec<OsString>,
}

/// Builds the web client and the server if needed, and replaces this process by the server.
///
/// # Errors
/// Returns an error if something cannot be built, or the server cannot be started. The server
/// prints its own errors.
pub(crate) fn run(args: &Args) -> Result<()> {
    client::ensure_built()?;
    process::run(workspace::cargo().args(["build", "--release", "--package", "quadrex"]))?;
    let program =
        workspace::target().join("release").join(format!("quadrex{}", std::env::consts::EXE_SUFFIX));
    let mut server = Command::new(program);
    server.current_dir(workspace::root()).args(args.of_serve(&std::env::current_dir()?));
    process::replace_by(&mut server)
}

impl Args {
    /// Returns the arguments of the program. Paths are made absolute, because the user's folder and
    /// the program's folder, which is the root, may differ.
    fn of_serve(&self, here: &Path) -> Vec<OsString> {
        let mut words = vec![OsString::from("serve")];
        if let Some(bind) = &self.bind {
            words.extend(["--bind".into(), bind.into()]);
        }
        if let Some(data) = &self.data {
            words.extend(["--data".into(), here.join(data).into()]);
        }
        if let Some(config) = &self.config {
            words.extend(["--config".into(), here.join(config).into()]);
        }
        words.extend(self.rest.iter().cloned());
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_reach_the_server_with_paths_made_absolute() {
        let args = Args {
            bind: Some("127.0.0.1:0".into()),
            data: Some("games".into()),
            config: Some("/etc/quadrex.toml".into()),
            rest: vec!["--check".into()],
        };
        let expected = [
            "serve",
            "--bind",
            "127.0.0.1:0",
            "--data",
            "/home/games",
            "--config",
            "/etc/quadrex.toml",
            "--check",
        ];
        assert_eq!(args.of_serve(Path::new("/home")), expected);
    }

    #[test]
    fn without_arguments_the_defaults_of_the_program_apply() {
        let args = Args { bind: None, data: None, config: None, rest: vec![] };
        assert_eq!(args.of_serve(Path::new("/home")), ["serve"]);
    }
}
