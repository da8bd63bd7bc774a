//! The encoding of messages: every kind, the messages of older servers and of newer ones, and bytes
//! that are no message.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod samples;

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use proptest::prelude::*;
use quadrex_cluster::message::{FrameSet, SpecialFrame};
use quadrex_cluster::{
    ClusterKey, ClusterMessage, Correlation, DecodeError, MessageBody, NodeId, decode, encode,
};
use quadrex_protocol::UserId;
use quadrex_table::{Viewer, frames::Frames};
use serde::Serialize;
use sha2::Sha256;
use uuid::Uuid;

use samples::{node, samples};

/// The messages of version 1 in hexadecimal digits, one a line, in the order of the samples. Every
/// later version must read them, so lines are only added.
const VERSION_1: &str = include_str!("version_1.txt");

const KEY: [u8; 32] = [7; 32];

fn key() -> ClusterKey {
    ClusterKey::new(KEY)
}

fn message(body: MessageBody) -> ClusterMessage {
    ClusterMessage { from: node(1), to: Some(node(2)), correlation: Correlation(99), body }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn every_kind_is_the_same_after_encoding_and_decoding() {
    let mut kinds = Vec::new();
    for body in samples() {
        let sent = message(body);
        let received = decode(&encode(&sent, &key()), &key(), node(2));
        assert_eq!(received.unwrap(), sent);
        if !kinds.contains(&sent.body.kind()) {
            kinds.push(sent.body.kind());
        }
    }
    kinds.sort_unstable();
    let mut all = MessageBody::KINDS.to_vec();
    all.sort_unstable();
    assert_eq!(kinds, all, "there is a sample of every kind");
}

#[test]
fn messages_of_version_1_are_read() {
    let samples = samples();
    let lines: Vec<&str> = VERSION_1.lines().collect();
    for (number, (line, sample)) in lines.iter().zip(&samples).enumerate() {
        let received = decode(&from_hex(line), &key(), node(2));
        assert_eq!(received.unwrap().body, *sample, "line {}", number + 1);
    }
    let missing: Vec<String> =
        samples[lines.len()..].iter().map(|body| hex(&encode(&message(body.clone()), &key()))).collect();
    assert!(missing.is_empty(), "add to version_1.txt:\n{}", missing.join("\n"));
}

/// An envelope as another implementation could write it, with a field that this version does not
/// know.
#[derive(Serialize)]
struct NewerEnvelope<'a> {
    version: u32,
    from: NodeId,
    to: Option<NodeId>,
    correlation: u64,
    kind: &'a str,
    content: Bytes,
    priority: u8,
}

#[derive(Serialize)]
struct NewerNotOwner {
    table: Uuid,
    owner: Option<Uuid>,
    since: Vec<u64>,
}

fn signed(kind: &str, content: &impl Serialize, to: Option<NodeId>) -> Vec<u8> {
    let content = rmp_serde::to_vec_named(content).unwrap().into();
    let envelope =
        NewerEnvelope { version: 9, from: node(1), to, correlation: 99, kind, content, priority: 3 };
    let envelope = rmp_serde::to_vec_named(&envelope).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&KEY).unwrap();
    mac.update(&envelope);
    [vec![1], mac.finalize().into_bytes().to_vec(), envelope].concat()
}

#[test]
fn unknown_fields_of_a_newer_server_are_ignored() {
    let content = NewerNotOwner { table: Uuid::from_u128(5), owner: None, since: vec![1, 2] };
    let received = decode(&signed("not_owner", &content, Some(node(2))), &key(), node(2)).unwrap();
    let MessageBody::NotOwner(not_owner) = received.body else { panic!("{received:?}") };
    assert_eq!((not_owner.table.0, not_owner.owner), (Uuid::from_u128(5), None));
    assert_eq!((received.from, received.correlation), (node(1), Correlation(99)));
}

