//! Webhooks: URLs that receive the events of the tables that a user has created.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{
    CreateTable, PersonalData, Webhook, WebhookBody, WebhookCreated, WebhookEvent, WebhookList, WebhookTested,
};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{RefusalCode, hex};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::receiver::{ALLOW_LOCAL, ReceivedRequest, Receiver};
use quadrex_tests::{Guest, Http, InProcessServer, PATIENCE};
use serde_json::json;
use tokio::time::timeout;

async fn start() -> Result<(InProcessServer, Receiver)> {
    Ok((InProcessServer::start_with(&[ALLOW_LOCAL]).await?, Receiver::start().await?))
}

async fn add(http: &Http, url: &str, events: &[&str], private: bool) -> Result<WebhookCreated> {
    let body = json!({"url": url, "events": events, "private": private});
    http.post("/api/me/webhooks", &body).await?.json(201)
}

async fn webhooks(http: &Http) -> Result<Vec<Webhook>> {
    Ok(http.get("/api/me/webhooks").await?.json::<WebhookList>(200)?.webhooks)
}

async fn until(http: &Http, is_so: impl Fn(&Webhook) -> bool) -> Result<Webhook> {
    let waiting = async {
        loop {
            let first = webhooks(http).await?.into_iter().next().context("no webhook")?;
            if is_so(&first) {
                return anyhow::Ok(first);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, waiting).await.context("waiting for a state of the webhook")?
}

/// Opens a table at which another user then sits and gives up.
async fn play(server: &InProcessServer, host: &Guest, privacy: Privacy) -> Result<()> {
    let request = CreateTable { privacy, seat: Some(Color::White), ..plain(Variant::Classic) };
    let http = server.http().as_guest(host);
    let table = http.create(&request).await?.table;
    let invite = http.invite(
        table,
        &quadrex_protocol::http::NewInvite { seat: None, uses: quadrex_protocol::http::Uses::Single },
    );
    let invite = invite.await?.secret;
    let mut client = server.connect(&server.guest("Bob").await?).await?;
    let sit = client.sit(table, None, Some(&invite));
    client.accepted(&sit).await?;
    let resign = client.resign(table);
    client.accepted(&resign).await?;
    Ok(())
}

/// Checks the signature of a request as the guide explains it.
fn check_signature(request: &ReceivedRequest, secret: &str) -> Result<()> {
    let key: [u8; 32] = hex::decode(secret).context("the secret is 32 bytes in hexadecimal digits")?;
    let mut signed = format!("{}.", request.header("quadrex-timestamp")?).into_bytes();
    signed.extend(&request.body);
    let expected = hex::encode(&hmac_sha256(&key, &signed));
    let found = request.header("quadrex-signature")?;
    ensure!(found == format!("sha256={expected}"), "the signature is {found}");
    Ok(())
}

/// HMAC as in RFC 2104, for keys of at most 64 bytes.
fn hmac_sha256(key: &[u8], text: &[u8]) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let pad = |byte: u8| {
        let mut block = [byte; 64];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize().to_vec()
}

#[tokio::test]
async fn a_webhook_receives_signed_events_of_the_tables_that_its_user_has_created() -> Result<()> {
    let (server, receiver) = start().await?;
    let ada = server.http().account("Ada").await?;
    let http = server.http().as_guest(&ada);
    let created = add(&http, &receiver.url("/hook"), &["opened", "started", "ended"], false).await?;
    ensure!(created.webhook.off.is_none() && created.webhook.sent_at_ms.is_none());
    play(&server, &ada, Privacy::Public).await?;
    let requests = receiver.until_received(3).await?;
    let mut bodies = Vec::new();
    for request in &requests {
        ensure!(request.path == "/hook");
        check_signature(request, &created.secret)?;
        let body: WebhookBody = request.json()?;
        ensure!(body.allowed_mentions.parse.is_empty());
        bodies.push(body);
    }
    bodies.sort_by_key(|body| body.event as u8);
    let events: Vec<_> = bodies.iter().map(|body| body.event).collect();
    ensure!(events == [WebhookEvent::Opened, WebhookEvent::Started, WebhookEvent::Ended], "{events:?}");
    ensure!(bodies[0].content == "Ada has opened a table: Classic", "{}", bodies[0].content);
    ensure!(bodies[0].of_match.is_none());
    ensure!(bodies[1].content == "A match has started: Classic, Ada, Bob", "{}", bodies[1].content);
    ensure!(bodies[2].content == "A match has ended: Classic, won by Ada", "{}", bodies[2].content);
    let of_match = bodies[2].of_match.as_ref().context("the event has no match")?;
    ensure!(of_match.players.len() == 2 && of_match.outcome.is_some());
    until(&http, |webhook| webhook.sent_at_ms.is_some()).await?;
    Ok(())
}

#[tokio::test]
async fn events_of_private_tables_are_sent_only_to_webhooks_that_want_them() -> Result<()> {
    let (server, receiver) = start().await?;
    let ada = server.http().account("Ada").await?;
    let http = server.http().as_guest(&ada);
    add(&http, &receiver.url("/public"), &["opened"], false).await?;
    add(&http, &receiver.url("/private"), &["opened"], true).await?;
    play(&server, &ada, Privacy::Private).await?;
    play(&server, &ada, Privacy::Public).await?;
    let requests = receiver.until_received(3).await?;
    let to_public = requests.iter().filter(|request| request.path == "/public").count();
    ensure!(to_public == 1, "{requests:?}");
    Ok(())
}

#[tokio::test]
async fn an_event_is_sent_again_until_the_webhook_accepts_it() -> Result<()> {
    let (server, receiver) = start().await?;
    let ada = server.http().account("Ada").await?;
    let http = server.http().as_guest(&ada);
    receiver.answer_with(500);
    add(&http, &receiver.url("/hook"), &["ended"], false).await?;
    play(&server, &ada, Privacy::Public).await?;
    receiver.until_received(1).await?;
    receiver.answer_with(204);
    // The next attempt is later than the claim of the first one.
    server.skip(Duration::from_secs(60));
    let requests = receiver.until_received(2).await?;
    ensure!(requests[0].body == requests[1].body);
    until(&http, |webhook| webhook.sent_at_ms.is_some()).await?;
    Ok(())
}

#[tokio::test]
async fn a_webhook_that_is_gone_is_turned_off_until_its_user_changes_it() -> Result<()> {
    let (server, receiver) = start().await?;
    let ada = server.http().account("Ada").await?;
    let http = server.http().as_guest(&ada);
    receiver.answer_with(410);
    let id = add(&http, &receiver.url("/hook"), &["opened"], false).await?.webhook.id;
    play(&server, &ada, Privacy::Public).await?;
    let off = until(&http, |webhook| webhook.off.is_some()).await?.off.context("it is off")?;
    ensure!(off.reason == "410 Gone", "{}", off.reason);
    receiver.answer_with(200);
    play(&server, &ada, Privacy::Public).await?;
    let body = json!({"url": receiver.url("/again"), "events": ["opened"]});
    let path = format!("/api/me/webhooks/{id}");
    let changed: Webhook = http.request("PUT", &path, Some(&body.to_string())).await?.json(200)?;
    ensure!(changed.off.is_none() && changed.url.ends_with("/again"));
    play(&server, &ada, Privacy::Public).await?;
    let requests = receiver.until_received(2).await?;
    ensure!(requests[1].path == "/again");
    Ok(())
}

#[tokio::test]
async fn a_webhook_is_turned_off_after_twenty_failures_in_a_row() -> Result<()> {
    let (server, receiver) = start().await?;
    let ada = server.http().account("Ada").await?;
    let http = server.http().as_guest(&ada);
    add(&http, &receiver.url("/hook"), &["opened"], false).await?;
    receiver.answer_with(500);
    for (tables, requests) in [(19, 19), (1, 20)] {
        for _ in 0..tables {
            http.create(&plain(Variant::Classic)).await?;
        }
        receiver.until_received(requests).await.context("it is still on")?;
    }
    let off = until(&http, |webhook| webhook.off.is_some()).await?.off.context("it is off")?;
    ensure!(off.reason == "500 Internal Server Error", "{}", off.reason);
    Ok(())
}

#[tokio::test]
async fn a_test_shows_the_answer_of_the_webhook() -> Result<()> {
    let (server, receiver) = start().await?;
    let ada = server.http().account("Ada").await?;
    let http = server.http().as_guest(&ada);
    let created = add(&http, &receiver.url("/hook"), &["opened"], false).await?;
    let path = format!("/api/me/webhooks/{}/test", created.webhook.id);
    receiver.answer_with(418);
    let tested: WebhookTested = http.request("POST", &path, None).await?.json(200)?;
    ensure!(tested == WebhookTested { status: Some(418), error: None });
    let requests = receiver.until_received(1).await?;
    check_signature(&requests[0], &created.secret)?;
    ensure!(requests[0].json::<WebhookBody>()?.event == WebhookEvent::Test);
    drop(receiver);
    Ok(())
}

#[tokio::test]
async fn webhooks_that_cannot_be_used_are_refused() -> Result<()> {
    let (server, receiver) = start().await?;
    let guest = server.guest("Guest").await?;
    let body = json!({"url": receiver.url("/"), "events": ["opened"]});
    let refused = server.http().as_guest(&guest).post("/api/me/webhooks", &body).await?;
    ensure!(refused.refusal(403)? == RefusalCode::Forbidden);
    let ada = server.http().as_guest(&server.http().account("Ada").await?);
    for body in [
        json!({"url": "http://10.0.0.1/", "events": ["opened"]}),
        json!({"url": "https://169.254.169.254/", "events": ["opened"]}),
        json!({"url": "ftp://example.org/", "events": ["opened"]}),
        json!({"url": "nonsense", "events": ["opened"]}),
        json!({"url": "https://example.org/", "events": []}),
        json!({"url": "https://example.org/", "events": ["test"]}),
    ] {
        let refused = ada.post("/api/me/webhooks", &body).await?;
        ensure!(refused.refusal(400)? == RefusalCode::BadSetting, "{body}");
    }
    for _ in 0..5 {
        add(&ada, &receiver.url("/"), &["opened"], false).await?;
    }
    let refused =
        ada.post("/api/me/webhooks", &json!({"url": receiver.url("/"), "events": ["opened"]})).await?;
    ensure!(refused.refusal(409)? == RefusalCode::ListFull);
    let id = webhooks(&ada).await?[0].id;
    let ben = server.http().as_guest(&server.http().account("Ben").await?);
    let path = format!("/api/me/webhooks/{id}");
    ensure!(ben.request("DELETE", &path, None).await?.refusal(404)? == RefusalCode::NotFound);
    ensure!(ada.request("DELETE", &path, None).await?.status == 204);
    ensure!(webhooks(&ada).await?.len() == 4);
    let data: PersonalData = ada.get("/api/me/export").await?.json(200)?;
    ensure!(data.webhooks.len() == 4);
    Ok(())
}
