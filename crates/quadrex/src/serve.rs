//! `quadrex serve`: the server as a process.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use quadrex_server::clock::Clock;
use quadrex_server::config::{Config, Flags};
use quadrex_server::entropy::Entropy;
use quadrex_server::server::Server;
use quadrex_server::telemetry;
use tokio::signal::unix::{SignalKind, signal};

/// Where to serve. What is not given comes from the environment, from the file, from the defaults.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDR")]
    bind: Option<String>,
    /// Folder of the embedded database [default: data].
    #[arg(long, value_name = "DIR")]
    data: Option<String>,
    /// File with settings; config/default.toml of the source tells them all.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Look at the settings and the database, say "ok" or what is wrong, and end.
    #[arg(long)]
    check: bool,
}

/// Serves until SIGINT or SIGTERM.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let flags = Flags { bind: arguments.bind.clone(), data: arguments.data.clone() };
    // What is not Unicode is no setting of ours, or is refused as a wrong value; it must not end the program.
    let environment = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()));
    let config = Config::load(arguments.config.as_deref(), environment, &flags)?;
    telemetry::init(&config.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        if arguments.check {
            Server::check(&config).await?;
            println!("ok");
            return Ok(());
        }
        serve(config).await
    })
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let server = Server::start(config, Clock::system(), Entropy::system()).await?;
    announce(&server)?;
    let stop = async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    server.run(stop).await?;
    Ok(())
}

/// The two lines that people need.
fn announce(server: &Server) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "Quadrex listens on http://{}", server.address())?;
    writeln!(out, "Data: {}", server.location())?;
    out.flush()
}
