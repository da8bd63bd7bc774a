//! Handovers: a user continues on another device with a secret that works once and expires soon.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{HandoverPreview, NewSession, Session, ShownHandover};
use quadrex_rules::Variant;
use quadrex_tests::browser::page;
use quadrex_tests::contest::plain;
use quadrex_tests::http::{PASSWORD, Response};
use quadrex_tests::{Browser, Http, InProcessServer};
use serde_json::json;

/// Returns the cookies of a browser after an answer; `before` are its cookies before.
fn cookies_after(answer: &Response, before: &str) -> String {
    let mut cookies: Vec<(String, String)> = Vec::new();
    let set = answer.headers.iter().filter(|(name, _)| name == "set-cookie").map(|(_, value)| value.as_str());
    for cookie in before.split("; ").chain(set) {
        let gone = cookie.contains("Max-Age=0");
        let pair = cookie.split(';').next().unwrap_or_default();
        let Some((name, value)) = pair.split_once('=') else { continue };
        cookies.retain(|(known, _)| known != name);
        if !gone {
            cookies.push((name.to_owned(), value.to_owned()));
        }
    }
    cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
}

async fn preview(page: &Http, secret: &str) -> Result<Response> {
    page.post("/api/handovers/preview", &ShownHandover { secret: secret.to_owned() }).await
}

async fn use_handover(page: &Http, secret: &str) -> Result<Response> {
    page.post("/api/session", &NewSession { handover: Some(secret.to_owned()), ..NewSession::default() })
        .await
}

/// One device moves, the other makes the next move of the same seat, and both see all moves.
#[tokio::test]
async fn a_handover_moves_a_seat_to_another_device() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let mut contest = server.contest(&plain(Variant::Classic)).await?;
    let table = contest.table;
    let mover = contest.turn()?.context("a player is to move")?;
    contest.play("e2e4".parse()?).await?;

    let ada = contest.player(mover)?.guest()?.clone();
    let secret = server.http().as_guest(&ada).handover().await?.secret;
    let phone = Browser::visit(address).await?;
    ensure!(phone.user != ada.user);
    let answer = use_handover(&phone.http(), &secret).await?;
    let phone = Browser::given_by(address, &answer)?;
    ensure!(phone.user == ada.user, "{answer:?}");
    let mut phone_line = phone.connect().await?;
    ensure!(phone_line.watch(table).await?.view().your_seats == [mover], "it is the same seat");

    contest.play("e7e5".parse()?).await?;
    let head = contest.play("g1f3".parse()?).await?;
    phone_line.until_seq(table, head).await?;
    contest.play("b8c6".parse()?).await?;
    let command = phone_line.mv(table, "f1c4".parse()?)?;
    let seq = phone_line.accepted(&command).await?;
    contest.until_seq(seq).await?;

    let again = use_handover(&phone.http(), &secret).await?;
    ensure!(again.refusal(403)? == RefusalCode::BadHandover, "it is used");
    ensure!(again.header("set-cookie").is_none());
    Ok(())
}

/// Used, expired and unknown secrets get the same answer, and the guest stays the same.
#[tokio::test]
async fn an_invalid_handover_changes_nothing() -> Result<()> {
    let server = InProcessServer::start().await?;
    let ada = server.http().as_guest(&server.guest("Ada").await?);
    let address = server.address();
    let [used, expired] = [ada.handover().await?.secret, ada.handover().await?.secret];
    use_handover(&page(address), &used).await?.json::<Session>(200)?;
    server.skip(Duration::from_secs(10 * 60));
    let browser = Browser::visit(address).await?;

    let mut answers = Vec::new();
    for secret in [&used, &expired, "0123456789abcdefghjkmnpqrstvwxyz", ""] {
        let answer = use_handover(&browser.http(), secret).await?;
        ensure!(answer.refusal(403)? == RefusalCode::BadHandover, "{secret:?}");
        ensure!(answer.header("set-cookie").is_none(), "{secret:?}");
        answers.push(answer.body);
    }
    ensure!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    let still: Session = browser.http().request("POST", "/api/session", None).await?.json(200)?;
    ensure!(still.user == browser.user);
    Ok(())
}

/// Otherwise, an ended session could come back.
#[tokio::test]
async fn the_end_of_all_sessions_ends_the_handovers() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let ada = server.http().as_guest(&server.http().account("Ada").await?);
    let ben = server.http().as_guest(&server.guest("Ben").await?);
    let other = ben.handover().await?.secret;
    let body = json!({"current": PASSWORD, "new": "another password"}).to_string();
    for (method, path, body) in
        [("DELETE", "/api/sessions", None), ("PUT", "/api/account/password", Some(body.as_str()))]
    {
        let secret = ada.handover().await?.secret;
        let ended = ada.request(method, path, body).await?;
        ensure!(ended.status == 200, "{path}: {ended:?}");
        let answer = use_handover(&page(address), &secret).await?;
        ensure!(answer.refusal(403)? == RefusalCode::BadHandover, "{path}");
    }
    use_handover(&page(address), &other).await?.json::<Session>(200).context("Ben's is still there")?;
    Ok(())
}

