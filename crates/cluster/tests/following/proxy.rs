//! The proxy of a table by itself.

use std::time::Duration;

use bytes::Bytes;
use quadrex_cluster::limits::{
    ANSWER_PATIENCE, GAP_PATIENCE, LOOK_UP_INTERVAL, OWNER_PATIENCE, REQUEST_PATIENCE, SNAPSHOT_LIFETIME,
};
use quadrex_cluster::message::{
    CommandAnswer, CommandOutcome, Follow, FollowAnswer, FollowHead, NotFollowing, NotOwner,
    PublicationContent, Published, RevokeLink, RevokeLinkAnswer, SecretHashBytes, TablePublication, Unfollow,
    UserPresence, WatchAnswer, WatchOutcome,
};
use quadrex_cluster::{
    Correlation, FollowId, MessageBody, NodeId, Numbers, Outgoing, ProxyEffect, PublishedState,
    RequestAnswer, TableProxy, TableRequest,
};
use quadrex_protocol::MatchId;
use quadrex_protocol::view::Head;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use crate::database::{TABLE, event, user};
use crate::follower::watch_of;
use crate::owner::{overview, state};

const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const OWNER: NodeId = NodeId(Uuid::from_u128(1));
const OTHER: NodeId = NodeId(Uuid::from_u128(2));

fn head(seq: u64) -> Head {
    Head { match_id: MatchId(Uuid::from_u128(1)), seq }
}

fn after(duration: Duration) -> Timestamp {
    START + duration
}

/// Returns the messages of the effects, with their receivers.
fn sent(effects: &[ProxyEffect]) -> Vec<(NodeId, Correlation, MessageBody)> {
    let message = |effect: &ProxyEffect| match effect {
        ProxyEffect::Send(Outgoing { to, correlation, body }) => Some((*to, *correlation, body.clone())),
        _ => None,
    };
    effects.iter().filter_map(message).collect()
}

fn kinds(effects: &[ProxyEffect]) -> Vec<(NodeId, &'static str)> {
    sent(effects).iter().map(|(to, _, body)| (*to, body.kind())).collect()
}

/// Returns the only follow among the effects.
fn follow(effects: &[ProxyEffect]) -> Follow {
    let follows = sent(effects).into_iter().filter_map(|(_, _, body)| match body {
        MessageBody::Follow(follow) => Some(follow),
        _ => None,
    });
    let [follow] = follows.collect::<Vec<_>>().try_into().unwrap();
    follow
}

fn published(effects: &[ProxyEffect]) -> Vec<u64> {
    let seq = |effect: &ProxyEffect| match effect {
        ProxyEffect::Publish(TablePublication { content: PublicationContent::Event { seq, .. }, .. }) => {
            Some(*seq)
        }
        _ => None,
    };
    effects.iter().filter_map(seq).collect()
}

fn follow_answer(follow: FollowId, count: u64, seq: u64, missed: Vec<TablePublication>) -> MessageBody {
    FollowAnswer { table: TABLE, follow, count, missed, overview: overview(head(seq)) }.into()
}

fn event_message(follow: FollowId, number: u64, seq: u64) -> MessageBody {
    let PublishedState { head, status, open_turn } = state(head(seq));
    let publication = Some(event(head));
    Published { table: TABLE, follow, number, publication, head, status, open_turn, overview: None }.into()
}

const NO_REQUEST: Correlation = Correlation(0);

/// Returns a proxy whose follow the owner has answered at event 10.
fn following() -> (TableProxy, FollowId) {
    let (mut proxy, effects) = TableProxy::new(TABLE, Numbers::default(), Some(OWNER), None, START);
    let follow = follow(&effects).follow;
    let effects = proxy.on(OWNER, NO_REQUEST, follow_answer(follow, 0, 10, vec![]), START);
    assert_eq!(effects, [ProxyEffect::UpdateOverview(overview(head(10)))]);
    (proxy, follow)
}

