//! Notifications: each is sent once, whichever node has queued it.

use anyhow::{Result, bail, ensure};
use quadrex_protocol::http::{CreateTable, WebhookBody, WebhookCreated, WebhookEvent};
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{plain, without_rate_limits};
use quadrex_tests::notification_queue::until_none_waits;
use quadrex_tests::receiver::{ALLOW_LOCAL, Receiver};
use quadrex_tests::smtp::SmtpServer;
use quadrex_tests::{Client, Guest, Http, Launch, Nodes};
use serde_json::json;

fn settings(launch: Launch) -> Launch {
    without_rate_limits(launch)
        .with_env(ALLOW_LOCAL.0, ALLOW_LOCAL.1)
        .with_env("QUADREX_LOG__FILTER", "info,quadrex_server::notifications=debug")
}

/// Opens tables at all nodes, and plays a match at each. Returns the number of matches.
async fn play_everywhere(nodes: &Nodes, host: &Guest) -> Result<usize> {
    const ROUNDS: usize = 2;
    let addresses = nodes.addresses();
    for address in addresses.iter().cycle().take(ROUNDS * addresses.len()) {
        let http = Http::new(*address);
        let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
        let table = http.as_guest(host).create(&request).await?.table;
        let mut client = Client::open(*address, Some(&http.guest("Bob").await?)).await?;
        client.watch(table).await?;
        let sit = client.sit(table, None, None);
        client.accepted(&sit).await?;
        let resign = client.resign(table);
        client.accepted(&resign).await?;
    }
    Ok(ROUNDS * addresses.len())
}

#[tokio::test]
async fn three_nodes_send_each_event_once() -> Result<()> {
    let (nodes, receiver) = (Nodes::start_with(3, settings).await?, Receiver::start().await?);
    let ada = nodes.server(0)?.http().account("Ada").await?;
    let http = nodes.server(1)?.http().as_guest(&ada);
    let body = json!({"url": receiver.url("/hook"), "events": ["opened", "ended"]});
    http.post("/api/me/webhooks", &body).await?.json::<WebhookCreated>(201)?;
    // While a request is not answered, no node sends its event again.
    receiver.hold(true);
    for node in 0..2 {
        nodes.server(node)?.http().as_guest(&ada).create(&plain(Variant::Classic)).await?;
        receiver.until_received(node + 1).await?;
    }
    receiver.hold(false);
    let matches = play_everywhere(&nodes, &ada).await?;
    receiver.until_received(2 + 2 * matches).await?;
    until_none_waits(&nodes.store().await?).await?;
    let requests = receiver.until_received(2 + 2 * matches).await?;
    let events = requests.iter().map(|request| Ok(request.json::<WebhookBody>()?.event));
    let events = events.collect::<Result<Vec<_>>>()?;
    ensure!(events.iter().filter(|event| **event == WebhookEvent::Ended).count() == matches);
    Ok(())
}

/// A node that dies while it sends an event may not have sent it. Another node sends the event again
/// when the claim has ended.
#[tokio::test]
async fn another_node_sends_what_a_dead_node_has_claimed() -> Result<()> {
    let (mut nodes, receiver) = (Nodes::start_with(3, settings).await?, Receiver::start().await?);
    let ada = nodes.server(0)?.http().account("Ada").await?;
    let http = nodes.server(0)?.http().as_guest(&ada);
    let body = json!({"url": receiver.url("/hook"), "events": ["opened"]});
    http.post("/api/me/webhooks", &body).await?.json::<WebhookCreated>(201)?;
    receiver.hold(true);
    http.create(&plain(Variant::Classic)).await?;
    receiver.until_received(1).await?;
    let senders: Vec<_> = (0..3).filter(|node| nodes.log(*node).contains("sends a notification")).collect();
    let [sender] = senders[..] else { bail!("the nodes {senders:?} send one event") };
    nodes.kill(sender).await?;
    receiver.hold(false);
    let requests = receiver.until_received(2).await?;
    ensure!(requests[0].body == requests[1].body);
    until_none_waits(&nodes.store().await?).await
}

/// Each link and each turn is sent by mail once, whichever node has received the request or owns the
/// match.
#[tokio::test]
async fn three_nodes_send_each_mail_once() -> Result<()> {
    let smtp = SmtpServer::start().await?;
    let settings = |launch| {
        let mut launch = settings(launch)
            .with_env("QUADREX_NOTIFICATIONS__DELAY_SECONDS", "0")
            .with_env("QUADREX_MAIL__DELAY_SECONDS", "0");
        for (name, value) in smtp.settings() {
            launch = launch.with_env(name, value);
        }
        launch
    };
    let nodes = Nodes::start_with(3, settings).await?;
    let ada = nodes.server(0)?.http().account("Ada").await?;
    let http = nodes.server(1)?.http().as_guest(&ada);
    let choice = json!({"turn": true, "started": false});
    http.request("PUT", "/api/me/notifications", Some(&choice.to_string())).await?;
    let address = json!({"address": "ada@mail.example", "language": "en"});
    ensure!(http.request("PUT", "/api/me/mail", Some(&address.to_string())).await?.status == 204);
    let secret = smtp.until_received(1).await?.secret("/mail/confirm")?;
    let confirmed = nodes.server(2)?.http().post("/api/mail/confirm", &json!({"secret": secret})).await?;
    ensure!(confirmed.status == 204, "{confirmed:?}");
    for address in nodes.addresses() {
        let time = Some(TimeSetting::Correspondence { days: 3 });
        let request = CreateTable { time, seat: Some(Color::White), ..plain(Variant::Classic) };
        let table = Http::new(address).as_guest(&ada).create(&request).await?.table;
        let mut bob = Client::open(address, Some(&Http::new(address).guest("Bob").await?)).await?;
        bob.watch(table).await?;
        let sit = bob.sit(table, None, None);
        bob.accepted(&sit).await?;
    }
    smtp.until_received(4).await?;
    until_none_waits(&nodes.store().await?).await?;
    smtp.until_received(4).await.map(drop)
}
