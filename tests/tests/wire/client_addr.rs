//! Requests through proxies: the client address, and the answer to too many requests.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_tests::http::Response;
use quadrex_tests::{Database, Launch, Server};
use serde_json::json;

async fn behind_a_proxy() -> Result<Server> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.0/8")
        .with_env("QUADREX_LIMITS__GUESTS_BURST", 1)
        .with_env("QUADREX_LIMITS__GUESTS_PER_MINUTE", 1);
    launch.start().await
}

async fn guest(server: &Server, forwarded: &str) -> Result<Response> {
    server.http().with_header("X-Forwarded-For", forwarded).post("/api/guests", &json!({})).await
}

/// Another port is not another address, and an IPv6 network is one address.
#[tokio::test]
async fn requests_of_one_client_address_are_counted_together() -> Result<()> {
    let server = behind_a_proxy().await?;
    for (first, same) in [
        ("203.0.113.7", "203.0.113.7:1234"),
        ("evil, 203.0.113.8:1", "198.51.100.1, 203.0.113.8:2, 127.0.0.3"),
        ("2001:db8::1", "[2001:db8::ffff]:443"),
        ("[2001:db8:0:1::1]", "2001:db8:0:1:2::"),
    ] {
        ensure!(guest(&server, first).await?.status == 201, "{first}");
        let answer = guest(&server, same).await?;
        ensure!(answer.refusal(429).with_context(|| same.to_owned())? == RefusalCode::RateLimited);
        let wait: u64 = answer.header("retry-after").context("there is no `retry-after`")?.parse()?;
        ensure!((2..=60).contains(&wait), "{wait} seconds");
    }
    Ok(())
}

#[tokio::test]
async fn an_invalid_proxy_header_is_ignored() -> Result<()> {
    let server = behind_a_proxy().await?;
    for garbage in ["unknown", "203.0.113.7, x", "203.0.113.7:", "203.0.113.7,", "[203.0.113.7]:1"] {
        let answer = guest(&server, garbage).await?;
        ensure!(answer.refusal(400).with_context(|| garbage.to_owned())? == RefusalCode::Malformed);
    }
    Ok(())
}
