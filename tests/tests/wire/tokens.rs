//! Tokens with which programs act as a user, and what their scopes allow.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_clock::Clock;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::http::{
    ChangePassword, CreateTable, Me, NewAccount, NewInvite, NewToken, QuickJoin, RenameUser, SessionList,
    SessionsEnded, TokenCreated, TokenList, TokenScope, Uses,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{ClientFrame, RefusalCode};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::http::PASSWORD;
use quadrex_tests::{Client, Database, Guest, Http, InProcessServer, Launch, RawSql};

fn new_token(scopes: &[TokenScope]) -> NewToken {
    NewToken { name: "my tool".to_owned(), scopes: scopes.to_vec(), expires_in_days: None }
}

async fn create(http: &Http, new: &NewToken) -> Result<TokenCreated> {
    http.post("/api/tokens", new).await?.json(201)
}

/// Returns the user with a token of these scopes.
async fn with_scopes(http: &Http, user: &UserView, scopes: &[TokenScope]) -> Result<Guest> {
    let token = create(http, &new_token(scopes)).await?.token;
    Ok(Guest { user: user.clone(), token })
}

async fn check_tokens(database: Database) -> Result<()> {
    let server = Launch::new(&database)?.start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let http = server.http().as_guest(&ada);
    let created =
        create(&http, &NewToken { expires_in_days: Some(90), ..new_token(&TokenScope::ALL) }).await?;
    let details = created.details;
    ensure!(details.name == "my tool" && details.scopes == TokenScope::ALL, "{details:?}");
    let lifetime = details.expires_at_ms.map(|end| end - details.created_at_ms);
    ensure!(lifetime == Some(90 * 86_400_000) && details.seen_at_ms.is_none(), "{details:?}");

    let program = Guest { user: ada.user.clone(), token: created.token };
    let me: Me = server.http().as_guest(&program).get("/api/me").await?.json(200)?;
    ensure!(me.user.id == ada.user.id, "{me:?}");
    let listed = http.get("/api/tokens").await?.json::<TokenList>(200)?.tokens;
    ensure!(listed.len() == 1 && listed[0].id == details.id && listed[0].seen_at_ms.is_some(), "{listed:?}");
    ensure!(
        http.get("/api/sessions").await?.json::<SessionList>(200)?.sessions.len() == 1,
        "it is no session"
    );

    let mut connection =
        Client::open(server.address(), Some(&Guest { user: me.user, ..program.clone() })).await?;
    let path = format!("/api/tokens/{}", details.id);
    let by_ben = server.http().as_guest(&ben).request("DELETE", &path, None).await?;
    ensure!(by_ben.refusal(404)? == RefusalCode::NotFound);
    ensure!(http.request("DELETE", &path, None).await?.status == 204);
    ensure!(connection.close_code().await? == 4001);
    let unknown = server.http().as_guest(&program).get("/api/me").await?;
    ensure!(unknown.refusal(401)? == RefusalCode::BadToken);
    ensure!(http.request("DELETE", &path, None).await?.refusal(404)? == RefusalCode::NotFound);
    Ok(())
}

#[tokio::test]
async fn tokens_are_created_listed_and_revoked_on_sqlite() -> Result<()> {
    check_tokens(Database::Sqlite).await
}

#[tokio::test]
async fn tokens_are_created_listed_and_revoked_on_postgres() -> Result<()> {
    check_tokens(Database::postgres().await?).await
}

/// No token can give its program more rights, or take the user's account over.
#[tokio::test]
async fn no_token_can_manage_its_user() -> Result<()> {
    let server = InProcessServer::start().await?;
    let ada = server.guest("Ada").await?;
    let token = with_scopes(&server.http().as_guest(&ada), &ada.user, &TokenScope::ALL).await?;
    let http = server.http().as_guest(&token);
    let account = NewAccount { name: "Ada".to_owned(), password: PASSWORD.to_owned() };
    let password = ChangePassword { current: Some(PASSWORD.to_owned()), new: "other horse".to_owned() };
    let requests = [
        ("GET", "/api/tokens", None),
        ("POST", "/api/tokens", Some(serde_json::to_string(&new_token(&TokenScope::ALL))?)),
        ("DELETE", "/api/tokens/nothing", None),
        ("GET", "/api/sessions", None),
        ("DELETE", "/api/sessions", None),
        ("DELETE", "/api/sessions/nothing", None),
        ("POST", "/api/handovers", None),
        ("POST", "/api/recovery-key", None),
        ("DELETE", "/api/recovery-key", None),
        ("PATCH", "/api/me", Some(serde_json::to_string(&RenameUser { name: "Eva".to_owned() })?)),
        ("POST", "/api/account", Some(serde_json::to_string(&account)?)),
        ("PUT", "/api/account/password", Some(serde_json::to_string(&password)?)),
    ];
    for (method, path, body) in requests {
        let answer = http.request(method, path, body.as_deref()).await?;
        ensure!(answer.refusal(403)? == RefusalCode::Forbidden, "{method} {path}");
    }
    http.get("/api/me").await?.json::<Me>(200)?;
    Ok(())
}

