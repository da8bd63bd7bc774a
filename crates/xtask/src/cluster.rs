//! `cargo xtask cluster`: builds and starts several servers that share the matches of a database.

use std::process::Command;

use anyhow::Result;

use crate::test::system::{self, Requirement};
use crate::{process, program};

/// The arguments of `cargo xtask cluster`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of servers [default: 3]
    #[arg(long, value_name = "COUNT")]
    nodes: Option<u16>,
    /// Port of HAProxy; the servers have the following ports [default: 8080]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Start nodes that have ended again
    #[arg(long)]
    restart: bool,
    /// Build for release
    #[arg(long)]
    release: bool,
}

/// Builds the web client and the programs if needed, and replaces this process by the program that
/// starts Postgres, NATS and the servers. HAProxy is started too if it is installed.
///
/// # Errors
/// Returns an error if something cannot be built, or Postgres or NATS is missing.
pub(crate) fn run(args: &Args) -> Result<()> {
    let found = system::provide(&[Requirement::Postgres, Requirement::Nats])?;
    let server = if args.release { program::release()?("quadrex") } else { program::quadrex()? };
    let name = format!("quadrex-cluster{}", std::env::consts::EXE_SUFFIX);
    let mut cluster = Command::new(server.with_file_name(name));
    cluster.args(args.of_cluster()).envs(found).env("QUADREX_BIN", server);
    process::replace_by(&mut cluster)
}

impl Args {
    fn of_cluster(&self) -> Vec<String> {
        let nodes = self.nodes.map(|nodes| format!("--nodes={nodes}"));
        let port = self.port.map(|port| format!("--port={port}"));
        let restart = self.restart.then(|| "--restart".to_owned());
        nodes.into_iter().chain(port).chain(restart).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_arguments_reach_the_program() {
        let args = Args { nodes: Some(5), port: Some(9000), restart: true, release: true };
        assert_eq!(args.of_cluster(), ["--nodes=5", "--port=9000", "--restart"]);
        let args = Args { nodes: None, port: None, restart: false, release: false };
        assert_eq!(args.of_cluster(), [""; 0]);
    }
}
