//! Requests that pages of other sites can make a browser send are refused, with and without a
//! cookie.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{Me, Session};
use quadrex_tests::{Client, Database, Launch};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::http::StatusCode;
use tokio_tungstenite::tungstenite::http::header::ORIGIN;

#[tokio::test]
async fn a_websocket_from_another_site_is_refused_even_without_a_cookie() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
        let handshake = Client::connect_with(server.address(), &[(ORIGIN, origin)]).await?;
        ensure!(handshake.err() == Some(StatusCode::FORBIDDEN), "a WebSocket from {origin}");
    }
    let own = format!("http://{}", server.address());
    let headers: [&[_]; 2] = [&[], &[(ORIGIN, own.as_str())]];
    for headers in headers {
        ensure!(Client::connect_with(server.address(), headers).await?.is_ok(), "{headers:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_page_of_another_site_cannot_change_anything() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let http = server.http();
    let own = format!("http://{}", server.address());
    let elsewhere = [
        http.with_header("Origin", "http://evil.example"),
        http.with_header("Origin", &own).with_header("Origin", &own),
        http.with_header("Sec-Fetch-Site", "cross-site"),
        http.with_header("Origin", &own).with_header("Sec-Fetch-Site", "cross-site"),
    ];
    for path in ["/api/guests", "/api/explore", "/api/session", "/api/tables"] {
        for http in &elsewhere {
            let answer = http.request("POST", path, Some("{}")).await?;
            ensure!(answer.refusal(403).context(path)? == RefusalCode::BadOrigin, "{path} {http:?}");
        }
    }
    let from_here = http.with_header("Origin", &own).with_header("Sec-Fetch-Site", "same-origin");
    ensure!(from_here.request("POST", "/api/guests", Some("{}")).await?.status == 201);
    Ok(())
}

/// Returns the status of `POST /api/guests` with these header lines and the body `{}`.
async fn status_of_post(address: std::net::SocketAddr, lines: &str) -> Result<u16> {
    let mut stream = TcpStream::connect(address).await?;
    let head = "POST /api/guests HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n";
    stream.write_all(format!("{head}{lines}\r\n{{}}").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    answer.split(' ').nth(1).context("no status")?.parse().context(answer.clone())
}

#[tokio::test]
async fn a_body_without_the_json_content_type_is_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    for (lines, status) in [
        ("", 415),
        ("Content-Type: text/plain\r\n", 415),
        ("Content-Type: application/x-www-form-urlencoded\r\n", 415),
        ("Content-Type: text/plain; application/json\r\n", 415),
        ("Content-Type: application/json\r\n", 201),
        ("Content-Type: Application/JSON; charset=utf-8\r\n", 201),
    ] {
        let got = status_of_post(server.address(), &format!("Host: localhost\r\n{lines}")).await?;
        ensure!(got == status, "{lines:?}: {got}");
    }
    Ok(())
}

/// If another site's name resolves to this server (DNS rebinding), its pages would have the
/// server's origin.
#[tokio::test]
async fn requests_for_another_host_name_are_refused() -> Result<()> {
    let launch =
        Launch::new(&Database::Sqlite)?.with_env("QUADREX_SERVER__HOSTS", "chess.example, b.example");
    let server = launch.start().await?;
    let json = "Content-Type: application/json\r\n";
    for (host, status) in [
        ("evil.example", 421),
        ("evil.example:8080", 421),
        ("localhost.evil.example", 421),
        ("localhost:8080", 201),
        ("192.168.7.7:8080", 201),
        ("[::1]:8080", 201),
        ("kitchen.local:8080", 201),
        ("chess.example", 201),
        ("B.example:8080", 201),
    ] {
        let got = status_of_post(server.address(), &format!("Host: {host}\r\n{json}")).await?;
        ensure!(got == status, "{host}: {got}");
    }
    let strange = server.http().with_header("Host", "evil.example");
    let answer = strange.get("/").await?;
    ensure!(answer.status == 421 && answer.body.contains("server.hosts"), "{}", answer.body);
    ensure!(strange.get("/healthz").await?.status == 200, "a health check may use any name");
    Ok(())
}

#[tokio::test]
async fn a_cookie_over_https_is_restricted_to_the_host() -> Result<()> {
    const URL: &str = "QUADREX_SERVER__PUBLIC_URL";
    let launch = Launch::new(&Database::Sqlite)?;
    let first = launch.clone().start().await?;
    let plain = first.http().with_header("Origin", &format!("http://{}", first.address()));
    let answer = plain.request("POST", "/api/session", None).await?;
    ensure!(answer.header("strict-transport-security").is_none());
    let before: Session = answer.json(200)?;
    let old = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next()).context("no cookie")?;
    ensure!(old.starts_with("quadrex_session="), "{old}");
    drop(first);

    let server = launch.with_env(URL, "https://chess.example").start().await?;
    let http = server.http().with_header("Origin", "https://chess.example");
    let answer = http.with_header("Cookie", old).request("POST", "/api/session", None).await?;
    ensure!(answer.header("strict-transport-security").is_some(), "{:?}", answer.headers);
    let again: Session = answer.json(200)?;
    ensure!(again.user == before.user, "the old cookie identifies nobody");
    let cookies: Vec<&str> = answer
        .headers
        .iter()
        .filter(|(name, _)| name == "set-cookie")
        .map(|(_, value)| value.as_str())
        .collect();
    let new = cookies
        .iter()
        .find(|cookie| cookie.starts_with("__Host-quadrex_session="))
        .context("no new cookie")?;
    for attribute in ["Secure", "Path=/", "HttpOnly"] {
        ensure!(new.contains(attribute), "{new}");
    }
    ensure!(!new.contains("Domain"), "{new}");
    let gone =
        cookies.iter().find(|cookie| cookie.starts_with("quadrex_session=;")).context("the old one stays")?;
    ensure!(gone.contains("Max-Age=0"), "{gone}");
    let pair = new.split(';').next().context("no cookie")?;
    let me: Me = server.http().with_header("Cookie", pair).get("/api/me").await?.json(200)?;
    ensure!(me.user == before.user);
    Ok(())
}

#[tokio::test]
async fn other_sites_may_embed_only_pictures() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let page = server.http().get("/").await?;
    ensure!(page.header("cross-origin-resource-policy") == Some("same-origin"), "{:?}", page.headers);
    ensure!(page.header("permissions-policy").is_some_and(|policy| policy.contains("camera=()")));
    let picture = server.http().get("/pictures/position.svg?variant=classic").await?;
    ensure!(picture.header("cross-origin-resource-policy") == Some("cross-origin"), "{:?}", picture.headers);
    Ok(())
}
