//! Push messages: encrypted notifications to browsers.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, NotificationSettings, PushSubscriptionAdded, SessionList};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::{RefusalCode, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::notification_queue::{until_none_waits, until_waiting};
use quadrex_tests::push_browser::{PushBrowser, check_sender};
use quadrex_tests::receiver::{ALLOW_LOCAL, ReceivedRequest, Receiver};
use quadrex_tests::{Client, Guest, Http, InProcessServer};
use serde_json::{Value, json};

const SETTINGS: &[(&str, &str)] = &[ALLOW_LOCAL, ("QUADREX_NOTIFICATIONS__DELAY_SECONDS", "60")];

/// The time after which a notification is due.
const DELAY: Duration = Duration::from_secs(61);

async fn settings(http: &Http) -> Result<NotificationSettings> {
    http.get("/api/me/notifications").await?.json(200)
}

async fn subscribe(http: &Http, body: &Value) -> Result<PushSubscriptionAdded> {
    http.post("/api/me/push-subscriptions", body).await?.json(201)
}

async fn choose(http: &Http, body: &Value) -> Result<()> {
    let chosen = http.request("PUT", "/api/me/notifications", Some(&body.to_string())).await?;
    ensure!(chosen.status == 204, "{chosen:?}");
    Ok(())
}

fn correspondence() -> CreateTable {
    CreateTable { time: Some(TimeSetting::Correspondence { days: 3 }), ..plain(Variant::Classic) }
}

/// A correspondence match of Ada, who plays white, and Ben.
struct Match {
    table: TableId,
    ada: Client,
    ben: Client,
}

impl Match {
    async fn start(server: &InProcessServer, ada: &Guest, ben: &Guest) -> Result<Self> {
        let request = CreateTable { seat: Some(Color::White), ..correspondence() };
        let table = server.http().as_guest(ada).create(&request).await?.table;
        let (mut ada, mut ben) = (server.connect(ada).await?, server.connect(ben).await?);
        ada.watch(table).await?;
        ben.watch(table).await?;
        let sit = ben.sit(table, None, None);
        let seq = ben.accepted(&sit).await?;
        ada.until_seq(table, seq).await?;
        Ok(Self { table, ada, ben })
    }

    async fn play(&mut self, moves: &[&str]) -> Result<()> {
        for (index, mv) in moves.iter().enumerate() {
            let (mover, other) =
                if index % 2 == 0 { (&mut self.ada, &mut self.ben) } else { (&mut self.ben, &mut self.ada) };
            let command = mover.mv(self.table, mv.parse()?)?;
            let seq = mover.accepted(&command).await?;
            other.until_seq(self.table, seq).await?;
        }
        Ok(())
    }
}

impl Match {
    /// Makes a move for Ben.
    async fn reply(&mut self, mv: &str) -> Result<()> {
        let command = self.ben.mv(self.table, mv.parse()?)?;
        let seq = self.ben.accepted(&command).await?;
        self.ada.until_seq(self.table, seq).await.map(drop)
    }
}

fn message(browser: &PushBrowser, request: &ReceivedRequest) -> Result<Value> {
    Ok(serde_json::from_slice(&browser.decrypt(&request.body)?)?)
}

#[tokio::test]
async fn a_turn_is_notified_with_an_encrypted_message_that_the_server_has_signed() -> Result<()> {
    let (server, receiver) = (InProcessServer::start_with(SETTINGS).await?, Receiver::start().await?);
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let http = server.http().as_guest(&ben);
    let key = settings(&http).await?.push.context("the server sends push messages")?.public_key;
    let browser = PushBrowser::numbered(5);
    subscribe(&http, &browser.subscription(&receiver.url("/push/5"), "de")).await?;
    choose(&http, &json!({"turn": true, "started": false})).await?;
    let mut game = Match::start(&server, &ada, &ben).await?;
    game.play(&["e2e4"]).await?;
    until_waiting(&server.store().await?, 1).await?;
    ensure!(receiver.requests().is_empty(), "the message waits for the delay");
    server.skip(DELAY);
    let requests = receiver.until_received(1).await?;
    ensure!(requests[0].path == "/push/5");
    ensure!(requests[0].header("content-encoding")? == "aes128gcm");
    ensure!(requests[0].header("ttl")?.parse::<u64>()? > 2 * 86_400);
    let claims = check_sender(requests[0].header("authorization")?, &key)?;
    ensure!(claims["aud"] == receiver.origin().as_str(), "{claims}");
    let expected = json!({
        "kind": "turn", "title": "Du bist am Zug", "body": "Classic gegen Ada",
        "url": format!("/t/{}", game.table), "tag": game.table.to_string(),
    });
    ensure!(message(&browser, &requests[0])? == expected);
    Ok(())
}

