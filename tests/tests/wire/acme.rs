//! HTTPS with a certificate that the server requests itself. The authority is Pebble, the test
//! server of Let's Encrypt.

use std::fs;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_tests::pebble::Pebble;
use quadrex_tests::tls::{Tls, handshake, handshake_trusting};
use quadrex_tests::{Database, Launch, PATIENCE, Server};
use tokio::time::{sleep, timeout};

/// The interval between two handshakes.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Returns the configuration of a server that requests its certificate from this directory.
fn with_acme(directory: &str, address: SocketAddr) -> Result<Launch> {
    Ok(Launch::new(&Database::Sqlite)?
        .bound_to(address)
        .with_env("QUADREX_SERVER__PUBLIC_URL", "https://localhost")
        .with_env("QUADREX_ACME__ENABLED", "true")
        .with_env("QUADREX_ACME__DIRECTORY", directory)
        .with_env("QUADREX_ACME__CONTACT", "admin@example.org")
        .with_env("QUADREX_ACME__CA_FILE", Tls::authority().display())
        .with_metrics())
}

/// Returns the certificate that the server presents, if the authority has issued it.
async fn presented(server: &Server, pebble: &Pebble) -> Result<Vec<u8>> {
    let stream = handshake_trusting(vec![pebble.root().await?], server.address()).await?;
    let (_, connection) = stream.get_ref();
    let chain = connection.peer_certificates().context("it presents one")?;
    Ok(chain.first().context("it presents one")?.to_vec())
}

/// Waits until the server presents a certificate of the authority that is not `old`.
async fn until_presented(server: &Server, pebble: &Pebble, old: &[u8]) -> Result<Vec<u8>> {
    let issued = async {
        loop {
            match presented(server, pebble).await {
                Ok(certificate) if certificate != old => return certificate,
                _ => sleep(POLL_INTERVAL).await,
            }
        }
    };
    timeout(PATIENCE, issued).await.with_context(|| format!("no certificate: {}", pebble.log()))
}

#[tokio::test]
async fn a_certificate_is_requested_and_used_again_after_a_restart() -> Result<()> {
    let pebble = Pebble::start(Duration::from_hours(24)).await?;
    let launch = with_acme(&pebble.directory(), pebble.tls_address())?;
    let mut server = launch.start().await?;
    let first = until_presented(&server, &pebble, &[]).await?;
    let metrics = launch.metrics().await?.until("quadrex_certificate_expiry_timestamp_seconds", 1.0).await?;
    let time = |series| metrics.get(series).context("it is there");
    let left = time("quadrex_certificate_expiry_timestamp_seconds")? - time("process_start_time_seconds")?;
    ensure!((86_000.0..87_000.0).contains(&left), "{left} s, not a day");
    let root = pebble.root().await?;
    server.kill().await?;
    drop(pebble);
    let server = launch.start().await?;
    let stream = handshake_trusting(vec![root], server.address()).await?;
    let chain = stream.get_ref().1.peer_certificates().context("it presents one")?;
    ensure!(chain[0].as_ref() == first, "the stored certificate is used");
    launch.until_logged("requests a certificate for localhost", 1).await?;
    let check = launch.with_argument("--check").run().await?;
    ensure!(check.stdout.contains("certificate: can be used with its key"), "{check:?}");
    Ok(())
}

#[tokio::test]
async fn a_certificate_is_renewed_before_it_expires() -> Result<()> {
    let pebble = Pebble::start(Duration::from_secs(9)).await?;
    let launch = with_acme(&pebble.directory(), pebble.tls_address())?;
    let server = launch.start().await?;
    let first = until_presented(&server, &pebble, &[]).await?;
    let second = until_presented(&server, &pebble, &first).await?;
    until_presented(&server, &pebble, &second).await?;
    launch.until_logged("new connections use the new certificate", 3).await?;
    // One account is used for all of them.
    let log = pebble.log();
    ensure!(log.contains("There are now 1 accounts") && !log.contains("There are now 2 accounts"), "{log}");
    Ok(())
}

#[tokio::test]
async fn a_server_starts_without_its_authority_and_logs_the_reason() -> Result<()> {
    let pebble = Pebble::start(Duration::from_hours(24)).await?;
    let (directory, address) = (pebble.directory(), pebble.tls_address());
    // The authority checks another port than the one on which the server listens.
    let unreachable = with_acme(&directory, "127.0.0.1:0".parse()?)?;
    let server = unreachable.start().await?;
    unreachable.until_logged("Failed to connect to 127.0.0.1", 1).await?;
    unreachable.until_logged("next attempt in 1 min", 1).await?;
    ensure!(handshake(server.address()).await.is_err(), "there is no certificate");
    drop(server);
    drop(pebble);
    let launch = with_acme(&directory, address)?;
    let check = with_acme(&directory, address)?.with_argument("--check").run().await?;
    ensure!(check.status.success() && check.stdout.contains("none yet, a start requests it"), "{check:?}");
    let server = launch.start().await?;
    launch.until_logged("no new certificate for localhost", 1).await?;
    ensure!(handshake(server.address()).await.is_err(), "there is no certificate");
    Ok(())
}

#[tokio::test]
async fn a_stored_certificate_that_cannot_be_used_is_refused_with_its_path() -> Result<()> {
    let launch = with_acme("https://ca.example/dir", "127.0.0.1:0".parse()?)?;
    let folder = launch.data().join("acme/ca.example_dir");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("localhost.pem"), "no certificate")?;
    let refused = launch.run().await?;
    let names_the_file = refused.stderr.contains("acme/ca.example_dir/localhost.pem");
    ensure!(!refused.status.success() && names_the_file, "{refused:?}");
    Ok(())
}