#[test]
fn a_message_that_cannot_be_decoded_is_answered() {
    let answer_of = |bytes: &[u8]| match decode(bytes, &key(), node(2)) {
        Err(DecodeError::Content { version: 9, answer, .. }) => answer,
        other => panic!("{other:?}"),
    };
    for kind in ["telepathy", "not_owner"] {
        let answer = answer_of(&signed(kind, &"no map", Some(node(2)))).unwrap();
        let received = decode(&encode(&answer, &key()), &key(), node(1)).unwrap();
        assert_eq!((received.from, received.correlation), (node(2), Correlation(99)));
        let MessageBody::Unknown(unknown) = received.body else { panic!("{received:?}") };
        assert_eq!(unknown.kind, kind);
    }
    assert_eq!(answer_of(&signed("telepathy", &"no map", None)), None, "all nodes would answer");
    assert_eq!(answer_of(&signed("unknown", &"no map", Some(node(2)))), None, "nodes would answer for ever");
}

#[test]
fn a_forged_or_changed_message_is_refused() {
    for body in samples() {
        let bytes = encode(&message(body), &key());
        assert!(matches!(decode(&bytes, &ClusterKey::new([8; 32]), node(2)), Err(DecodeError::Signature)));
        for at in [1, 32, 33, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.to_vec();
            changed[at] ^= 1;
            assert!(matches!(decode(&changed, &key(), node(2)), Err(DecodeError::Signature)), "byte {at}");
        }
        let cut = &bytes[..bytes.len() - 1];
        assert!(matches!(decode(cut, &key(), node(2)), Err(DecodeError::Signature)));
        let mut other_format = bytes.to_vec();
        other_format[0] = 2;
        assert!(matches!(decode(&other_format, &key(), node(2)), Err(DecodeError::Format)));
    }
}

#[test]
fn a_message_to_another_node_and_an_own_message_are_refused() {
    let bytes = encode(&message(samples().remove(0)), &key());
    for me in [node(1), node(3)] {
        assert!(matches!(decode(&bytes, &key(), me), Err(DecodeError::OtherNode { .. })), "{me}");
    }
    let to_all = encode(&ClusterMessage { to: None, ..message(samples().remove(0)) }, &key());
    assert!(decode(&to_all, &key(), node(3)).is_ok());
}

#[test]
fn secrets_are_not_shown() {
    assert_eq!(format!("{:?}", key()), "ClusterKey(..)");
    let shown = format!("{:?}", samples());
    assert!(!shown.contains("9, 9, 9") && shown.contains("SecretHashBytes(..)"), "{shown}");
}

#[test]
fn frames_are_carried_as_they_are() {
    let user = |number| UserId(Uuid::from_u128(number));
    let frames = Frames::same_for_all("all").with_special(user(1), "one").with_special(user(2), "two");
    let set = FrameSet::new(&frames, |text| Bytes::from_static(text.as_bytes()));
    let special = SpecialFrame { user: user(2), frame: Bytes::from_static(b"two") };
    assert_eq!((set.general.as_ref(), &set.special[1]), (b"all".as_slice(), &special));
    let back = set.into_frames(|bytes| String::from_utf8(bytes.to_vec()).unwrap());
    for (viewer, text) in
        [(Viewer::User(user(1)), "one"), (Viewer::User(user(2)), "two"), (Viewer::Anonymous, "all")]
    {
        assert_eq!(back.of(viewer), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes without a signature, and malformed contents with the right one, cause an error and no
    /// panic.
    #[test]
    fn garbage_is_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        kind in prop::sample::select(MessageBody::KINDS),
    ) {
        prop_assert!(decode(&bytes, &key(), node(2)).is_err());
        let mut mac = Hmac::<Sha256>::new_from_slice(&KEY).unwrap();
        mac.update(&bytes);
        let whole = [vec![1], mac.finalize().into_bytes().to_vec(), bytes.clone()].concat();
        prop_assert!(decode(&whole, &key(), node(2)).is_err());
        let content = signed(kind, &bytes, Some(node(2)));
        if let Ok(received) = decode(&content, &key(), node(2)) {
            prop_assert_eq!(received.body.kind(), kind);
        }
    }
}
