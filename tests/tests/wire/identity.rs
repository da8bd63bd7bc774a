//! Identity: tokens, cookies, and the allowed origins of requests with a cookie.

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::http::{GuestCreated, Me, NewGuest, RenameUser, Session};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, Database, Http, Launch, Server};
use serde_json::json;
use tokio_tungstenite::tungstenite::http::StatusCode;
use tokio_tungstenite::tungstenite::http::header::{COOKIE, ORIGIN};

async fn server() -> Result<Server> {
    Launch::new(&Database::Sqlite)?.start().await
}

fn own_origin(server: &Server) -> String {
    format!("http://{}", server.address())
}

/// A browser with a cookie of the server.
struct Browser {
    http: Http,
    cookie: String,
    session: Session,
}

async fn browser(server: &Server) -> Result<Browser> {
    let from_here = server.http().with_header("Origin", &own_origin(server));
    let answer = from_here.request("POST", "/api/session", None).await?;
    let session = answer.json(200)?;
    let cookie = answer.header("set-cookie").context("there is no cookie")?;
    let (pair, rest) = cookie.split_once(';').context("the cookie has no attributes")?;
    ensure!(pair.starts_with("quadrex_session="), "{cookie}");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        ensure!(rest.contains(attribute), "{attribute} is missing: {cookie}");
    }
    ensure!(!rest.contains("Secure"), "this server is reached without TLS: {cookie}");
    Ok(Browser { http: server.http().with_header("Cookie", pair), cookie: pair.to_owned(), session })
}

#[tokio::test]
async fn a_cookie_identifies_the_same_guest_again() -> Result<()> {
    let server = server().await?;
    let Browser { http, session: Session { user, .. }, .. } = browser(&server).await?;
    let me: Me = http.get("/api/me").await?.json(200)?;
    ensure!(me.user == user);
    let from_here = http.with_header("Origin", &own_origin(&server));
    let again: Session = from_here.request("POST", "/api/session", None).await?.json(200)?;
    ensure!(again.user == user, "{again:?}");
    from_here.create(&plain(Variant::Classic)).await?;
    let me: Me = http.get("/api/me").await?.json(200)?;
    ensure!(me.tables.len() == 1, "the host's own table: {me:?}");
    Ok(())
}

#[tokio::test]
async fn a_cookie_behind_https_is_secure() -> Result<()> {
    let launch =
        Launch::new(&Database::Sqlite)?.with_env("QUADREX_SERVER__PUBLIC_URL", "https://chess.example");
    let server = launch.start().await?;
    let from_there = server.http().with_header("Origin", "https://chess.example");
    let answer = from_there.request("POST", "/api/session", None).await?;
    let cookie = answer.header("set-cookie").context("there is no cookie")?;
    ensure!(cookie.contains("Secure"), "{cookie}");
    Ok(())
}

