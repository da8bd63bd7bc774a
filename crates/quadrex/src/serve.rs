//! `quadrex serve`: the server as a process.

use std::io::Write;
use std::net::SocketAddr;

use clap::Args;
use quadrex_clock::{Clock, Entropy};
use quadrex_server::app::{Server, Standby};
use quadrex_server::config::Config;
use quadrex_server::telemetry;
use quadrex_store::Location;
use tokio::signal::unix::{SignalKind, signal};

use crate::migrations;
use crate::settings::Settings;

/// The address, the settings, and the mode of the server.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Address and port to listen on; port 0 chooses a free one [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDR")]
    bind: Option<String>,
    #[command(flatten)]
    settings: Settings,
    /// Checks the settings, the database and the engines without changing anything, prints a
    /// report, and exits.
    #[arg(long)]
    check: bool,
    /// Waits as a standby, with /readyz answering 503, and takes over when no other server uses the
    /// database.
    #[arg(long, conflicts_with = "check")]
    standby: bool,
}

/// Serves until SIGINT, SIGTERM or SIGHUP.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let config = arguments.settings.load(arguments.bind.as_deref())?;
    telemetry::init(&config.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        if arguments.check {
            println!("{}\nok", Server::check(&config).await?);
            return Ok(());
        }
        serve(config, arguments.standby).await
    })
}

async fn serve(config: Config, is_standby: bool) -> anyhow::Result<()> {
    let mut stopped = Box::pin(stop_signal()?);
    let (clock, entropy) = (Clock::system(), Entropy::system());
    let server = if is_standby {
        let standby = Standby::bind(config).await?;
        announce(standby.address(), standby.location())?;
        tokio::select! {
            server = migrations::with_progress(standby.follow(clock, entropy)) => server?,
            () = &mut stopped => return Ok(()),
        }
    } else {
        let server = migrations::with_progress(Server::start(config, clock, entropy)).await?;
        announce(server.address(), server.location())?;
        server
    };
    server.run(stopped).await?;
    Ok(())
}

/// Waits for a signal to stop. SIGUSR1 and SIGUSR2 are logged and ignored.
fn stop_signal() -> std::io::Result<impl Future<Output = ()> + Send> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut first = signal(SignalKind::user_defined1())?;
    let mut second = signal(SignalKind::user_defined2())?;
    Ok(async move {
        loop {
            let ignored = tokio::select! {
                _ = interrupt.recv() => return,
                _ = terminate.recv() => return,
                _ = hang_up.recv() => return,
                _ = first.recv() => "SIGUSR1",
                _ = second.recv() => "SIGUSR2",
            };
            tracing::info!("{ignored} is ignored");
        }
    })
}

/// Prints the server's address and the location of its data.
fn announce(address: SocketAddr, location: &Location) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "Quadrex listens on http://{address}")?;
    writeln!(out, "Data: {location}")?;
    out.flush()
}
