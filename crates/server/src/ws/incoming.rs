//! The parser of text frames from clients.

use quadrex_protocol::{ClientFrame, CommandId, RefusalCode, TableId};
use serde::Deserialize;
use serde_json::Value;

use crate::http::Refusal;
use crate::http::has_array_in_place_of_object;

/// The refusal of a malformed frame, with the ids that could be found in the frame's text. The
/// answer contains these ids, so that the client knows which command was refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MalformedFrame {
    pub(super) refusal: Refusal,
    /// The id of the command, if it could be parsed.
    pub(super) command_id: Option<CommandId>,
    /// The table of the command, if it could be parsed.
    pub(super) table: Option<TableId>,
}

/// Parses a text frame. Returns the refusal if the frame is malformed.
pub(super) fn parse(text: &str) -> Result<ClientFrame, MalformedFrame> {
    let frame: ClientFrame = serde_json::from_str(text).map_err(|error| malformed(text, &error))?;
    if has_array_in_place_of_object(text.as_bytes(), &frame) {
        let refusal = Refusal::new(RefusalCode::Malformed, "malformed frame: an array stands for an object");
        return Err(MalformedFrame {
            refusal,
            command_id: frame.command_id().cloned(),
            table: frame.table(),
        });
    }
    Ok(frame)
}

fn malformed(text: &str, error: &serde_json::Error) -> MalformedFrame {
    let value: Value = serde_json::from_str(text).unwrap_or(Value::Null);
    let kind = value.get("t").and_then(Value::as_str);
    let refusal = match kind {
        Some(kind) if !ClientFrame::TYPES.contains(&kind) => {
            let kind: String = kind.chars().take(40).collect();
            Refusal::new(RefusalCode::UnknownType, format_args!("no frame has t {kind:?}"))
        }
        Some(kind) => Refusal::new(RefusalCode::Malformed, format_args!("malformed {kind} frame: {error}")),
        None => Refusal::new(
            RefusalCode::Malformed,
            format_args!("a frame is a JSON object with a text field t: {error}"),
        ),
    };
    let field = |name| value.get(name).and_then(Value::as_str);
    MalformedFrame {
        refusal,
        command_id: field("cmd").and_then(|text| text.parse().ok()),
        table: field("table").and_then(|text| text.parse().ok()),
    }
}

/// Returns the ids of the command and the table in the text of a frame. This is used for frames
/// that are too large. Nothing else in such a frame is parsed.
pub(super) fn ids_in(text: &str) -> (Option<CommandId>, Option<TableId>) {
    /// The two fields. All other fields of the frame are ignored.
    #[derive(Deserialize)]
    struct Ids {
        #[serde(default)]
        cmd: Value,
        #[serde(default)]
        table: Value,
    }
    // Without this check, Serde would also accept an array that has the values of the fields in
    // order.
    let is_object = text.trim_start().starts_with('{');
    let ids: Option<Ids> = is_object.then(|| serde_json::from_str(text).ok()).flatten();
    let Some(Ids { cmd, table }) = ids else { return (None, None) };
    (cmd.as_str().and_then(|text| text.parse().ok()), table.as_str().and_then(|text| text.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> RefusalCode {
        parse(text).unwrap_err().refusal.code
    }

    #[test]
    fn invalid_json_is_malformed_and_an_unknown_type_has_its_own_code() {
        for text in [
            "",
            "x",
            "[]",
            "[\"ping\"]",
            "7",
            "null",
            "{}",
            "{\"t\":7}",
            "{\"t\":\"watch\"}",
            "{\"t\":\"ping\",\"x\":1}",
        ] {
            assert_eq!(code(text), RefusalCode::Malformed, "{text}");
        }
        assert_eq!(code("{\"t\":\"castle\"}"), RefusalCode::UnknownType);
    }

    #[test]
    fn the_ids_of_a_malformed_frame_are_found() {
        let table = "0192f0c1-2345-7000-8000-000000000000";
        let long = format!(
            r#"{{"t":"chat","message":{{"text":"{}"}},"cmd":"c","table":"{table}"}}"#,
            "x".repeat(9_000)
        );
        assert_eq!(ids_in(&long), (Some("c".parse().unwrap()), Some(table.parse().unwrap())));
        for text in [
            "",
            "[\"c\",\"d\"]",
            "{\"cmd\":7}",
            "{\"cmd\":\"\"}",
            "{\"cmd\":\"c\"",
            "{\"cmd\":\"a\",\"cmd\":\"b\"}",
        ] {
            assert_eq!(ids_in(text), (None, None), "{text}");
        }
    }

    #[test]
    fn a_refusal_contains_the_command_id_of_its_frame() {
        let table = "0192f0c1-2345-7000-8000-000000000000";
        let text =
            format!("{{\"t\":\"move\",\"cmd\":\"m1\",\"table\":\"{table}\",\"after\":4,\"move\":\"z9z9\"}}");
        let malformed = parse(&text).unwrap_err();
        assert_eq!(malformed.refusal.code, RefusalCode::Malformed);
        assert_eq!(malformed.command_id, Some("m1".parse().unwrap()));
        assert_eq!(malformed.table, Some(table.parse().unwrap()));
    }
}
