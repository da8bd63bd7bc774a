//! `quadrex serve`: the server as a process.

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;

use clap::Args;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use quadrex_clock::{Clock, Entropy};
use quadrex_server::app::{Server, Standby};
use quadrex_server::config::{Config, PublicUrl};
use quadrex_server::network::{local_address, network_addresses};
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
    let public_url = config.server.public_url.clone();
    let server = if is_standby {
        let standby = Standby::bind(config).await?;
        announce(standby.address(), false, public_url.as_ref(), standby.location())?;
        tokio::select! {
            server = migrations::with_progress(standby.take_over(clock, entropy)) => server?,
            () = &mut stopped => return Ok(()),
        }
    } else {
        let server = migrations::with_progress(Server::start(config, clock, entropy)).await?;
        announce(server.address(), server.has_tls(), public_url.as_ref(), server.location())?;
        server
    };
    server.run(stopped).await?;
    Ok(())
}

/// Waits for a signal to stop. SIGUSR1 and SIGUSR2 are logged and ignored.
fn stop_signal() -> io::Result<impl Future<Output = ()> + Send> {
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

/// Prints the addresses of the server and the location of its data.
fn announce(
    address: SocketAddr,
    has_tls: bool,
    public_url: Option<&PublicUrl>,
    location: &Location,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let reach = Reach { address, has_tls, public_url, network: &network_addresses(address) };
    out.write_all(reach.announcement(out.is_terminal()).as_bytes())?;
    writeln!(out, "Data: {location}")?;
    out.flush()
}

/// The ways to reach the server.
struct Reach<'a> {
    /// The address that it listens on.
    address: SocketAddr,
    /// True if the server itself has TLS.
    has_tls: bool,
    /// The URL of the proxy in front of the server, if there is one.
    public_url: Option<&'a PublicUrl>,
    /// The addresses by which other machines reach the server.
    network: &'a [SocketAddr],
}

impl Reach<'_> {
    /// Returns the lines about the addresses. For people, the best address for other machines is
    /// also shown as a QR code.
    fn announcement(&self, is_for_people: bool) -> String {
        let scheme = if self.has_tls { "https" } else { "http" };
        let mut text = format!("Quadrex listens on {scheme}://{}\n", local_address(self.address));
        let others: Vec<String> = match self.public_url {
            Some(url) => vec![url.to_string()],
            // One address needs no second line.
            None if self.network == [self.address] => vec![format!("http://{}", self.address)],
            None => self.network.iter().map(|address| format!("http://{address}")).collect(),
        };
        if self.public_url.is_some() || self.address.ip().is_unspecified() {
            text += &match (others.as_slice(), self.public_url) {
                ([], _) => "For others: no address of a network was found\n".to_owned(),
                (others, _) => format!("For others: {}\n", others.join(", ")),
            };
        }
        if let Some(code) = others.first().filter(|_| is_for_people).and_then(|url| qr_code(url)) {
            text += &code;
        }
        text
    }
}

/// Returns a text as a QR code for a terminal. It is dark on light in terminals of any colors.
fn qr_code(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let lines = code.render::<Dense1x2>().dark_color(Dense1x2::Dark).light_color(Dense1x2::Light).build();
    Some(lines.lines().map(|line| format!("  \u{1b}[30;107m{line}\u{1b}[0m\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn announcement(
        address: &str,
        public_url: Option<&str>,
        network: &[&str],
        is_for_people: bool,
    ) -> String {
        let network: Vec<SocketAddr> = network.iter().map(|address| address.parse().unwrap()).collect();
        let public_url = public_url.map(|url| url.parse().unwrap());
        let (address, public_url) = (address.parse().unwrap(), public_url.as_ref());
        Reach { address, has_tls: false, public_url, network: &network }.announcement(is_for_people)
    }

    #[test]
    fn a_server_on_all_addresses_prints_the_addresses_that_can_be_opened() {
        let network = ["192.168.1.7:8080", "[fd00::7]:8080"];
        assert_eq!(
            announcement("0.0.0.0:8080", None, &network[..1], false),
            "Quadrex listens on http://127.0.0.1:8080\nFor others: http://192.168.1.7:8080\n"
        );
        assert_eq!(
            announcement("[::]:8080", None, &network, false),
            "Quadrex listens on http://[::1]:8080\nFor others: http://192.168.1.7:8080, http://[fd00::7]:8080\n"
        );
        assert_eq!(
            announcement("0.0.0.0:8080", None, &[], true),
            "Quadrex listens on http://127.0.0.1:8080\nFor others: no address of a network was found\n"
        );
    }

    #[test]
    fn a_server_on_one_address_prints_it_once() {
        assert_eq!(
            announcement("127.0.0.1:8080", None, &[], true),
            "Quadrex listens on http://127.0.0.1:8080\n"
        );
        assert_eq!(
            announcement("192.168.1.7:80", None, &["192.168.1.7:80"], false),
            "Quadrex listens on http://192.168.1.7:80\n"
        );
    }

    #[test]
    fn a_public_url_is_the_address_for_others() {
        assert_eq!(
            announcement("127.0.0.1:8080", Some("https://chess.example"), &[], false),
            "Quadrex listens on http://127.0.0.1:8080\nFor others: https://chess.example\n"
        );
    }

    #[test]
    fn the_address_for_others_is_printed_as_a_qr_code_on_a_terminal() {
        let text = announcement("192.168.1.7:80", None, &["192.168.1.7:80"], true);
        let code: Vec<&str> = text.lines().skip(1).collect();
        assert!(code.len() > 10, "{text}");
        assert!(code.iter().all(|line| line.starts_with("  \u{1b}[30;107m") && line.ends_with("\u{1b}[0m")));
        assert!(code[0].contains('\u{2588}') || code[0].contains(' '), "a quiet zone: {:?}", code[0]);
    }
}
