//! Text frames from clients: read into their type, or told what is wrong with them.

use quadrex_protocol::{ClientFrame, CmdId, RefusalCode, TableId};
use serde::Deserialize;
use serde_json::Value;

use crate::http::Refusal;
use crate::http::has_array_for_object;

/// A frame that cannot be read, with what could be made out of it for the answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// Why.
    pub(super) refusal: Refusal,
    /// The command it was, if that much could be read.
    pub(super) cmd: Option<CmdId>,
    /// The table it was for, if that much could be read.
    pub(super) table: Option<TableId>,
}

/// Reads a text frame.
pub(super) fn read(text: &str) -> Result<ClientFrame, Unreadable> {
    let frame: ClientFrame = serde_json::from_str(text).map_err(|error| unreadable(text, &error))?;
    if has_array_for_object(text.as_bytes(), &frame) {
        let refusal = Refusal::new(RefusalCode::Malformed, "malformed frame: an array stands for an object");
        return Err(Unreadable { refusal, cmd: frame.cmd().cloned(), table: frame.table() });
    }
    Ok(frame)
}

fn unreadable(text: &str, error: &serde_json::Error) -> Unreadable {
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
    Unreadable {
        refusal,
        cmd: field("cmd").and_then(|text| text.parse().ok()),
        table: field("table").and_then(|text| text.parse().ok()),
    }
}

/// The command and the table that a text names which is not read any further, for its answer.
pub(super) fn names_in(text: &str) -> (Option<CmdId>, Option<TableId>) {
    /// The two fields; all others are passed over.
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        cmd: Value,
        #[serde(default)]
        table: Value,
    }
    // A list of values would be taken for the fields in their order.
    let is_object = text.trim_start().starts_with('{');
    let named: Option<Named> = is_object.then(|| serde_json::from_str(text).ok()).flatten();
    let Some(Named { cmd, table }) = named else { return (None, None) };
    (cmd.as_str().and_then(|text| text.parse().ok()), table.as_str().and_then(|text| text.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> RefusalCode {
        read(text).unwrap_err().refusal.code
    }

    #[test]
    fn rubbish_is_malformed_and_an_unknown_kind_is_told_as_such() {
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
    fn the_names_in_a_text_are_read_alone() {
        let table = "0192f0c1-2345-7000-8000-000000000000";
        let long = format!(
            r#"{{"t":"chat","words":{{"text":"{}"}},"cmd":"c","table":"{table}"}}"#,
            "x".repeat(9_000)
        );
        assert_eq!(names_in(&long), (Some("c".parse().unwrap()), Some(table.parse().unwrap())));
        for text in [
            "",
            "[\"c\",\"d\"]",
            "{\"cmd\":7}",
            "{\"cmd\":\"\"}",
            "{\"cmd\":\"c\"",
            "{\"cmd\":\"a\",\"cmd\":\"b\"}",
        ] {
            assert_eq!(names_in(text), (None, None), "{text}");
        }
    }

    #[test]
    fn a_refusal_names_the_command_it_could_make_out() {
        let table = "0192f0c1-2345-7000-8000-000000000000";
        let text =
            format!("{{\"t\":\"move\",\"cmd\":\"m1\",\"table\":\"{table}\",\"at\":4,\"mv\":\"z9z9\"}}");
        let unreadable = read(&text).unwrap_err();
        assert_eq!(unreadable.refusal.code, RefusalCode::Malformed);
        assert_eq!(unreadable.cmd, Some("m1".parse().unwrap()));
        assert_eq!(unreadable.table, Some(table.parse().unwrap()));
    }
}
