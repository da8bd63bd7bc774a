//! `quadrex-cluster`: a cluster on this machine for development, with Postgres, NATS, several nodes
//! and, if it is installed, HAProxy. `cargo xtask cluster` builds and runs it.

mod node;

use std::io::{Write, stderr, stdout};
use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;
use quadrex_tests::haproxy::PlainHttp;
use quadrex_tests::{HaProxy, Nats, Postgres};
use tokio::signal::unix::{SignalKind, signal};

use node::{Node, Services};

/// Runs a cluster on this machine until Ctrl-C.
#[derive(Parser)]
#[command(name = "quadrex-cluster")]
struct Args {
    /// Number of nodes
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=50))]
    nodes: u16,
    /// Port of HAProxy; the nodes have the following ports. 0 selects free ports
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Start nodes that have ended again
    #[arg(long)]
    restart: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            writeln!(stderr(), "error: {error:#}").ok();
            ExitCode::FAILURE
        }
    }
}

async fn run(args: &Args) -> Result<()> {
    let mut signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()]
        .map(signal)
        .into_iter()
        .collect::<std::io::Result<Vec<_>>>()?;
    let mut stop = async move || {
        let [interrupt, terminate, hangup] = signals.as_mut_slice() else { return };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    };
    let mut cluster = tokio::select! {
        cluster = Cluster::start(args) => cluster?,
        () = stop() => return Ok(()),
    };
    print(&cluster.lines()?)?;
    let ended = tokio::select! {
        end = cluster.watch(args.restart) => end.and_then(|()| bail!("all nodes have ended")),
        () = stop() => Ok(()),
    };
    cluster.stop().await?;
    ended
}

/// All processes of the cluster. They end with this value.
struct Cluster {
    nodes: Vec<Node>,
    haproxy: Option<HaProxy>,
    services: Services,
    _nats: Nats,
    _postgres: Postgres,
}

impl Cluster {
    async fn start(args: &Args) -> Result<Self> {
        let services = tokio::task::spawn_blocking(|| {
            Ok::<_, anyhow::Error>((Postgres::start_apart()?, Nats::start_apart()?))
        });
        let (postgres, nats) = services.await.context("starting Postgres and NATS")??;
        let services = Services { database: postgres.url(), nats: nats.url() };
        let mut nodes = Vec::new();
        for number in 1..=args.nodes {
            let port = if args.port == 0 {
                0
            } else {
                args.port.checked_add(number).context("there is no such port")?
            };
            let node = Node::start(number, port, &services).await;
            nodes.push(node.with_context(|| format!("starting node {number}"))?);
        }
        let addresses: Vec<SocketAddr> = nodes.iter().map(Node::address).collect();
        let plain = if args.port == 0 { PlainHttp::ServesAtFreePort } else { PlainHttp::ServesAt(args.port) };
        let haproxy = tokio::task::spawn_blocking(move || HaProxy::start(&addresses, plain)).await??;
        Ok(Self { nodes, haproxy, services, _nats: nats, _postgres: postgres })
    }

    /// Returns the addresses of all parts.
    fn lines(&self) -> Result<String> {
        let mut text = String::new();
        match &self.haproxy {
            Some(haproxy) => text.push_str(&format!("All nodes: http://{} (HAProxy)\n", haproxy.http())),
            None => text.push_str("HAProxy is not installed, so each node has an address of its own.\n"),
        }
        for node in &self.nodes {
            text.push_str(&node.line()?);
        }
        text.push_str(&format!("Database: {}\nMessages: {}\n", self.services.database, self.services.nats));
        text.push_str(
            "Open a table at one node, and watch it at another. Kill a node: its matches continue at the \
             others. Ctrl-C stops all processes.\n",
        );
        Ok(text)
    }

    /// Waits until all nodes have ended by themselves, and starts those that end again if required.
    /// The others go on when one of them ends.
    async fn watch(&mut self, restart: bool) -> Result<()> {
        let Self { nodes, services, .. } = self;
        let services = restart.then_some(&*services);
        futures_util::future::try_join_all(nodes.iter_mut().map(|node| watch(node, services))).await?;
        Ok(())
    }

    /// Stops the nodes, and then the services that they use.
    async fn stop(mut self) -> Result<()> {
        // Requests would find no node.
        drop(self.haproxy.take());
        for node in &self.nodes {
            node.terminate()?;
        }
        for node in &mut self.nodes {
            node.wait().await?;
        }
        Ok(())
    }
}

/// Waits until a node has ended. With services it is started again each time.
async fn watch(node: &mut Node, services: Option<&Services>) -> Result<()> {
    node.ended().await;
    while let Some(services) = services {
        node.restart(services).await?;
        print(&node.line()?)?;
        node.ended().await;
    }
    Ok(())
}

fn print(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
