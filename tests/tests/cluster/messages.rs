//! Tests of the messages between nodes over a real NATS server.

use std::time::Duration;

use quadrex_cluster::message::{ListRequest, NotOwner, Unknown};
use quadrex_cluster::{
    ClusterKey, ClusterMessage, ClusterMessenger, Correlation, Credentials, Inbox, InboxEvent, LinkEvent,
    MessageBody, NatsMessenger, NatsOptions, NodeId, SendError, encode,
};
use quadrex_protocol::TableId;
use quadrex_tests::nats::Access;
use quadrex_tests::{Nats, PATIENCE, Tls};
use tokio::time::timeout;
use uuid::Uuid;

const CLUSTER: &str = "test";

fn node(number: u128) -> NodeId {
    NodeId(Uuid::from_u128(number))
}

fn key() -> ClusterKey {
    ClusterKey::new([7; 32])
}

fn options(nats: &Nats) -> NatsOptions {
    NatsOptions::new(&nats.url(), CLUSTER)
}

/// Connects a node, and waits until it is connected.
async fn join(nats: &Nats, number: u128) -> (NatsMessenger, Inbox) {
    let (messenger, mut inbox) = NatsMessenger::connect(options(nats), node(number), key()).await.unwrap();
    wait_for(&mut inbox, |event| *event == InboxEvent::Link(LinkEvent::Connected)).await;
    wait_until_subscribed(nats, number, &mut inbox).await;
    (messenger, inbox)
}

/// Waits until a node receives messages: the connection may be established before the subscription.
async fn wait_until_subscribed(nats: &Nats, number: u128, inbox: &mut Inbox) {
    let probe = ClusterMessage {
        from: node(999),
        to: Some(node(number)),
        correlation: Correlation::default(),
        body: Unknown { kind: "probe".to_owned() }.into(),
    };
    let bytes = encode(&probe, &key());
    let is_probe = |event: &InboxEvent| *event == InboxEvent::Message(probe.clone());
    for _ in 0..1_000 {
        nats.publish(&format!("qx.{CLUSTER}.{}.0", node(number)), &bytes).unwrap();
        if let Ok(event) = timeout(Duration::from_millis(30), inbox.next()).await
            && is_probe(&event.unwrap())
        {
            return;
        }
    }
    panic!("node {number} receives nothing");
}

async fn next(inbox: &mut Inbox) -> InboxEvent {
    timeout(PATIENCE, inbox.next()).await.expect("the inbox receives in time").expect("the messenger runs")
}

/// Receives up to the first event that satisfies a condition, and returns that event.
async fn wait_for(inbox: &mut Inbox, mut condition: impl FnMut(&InboxEvent) -> bool) -> InboxEvent {
    loop {
        let event = next(inbox).await;
        if condition(&event) {
            return event;
        }
    }
}

/// Receives the next message or the report that a node is gone. Ignores late probes.
async fn next_item(inbox: &mut Inbox) -> InboxEvent {
    let is_item = |event: &InboxEvent| match event {
        InboxEvent::Message(message) => message.from != node(999),
        InboxEvent::NodeGone { .. } => true,
        InboxEvent::Link(_) => false,
    };
    wait_for(inbox, is_item).await
}

async fn next_message(inbox: &mut Inbox) -> ClusterMessage {
    match next_item(inbox).await {
        InboxEvent::Message(message) => message,
        other => panic!("{other:?}"),
    }
}

fn not_owner(number: u128) -> MessageBody {
    NotOwner { table: TableId(Uuid::from_u128(number)), owner: None }.into()
}

#[tokio::test]
async fn messages_between_two_nodes_arrive_once_and_in_order() {
    let nats = Nats::start().unwrap();
    let ((first, _inbox), (_second, mut inbox)) = (join(&nats, 1).await, join(&nats, 2).await);
    for number in 0..2_000 {
        first.send(node(2), Correlation(7), not_owner(number)).unwrap();
    }
    for number in 0..2_000 {
        let expected = ClusterMessage {
            from: node(1),
            to: Some(node(2)),
            correlation: Correlation(7),
            body: not_owner(number),
        };
        assert_eq!(next_message(&mut inbox).await, expected);
    }
}

#[tokio::test]
async fn a_message_to_all_reaches_every_other_node_of_the_cluster() {
    let nats = Nats::start().unwrap();
    let (first, mut own_inbox) = join(&nats, 1).await;
    let ((second, mut inbox_2), (_third, mut inbox_3)) = (join(&nats, 2).await, join(&nats, 3).await);
    let other_cluster = NatsOptions { cluster: "other".to_owned(), ..options(&nats) };
    let (stranger, _) = NatsMessenger::connect(other_cluster, node(4), key()).await.unwrap();
    stranger.send_all(not_owner(4)).unwrap();
    first.send_all(ListRequest {}.into()).unwrap();
    for inbox in [&mut inbox_2, &mut inbox_3] {
        let message = next_message(inbox).await;
        assert_eq!((message.from, message.to, message.body), (node(1), None, ListRequest {}.into()));
    }
    second.send(node(1), Correlation(1), not_owner(1)).unwrap();
    assert_eq!(next_message(&mut own_inbox).await.from, node(2), "a node receives no message of its own");
}

