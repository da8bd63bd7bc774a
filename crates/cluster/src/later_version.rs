//! For tests: the messages of a later version. Their contents and envelopes have a field that this
//! version does not know, and with each heartbeat a message of an unknown kind is sent.

use std::sync::LazyLock;

use serde::Serialize;

/// The environment variable with which a node sends the messages of a later version. Its value is 1.
pub const LATER_MESSAGES: &str = "QUADREX_LATER_MESSAGES";

/// The kind that only the later version knows.
pub(crate) const LATER_KIND: &str = "later_notice";

static IS_ENABLED: LazyLock<bool> =
    LazyLock::new(|| std::env::var(LATER_MESSAGES).is_ok_and(|value| value == "1"));

/// A value that this version does not know.
#[derive(Serialize)]
struct LaterField {
    since: u64,
    names: [&'static str; 2],
}

/// Returns whether this node sends the messages of the later version.
pub(crate) fn is_enabled() -> bool {
    *IS_ENABLED
}

/// Returns the content of the message of the unknown kind.
pub(crate) fn notice() -> Vec<u8> {
    rmp_serde::to_vec_named(&LaterField { since: 7, names: ["a", "b"] }).expect("it is plain data")
}

/// Adds a field to a struct in MessagePack, which is a map.
pub(crate) fn add_field(encoded: &mut Vec<u8>) {
    // https://github.com/msgpack/msgpack/blob/master/spec.md, "map format family"
    match encoded.first().copied() {
        Some(short @ 0x80..=0x8e) => encoded[0] = short + 1,
        Some(0x8f) => drop(encoded.splice(..1, [0xde, 0, 16])),
        Some(0xde) if encoded.len() > 3 => {
            let length = u16::from_be_bytes([encoded[1], encoded[2]]) + 1;
            encoded[1..3].copy_from_slice(&length.to_be_bytes());
        }
        _ => return,
    }
    encoded.extend(rmp_serde::to_vec("later_field").expect("it is plain data"));
    encoded.extend(notice());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_field_is_added_to_maps_of_all_lengths() {
        for length in [0, 1, 14, 15, 16, 17, 300] {
            let map: BTreeMap<String, u32> = (0..length).map(|number| (number.to_string(), number)).collect();
            let mut encoded = rmp_serde::to_vec_named(&map).unwrap();
            add_field(&mut encoded);
            let fields: BTreeMap<String, serde::de::IgnoredAny> = rmp_serde::from_slice(&encoded).unwrap();
            assert_eq!(fields.len(), map.len() + 1);
            assert!(fields.contains_key("later_field"));
        }
    }
}