/// A token that may only read watches a private match of its user, but plays no part in it.
#[tokio::test]
async fn a_token_does_what_its_scopes_allow() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let http = server.http().as_guest(&ada);
    let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let request = CreateTable { privacy: quadrex_protocol::settings::Privacy::Private, ..request };
    let reader = with_scopes(&http, &ada.user, &[TokenScope::Read]).await?;
    let player = with_scopes(&http, &ada.user, &[TokenScope::Play]).await?;
    let host = with_scopes(&http, &ada.user, &[TokenScope::Host]).await?;
    for token in [&reader, &player] {
        let answer = server.http().as_guest(token).post("/api/tables", &request).await?;
        ensure!(
            answer.refusal(403)? == RefusalCode::MissingScope && answer.body.contains("host"),
            "{answer:?}"
        );
    }
    let table = server.http().as_guest(&host).create(&request).await?.table;
    let quick_join: QuickJoin = serde_json::from_str(r#"{"variant": "classic"}"#)?;
    for token in [&reader, &host] {
        let answer = server.http().as_guest(token).post("/api/quick-join", &quick_join).await?;
        ensure!(
            answer.refusal(403)? == RefusalCode::MissingScope && answer.body.contains("play"),
            "{answer:?}"
        );
    }
    let invite = NewInvite { seat: None, uses: Uses::Single };
    let path = format!("/api/tables/{table}/invites");
    for token in [&reader, &player] {
        let answer = server.http().as_guest(token).post(&path, &invite).await?;
        ensure!(answer.refusal(403)? == RefusalCode::MissingScope, "{answer:?}");
    }
    let secret = server.http().as_guest(&host).invite(table, &invite).await?.secret;
    // A table that does not exist and a hidden one are the same to a token too.
    let ben_reader = with_scopes(&server.http().as_guest(&ben), &ben.user, &[TokenScope::Read]).await?;
    let hidden = server.http().as_guest(&ben_reader).post(&path, &invite).await?;
    ensure!(hidden.refusal(404)? == RefusalCode::NotFound);

    let mut on_reader = server.connect(&reader).await?;
    on_reader.watch(table).await?;
    let mut on_host = server.connect(&host).await?;
    on_host.watch(table).await?;
    let mut on_player = server.connect(&player).await?;
    on_player.watch(table).await?;
    let mut on_ben = server.connect(&ben).await?;
    on_ben.watch_with(table, Some(secret.clone())).await?;
    let sit = on_ben.sit(table, None, Some(&secret));
    let seq = on_ben.accepted(&sit).await?;

    for client in [&mut on_reader, &mut on_host] {
        client.until_seq(table, seq).await?;
        let mv = client.mv(table, "e2e4".parse()?)?;
        ensure!(client.refused(&mv).await? == RefusalCode::MissingScope);
        let resign = client.resign(table);
        ensure!(client.refused(&resign).await? == RefusalCode::MissingScope);
        let chat = client.chat(table, quadrex_protocol::chat::Room::Seated, "hello");
        ensure!(client.refused(&chat).await? == RefusalCode::MissingScope);
    }
    on_player.until_seq(table, seq).await?;
    let cmd = on_player.next_command_id();
    let kick = ClientFrame::Kick { table, cmd, color: Color::Black, match_id: None };
    ensure!(on_player.refused(&kick).await? == RefusalCode::MissingScope);
    let mv = on_player.mv(table, "e2e4".parse()?)?;
    let seq = on_player.accepted(&mv).await?;
    on_reader.until_seq(table, seq).await?;
    Ok(())
}

#[tokio::test]
async fn a_token_with_the_scope_bot_plays_as_a_bot() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let table = server.http().as_guest(&ben).create(&request).await?.table;
    let bot = with_scopes(&server.http().as_guest(&ada), &ada.user, &[TokenScope::Bot]).await?;
    let me: Me = server.http().as_guest(&bot).get("/api/me").await?.json(200)?;
    ensure!(me.user.bot == Some(BotView::Account {}), "{me:?}");
    let mut client = server.connect(&Guest { user: me.user.clone(), ..bot }).await?;
    client.watch(table).await?;
    let sit = client.sit(table, None, None);
    let seq = client.accepted(&sit).await?;
    let seats = &client.until_seq(table, seq).await?.view().seats;
    ensure!(seats.iter().any(|seat| seat.user.as_ref() == Some(&me.user)), "{seats:?}");
    let person: Me = server.http().as_guest(&ada).get("/api/me").await?.json(200)?;
    ensure!(person.user.bot.is_none(), "only the token is a bot: {person:?}");
    Ok(())
}

