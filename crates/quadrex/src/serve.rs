//! `quadrex serve`: the server as a process.

use std::io::Write;

use clap::Args;
use quadrex_server::clock::Clock;
use quadrex_server::config::Config;
use quadrex_server::entropy::Entropy;
use quadrex_server::server::Server;
use quadrex_server::telemetry;
use tokio::signal::unix::{SignalKind, signal};

use crate::settings::Settings;

/// Where to serve. What is not given comes from the environment, from the file, from the defaults.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDR")]
    bind: Option<String>,
    #[command(flatten)]
    settings: Settings,
    /// Look at the settings and the database, change nothing, say what is there and "ok" or what is wrong, and end.
    #[arg(long)]
    check: bool,
}

/// Serves until SIGINT or SIGTERM.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let config = arguments.settings.load(arguments.bind.as_deref())?;
    telemetry::init(&config.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        if arguments.check {
            println!("{}\nok", Server::check(&config).await?);
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
