//! The addresses by which other machines reach a server: printed at the start, and used in links.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{NewInvite, Uses};
use quadrex_rules::Variant;
use quadrex_tests::contest::plain;
use quadrex_tests::http::Http;
use quadrex_tests::program;
use quadrex_tests::terminal::Terminal;

/// A server with its own data folder. It is killed when this value is dropped.
struct Started {
    child: Child,
    _data: tempfile::TempDir,
}

impl Drop for Started {
    fn drop(&mut self) {
        // An error means that the server has exited already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Starts a server that listens on `bind` and writes to `output`.
fn start(bind: &str, output: Stdio) -> Result<Started> {
    let data = tempfile::tempdir()?;
    let mut command = Command::new(program::path()?);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"QUADREX_"))
    {
        command.env_remove(name);
    }
    command.args(["serve", "--bind", bind, "--data"]).arg(data.path());
    command.env_remove("DATABASE_URL").stdin(Stdio::null()).stdout(output).stderr(Stdio::null());
    Ok(Started { child: command.spawn().context("starting quadrex")?, _data: data })
}

/// Returns the lines that a starting server prints before the location of its data.
fn announced(started: &mut Started) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for line in BufReader::new(started.child.stdout.take().context("its output")?).lines() {
        lines.push(line?);
        if lines.last().is_some_and(|line| line.starts_with("Data: ")) {
            return Ok(lines);
        }
    }
    anyhow::bail!("it exited after {lines:?}")
}

/// Returns the addresses on the line that begins with `label`.
fn addresses(line: &str, label: &str) -> Result<Vec<SocketAddr>> {
    let text = line.strip_prefix(label).with_context(|| format!("{line:?} begins otherwise"))?;
    text.split(", ")
        .map(|url| {
            let address = url.strip_prefix("http://").with_context(|| format!("{url:?} is no URL"))?;
            Ok(address.parse()?)
        })
        .collect()
}

/// Every printed address can be opened. An invite that a host at `localhost` creates contains an
/// address that others can open.
#[tokio::test]
async fn a_server_on_all_addresses_prints_the_addresses_that_can_be_opened() -> Result<()> {
    let mut binds = vec!["0.0.0.0:0"];
    // Listening on IPv6 fails on a machine without IPv6.
    binds.extend(TcpListener::bind("[::]:0").is_ok().then_some("[::]:0"));
    for bind in binds {
        let mut started = start(bind, Stdio::piped())?;
        let lines = announced(&mut started)?;
        ensure!(lines.len() == 3, "{lines:?}");
        let local = addresses(&lines[0], "Quadrex listens on ")?[0];
        ensure!(local.ip().is_loopback(), "{lines:?}");
        let mut shared = Vec::new();
        if !lines[1].ends_with("no address of a network was found") {
            shared = addresses(&lines[1], "For others: ")?;
        }
        for address in shared.iter().chain([&local]) {
            ensure!(!address.ip().is_unspecified() && address.port() == local.port(), "{lines:?}");
            let page = Http::new(*address).until_status("/readyz", 200).await;
            page.with_context(|| format!("opening {address}"))?;
        }
        let for_others = shared.first().map(|address| format!("http://{address}"));
        for (opened, origin) in [(Some(&local), for_others), (shared.first(), None)] {
            let Some(opened) = opened else { continue };
            let http = Http::new(*opened);
            let host = http.as_guest(&http.guest("host").await?);
            let table = host.create(&plain(Variant::Classic)).await?.table;
            let link = host.invite(table, &NewInvite { seat: None, uses: Uses::Open }).await?;
            let handover = host.handover().await?;
            ensure!(
                link.origin == origin && handover.origin == origin,
                "at {opened}: {link:?}, {handover:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn the_qr_code_is_printed_only_on_a_terminal() -> Result<()> {
    let found = {
        let mut started = start("0.0.0.0:0", Stdio::piped())?;
        let lines = announced(&mut started)?;
        ensure!(lines.iter().all(|line| !line.contains('\u{1b}')), "a code without a terminal: {lines:?}");
        lines[1].contains("http://")
    };
    let terminal = Terminal::open()?;
    let started = start("0.0.0.0:0", terminal.line()?)?;
    let screen = std::thread::spawn(move || terminal.read_until("Data: "));
    let screen = screen.join().ok().context("reading the terminal")??;
    drop(started);
    ensure!(screen.contains("Quadrex listens on http://127.0.0.1:"), "{screen:?}");
    let code = screen.lines().filter(|line| line.contains("\u{1b}[30;107m")).count();
    ensure!(if found { code > 10 } else { code == 0 }, "{screen}");
    Ok(())
}
