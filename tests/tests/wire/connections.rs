//! Incomplete requests time out, and the number of open connections is limited.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_tests::{Client, Database, Launch, PATIENCE, Received, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::http::{HeaderName, StatusCode};

/// A request with an incomplete head.
const HALF_HEAD: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n";

/// A request with an incomplete body.
const HALF_BODY: &[u8] =
    b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{";

async fn connect_and_send(server: &Server, bytes: &[u8]) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(server.address()).await?;
    // A refused connection may close before everything is written.
    stream.write_all(bytes).await.ok();
    Ok(stream)
}

/// Reads until the server closes or resets the connection.
async fn read_until_closed(stream: &mut TcpStream) -> Result<String> {
    let mut answer = Vec::new();
    let reading = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    // A reset is an error here, but it ends the connection too.
    reading.context("waiting for the connection to end")?.ok();
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// There are more incomplete requests than the server has descriptors. Other clients are still
/// answered, and all incomplete requests time out.
#[tokio::test]
async fn incomplete_requests_do_not_block_other_clients() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_descriptors(200);
    let server = launch.start().await?;
    let mut held = Vec::new();
    for _ in 0..320 {
        held.push(connect_and_send(&server, HALF_HEAD).await?);
    }
    let answered = async {
        while !server.http().get("/healthz").await.is_ok_and(|answer| answer.status == 200) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, answered).await.context("other clients get no answer")?;
    for stream in &mut held {
        read_until_closed(stream).await?;
    }
    server.guest("guest").await?;
    let lines = launch.log().matches("too many file descriptors").count();
    ensure!(lines == 1, "it was logged {lines} times");
    Ok(())
}

#[tokio::test]
async fn a_request_without_its_body_times_out() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let answer = read_until_closed(&mut connect_and_send(&server, HALF_BODY).await?).await?;
    ensure!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    Ok(())
}

#[tokio::test]
async fn request_headers_over_16_kib_are_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let fits = server.http().with_header("X-Long", &"x".repeat(15 * 1024)).get("/healthz").await?;
    ensure!(fits.status == 200, "{}", fits.status);
    let beyond = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: {}", "x".repeat(16 * 1024));
    let answer = read_until_closed(&mut connect_and_send(&server, beyond.as_bytes()).await?).await?;
    ensure!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    Ok(())
}

#[tokio::test]
async fn a_connection_without_hello_is_closed() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut client = Client::connect(server.address()).await?;
    match client.receive().await? {
        Received::Closed(1008) => Ok(()),
        other => bail!("{other:?}"),
    }
}

/// A shutdown aborts requests that never end, and then finishes as usual.
#[tokio::test]
async fn incomplete_requests_do_not_delay_the_exit() -> Result<()> {
    let mut server = Launch::new(&Database::Sqlite)?.start().await?;
    let _held = (connect_and_send(&server, HALF_HEAD).await?, connect_and_send(&server, HALF_BODY).await?);
    server.http().get("/healthz").await?;
    server.terminate().await?;
    let ended = server.ended().await?;
    ensure!(ended.status.success(), "{}", ended.status);
    ensure!(!ended.stderr.contains("did not end in time"), "{}", ended.stderr);
    Ok(())
}

/// Behind a proxy, each client address may have as many WebSockets as the setting allows.
#[tokio::test]
async fn the_number_of_connections_of_an_address_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.0/8")
        .with_env("QUADREX_LIMITS__CONNECTIONS_PER_ADDRESS", 2);
    let server = launch.start().await?;
    let forwarded = HeaderName::from_static("x-forwarded-for");
    let open =
        async |address: &str| Client::connect_with(server.address(), &[(forwarded.clone(), address)]).await;
    let first = open("2001:db8::1").await?.ok().context("the first is refused")?;
    let second = open("[2001:db8::2]:443").await?.ok().context("the second is refused")?;
    ensure!(open("2001:db8::3").await?.err() == Some(StatusCode::TOO_MANY_REQUESTS));
    ensure!(open("2001:db8:0:1::3").await?.is_ok(), "another network");
    drop((first, second));
    let again = async {
        while open("2001:db8::3").await?.is_err() {}
        anyhow::Ok(())
    };
    timeout(PATIENCE, again).await.context("closed connections still count")?
}