#[tokio::test]
async fn a_turn_that_has_passed_is_not_notified() -> Result<()> {
    let (server, receiver) = (InProcessServer::start_with(SETTINGS).await?, Receiver::start().await?);
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let browser = PushBrowser::numbered(6);
    let http = server.http().as_guest(&ben);
    subscribe(&http, &browser.subscription(&receiver.url("/push/6"), "en")).await?;
    choose(&http, &json!({"turn": true, "started": false})).await?;
    let mut game = Match::start(&server, &ada, &ben).await?;
    game.play(&["e2e4"]).await?;
    until_waiting(&server.store().await?, 1).await?;
    game.reply("e7e5").await?;
    game.play(&["g1f3"]).await?;
    until_waiting(&server.store().await?, 2).await?;
    server.skip(DELAY);
    receiver.until_received(1).await?;
    until_none_waits(&server.store().await?).await?;
    ensure!(receiver.requests().len() == 1, "only the second turn of Ben is notified");
    Ok(())
}

#[tokio::test]
async fn started_matches_are_notified_unless_the_user_does_not_want_it() -> Result<()> {
    let (server, receiver) = (InProcessServer::start_with(SETTINGS).await?, Receiver::start().await?);
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let browsers = [PushBrowser::numbered(1), PushBrowser::numbered(2)];
    for (user, browser, path) in [(&ada, &browsers[0], "/ada"), (&ben, &browsers[1], "/ben")] {
        let http = server.http().as_guest(user);
        subscribe(&http, &browser.subscription(&receiver.url(path), "en")).await?;
    }
    let game = Match::start(&server, &ada, &ben).await?;
    // Ada's turn, and the start for Ada and Ben.
    until_waiting(&server.store().await?, 3).await?;
    server.skip(DELAY);
    receiver.until_received(2).await?;
    until_none_waits(&server.store().await?).await?;
    let requests = receiver.until_received(2).await?;
    for request in requests {
        if request.path == "/ada" {
            ensure!(message(&browsers[0], &request)?["kind"] == "turn");
        } else {
            let found = message(&browsers[1], &request)?;
            ensure!(found["title"] == "Your game has started" && found["body"] == "Classic against Ada");
        }
    }
    drop(game);
    let none = json!({"turn": false, "started": false});
    choose(&server.http().as_guest(&ada), &none).await?;
    choose(&server.http().as_guest(&ben), &none).await?;
    let mut second = Match::start(&server, &ada, &ben).await?;
    second.play(&["e2e4"]).await?;
    server.skip(DELAY);
    until_none_waits(&server.store().await?).await?;
    ensure!(receiver.requests().len() == 2);
    Ok(())
}

