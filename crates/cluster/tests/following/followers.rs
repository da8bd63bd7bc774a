//! The followers of a table by themselves.

use std::time::Duration;

use quadrex_cluster::limits::FOLLOWER_PATIENCE;
use quadrex_cluster::message::{
    Follow, FollowState, NodePresence, NotFollowing, Presence, PublicationContent, Published, RevokeLink,
    SecretHashBytes, TakenFollower, Unfollow, UserPresence, Watch,
};
use quadrex_cluster::{Correlation, FollowId, FollowerEffect, MessageBody, NodeId, Outgoing, TableFollowers};
use quadrex_protocol::view::Head;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use crate::database::{TABLE, event, player, user};
use crate::follower::watch_of;
use crate::owner::{overview, state};

const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const NODE: NodeId = NodeId(Uuid::from_u128(1));
const OTHER: NodeId = NodeId(Uuid::from_u128(2));
const REQUEST: Correlation = Correlation(9);

fn head(seq: u64) -> Head {
    Head { match_id: MatchId(Uuid::from_u128(1)), seq }
}

fn presence(version: u64, users: &[UserId], spectators: u32) -> NodePresence {
    let users = users.iter().map(|user| UserPresence { user: *user, round_trip_ms: 20 * version }).collect();
    NodePresence { version, users, spectators }
}

fn follow(number: u64, presence: NodePresence) -> MessageBody {
    Follow { table: TABLE, follow: FollowId(number), after: Some(head(3)), presence }.into()
}

fn presence_message(number: u64, presence: NodePresence) -> MessageBody {
    Presence { table: TABLE, follow: FollowId(number), presence }.into()
}

/// Returns a table that one node follows by follow 5, with a presence of version 5.
fn followed(users: &[UserId]) -> TableFollowers {
    let mut followers = TableFollowers::new(TABLE);
    followers.on(NODE, REQUEST, &follow(5, presence(5, users, 3)), START);
    followers
}

/// Publishes an event, and returns the message to each node.
fn publish(followers: &mut TableFollowers, seq: u64) -> Vec<(NodeId, Published)> {
    let messages = followers.publish(&event(head(seq)), state(head(seq)));
    let message = |Outgoing { to, body, .. }| match body {
        MessageBody::Published(published) => (to, published),
        other => panic!("{other:?}"),
    };
    messages.into_iter().map(message).collect()
}

/// Returns whether the message with an event has the special frame of the player to move.
fn has_special_frame(message: &Published) -> bool {
    let PublicationContent::Event { frames, .. } = &message.publication.as_ref().unwrap().content else {
        panic!("{message:?}")
    };
    assert!(frames.special.iter().all(|special| special.user == player(message.head)));
    !frames.special.is_empty()
}

