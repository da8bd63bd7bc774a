//! HTTPS without a reverse proxy: the server has TLS itself.

use std::fs;

use anyhow::{Context, Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::tls::{TlsClient, file, handshake};
use quadrex_tests::{Database, Http, Launch, PATIENCE, Received, Server};
use tokio::time::{sleep, timeout};

/// The interval between two handshakes.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(100);

/// Returns the configuration of a server with TLS. The files are copies that a test may replace.
fn with_tls() -> Result<Launch> {
    let launch = Launch::new(&Database::Sqlite)?;
    let (certificate, key) = (launch.sibling_path("server.pem"), launch.sibling_path("server.key"));
    fs::copy(file("server.pem"), &certificate)?;
    fs::copy(file("server.key"), &key)?;
    Ok(launch
        .with_env("QUADREX_SERVER__PUBLIC_URL", "https://localhost")
        .with_env("QUADREX_TLS__CERTIFICATE", certificate.display())
        .with_env("QUADREX_TLS__KEY", key.display())
        .with_env("QUADREX_TLS__REDIRECT", "127.0.0.1:0"))
}

/// Returns the certificate that the server presents.
async fn presented(server: &Server) -> Result<Vec<u8>> {
    let stream = handshake(server.address()).await?;
    let (_, connection) = stream.get_ref();
    let chain = connection.peer_certificates().context("it presents one")?;
    Ok(chain.first().context("it presents one")?.to_vec())
}

#[tokio::test]
async fn a_match_is_played_over_tls_until_the_server_stops() -> Result<()> {
    let launch = with_tls()?;
    let server = launch.start().await?;
    let client = TlsClient::of(server.address()).await?;
    let page = Http::new(client.address()).get("/").await?;
    ensure!(page.status == 200 && page.header("strict-transport-security").is_some(), "{page:?}");
    let mut contest = Contest::start_at(client.address(), &plain(Variant::Classic)).await?;
    for mv in ["e2e4", "e7e5", "g1f3"] {
        contest.play(mv.parse()?).await?;
    }
    let session = Http::new(client.address())
        .with_header("Origin", "https://localhost")
        .request("POST", "/api/session", None)
        .await?;
    let cookie = session.header("set-cookie").context("it sets a cookie")?;
    ensure!(cookie.starts_with("__Host-") && cookie.contains("; Secure"), "{cookie}");

    // Plain requests are not answered.
    ensure!(Http::new(server.address()).get("/healthz").await.is_err(), "the port is for TLS");
    server.terminate().await?;
    let mover = contest.mover()?;
    let end = async {
        loop {
            match mover.receive().await? {
                Received::Frame(_) => {}
                end => return anyhow::Ok(end),
            }
        }
    };
    let end = timeout(PATIENCE, end).await??;
    ensure!(matches!(end, Received::Closed(1012)), "{end:?}");
    Ok(())
}

#[tokio::test]
async fn a_new_certificate_is_used_and_a_bad_one_is_not() -> Result<()> {
    let launch = with_tls()?;
    let server = launch.start().await?;
    let first = presented(&server).await?;
    let (certificate, key) = (launch.sibling_path("server.pem"), launch.sibling_path("server.key"));
    // The key of another certificate.
    fs::copy(file("other.key"), &key)?;
    launch.until_logged("the certificate stays as it was", 1).await?;
    ensure!(presented(&server).await? == first, "the old one is used");
    fs::copy(file("other.pem"), &certificate)?;
    let changed = async {
        while presented(&server).await? == first {
            sleep(POLL_INTERVAL).await;
        }
        anyhow::Ok(())
    };
    timeout(PATIENCE, changed).await.context("waiting for the new certificate")??;
    fs::remove_file(&key)?;
    launch.until_logged("the certificate stays as it was", 2).await?;
    ensure!(presented(&server).await? != first, "the new one stays");
    Ok(())
}

#[tokio::test]
async fn plain_http_is_redirected_to_https() -> Result<()> {
    let launch = with_tls()?;
    let _server = launch.start().await?;
    launch.until_logged(" is redirected to https://localhost", 1).await?;
    let log = launch.log();
    let (before, _) = log.split_once(" is redirected to").context("it is logged")?;
    let address = before.rsplit_once("http://").context("it has an address")?.1.parse()?;
    let plain = Http::new(address);
    let answer = plain.get("/table/x?y=z").await?;
    ensure!(answer.status == 308, "{answer:?}");
    ensure!(answer.header("location") == Some("https://localhost/table/x?y=z"), "{answer:?}");
    ensure!(
        plain.get("//evil.example/").await?.header("location") == Some("https://localhost//evil.example/")
    );
    Ok(())
}

#[tokio::test]
async fn the_check_of_a_start_reads_the_certificate() -> Result<()> {
    let launch = with_tls()?.with_argument("--check");
    let fit = launch.run().await?;
    ensure!(fit.status.success() && fit.stdout.contains("certificate: can be used with its key"), "{fit:?}");
    fs::copy(file("other.key"), launch.sibling_path("server.key"))?;
    let unfit = launch.run().await?;
    ensure!(!unfit.status.success() && unfit.stderr.contains("server.key"), "{unfit:?}");
    let standby = with_tls()?.with_argument("--standby").run().await?;
    ensure!(!standby.status.success() && standby.stderr.contains("tls.certificate"), "{standby:?}");
    Ok(())
}
