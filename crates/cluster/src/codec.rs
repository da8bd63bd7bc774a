//! The encoding of messages: a format byte, the signature, and an envelope in MessagePack.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::key::{ClusterKey, SIGNATURE_LENGTH};
#[cfg(feature = "faults")]
use crate::later_version;
use crate::message::{ClusterMessage, MESSAGE_VERSION, MessageBody, Unknown};
use crate::{Correlation, NodeId};

/// The first byte of each message. Another byte means that the rest has another format.
const FORMAT: u8 = 1;

/// The reason why encoding cannot fail.
const PLAIN: &str = "a message is plain data";

/// The envelope of a message. The signature is about all of it. The content is encoded by itself,
/// so that a node can answer a message whose content it cannot decode.
#[derive(Debug, Serialize, Deserialize)]
struct Envelope<'a> {
    /// The [`MESSAGE_VERSION`] of the sender.
    version: u32,
    from: NodeId,
    #[serde(default)]
    to: Option<NodeId>,
    correlation: Correlation,
    kind: &'a str,
    #[serde(with = "serde_bytes")]
    content: &'a [u8],
}

/// The error for bytes that are not a message to this node.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The bytes do not begin like a message.
    #[error("not a message of format {FORMAT}")]
    Format,
    /// The signature is wrong: the sender does not know the cluster's key.
    #[error("the signature is wrong")]
    Signature,
    /// The envelope is malformed, although its signature is right.
    #[error("malformed envelope: {0}")]
    Envelope(#[source] rmp_serde::decode::Error),
    /// The message is for another node, or was sent by this node.
    #[error("the message is from {from} to {to:?}")]
    OtherNode {
        /// The sender.
        from: NodeId,
        /// The node that the message is for.
        to: Option<NodeId>,
    },
    /// The kind is unknown, or its content is malformed.
    #[error("cannot decode {kind:?} of version {version} from {from}")]
    Content {
        /// The sender.
        from: NodeId,
        /// The version of the sender's messages.
        version: u32,
        /// The kind.
        kind: String,
        /// The answer to be sent, if the message was sent to this node only.
        answer: Option<Box<ClusterMessage>>,
        /// The fault in the content; `None` if the kind is unknown.
        source: Option<rmp_serde::decode::Error>,
    },
}

/// Encodes a message and signs it.
///
/// # Panics
/// Never: a message is plain data, which can always be encoded.
#[must_use]
pub fn encode(message: &ClusterMessage, key: &ClusterKey) -> Bytes {
    let content = message.body.encode().expect(PLAIN);
    #[cfg(feature = "faults")]
    if later_version::is_enabled() {
        return encode_later(message, message.body.kind(), content, key);
    }
    let envelope = Envelope {
        version: MESSAGE_VERSION,
        from: message.from,
        to: message.to,
        correlation: message.correlation,
        kind: message.body.kind(),
        content: &content,
    };
    let mut bytes = unsigned(content.len() + 256);
    rmp_serde::encode::write_named(&mut bytes, &envelope).expect(PLAIN);
    sign(bytes, key)
}

/// Encodes and signs a message of a later version. `content` has no field yet that this version does
/// not know.
#[cfg(feature = "faults")]
fn encode_later(message: &ClusterMessage, kind: &str, mut content: Vec<u8>, key: &ClusterKey) -> Bytes {
    later_version::add_field(&mut content);
    let ClusterMessage { from, to, correlation, .. } = *message;
    let envelope = Envelope { version: MESSAGE_VERSION + 1, from, to, correlation, kind, content: &content };
    let mut encoded = rmp_serde::to_vec_named(&envelope).expect(PLAIN);
    later_version::add_field(&mut encoded);
    let mut bytes = unsigned(encoded.len());
    bytes.extend(encoded);
    sign(bytes, key)
}

/// Encodes the message of a kind that only a later version knows, to the receiver of `message`.
#[cfg(feature = "faults")]
pub(crate) fn encode_later_notice(message: &ClusterMessage, key: &ClusterKey) -> Bytes {
    encode_later(message, later_version::LATER_KIND, later_version::notice(), key)
}

/// Returns the beginning of a message, to which the envelope is to be added.
fn unsigned(capacity: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 + SIGNATURE_LENGTH + capacity);
    bytes.push(FORMAT);
    bytes.extend([0; SIGNATURE_LENGTH]);
    bytes
}

/// Signs a message.
fn sign(mut bytes: Vec<u8>, key: &ClusterKey) -> Bytes {
    let signature = key.sign(&bytes[1 + SIGNATURE_LENGTH..]);
    bytes[1..=SIGNATURE_LENGTH].copy_from_slice(&signature);
    bytes.into()
}

/// Decodes a message to the node `me`, after its signature was verified.
///
/// # Errors
/// Returns [`DecodeError`] if the bytes are not a message that this node can handle. They may come
/// from anybody who reaches the message server.
pub fn decode(bytes: &[u8], key: &ClusterKey, me: NodeId) -> Result<ClusterMessage, DecodeError> {
    let Some((&FORMAT, rest)) = bytes.split_first() else { return Err(DecodeError::Format) };
    let Some((signature, signed)) = rest.split_at_checked(SIGNATURE_LENGTH) else {
        return Err(DecodeError::Format);
    };
    if !key.verify(signed, signature) {
        return Err(DecodeError::Signature);
    }
    let envelope: Envelope<'_> = rmp_serde::from_slice(signed).map_err(DecodeError::Envelope)?;
    let Envelope { version, from, to, correlation, kind, content } = envelope;
    if from == me || to.is_some_and(|to| to != me) {
        return Err(DecodeError::OtherNode { from, to });
    }
    let source = match MessageBody::decode(kind, content) {
        Some(Ok(body)) => return Ok(ClusterMessage { from, to, correlation, body }),
        Some(Err(error)) => Some(error),
        None => None,
    };
    let kind = kind.to_owned();
    let body = MessageBody::Unknown(Unknown { kind: kind.clone() });
    // An answer to an `unknown` would be answered again.
    let is_answered = to.is_some() && kind != body.kind();
    let answer = ClusterMessage { from: me, to: Some(from), correlation, body };
    Err(DecodeError::Content { from, version, kind, answer: is_answered.then(|| Box::new(answer)), source })
}