fn revoke() -> TableRequest {
    TableRequest::RevokeLink(RevokeLink { table: TABLE, link: SecretHashBytes([1; 32]) })
}

fn revoked() -> MessageBody {
    RevokeLinkAnswer { table: TABLE }.into()
}

fn answers(effects: &[ProxyEffect]) -> Vec<(Correlation, RequestAnswer)> {
    let answer = |effect: &ProxyEffect| match effect {
        ProxyEffect::Answer { correlation, answer } => Some((*correlation, answer.clone())),
        _ => None,
    };
    effects.iter().filter_map(answer).collect()
}

#[test]
fn a_request_to_a_silent_owner_is_sent_again_to_the_owner_that_is_found() {
    let (mut proxy, _) = following();
    let (correlation, effects) = proxy.request(revoke(), START);
    assert_eq!(kinds(&effects), [(OWNER, "revoke_link")]);
    assert_eq!(proxy.tick(after(ANSWER_PATIENCE - Duration::from_millis(1))), []);
    assert_eq!(proxy.next_deadline(), Some(after(ANSWER_PATIENCE)));
    assert_eq!(proxy.tick(after(ANSWER_PATIENCE)), [ProxyEffect::FindOwner]);
    let effects = proxy.owner_found(OWNER, after(ANSWER_PATIENCE));
    assert_eq!(sent(&effects)[0].1, correlation, "the same owner gets it again");
    let now = after(2 * ANSWER_PATIENCE);
    assert_eq!(proxy.tick(now), [ProxyEffect::FindOwner]);
    assert_eq!(kinds(&proxy.owner_found(OTHER, now)), [(OTHER, "follow"), (OTHER, "revoke_link")]);
    // The first owner was slow, and answers after all.
    let effects = proxy.on(OWNER, correlation, revoked(), now);
    assert_eq!(answers(&effects), [(correlation, RequestAnswer::LinkRevoked)]);
    assert_eq!(proxy.on(OTHER, correlation, revoked(), now), [], "it is answered once");
}

#[test]
fn a_look_up_without_a_result_is_repeated() {
    let (mut proxy, effects) = TableProxy::new(TABLE, Numbers::default(), None, None, START);
    assert_eq!(effects, [ProxyEffect::FindOwner]);
    assert_eq!(proxy.next_deadline(), Some(after(ANSWER_PATIENCE)));
    assert_eq!(proxy.tick(after(ANSWER_PATIENCE)), [ProxyEffect::FindOwner]);
    assert_eq!(proxy.owner_not_found(after(ANSWER_PATIENCE)), []);
    let next = after(ANSWER_PATIENCE + LOOK_UP_INTERVAL);
    assert_eq!(proxy.next_deadline(), Some(next));
    assert_eq!(proxy.tick(next), [ProxyEffect::FindOwner]);
    assert_eq!(kinds(&proxy.owner_found(OWNER, next)), [(OWNER, "follow")]);
}

#[test]
fn a_node_that_is_gone_or_no_owner_is_replaced() {
    let (mut proxy, _) = following();
    let (correlation, _) = proxy.request(revoke(), START);
    assert_eq!(proxy.on_node_gone(OTHER, START), []);
    assert_eq!(proxy.on_node_gone(OWNER, START), [ProxyEffect::FindOwner]);
    assert_eq!(proxy.owner(), None);
    let effects = proxy.owner_found(OTHER, START);
    assert_eq!(kinds(&effects), [(OTHER, "follow"), (OTHER, "revoke_link")]);
    assert_eq!(follow(&effects).after, Some(head(10)));
    let not_owner = |owner| MessageBody::NotOwner(NotOwner { table: TABLE, owner });
    let effects = proxy.on(OTHER, correlation, not_owner(Some(OWNER)), START);
    assert_eq!(
        kinds(&effects),
        [(OWNER, "follow"), (OWNER, "revoke_link")],
        "the named owner is asked at once"
    );
    let effects = proxy.on(OWNER, correlation, not_owner(Some(OTHER)), START);
    assert_eq!(effects, [], "nodes that name each other are not asked in turns");
    assert_eq!(proxy.tick(after(LOOK_UP_INTERVAL)), [ProxyEffect::FindOwner]);
}

