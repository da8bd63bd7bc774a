//! Going on from another device: the same seat in a second browser, with a secret that is good once and soon ends.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{NewSession, Session};
use quadrex_rules::Variant;
use quadrex_tests::browser::page;
use quadrex_tests::contest::plain;
use quadrex_tests::http::Response;
use quadrex_tests::{Browser, Http, Inner};

async fn show(page: &Http, secret: &str) -> Result<Response> {
    page.post("/api/session", &NewSession { handover: Some(secret.to_owned()) }).await
}

/// A move on one device, the next one of the same seat on the other, and each sees both.
#[tokio::test]
async fn a_seat_goes_on_on_another_device() -> Result<()> {
    let server = Inner::start().await?;
    let address = server.address();
    let mut contest = server.contest(&plain(Variant::Classic)).await?;
    let table = contest.table;
    let mover = contest.turn()?.context("somebody begins")?;
    contest.play("e2e4".parse()?).await?;

    let ada = contest.player(mover)?.guest()?.clone();
    let secret = server.http().as_guest(&ada).handover().await?.secret;
    let phone = Browser::visit(address).await?;
    ensure!(phone.user != ada.user);
    let answer = show(&phone.http(), &secret).await?;
    let phone = Browser::given_by(address, &answer)?;
    ensure!(phone.user == ada.user, "{answer:?}");
    let mut phone_line = phone.connect().await?;
    ensure!(phone_line.watch(table).await?.view().yours == [mover], "it is the same seat");

    contest.play("e7e5".parse()?).await?;
    let head = contest.play("g1f3".parse()?).await?;
    phone_line.until_seq(table, head).await?;
    contest.play("b8c6".parse()?).await?;
    let command = phone_line.mv(table, "f1c4".parse()?)?;
    let seq = phone_line.done(&command).await?;
    contest.until_seq(seq).await?;

    let again = show(&phone.http(), &secret).await?;
    ensure!(again.refusal(403)? == RefusalCode::BadHandover, "it is used");
    ensure!(again.header("set-cookie").is_none());
    Ok(())
}

/// Used, expired and made-up secrets get one and the same answer, and the guest who shows one stays that guest.
#[tokio::test]
async fn a_handover_that_is_no_good_changes_nothing() -> Result<()> {
    let server = Inner::start().await?;
    let ada = server.http().as_guest(&server.guest("Ada").await?);
    let address = server.address();
    let [used, expired] = [ada.handover().await?.secret, ada.handover().await?.secret];
    show(&page(address), &used).await?.json::<Session>(200)?;
    server.skip(Duration::from_secs(10 * 60));
    let browser = Browser::visit(address).await?;

    let mut answers = Vec::new();
    for secret in [&used, &expired, "0123456789abcdefghjkmnpqrstvwxyz", ""] {
        let answer = show(&browser.http(), secret).await?;
        ensure!(answer.refusal(403)? == RefusalCode::BadHandover, "{secret:?}");
        ensure!(answer.header("set-cookie").is_none(), "{secret:?}");
        answers.push(answer.body);
    }
    ensure!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    let still: Session = browser.http().request("POST", "/api/session", None).await?.json(200)?;
    ensure!(still.user == browser.user);
    Ok(())
}

/// Nobody has nothing to hand over, and neither end works from another site's page.
#[tokio::test]
async fn another_site_neither_makes_nor_shows_a_handover() -> Result<()> {
    let server = Inner::start().await?;
    let nobody = server.http().request("POST", "/api/handovers", None).await?;
    ensure!(nobody.refusal(401)? == RefusalCode::Unauthenticated);

    let browser = Browser::visit(server.address()).await?;
    let evil = server.http().with_header("Origin", "http://evil.example");
    let made = evil.with_header("Cookie", &browser.cookie).request("POST", "/api/handovers", None).await?;
    ensure!(made.refusal(403)? == RefusalCode::BadOrigin);

    let secret = browser.http().handover().await?.secret;
    let shown = show(&evil, &secret).await?;
    ensure!(shown.refusal(403)? == RefusalCode::BadOrigin);
    let user = show(&page(server.address()), &secret).await?.json::<Session>(200)?.user;
    ensure!(user == browser.user, "the refused one did not use it up");
    Ok(())
}