/// Another site can make a browser send its cookie, but cannot change the `Origin` header.
#[tokio::test]
async fn a_cookie_from_another_site_changes_nothing() -> Result<()> {
    let server = server().await?;
    let Browser { http, cookie, session } = browser(&server).await?;
    let elsewhere = ["http://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "https://"];
    for origin in elsewhere.into_iter().map(Some).chain([None]) {
        let from_there = origin.map_or_else(|| http.clone(), |origin| http.with_header("Origin", origin));
        let answer = from_there.post("/api/tables", &plain(Variant::Classic)).await?;
        ensure!(answer.refusal(403).with_context(|| format!("{origin:?}"))? == RefusalCode::BadOrigin);
        let mut headers = vec![(COOKIE, cookie.as_str())];
        headers.extend(origin.map(|origin| (ORIGIN, origin)));
        let handshake = Client::connect_with(server.address(), &headers).await?;
        ensure!(handshake.err() == Some(StatusCode::FORBIDDEN), "a WebSocket from {origin:?}");
    }
    ensure!(http.public_tables().await?.is_empty());
    let own = own_origin(&server);
    let headers = [(COOKIE, cookie.as_str()), (ORIGIN, own.as_str())];
    let Ok(mut client) = Client::connect_with(server.address(), &headers).await? else {
        bail!("the server's own page must connect");
    };
    client.send(&ClientFrame::Hello { token: None }).await?;
    let welcome = client.next().await?;
    ensure!(
        matches!(&welcome, ServerFrame::Welcome { user: Some(user), .. } if *user == session.user),
        "{welcome:?}"
    );
    Ok(())
}

#[tokio::test]
async fn a_guest_gets_a_generated_name_unless_one_is_given() -> Result<()> {
    let server = server().await?;
    let made: GuestCreated = server.http().post("/api/guests", &json!({})).await?.json(201)?;
    ensure!(!made.user.name.is_empty() && made.token.len() >= 22, "{made:?}");
    for name in ["Server", "Аdmin", "Ann (bot)", "\u{301}"] {
        let wish = NewGuest { name: Some(name.to_owned()), bot: false };
        let answer = server.http().post("/api/guests", &wish).await?;
        ensure!(answer.refusal(400)? == RefusalCode::BadSetting, "{name:?}");
    }
    let named = server.guest("Zoë der Große").await?;
    ensure!(named.user.name == "Zoë der Große");
    let me: Me = server.http().as_guest(&named).get("/api/me").await?.json(200)?;
    ensure!(me.user == named.user);
    Ok(())
}

/// A bearer token needs no `Origin` header, because browsers never add it by themselves.
#[tokio::test]
async fn a_token_needs_no_origin() -> Result<()> {
    let server = server().await?;
    let http = server.http().as_guest(&server.guest("program").await?);
    http.with_header("Origin", "http://elsewhere.example").create(&plain(Variant::Classic)).await?;
    http.create(&plain(Variant::Classic)).await?;
    Ok(())
}

/// A client's connection stays open when its user changes the name. The next seat has the new name.
#[tokio::test]
async fn a_user_changes_the_name_and_sits_down_with_it() -> Result<()> {
    let server = server().await?;
    let guest = server.guest("Ada").await?;
    let http = server.http().as_guest(&guest);
    let table = http.create(&plain(Variant::Classic)).await?.table;
    let mut client = server.connect(&guest).await?;
    client.watch(table).await?;

    let rename = RenameUser { name: "Zoë der Große".to_owned() };
    let answer = http.request("PATCH", "/api/me", Some(&serde_json::to_string(&rename)?)).await?;
    let renamed: UserView = answer.json(200)?;
    ensure!(renamed == UserView { name: rename.name.clone(), ..guest.user.clone() }, "{renamed:?}");
    let sit = client.sit(table, Some(Color::White), None);
    client.accepted(&sit).await?;
    client.until("the new name", |client| seat_name(client, table) == Some(&rename.name)).await?;

    for name in ["", "Server", "1234567890123456789012345", " Ada"] {
        let body = serde_json::to_string(&RenameUser { name: name.to_owned() })?;
        let answer = http.request("PATCH", "/api/me", Some(&body)).await?;
        ensure!(answer.refusal(400)? == RefusalCode::BadSetting, "{name:?}");
    }
    let unknown = server.http().request("PATCH", "/api/me", Some(r#"{"name": "Eve"}"#)).await?;
    ensure!(unknown.refusal(401)? == RefusalCode::Unauthenticated);
    let me: Me = http.get("/api/me").await?.json(200)?;
    ensure!(me.user == renamed);
    Ok(())
}

fn seat_name(client: &Client, table: TableId) -> Option<&String> {
    let seats = &client.table(table).ok()?.view().seats;
    seats.iter().find(|seat| seat.color == Color::White)?.user.as_ref().map(|user| &user.name)
}

/// A page of another site cannot change a name with the visitor's cookie.
#[tokio::test]
async fn a_page_of_another_site_changes_no_name() -> Result<()> {
    let server = server().await?;
    let Browser { http, session, .. } = browser(&server).await?;
    let from_there = http.with_header("Origin", "http://evil.example");
    let answer = from_there.request("PATCH", "/api/me", Some(r#"{"name": "Mallory"}"#)).await?;
    ensure!(answer.refusal(403)? == RefusalCode::BadOrigin);
    let me: Me = http.get("/api/me").await?.json(200)?;
    ensure!(me.user == session.user);
    Ok(())
}