#[tokio::test]
async fn a_message_to_a_node_that_has_ended_is_reported() {
    let nats = Nats::start().unwrap();
    let ((first, mut inbox), (second, _inbox_2)) = (join(&nats, 1).await, join(&nats, 2).await);
    first.send(node(3), Correlation(5), not_owner(1)).unwrap();
    assert_eq!(
        next_item(&mut inbox).await,
        InboxEvent::NodeGone { node: node(3), correlation: Correlation(5) }
    );
    drop(second);
    // The NATS server learns a moment later that the connection is closed.
    for number in 6.. {
        first.send(node(2), Correlation(number), not_owner(1)).unwrap();
        if let Ok(event) = timeout(Duration::from_millis(50), next_item(&mut inbox)).await {
            assert!(matches!(event, InboxEvent::NodeGone { node: gone, .. } if gone == node(2)), "{event:?}");
            break;
        }
        assert!(number < 1_000, "nobody reports the end of node 2");
    }
}

#[tokio::test]
async fn nodes_connect_again_after_a_restart_of_the_server() {
    let mut nats = Nats::start().unwrap();
    let ((first, mut inbox_1), (_second, mut inbox_2)) = (join(&nats, 1).await, join(&nats, 2).await);
    for round in 0..3 {
        nats.sigkill().unwrap();
        for inbox in [&mut inbox_1, &mut inbox_2] {
            let is_report =
                |event: &InboxEvent| matches!(event, InboxEvent::Link(LinkEvent::Disconnected { .. }));
            wait_for(inbox, is_report).await;
        }
        assert!(!first.is_connected());
        nats.restart().unwrap();
        for inbox in [&mut inbox_1, &mut inbox_2] {
            wait_for(inbox, |event| *event == InboxEvent::Link(LinkEvent::Connected)).await;
        }
        wait_until_subscribed(&nats, 2, &mut inbox_2).await;
        assert!(first.is_connected());
        first.send(node(2), Correlation(round), not_owner(1)).unwrap();
        assert_eq!(next_message(&mut inbox_2).await.correlation, Correlation(round));
    }
}

#[tokio::test]
async fn a_node_starts_without_the_server_and_connects_later() {
    let mut nats = Nats::start().unwrap();
    nats.sigkill().unwrap();
    let (first, mut inbox) = NatsMessenger::connect(options(&nats), node(1), key()).await.unwrap();
    let is_fault = |event: &InboxEvent| matches!(event, InboxEvent::Link(LinkEvent::Fault(_)));
    wait_for(&mut inbox, is_fault).await;
    assert!(!first.is_connected());
    nats.restart().unwrap();
    wait_for(&mut inbox, |event| *event == InboxEvent::Link(LinkEvent::Connected)).await;
    let (_second, mut inbox) = join(&nats, 2).await;
    first.send(node(2), Correlation(1), not_owner(1)).unwrap();
    assert_eq!(next_message(&mut inbox).await.from, node(1));
}

#[tokio::test]
async fn forged_messages_and_garbage_are_ignored() {
    let nats = Nats::start().unwrap();
    let ((first, _inbox), (_second, mut inbox)) = (join(&nats, 1).await, join(&nats, 2).await);
    let subject = format!("qx.{CLUSTER}.{}.5", node(2));
    let message =
        |body| ClusterMessage { from: node(1), to: Some(node(2)), correlation: Correlation(5), body };
    let forged = encode(&message(not_owner(1)), &ClusterKey::new([8; 32]));
    let for_another = encode(&ClusterMessage { to: Some(node(3)), ..message(not_owner(2)) }, &key());
    let mut changed = encode(&message(not_owner(3)), &key()).to_vec();
    *changed.last_mut().unwrap() ^= 1;
    for bytes in [forged.to_vec(), for_another.to_vec(), changed, vec![], vec![1; 32], vec![0xFF; 5_000]] {
        nats.publish(&subject, &bytes).unwrap();
        nats.publish(&format!("qx.{CLUSTER}.all"), &bytes).unwrap();
    }
    first.send(node(2), Correlation(6), not_owner(4)).unwrap();
    let received = next_message(&mut inbox).await;
    assert_eq!((received.correlation, received.body), (Correlation(6), not_owner(4)));
}