#[tokio::test]
async fn a_message_waits_for_the_end_of_the_quiet_hours() -> Result<()> {
    let (server, receiver) = (InProcessServer::start_with(SETTINGS).await?, Receiver::start().await?);
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let browser = PushBrowser::numbered(7);
    let http = server.http().as_guest(&ben);
    subscribe(&http, &browser.subscription(&receiver.url("/push/7"), "en")).await?;
    // All day but one minute, which is always at least an hour away because the clock of the user
    // is chosen accordingly.
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed()?.as_secs() / 60 % 1440;
    let (from, to) = ((now + 1440 - 60) % 1440, (now + 180) % 1440);
    let quiet = json!({"from_minute": from, "to_minute": to, "utc_offset_minutes": 0});
    choose(&http, &json!({"turn": true, "started": false, "quiet_hours": quiet})).await?;
    ensure!(settings(&http).await?.quiet_hours.context("they are set")?.from_minute == u16::try_from(from)?);
    let mut game = Match::start(&server, &ada, &ben).await?;
    game.play(&["e2e4"]).await?;
    until_waiting(&server.store().await?, 1).await?;
    server.skip(DELAY);
    // A test has no quiet hours, and is sent after the turn was postponed.
    let id = settings(&http).await?.subscriptions[0].id;
    let test = http.request("POST", &format!("/api/me/push-subscriptions/{id}/test"), None).await?;
    ensure!(test.status == 204);
    let requests = receiver.until_received(1).await?;
    ensure!(message(&browser, &requests[0])?["kind"] == "test");
    server.skip(Duration::from_secs(3 * 3_600));
    let requests = receiver.until_received(2).await?;
    ensure!(message(&browser, &requests[1])?["kind"] == "turn");
    Ok(())
}

#[tokio::test]
async fn a_subscription_ends_with_its_session_and_when_the_push_service_does_not_know_it() -> Result<()> {
    let (server, receiver) = (InProcessServer::start_with(SETTINGS).await?, Receiver::start().await?);
    let ben = server.guest("Ben").await?;
    let http = server.http().as_guest(&ben);
    let body = PushBrowser::numbered(8).subscription(&receiver.url("/push/8"), "es");
    let PushSubscriptionAdded { id } = subscribe(&http, &body).await?;
    ensure!(subscribe(&http, &body).await?.id == id, "the same browser has one subscription");
    receiver.answer_with(410);
    ensure!(
        http.request("POST", &format!("/api/me/push-subscriptions/{id}/test"), None).await?.status == 204
    );
    receiver.until_received(1).await?;
    until_none_waits(&server.store().await?).await?;
    ensure!(settings(&http).await?.subscriptions.is_empty());
    subscribe(&http, &body).await?;
    let id = settings(&http).await?.subscriptions[0].id;
    ensure!(http.request("DELETE", &format!("/api/me/push-subscriptions/{id}"), None).await?.status == 204);
    subscribe(&http, &body).await?;
    let store = server.store().await?;
    ensure!(store.push_subscriptions_of(ben.user.id).await?.len() == 1);
    let sessions: SessionList = http.get("/api/sessions").await?.json(200)?;
    let session = sessions.sessions.first().context("the session of the request")?;
    let ended = http.request("DELETE", &format!("/api/sessions/{}", session.id), None).await?;
    ensure!((200..300).contains(&ended.status), "{ended:?}");
    ensure!(store.push_subscriptions_of(ben.user.id).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn subscriptions_that_cannot_be_used_are_refused() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http().as_guest(&server.guest("Ben").await?);
    let browser = PushBrowser::numbered(9);
    let good = browser.subscription("https://push.example/1", "en");
    let with = |path: &str, value: Value| {
        let mut body = good.clone();
        *body.pointer_mut(path).expect("the path is right") = value;
        body
    };
    for body in [
        browser.subscription("https://127.0.0.1/1", "en"),
        browser.subscription("http://push.example/1", "en"),
        with("/keys/auth", json!("AAAA")),
        with("/keys/p256dh", json!("AAAA")),
        // A point that is not on the curve.
        with("/keys/p256dh", json!(format!("B{}", "A".repeat(86)))),
    ] {
        let refused = http.post("/api/me/push-subscriptions", &body).await?;
        ensure!(refused.refusal(400)? == RefusalCode::BadSetting, "{body}");
    }
    subscribe(&http, &good).await?;
    let nobody = server.http().get("/api/me/notifications").await?;
    ensure!(nobody.refusal(401)? == RefusalCode::Unauthenticated, "{nobody:?}");
    Ok(())
}
