//! Checks of frames, events and HTTP bodies.

use std::fmt::Debug;

use quadrex_protocol::record::MatchRecord;
use quadrex_protocol::{ClientFrame, Event, ServerFrame, http};
use quadrex_rules::notation::Location;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Parses the input as every type that is sent to clients or stored in a log.
pub fn check(data: &[u8]) {
    check_as::<ClientFrame>(data);
    check_as::<ServerFrame>(data);
    check_as::<Event>(data);
    check_as::<http::NewGuest>(data);
    check_as::<http::GuestCreated>(data);
    check_as::<http::Session>(data);
    check_as::<http::Me>(data);
    check_as::<http::CreateTable>(data);
    check_as::<http::TableCreated>(data);
    check_as::<http::QuickJoin>(data);
    check_as::<http::QuickJoined>(data);
    check_as::<http::TableList>(data);
    check_as::<http::TableSummary>(data);
    check_as::<http::NewInvite>(data);
    check_as::<http::LinkCreated>(data);
    check_as::<http::NewSession>(data);
    check_as::<http::ShownHandover>(data);
    check_as::<http::ErrorBody>(data);
    if let Some(record) = check_as::<MatchRecord>(data) {
        check_record(&record);
    }
}

/// Checks that a record has a notation exactly if it can be replayed.
fn check_record(record: &MatchRecord) {
    let written = record.to_notation(1, Location::START);
    match record.replay() {
        Ok(_) => drop(written.map_err(|error| error.to_string())),
        Err(error) => assert_eq!(written.err(), Some(error)),
    }
}

/// Checks that accepted input serializes to a text that parses to the same value and that does not
/// vary.
fn check_as<T: Debug + DeserializeOwned + PartialEq + Serialize>(data: &[u8]) -> Option<T> {
    let value: T = match serde_json::from_slice(data) {
        Ok(value) => value,
        Err(error) => {
            let _ = error.to_string();
            return None;
        }
    };
    let text = serde_json::to_string(&value).expect("it has a text");
    let read: T = serde_json::from_str(&text).expect("what is written can be read");
    assert_eq!(read, value, "{text}");
    let tree = serde_json::to_value(&value).expect("it has a text");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("it is JSON"), tree, "{text}");
    let read: T = serde_json::from_value(tree).expect("what is written can be read");
    assert_eq!(read, value, "{text}");
    Some(value)
}