#[tokio::test]
async fn messages_that_a_node_does_not_receive_in_time_are_reported() {
    let nats = Nats::start().unwrap();
    let ((first, _inbox), (_second, mut inbox)) = (join(&nats, 1).await, join(&nats, 2).await);
    let mut sent = 0;
    let mut correlations = Vec::new();
    // Node 2 receives one message while node 1 sends fifty.
    loop {
        match first.send(node(2), Correlation(sent), not_owner(1)) {
            Ok(()) => sent += 1,
            Err(SendError::QueueFull) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
        match if sent % 50 == 0 { inbox.try_next() } else { None } {
            Some(InboxEvent::Link(LinkEvent::SlowConsumer)) => break,
            Some(InboxEvent::Message(message)) => correlations.push(message.correlation.0),
            _ => {}
        }
        assert!(sent < 1_000_000, "nobody reports the lost messages");
    }
    // Later messages arrive again, and the others in order before them.
    let last = Correlation(u64::MAX);
    while correlations.last() != Some(&last.0) {
        match timeout(Duration::from_millis(50), next_message(&mut inbox)).await {
            Ok(message) => correlations.push(message.correlation.0),
            Err(_) => first.send(node(2), last, not_owner(2)).unwrap(),
        }
    }
    assert!(correlations.is_sorted(), "the rest is in order");
    assert!((correlations.len() as u64) < sent, "some of the {sent} messages were lost");
}

#[tokio::test]
async fn a_message_that_is_too_large_is_refused_by_the_sender() {
    let nats = Nats::start().unwrap();
    let (first, _inbox) = join(&nats, 1).await;
    let kind = "x".repeat(1 << 20);
    let refused = first.send(node(2), Correlation(1), Unknown { kind }.into()).unwrap_err();
    assert!(matches!(refused, SendError::TooLarge { kind: "unknown", limit: 0x10_0000, .. }), "{refused}");
}

#[tokio::test]
async fn a_server_with_a_password_accepts_only_nodes_that_know_it() {
    let nats = Nats::start_with(Access::Password).unwrap();
    let credentials = |password: &str| {
        let (user, password) = ("quadrex".to_owned(), password.to_owned());
        NatsOptions { credentials: Credentials::UserAndPassword { user, password }, ..options(&nats) }
    };
    let is_fault = |event: &InboxEvent| matches!(event, InboxEvent::Link(LinkEvent::Fault(text)) if text.contains("uthorization"));
    for wrong in [options(&nats), credentials("guess")] {
        let (_messenger, mut inbox) = NatsMessenger::connect(wrong, node(1), key()).await.unwrap();
        wait_for(&mut inbox, is_fault).await;
    }
    let (_receiver, mut inbox) =
        NatsMessenger::connect(credentials("rosebud"), node(1), key()).await.unwrap();
    wait_for(&mut inbox, |event| *event == InboxEvent::Link(LinkEvent::Connected)).await;

    // The node may send, receive, and learn that a node is gone.
    let (sender, mut answers) = NatsMessenger::connect(credentials("rosebud"), node(2), key()).await.unwrap();
    wait_for(&mut answers, |event| *event == InboxEvent::Link(LinkEvent::Connected)).await;
    sender.send(node(3), Correlation(1), Unknown { kind: "probe".to_owned() }.into()).unwrap();
    wait_for(&mut answers, |event| matches!(event, InboxEvent::NodeGone { .. })).await;
    let is_message =
        |event: &InboxEvent| matches!(event, InboxEvent::Message(message) if message.from == node(2));
    let mut attempts = 2..1_000;
    for number in attempts.by_ref() {
        // The connection of the receiver may be established before its subscription.
        sender.send(node(1), Correlation(number), Unknown { kind: "probe".to_owned() }.into()).unwrap();
        if timeout(Duration::from_millis(30), wait_for(&mut inbox, is_message)).await.is_ok() {
            break;
        }
    }
    assert!(!attempts.is_empty(), "the receiver receives nothing");
}

#[tokio::test]
async fn a_server_with_tls_must_have_a_certificate_of_the_authority() {
    let nats = Nats::start_with(Access::Tls).unwrap();
    let untrusted = options(&nats);
    let mut trusted = options(&nats);
    trusted.tls.authorities = Some(Tls::authority());
    let (_messenger, mut inbox) = NatsMessenger::connect(untrusted, node(1), key()).await.unwrap();
    wait_for(&mut inbox, |event| matches!(event, InboxEvent::Link(LinkEvent::Fault(_)))).await;
    let (_messenger, mut inbox) = NatsMessenger::connect(trusted, node(2), key()).await.unwrap();
    wait_for(&mut inbox, |event| *event == InboxEvent::Link(LinkEvent::Connected)).await;
}