#[test]
fn a_follow_is_answered_with_what_was_missed() {
    let mut followers = TableFollowers::new(TABLE);
    assert!(followers.is_empty());
    let effects = followers.on(NODE, REQUEST, &follow(5, presence(5, &[user(1)], 3)), START);
    let [FollowerEffect::PresenceChanged, FollowerEffect::Answer(request)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!((request.after, request.users.as_slice()), (Some(head(3)), [user(1)].as_slice()));
    let missed = vec![event(head(4))];
    let answer = followers.answer(request, missed.clone(), overview(head(4))).unwrap();
    assert_eq!((answer.to, answer.correlation), (NODE, REQUEST));
    let MessageBody::FollowAnswer(answer) = answer.body else { panic!("{answer:?}") };
    assert_eq!((answer.follow, answer.count, answer.missed), (FollowId(5), 0, missed));
    assert_eq!(followers.users().into_iter().collect::<Vec<_>>(), [(user(1), Duration::from_millis(100))]);
    assert_eq!(followers.spectators(), 3);
}

#[test]
fn each_follow_counts_its_messages() {
    let mut followers = followed(&[]);
    followers.on(OTHER, REQUEST, &follow(7, presence(1, &[], 0)), START);
    let numbers = |messages: Vec<(NodeId, Published)>| {
        messages.into_iter().map(|(to, message)| (to, message.follow.0, message.number)).collect::<Vec<_>>()
    };
    assert_eq!(numbers(publish(&mut followers, 4)), [(NODE, 5, 1), (OTHER, 7, 1)]);
    followers.publish_overview(&overview(head(4)), state(head(4)));
    followers.on(OTHER, REQUEST, &follow(8, presence(1, &[], 0)), START);
    assert_eq!(numbers(publish(&mut followers, 5)), [(NODE, 5, 3), (OTHER, 8, 1)]);
    let heads: Vec<_> =
        followers.heads(head(5)).map(|(node, head)| (node, head.follow.0, head.count)).collect();
    assert_eq!(heads, [(NODE, 5, 3), (OTHER, 8, 1)]);
}

#[test]
fn a_repeated_follow_continues_and_an_older_one_is_ignored() {
    let mut followers = followed(&[]);
    publish(&mut followers, 4);
    let effects = followers.on(NODE, REQUEST, &follow(5, presence(5, &[], 3)), START);
    let [FollowerEffect::Answer(request)] = effects.as_slice() else { panic!("{effects:?}") };
    let Some(Outgoing { body: MessageBody::FollowAnswer(answer), .. }) =
        followers.answer(request, vec![], overview(head(4)))
    else {
        panic!("it is answered")
    };
    assert_eq!(answer.count, 1);
    let older: [MessageBody; 2] =
        [follow(4, presence(4, &[user(1)], 0)), Unfollow { table: TABLE, follow: FollowId(4) }.into()];
    for message in older {
        assert_eq!(followers.on(NODE, REQUEST, &message, START), []);
    }
    assert_eq!(publish(&mut followers, 5).len(), 1);
    let unfollow = Unfollow { table: TABLE, follow: FollowId(5) }.into();
    assert_eq!(followers.on(NODE, REQUEST, &unfollow, START), [FollowerEffect::PresenceChanged]);
    assert!(followers.is_empty());
}

#[test]
fn a_node_gets_only_the_special_frames_of_its_users() {
    let mut followers = followed(&[player(head(4))]);
    assert!(has_special_frame(&publish(&mut followers, 4)[0].1));
    assert!(!has_special_frame(&publish(&mut followers, 5)[0].1));
}

/// A user's request may overtake the presence that names the user.
#[test]
fn a_user_who_has_sent_a_request_gets_special_frames_at_once() {
    let newcomer = player(head(4));
    let mut followers = followed(&[]);
    let watch = Watch { presence_version: 7, ..watch_of(Some(newcomer)) };
    assert_eq!(followers.on(NODE, REQUEST, &watch.into(), START), []);
    assert!(has_special_frame(&publish(&mut followers, 4)[0].1));
    followers.on(NODE, REQUEST, &presence_message(5, presence(6, &[], 0)), START);
    assert!(has_special_frame(&publish(&mut followers, 8)[0].1), "that presence is older than the request");
    followers.on(NODE, REQUEST, &presence_message(5, presence(8, &[], 0)), START);
    assert!(!has_special_frame(&publish(&mut followers, 12)[0].1), "the user has left");
}

#[test]
fn an_outdated_presence_is_ignored() {
    let mut followers = followed(&[user(1)]);
    let newer = presence_message(5, presence(7, &[user(2)], 0));
    assert_eq!(followers.on(NODE, REQUEST, &newer, START), [FollowerEffect::PresenceChanged]);
    assert_eq!(followers.on(NODE, REQUEST, &newer, START), []);
    assert_eq!(followers.on(NODE, REQUEST, &presence_message(5, presence(6, &[], 0)), START), []);
    assert_eq!(followers.users().into_keys().collect::<Vec<_>>(), [user(2)]);
}

#[test]
fn a_user_at_two_nodes_counts_with_the_shorter_round_trip() {
    let mut followers = followed(&[user(1)]);
    followers.on(OTHER, REQUEST, &follow(7, presence(2, &[user(1), user(2)], 1)), START);
    let users = [(user(1), Duration::from_millis(40)), (user(2), Duration::from_millis(40))];
    assert_eq!(followers.users().into_iter().collect::<Vec<_>>(), users);
    assert_eq!(followers.spectators(), 4);
}

#[test]
fn a_follow_that_is_not_confirmed_is_dropped() {
    let mut followers = followed(&[user(1)]);
    let confirm = FollowState { table: TABLE, follow: FollowId(5), presence_version: 5 };
    let now = START + Duration::from_secs(10);
    assert_eq!(followers.on_heartbeat(NODE, &confirm, now), []);
    assert_eq!(followers.next_deadline(), Some(now + FOLLOWER_PATIENCE));
    assert_eq!(followers.tick(now + (FOLLOWER_PATIENCE - Duration::from_millis(1))), []);
    assert_eq!(followers.tick(now + FOLLOWER_PATIENCE), [FollowerEffect::PresenceChanged]);
    assert!(followers.is_empty() && followers.next_deadline().is_none());
    let body = NotFollowing { table: TABLE, follow: FollowId(5) }.into();
    let refusal = [FollowerEffect::Send(Outgoing { to: NODE, correlation: Correlation(0), body })];
    assert_eq!(followers.on_heartbeat(NODE, &confirm, now), refusal);
    assert_eq!(followers.on(NODE, REQUEST, &presence_message(5, presence(6, &[], 0)), now), refusal);
}

#[test]
fn a_dead_node_is_dropped_and_a_message_that_is_none_of_following_changes_nothing() {
    let mut followers = followed(&[user(1)]);
    let other = RevokeLink { table: TABLE, link: SecretHashBytes([1; 32]) }.into();
    assert_eq!(followers.on(NODE, REQUEST, &other, START), []);
    assert_eq!(followers.on_node_dead(OTHER), []);
    assert_eq!(followers.on_node_dead(NODE), [FollowerEffect::PresenceChanged]);
    assert!(followers.users().is_empty());
}

#[test]
fn after_a_take_over_presence_counts_until_the_nodes_follow() {
    let before = followed(&[user(1)]).to_take_over();
    assert_eq!(before, [TakenFollower { node: NODE, presence: presence(5, &[user(1)], 3) }]);
    let mut followers = TableFollowers::taken_over(TABLE, &before, START);
    assert_eq!(followers.users().into_keys().collect::<Vec<_>>(), [user(1)]);
    assert!(publish(&mut followers, 4).is_empty(), "the node does not expect messages of this owner");
    assert_eq!(followers.heads(head(4)).count(), 0);
    followers.on(NODE, REQUEST, &follow(6, presence(6, &[user(2)], 0)), START);
    assert_eq!(followers.users().into_keys().collect::<Vec<_>>(), [user(2)]);
    assert_eq!(publish(&mut followers, 5).len(), 1);
    let mut followers = TableFollowers::taken_over(TABLE, &before, START);
    assert_eq!(followers.tick(START + FOLLOWER_PATIENCE), [FollowerEffect::PresenceChanged]);
}