#[tokio::test]
async fn a_token_expires_and_ends_with_a_new_password() -> Result<()> {
    let server = InProcessServer::start().await?;
    let ada = server.guest("Ada").await?;
    let http = server.http().as_guest(&ada);
    http.create_account("Ada").await?;
    let day = create(&http, &NewToken { expires_in_days: Some(1), ..new_token(&[TokenScope::Read]) }).await?;
    let forever = create(&http, &new_token(&[TokenScope::Read])).await?;
    let me = async |token: &str| {
        let token = Guest { user: ada.user.clone(), token: token.to_owned() };
        server.http().as_guest(&token).get("/api/me").await
    };
    me(&day.token).await?.json::<Me>(200)?;
    server.skip(Duration::from_secs(86_400));
    ensure!(me(&day.token).await?.refusal(401)? == RefusalCode::BadToken);
    me(&forever.token).await?.json::<Me>(200)?;
    ensure!(
        http.get("/api/tokens").await?.json::<TokenList>(200)?.tokens.len() == 1,
        "expired ones are gone"
    );

    let change = ChangePassword { current: Some(PASSWORD.to_owned()), new: "other horse".to_owned() };
    let change = serde_json::to_string(&change)?;
    let changed = http.request("PUT", "/api/account/password", Some(&change)).await?;
    ensure!(changed.json::<SessionsEnded>(200)?.ended == 1);
    ensure!(me(&forever.token).await?.refusal(401)? == RefusalCode::BadToken);
    http.get("/api/me").await?.json::<Me>(200)?;
    Ok(())
}

/// Requests at the same time may create more tokens than the list shows.
#[tokio::test]
async fn a_new_password_ends_more_tokens_than_are_listed() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let server = launch.start().await?;
    let ada = server.guest("Ada").await?;
    let http = server.http().as_guest(&ada);
    http.create_account("Ada").await?;
    let oldest = with_scopes(&http, &ada.user, &[TokenScope::Read]).await?;
    let copies = "insert into sessions (token_hash, user_id, kind, created_at_ms, client, scopes)
                  with recursive numbers(number) as (
                      select 1 union all select number + 1 from numbers where number < 60)
                  select randomblob(32), user_id, kind, created_at_ms + number, client, scopes
                  from sessions, numbers where scopes is not null";
    RawSql::of(&launch)?.run(copies).await?;
    let change = ChangePassword { current: Some(PASSWORD.to_owned()), new: "other horse".to_owned() };
    let change = serde_json::to_string(&change)?;
    let changed = http.request("PUT", "/api/account/password", Some(&change)).await?;
    ensure!(changed.json::<SessionsEnded>(200)?.ended == 61);
    let oldest = server.http().as_guest(&oldest).get("/api/me").await?;
    ensure!(oldest.refusal(401)? == RefusalCode::BadToken);
    Ok(())
}

#[tokio::test]
async fn the_connection_of_a_token_is_closed_when_the_token_expires() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let server = launch.start().await?;
    let ada = server.guest("Ada").await?;
    let http = server.http().as_guest(&ada);
    let (short, long) = (
        with_scopes(&http, &ada.user, &[TokenScope::Read]).await?,
        with_scopes(&http, &ada.user, &[TokenScope::Play]).await?,
    );
    let (lifetime, now) = (Duration::from_secs(3), Clock::system().now());
    let expiry = format!(
        "update sessions set created_at_ms = 0, expires_at_ms = {} where scopes = 'read'",
        (now + lifetime).as_millis()
    );
    RawSql::of(&launch)?.run(&expiry).await?;
    let mut open = server.connect(&long).await?;
    let mut expiring = server.connect(&short).await?;
    ensure!(expiring.close_code().await? == 4001);
    ensure!(Clock::system().now() >= now + lifetime, "the socket was closed too early");
    let refused = server.http().as_guest(&short).get("/api/me").await?;
    ensure!(refused.refusal(401)? == RefusalCode::BadToken);
    let table = http.create(&plain(Variant::Classic)).await?.table;
    open.watch(table).await?;
    Ok(())
}

#[tokio::test]
async fn an_invalid_token_is_not_created() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http().as_guest(&server.guest("Ada").await?);
    let valid = new_token(&[TokenScope::Read]);
    let invalid = [
        NewToken { name: String::new(), ..valid.clone() },
        NewToken { name: "a".repeat(61), ..valid.clone() },
        NewToken { name: "a\u{202e}b".to_owned(), ..valid.clone() },
        NewToken { scopes: Vec::new(), ..valid.clone() },
        NewToken { expires_in_days: Some(0), ..valid.clone() },
        NewToken { expires_in_days: Some(401), ..valid.clone() },
    ];
    for new in invalid {
        ensure!(http.post("/api/tokens", &new).await?.refusal(400)? == RefusalCode::BadSetting, "{new:?}");
    }
    for _ in 0..50 {
        create(&http, &valid).await?;
    }
    ensure!(http.post("/api/tokens", &valid).await?.refusal(409)? == RefusalCode::TooManyTokens);
    Ok(())
}