/// A handover needs a user. Pages of other sites can neither create nor preview one.
#[tokio::test]
async fn another_site_cannot_create_or_preview_a_handover() -> Result<()> {
    let server = InProcessServer::start().await?;
    let nobody = server.http().request("POST", "/api/handovers", None).await?;
    ensure!(nobody.refusal(401)? == RefusalCode::Unauthenticated);

    let browser = Browser::visit(server.address()).await?;
    let evil = server.http().with_header("Origin", "http://evil.example");
    let made = evil.with_header("Cookie", &browser.cookie).request("POST", "/api/handovers", None).await?;
    ensure!(made.refusal(403)? == RefusalCode::BadOrigin);

    let secret = browser.http().handover().await?.secret;
    let shown = use_handover(&evil, &secret).await?;
    ensure!(shown.refusal(403)? == RefusalCode::BadOrigin);
    let user = use_handover(&page(server.address()), &secret).await?.json::<Session>(200)?.user;
    ensure!(user == browser.user, "the refused request did not use it");
    Ok(())
}

/// A preview returns the user of the secret and the user of the browser, and does not use the
/// secret. A wrong, used or expired secret gets the same answer as a use.
#[tokio::test]
async fn a_preview_returns_both_users_and_leaves_the_handover_unused() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let ada = server.guest("Ada").await?;
    let http = server.http().as_guest(&ada);
    let [secret, expired] = [http.handover().await?.secret, http.handover().await?.secret];
    let browser = Browser::visit(address).await?;

    let nobody: HandoverPreview = preview(&page(address), &secret).await?.json(200)?;
    ensure!(nobody == HandoverPreview { user: ada.user.clone(), you: None }, "{nobody:?}");
    for _ in 0..2 {
        let answer = preview(&browser.http(), &secret).await?;
        ensure!(answer.header("set-cookie").is_none());
        let shown: HandoverPreview = answer.json(200)?;
        ensure!(
            shown == HandoverPreview { user: ada.user.clone(), you: Some(browser.user.clone()) },
            "{shown:?}"
        );
    }
    let evil = server.http().with_header("Origin", "http://evil.example");
    ensure!(preview(&evil, &secret).await?.refusal(403)? == RefusalCode::BadOrigin);

    use_handover(&page(address), &secret).await?.json::<Session>(200)?;
    server.skip(Duration::from_secs(10 * 60));
    let refused = use_handover(&browser.http(), &secret).await?.body;
    for secret in [&secret, &expired, "0123456789abcdefghjkmnpqrstvwxyz", ""] {
        let answer = preview(&browser.http(), secret).await?;
        ensure!(answer.refusal(403)? == RefusalCode::BadHandover, "{secret:?}");
        ensure!(answer.body == refused, "{secret:?}");
    }
    Ok(())
}

/// After handovers, a browser can return to its previous users one by one. Scripts cannot read the
/// cookie for that.
#[tokio::test]
async fn a_browser_can_return_to_its_previous_user() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let [ada, ben] = [server.guest("Ada").await?, server.guest("Ben").await?];
    let browser = Browser::visit(address).await?;
    let mut cookies = browser.cookie.clone();
    let with = |cookies: &str| page(address).with_header("Cookie", cookies);

    for (guest, before) in [(&ada, &browser.user), (&ben, &ada.user)] {
        let secret = server.http().as_guest(guest).handover().await?.secret;
        let answer = use_handover(&with(&cookies), &secret).await?;
        for (_, cookie) in answer.headers.iter().filter(|(name, _)| name == "set-cookie") {
            ensure!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        }
        cookies = cookies_after(&answer, &cookies);
        let session: Session = answer.json(200)?;
        ensure!(session.user == guest.user && session.previous_user.as_ref() == Some(before), "{session:?}");
        let again: Session = with(&cookies).request("POST", "/api/session", None).await?.json(200)?;
        ensure!(again == session, "a reload returns the previous user too");
    }
    // A handover of the same user adds no previous user.
    let secret = server.http().as_guest(&ben).handover().await?.secret;
    let answer = use_handover(&with(&cookies), &secret).await?;
    cookies = cookies_after(&answer, &cookies);
    ensure!(answer.json::<Session>(200)?.previous_user.as_ref() == Some(&ada.user));

    for (user, earlier) in [(&ada.user, Some(&browser.user)), (&browser.user, None)] {
        let answer = with(&cookies).request("POST", "/api/session/back", None).await?;
        cookies = cookies_after(&answer, &cookies);
        let session: Session = answer.json(200)?;
        ensure!(session.user == *user && session.previous_user.as_ref() == earlier, "{session:?}");
        let again: Session = with(&cookies).request("POST", "/api/session", None).await?.json(200)?;
        ensure!(again == session, "{again:?}");
    }
    ensure!(cookies == browser.cookie, "a cookie is left: {cookies}");
    let none = with(&cookies).request("POST", "/api/session/back", None).await?;
    ensure!(none.refusal(404)? == RefusalCode::NotFound);
    Ok(())
}

/// The cookie with previous sessions identifies nobody by itself, and other sites cannot use it.
#[tokio::test]
async fn a_forged_previous_session_is_refused() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let browser = Browser::visit(address).await?;
    let many = ["x"; 500].join(".");
    for earlier in ["", ".", "rubbish", "0123456789abcdefghjkmnpqrstvwxyz.garbage", many.as_str()] {
        let cookies = format!("{}; quadrex_earlier={earlier}", browser.cookie);
        let http = page(address).with_header("Cookie", &cookies);
        let answer = http.request("POST", "/api/session/back", None).await?;
        ensure!(answer.refusal(404)? == RefusalCode::NotFound, "{earlier:?}");
        let session: Session = http.request("POST", "/api/session", None).await?.json(200)?;
        ensure!(session == Session { user: browser.user.clone(), previous_user: None }, "{session:?}");
    }
    let evil =
        server.http().with_header("Origin", "http://evil.example").with_header("Cookie", &browser.cookie);
    let back = evil.request("POST", "/api/session/back", None).await?;
    ensure!(back.refusal(403)? == RefusalCode::BadOrigin);
    Ok(())
}
