//! Recovery keys: a guest continues in another browser with a key that was written down.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{Me, NewSession, RecoveryKeyCreated, Session};
use quadrex_tests::browser::page;
use quadrex_tests::http::Response;
use quadrex_tests::{Browser, Http, InProcessServer};

async fn create(http: &Http) -> Result<String> {
    let created: RecoveryKeyCreated = http.request("POST", "/api/recovery-key", None).await?.json(201)?;
    Ok(created.recovery_key)
}

async fn sign_in(http: &Http, key: &str) -> Result<Response> {
    http.post("/api/session", &NewSession { recovery_key: Some(key.to_owned()), ..NewSession::default() })
        .await
}

async fn has_key(http: &Http) -> Result<bool> {
    Ok(http.get("/api/me").await?.json::<Me>(200)?.recovery_key)
}

#[tokio::test]
async fn a_recovery_key_makes_a_browser_its_user_as_often_as_needed() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let home = Browser::visit(address).await?;
    ensure!(!has_key(&home.http()).await?);
    let key = create(&home.http()).await?;
    ensure!(has_key(&home.http()).await?);

    // The key is typed by hand in another browser, which has a guest already.
    for typed in [key.to_uppercase(), key.replace('-', " ")] {
        let library = Browser::visit(address).await?;
        ensure!(library.user != home.user);
        let answer = sign_in(&library.http(), &typed).await?;
        let signed_in: Session = answer.json(200)?;
        ensure!(signed_in.user == home.user, "{signed_in:?}");
        ensure!(signed_in.previous_user.as_ref() == Some(&library.user), "{signed_in:?}");
        let earlier = answer.headers.iter().find(|(_, value)| value.contains("quadrex_earlier="));
        let (_, earlier) = earlier.context("the earlier session is kept")?;
        let earlier = earlier.split(';').next().unwrap_or_default();
        let now = Browser::given_by(address, &answer)?;
        now.connect().await?;

        let cookies = format!("{}; {earlier}", now.cookie);
        let page = page(address).with_header("Cookie", &cookies);
        let back: Session = page.request("POST", "/api/session/back", None).await?.json(200)?;
        ensure!(back.user == library.user, "{back:?}");
    }
    ensure!(
        home.http().get("/api/me").await?.json::<Me>(200)?.user == home.user,
        "the old browser stays signed in"
    );
    Ok(())
}

#[tokio::test]
async fn a_wrong_replaced_or_removed_key_changes_nothing() -> Result<()> {
    let server = InProcessServer::start().await?;
    let home = Browser::visit(server.address()).await?;
    let replaced = create(&home.http()).await?;
    let removed = create(&home.http()).await?;
    ensure!(replaced != removed);
    sign_in(&page(server.address()), &removed).await?.json::<Session>(200)?;
    for _ in 0..2 {
        let answer = home.http().request("DELETE", "/api/recovery-key", None).await?;
        ensure!(answer.status == 204, "{answer:?}");
    }
    ensure!(!has_key(&home.http()).await?);

    let other = Browser::visit(server.address()).await?;
    let mut answers = Vec::new();
    for key in [replaced.as_str(), &removed, "", "0000-0000", &"a".repeat(10_000)] {
        let answer = sign_in(&other.http(), key).await?;
        ensure!(answer.refusal(403)? == RefusalCode::WrongCredentials, "{key:?}");
        ensure!(answer.header("set-cookie").is_none(), "{key:?}");
        answers.push(answer.body);
    }
    ensure!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");

    let both =
        NewSession { recovery_key: Some(removed), handover: Some("0".repeat(32)), ..NewSession::default() };
    let answer = other.http().post("/api/session", &both).await?;
    ensure!(answer.refusal(400)? == RefusalCode::Malformed);
    Ok(())
}

#[tokio::test]
async fn recovery_keys_need_a_user_and_the_own_page() -> Result<()> {
    let server = InProcessServer::start().await?;
    for method in ["POST", "DELETE"] {
        let nobody = server.http().request(method, "/api/recovery-key", None).await?;
        ensure!(nobody.refusal(401)? == RefusalCode::Unauthenticated);
    }
    let browser = Browser::visit(server.address()).await?;
    let evil = server.http().with_header("Origin", "http://evil.example");
    let made = evil.with_header("Cookie", &browser.cookie).request("POST", "/api/recovery-key", None).await?;
    ensure!(made.refusal(403)? == RefusalCode::BadOrigin);
    let key = create(&browser.http()).await?;
    ensure!(sign_in(&evil, &key).await?.refusal(403)? == RefusalCode::BadOrigin);
    Ok(())
}

#[tokio::test]
async fn an_address_can_guess_only_a_few_keys() -> Result<()> {
    let server = InProcessServer::start_with(&[
        ("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.1"),
        ("QUADREX_LIMITS__SIGN_INS_BURST", "3"),
    ])
    .await?;
    let from = |address| page(server.address()).with_header("X-Forwarded-For", address);
    for _ in 0..3 {
        let answer = sign_in(&from("192.0.2.7"), "0000").await?;
        ensure!(answer.refusal(403)? == RefusalCode::WrongCredentials);
    }
    let answer = sign_in(&from("192.0.2.7"), "0000").await?;
    ensure!(answer.refusal(429)? == RefusalCode::RateLimited);
    let wait: u64 = answer.header("retry-after").context("a time to wait")?.parse()?;
    ensure!((1..=3).contains(&wait) && answer.body.contains(&format!("wait {wait} seconds")), "{answer:?}");
    let answer = sign_in(&from("192.0.2.8"), "0000").await?;
    ensure!(answer.refusal(403)? == RefusalCode::WrongCredentials, "another address");
    Ok(())
}
