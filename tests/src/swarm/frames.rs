//! Frames of the swarm. Only the needed fields are parsed, because a client must cost less than the
//! server with ten thousand connections.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use anyhow::{Context, Result};
use quadrex_protocol::{CommandId, Event, MatchId, RefusalCode};
use serde::Deserialize;
use serde_json::value::RawValue;

/// An event of a match, as a connection received it.
#[derive(Clone, Debug)]
pub struct ReceivedEvent {
    /// The number of the event.
    pub seq: u64,
    /// The time of the event, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The JSON text of the event in the frame.
    text: Box<RawValue>,
}

impl ReceivedEvent {
    /// Returns a digest of the event. It equals the digest of the same event in the log, and
    /// differs from that of any other event with overwhelming probability.
    pub fn digest(&self) -> u64 {
        digest(self.at_ms, self.text.get())
    }

    /// Parses the event.
    ///
    /// # Errors
    /// If the text is not an event.
    pub fn event(&self) -> Result<Event> {
        serde_json::from_str(self.text.get()).with_context(|| format!("reading the event {}", self.text))
    }
}

/// Returns the digest of an event of a log.
///
/// # Panics
/// Never, because events can be serialized.
pub fn digest_of(at_ms: u64, event: &Event) -> u64 {
    digest(at_ms, &serde_json::to_string(event).expect("events are maps with text keys"))
}

fn digest(at_ms: u64, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (at_ms, text).hash(&mut hasher);
    hasher.finish()
}

/// A frame with the fields that the swarm needs.
#[derive(Debug)]
pub(super) enum Frame {
    /// The answer to `hello`.
    Welcome,
    /// The complete state of a table.
    Snapshot { match_id: MatchId, seq: u64, history: Vec<ReceivedEvent> },
    /// An event.
    Event { match_id: MatchId, received: ReceivedEvent },
    /// An event that this connection may not see.
    Skip { match_id: MatchId, seq: u64 },
    /// A command was accepted.
    Ack { match_id: MatchId, cmd: CommandId, seq: u64 },
    /// A frame was refused.
    Refused { cmd: Option<CommandId>, code: RefusalCode, message: String },
    /// Any other frame, which the swarm ignores.
    Other,
}

#[derive(Deserialize)]
struct RawFrame<'a> {
    t: &'a str,
    #[serde(default)]
    seq: u64,
    #[serde(default)]
    at_ms: u64,
    #[serde(default, rename = "match")]
    match_id: Option<MatchId>,
    #[serde(default, borrow)]
    event: Option<&'a RawValue>,
    #[serde(default, borrow)]
    view: Option<&'a RawValue>,
    #[serde(default)]
    cmd: Option<CommandId>,
    #[serde(default)]
    code: Option<RefusalCode>,
    #[serde(default, borrow)]
    message: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct RawView<'a> {
    #[serde(borrow)]
    history: Vec<RawEntry<'a>>,
}

#[derive(Deserialize)]
struct RawEntry<'a> {
    seq: u64,
    at_ms: u64,
    #[serde(borrow)]
    event: &'a RawValue,
}

impl Frame {
    /// Parses the text of a frame.
    ///
    /// # Errors
    /// If the text is not a frame, or lacks a required field.
    pub(super) fn read(text: &str) -> Result<Self> {
        Self::parse(text).with_context(|| format!("reading {text}"))
    }

    fn parse(text: &str) -> Result<Self> {
        let raw: RawFrame = serde_json::from_str(text)?;
        let match_id = || raw.match_id.context("the frame has no match");
        Ok(match raw.t {
            "welcome" => Self::Welcome,
            "snapshot" => {
                let view: RawView = serde_json::from_str(raw.view.context("it has no view")?.get())?;
                let entry = |RawEntry { seq, at_ms, event }: RawEntry| ReceivedEvent {
                    seq,
                    at_ms,
                    text: event.to_owned(),
                };
                let history = view.history.into_iter().map(entry).collect();
                Self::Snapshot { match_id: match_id()?, seq: raw.seq, history }
            }
            "event" => {
                let text = raw.event.context("it has no event")?.to_owned();
                let received = ReceivedEvent { seq: raw.seq, at_ms: raw.at_ms, text };
                Self::Event { match_id: match_id()?, received }
            }
            "skip" => Self::Skip { match_id: match_id()?, seq: raw.seq },
            "ack" => {
                let cmd = raw.cmd.context("the frame has no command id")?;
                Self::Ack { match_id: match_id()?, cmd, seq: raw.seq }
            }
            "refused" => Self::Refused {
                cmd: raw.cmd,
                code: raw.code.context("it has no code")?,
                message: raw.message.unwrap_or_default().into_owned(),
            },
            _ => Self::Other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrex_protocol::view::Entry;
    use quadrex_protocol::{ServerFrame, StatePatch, TableId};
    use quadrex_rules::Color;
    use std::collections::BTreeMap;

    fn entry(event: Event) -> Entry {
        Entry {
            seq: 7,
            at_ms: 1_000,
            event,
            notation: None,
            squares: BTreeMap::new(),
            checks: Vec::new(),
            attacks: Vec::new(),
            reserves: BTreeMap::new(),
        }
    }

    /// An event in a frame has the same digest as in the log, whatever the other fields of the
    /// frame are.
    #[test]
    fn an_event_has_the_same_digest_on_the_wire_and_in_the_log() {
        let event = Event::Requested { request: quadrex_rules::Request::Draw, color: Color::Blue };
        let frame = ServerFrame::Event {
            table: TableId(uuid::Uuid::from_u128(1)),
            match_id: MatchId(uuid::Uuid::from_u128(2)),
            entry: entry(event.clone()),
            state: StatePatch::default(),
            legal_moves: Some(vec!["a2a3".parse().unwrap()]),
            hints: None,
        };
        let Frame::Event { match_id, received } =
            Frame::read(&serde_json::to_string(&frame).unwrap()).unwrap()
        else {
            panic!("an event is read as another frame");
        };
        assert_eq!((match_id, received.seq, received.at_ms), (MatchId(uuid::Uuid::from_u128(2)), 7, 1_000));
        assert_eq!(received.event().unwrap(), event);
        assert_eq!(received.digest(), digest_of(1_000, &event));
        assert_ne!(received.digest(), digest_of(1_001, &event), "the time is part of the digest");
        let other = Event::Requested { request: quadrex_rules::Request::Draw, color: Color::Red };
        assert_ne!(received.digest(), digest_of(1_000, &other), "the event is part of the digest");
    }

    #[test]
    fn the_error_for_an_incomplete_frame_contains_the_frame_type() {
        let named = r#""match":"00000000-0000-7000-8000-000000000002","#;
        let no_cmd = format!(r#"{{"t":"ack",{named}"seq":1}}"#);
        let no_event = format!(r#"{{"t":"event",{named}"seq":1}}"#);
        let no_match = [r#"{"t":"ack","cmd":"c","seq":1}"#, r#"{"t":"event","seq":1,"event":{}}"#];
        for text in ["{}", &no_cmd, &no_event, no_match[0], no_match[1], r#"{"t":"skip","seq":1}"#, "x"] {
            let error = format!("{:#}", Frame::read(text).unwrap_err());
            assert!(error.contains(text), "{error}");
        }
        assert!(matches!(Frame::read(r#"{"t":"news"}"#), Ok(Frame::Other)));
    }
}
