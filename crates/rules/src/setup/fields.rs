//! Splitting of a FEN4 into its fields.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Field, SetupError};

/// The fields of a FEN4 as text.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) turn: String,
    pub(super) dead: String,
    pub(super) short: String,
    pub(super) long: String,
    pub(super) points: String,
    pub(super) clock: String,
    /// The block in braces, if there is one.
    pub(super) options: Option<String>,
    pub(super) board: String,
}

impl Fields {
    /// Splits strictly: every field is in its position, and single hyphens separate the fields. The
    /// board follows the last hyphen.
    pub(super) fn split_strictly(text: &str) -> Result<Self, SetupError> {
        let fields: Vec<&str> = text.splitn(7, '-').collect();
        let &[turn, dead, short, long, points, clock, rest] = fields.as_slice() else {
            return Err(wrong_count(fields.len()));
        };
        let (options, board) = match rest.rsplit_once('-') {
            Some((options, board)) => (Some(options.into()), board),
            None => (None, rest),
        };
        let [turn, dead, short, long, points, clock, board] =
            [turn, dead, short, long, points, clock, board].map(String::from);
        Ok(Self { turn, dead, short, long, points, clock, options, board })
    }

    /// Splits leniently: accepts white space around fields, options in any position, and negative
    /// points.
    pub(super) fn split_leniently(text: &str) -> Result<Self, SetupError> {
        let (options, text) = remove_block(text);
        let mut fields: Vec<&str> = text.split('-').map(str::trim).collect();
        // An empty field between the clock and the board stands for missing options.
        if fields.len() > 7 && fields[fields.len() - 2].is_empty() {
            fields.remove(fields.len() - 2);
        }
        let [turn, dead, short, long, points @ .., clock, board] = fields.as_slice() else {
            return Err(wrong_count(fields.len()));
        };
        if points.is_empty() {
            return Err(wrong_count(fields.len()));
        }
        let points = points.join("-");
        // The points may have any content, except the content of another kind of field, which would
        // mean that the text contains two positions.
        if points.contains(['/', '{', '}']) {
            let reason = String::from("they contain a board or options: are these two positions?");
            return Err(SetupError { field: Field::Points, reason });
        }
        let [dead, short, long] = [*dead, *short, *long].map(without_blanks);
        let [turn, clock, board] = [*turn, *clock, *board].map(String::from);
        Ok(Self { turn, dead, short, long, points, clock, options, board })
    }
}

/// Removes the white space around each of the comma-separated values.
fn without_blanks(text: &str) -> String {
    text.split(',').map(str::trim).collect::<Vec<_>>().join(",")
}

fn wrong_count(count: usize) -> SetupError {
    let reason = format!("expected seven or eight fields joined by -, found {count}");
    SetupError { field: Field::Text, reason }
}

/// Cuts the block in braces out of a text, together with one of the hyphens next to it. An unclosed
/// brace stays in the text.
fn remove_block(text: &str) -> (Option<String>, String) {
    let Some(start) = text.find('{') else { return (None, text.into()) };
    let Some(length) = block_length(&text[start..]) else { return (None, text.into()) };
    let (before, after) = (text[..start].trim_end(), text[start + length..].trim_start());
    let before = before.strip_suffix('-').unwrap_or(before);
    let after = after.strip_prefix('-').unwrap_or(after);
    let joint = if before.is_empty() || after.is_empty() { "" } else { "-" };
    (Some(text[start..start + length].into()), format!("{before}{joint}{after}"))
}

/// Returns the length in bytes of the block at the start of a text, up to its closing brace.
fn block_length(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_u32, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            (None, _) => {}
        }
    }
    None
}