#[test]
fn a_request_without_an_answer_fails_once() {
    let (mut proxy, _) = following();
    let (correlation, _) = proxy.request(revoke(), START);
    let now = after(REQUEST_PATIENCE);
    assert_eq!(answers(&proxy.tick(now)), [(correlation, RequestAnswer::TimedOut)]);
    assert_eq!(answers(&proxy.tick(now)), []);
    assert_eq!(proxy.on(OWNER, correlation, revoked(), now), []);
}

#[test]
fn an_answer_of_another_kind_is_ignored() {
    let (mut proxy, _) = following();
    let (correlation, _) = proxy.request(revoke(), START);
    let wrong = CommandAnswer { table: TABLE, outcome: CommandOutcome::InviteUsed };
    assert_eq!(proxy.on(OWNER, correlation, wrong.into(), START), []);
    assert_eq!(answers(&proxy.on(OWNER, correlation, revoked(), START)).len(), 1);
}

#[test]
fn messages_are_published_once_and_in_order() {
    let (mut proxy, follow) = following();
    let mut on =
        |number, seq| published(&proxy.on(OWNER, NO_REQUEST, event_message(follow, number, seq), START));
    assert_eq!(on(1, 11), [11]);
    assert_eq!(on(1, 11), [0; 0]);
    assert_eq!(on(3, 13), [0; 0]);
    assert_eq!(on(4, 14), [0; 0]);
    assert_eq!(on(2, 12), [12, 13, 14]);
    assert_eq!(on(3, 13), [0; 0]);
    assert_eq!(proxy.next_deadline(), Some(after(OWNER_PATIENCE)), "the gap is closed");
}

#[test]
fn a_gap_is_repaired_by_following_again() {
    let (mut proxy, old) = following();
    assert_eq!(proxy.on(OWNER, NO_REQUEST, event_message(old, 2, 12), START), []);
    assert_eq!(proxy.next_deadline(), Some(after(GAP_PATIENCE)));
    let effects = proxy.tick(after(GAP_PATIENCE));
    let again = follow(&effects);
    assert!(again.follow > old, "{effects:?}");
    assert_eq!(again.after, Some(head(10)));
    let now = after(GAP_PATIENCE);
    assert_eq!(proxy.on(OWNER, NO_REQUEST, event_message(old, 1, 11), now), [], "the old follow is over");
    assert_eq!(
        proxy.on(OWNER, NO_REQUEST, event_message(again.follow, 1, 14), now),
        [],
        "the answer is missing"
    );
    let missed = [11, 12, 13].map(|seq| event(head(seq))).to_vec();
    let effects = proxy.on(OWNER, NO_REQUEST, follow_answer(again.follow, 0, 13, missed), now);
    assert_eq!(published(&effects), [11, 12, 13, 14]);
    assert!(effects.contains(&ProxyEffect::CheckAccess), "the end of an access may be lost");
}

#[test]
fn the_loss_of_the_last_message_is_noticed_by_a_heartbeat() {
    let (mut proxy, follow_id) = following();
    let beat = |count, presence_version| FollowHead {
        table: TABLE,
        follow: follow_id,
        count,
        head: head(11),
        presence_version,
    };
    let version = proxy.follow_state().unwrap().1.presence_version;
    assert_eq!(proxy.on_heartbeat(OWNER, &beat(1, version), START), []);
    assert_eq!(follow(&proxy.tick(after(GAP_PATIENCE))).after, Some(head(10)));
}

