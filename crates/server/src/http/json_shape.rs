//! The check for JSON arrays where objects are expected. Serde accepts such an array as the values
//! of the object's fields, in order.

use serde::Serialize;
use serde_json::Value;

/// Returns whether `text` has an array where an object is expected. `read` is the value that was
/// parsed from the text.
pub(crate) fn has_array_in_place_of_object<T: Serialize>(text: &[u8], read: &T) -> bool {
    // Nearly no text has a bracket, so the full comparison is seldom necessary.
    if !text.contains(&b'[') {
        return false;
    }
    match (serde_json::from_slice(text), serde_json::to_value(read)) {
        (Ok(given), Ok(meant)) => differs(&given, &meant),
        _ => false,
    }
}

fn differs(given: &Value, meant: &Value) -> bool {
    match (given, meant) {
        (Value::Array(_), Value::Object(_)) => true,
        (Value::Array(given), Value::Array(meant)) => {
            given.iter().zip(meant).any(|(given, meant)| differs(given, meant))
        }
        (Value::Object(given), Value::Object(meant)) => {
            given.iter().any(|(name, given)| meant.get(name).is_some_and(|meant| differs(given, meant)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::http::{CreateTable, NewGuest};
    use serde::de::DeserializeOwned;

    use super::*;

    fn has_array<T: DeserializeOwned + Serialize>(text: &str) -> bool {
        let read: T = serde_json::from_str(text).expect("serde accepts it");
        has_array_in_place_of_object(text.as_bytes(), &read)
    }

    #[test]
    fn an_array_is_not_an_object_at_any_depth() {
        assert!(has_array::<NewGuest>("[]"));
        assert!(has_array::<NewGuest>(r#" ["Ada", true]"#));
        assert!(!has_array::<NewGuest>(r#"{"name":"[]"}"#));
        let table = |time: &str, bots: &str| {
            format!(r#"{{"variant":"classic","privacy":"public","time":{time},"bots":{bots}}}"#)
        };
        let time = r#"{"kind":"fischer","base_ms":60000,"increment_ms":0}"#;
        assert!(!has_array::<CreateTable>(&table(time, "[]")));
        assert!(!has_array::<CreateTable>(&table(
            time,
            r#"[{"seat":"black","bot":{"kind":"built_in","level":3}}]"#
        )));
        assert!(has_array::<CreateTable>(&table(time, r#"[["black",{"kind":"built_in","level":3}]]"#)));
        assert!(has_array::<CreateTable>(&table(r#"["fischer",60000,0]"#, "[]")));
    }
}