#[test]
fn presence_is_sent_until_the_owner_has_it() {
    let (mut proxy, follow) = following();
    let users = vec![UserPresence { user: user(1), round_trip_ms: 20 }];
    let effects = proxy.set_presence(users.clone(), 2);
    assert_eq!(kinds(&effects), [(OWNER, "presence")]);
    assert_eq!(proxy.set_presence(users, 2), [], "nothing has changed");
    let version = proxy.follow_state().unwrap().1.presence_version;
    let beat =
        |presence_version| FollowHead { table: TABLE, follow, count: 0, head: head(10), presence_version };
    assert_eq!(proxy.on_heartbeat(OWNER, &beat(version - 1), START), effects);
    assert_eq!(proxy.on_heartbeat(OWNER, &beat(version), START), []);
}

/// The known owner may be cut off, so that it cannot report that it has handed the table over.
#[test]
fn an_owner_is_looked_up_when_another_node_lists_the_table() {
    let (mut proxy, _) = following();
    assert_eq!(proxy.on_listed(OWNER, START), [], "it is followed already");
    assert_eq!(proxy.on_listed(OTHER, START), [ProxyEffect::FindOwner]);
    assert_eq!(proxy.on_listed(OTHER, START), [], "the look-up is under way");
    assert_eq!(proxy.owner_found(OWNER, START), [], "the list was out of date");
    let soon = after(LOOK_UP_INTERVAL);
    assert_eq!(proxy.on_listed(OTHER, soon), [ProxyEffect::FindOwner]);
    assert_eq!(kinds(&proxy.owner_found(OTHER, soon)), [(OTHER, "follow")]);
}

#[test]
fn a_silent_owner_is_looked_up_and_followed_again() {
    let (mut proxy, follow_id) = following();
    assert_eq!(proxy.next_deadline(), Some(after(OWNER_PATIENCE)));
    let now = after(OWNER_PATIENCE);
    assert_eq!(proxy.tick(now), [ProxyEffect::FindOwner]);
    let again = follow(&proxy.owner_found(OWNER, now));
    assert!(again.follow > follow_id);
    let not_following = |follow| MessageBody::NotFollowing(NotFollowing { table: TABLE, follow });
    assert_eq!(proxy.on(OWNER, NO_REQUEST, not_following(again.follow), now), [], "it may be under way");
    proxy.on(OWNER, NO_REQUEST, follow_answer(again.follow, 0, 10, vec![]), now);
    assert_eq!(proxy.on(OTHER, NO_REQUEST, not_following(again.follow), now), []);
    assert_eq!(kinds(&proxy.on(OWNER, NO_REQUEST, not_following(again.follow), now)), [(OWNER, "follow")]);
}

#[test]
fn a_node_that_is_no_longer_the_owner_stops_to_publish() {
    let (mut proxy, follow) = following();
    let expected = MessageBody::Unfollow(Unfollow { table: TABLE, follow });
    let effects = proxy.on(OTHER, NO_REQUEST, event_message(follow, 1, 11), START);
    assert_eq!(sent(&effects), [(OTHER, NO_REQUEST, expected.clone())]);
    let beat = FollowHead { table: TABLE, follow, count: 1, head: head(11), presence_version: 1 };
    assert_eq!(sent(&proxy.on_heartbeat(OTHER, &beat, START)), [(OTHER, NO_REQUEST, expected)]);
}

#[test]
fn an_answer_that_does_not_continue_the_last_event_is_not_used() {
    let (mut proxy, _) = following();
    let effects = proxy.owner_found(OTHER, START);
    let follow = follow(&effects).follow;
    let broken = follow_answer(follow, 0, 13, vec![event(head(11)), event(head(13))]);
    assert_eq!(published(&proxy.on(OTHER, NO_REQUEST, broken, START)), [11]);
    assert_eq!(proxy.tick(after(ANSWER_PATIENCE)), [ProxyEffect::FindOwner]);
}

fn spectator() -> TableRequest {
    TableRequest::Watch { watch: watch_of(None), is_spectator: true }
}

fn snapshot(seq: u64) -> WatchOutcome {
    let frames = vec![Bytes::from_static(b"snapshot")];
    WatchOutcome::Watching { frames, head: head(seq), is_seated: false, is_shared: true }
}

fn watch_answer(seq: u64) -> MessageBody {
    WatchAnswer { table: TABLE, outcome: snapshot(seq) }.into()
}

#[test]
fn spectators_share_a_snapshot_for_a_moment() {
    let (mut proxy, _) = following();
    let (first, effects) = proxy.request(spectator(), START);
    assert_eq!(kinds(&effects), [(OWNER, "watch")]);
    let (second, effects) = proxy.request(spectator(), START);
    assert_eq!(effects, [], "it waits for the snapshot of the first one");
    let effects = proxy.on(OWNER, first, watch_answer(10), START);
    let mut answered = answers(&effects);
    answered.sort_by_key(|(correlation, _)| *correlation);
    let answer = RequestAnswer::Watch(snapshot(10));
    assert_eq!(answered, [(first, answer.clone()), (second, answer.clone())]);
    let (third, effects) = proxy.request(spectator(), START);
    assert_eq!(effects, [ProxyEffect::Answer { correlation: third, answer }]);
    let (_, effects) = proxy.request(spectator(), after(SNAPSHOT_LIFETIME));
    assert_eq!(kinds(&effects), [(OWNER, "watch")], "it is too old");
}

#[test]
fn a_snapshot_that_misses_an_event_is_not_shared() {
    let (mut proxy, follow) = following();
    let (first, _) = proxy.request(spectator(), START);
    proxy.on(OWNER, NO_REQUEST, event_message(follow, 1, 11), START);
    // This spectator has not received event 11, which the snapshot does not show.
    let (second, effects) = proxy.request(spectator(), START);
    assert_eq!(effects, []);
    let effects = proxy.on(OWNER, first, watch_answer(10), START);
    assert_eq!(answers(&effects), [(first, RequestAnswer::Watch(snapshot(10)))]);
    assert_eq!(sent(&effects)[0].1, second);
    let (_, effects) = proxy.request(spectator(), START);
    assert_eq!(effects, [], "it waits for the snapshot of the second one");
    let effects = proxy.on(OWNER, second, watch_answer(11), START);
    assert_eq!(answers(&effects).len(), 2);
    proxy.on(OWNER, NO_REQUEST, event_message(follow, 2, 12), START);
    let (_, effects) = proxy.request(spectator(), START);
    assert_eq!(kinds(&effects), [(OWNER, "watch")], "an event was published since");
}

#[test]
fn a_snapshot_of_later_events_waits_until_they_are_published() {
    let (mut proxy, follow) = following();
    let (correlation, _) = proxy.request(spectator(), START);
    assert_eq!(proxy.on(OWNER, correlation, watch_answer(12), START), []);
    assert_eq!(answers(&proxy.on(OWNER, NO_REQUEST, event_message(follow, 1, 11), START)), []);
    let effects = proxy.on(OWNER, NO_REQUEST, event_message(follow, 2, 12), START);
    assert_eq!(published(&effects), [12]);
    assert_eq!(answers(&effects), [(correlation, RequestAnswer::Watch(snapshot(12)))]);
}

#[test]
fn a_closed_proxy_returns_its_requests_and_ends_the_follow() {
    let (mut proxy, follow) = following();
    let (correlation, _) = proxy.request(revoke(), START);
    let (requests, unfollow) = proxy.close();
    assert_eq!(requests, [(correlation, revoke())]);
    let body = Unfollow { table: TABLE, follow }.into();
    assert_eq!(unfollow, Some(Outgoing { to: OWNER, correlation: NO_REQUEST, body }));
}
