//! Cutting a FEN4 into its fields.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Field, SetupError};

/// The fields of a FEN4, as they stand.
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
    /// Exactly in their places, joined by single hyphens. The board is what follows the last one.
    pub(super) fn cut_strictly(text: &str) -> Result<Self, SetupError> {
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

    /// With white space around them, the options in any place, and points that may be less than nothing.
    pub(super) fn cut_leniently(text: &str) -> Result<Self, SetupError> {
        let (options, text) = take_block(text);
        let mut fields: Vec<&str> = text.split('-').map(str::trim).collect();
        // Between clock and board an empty field for the options that are not there.
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
        // Points may be anything but a field of another kind: then two texts stand one behind the other.
        if points.contains(['/', '{', '}']) {
            let reason = String::from("a board or options stand among them: is it two positions in one?");
            return Err(SetupError { field: Field::Points, reason });
        }
        let [dead, short, long] = [*dead, *short, *long].map(without_blanks);
        let [turn, clock, board] = [*turn, *clock, *board].map(String::from);
        Ok(Self { turn, dead, short, long, points, clock, options, board })
    }
}

/// Values joined by commas, without the white space around each.
fn without_blanks(text: &str) -> String {
    text.split(',').map(str::trim).collect::<Vec<_>>().join(",")
}

fn wrong_count(count: usize) -> SetupError {
    let reason = format!("expected seven or eight fields joined by -, found {count}");
    SetupError { field: Field::Text, reason }
}

/// Takes the block in braces out of a text, with one of the hyphens beside it. A brace that nothing closes stays.
fn take_block(text: &str) -> (Option<String>, String) {
    let Some(start) = text.find('{') else { return (None, text.into()) };
    let Some(length) = block_length(&text[start..]) else { return (None, text.into()) };
    let (before, after) = (text[..start].trim_end(), text[start + length..].trim_start());
    let before = before.strip_suffix('-').unwrap_or(before);
    let after = after.strip_prefix('-').unwrap_or(after);
    let joint = if before.is_empty() || after.is_empty() { "" } else { "-" };
    (Some(text[start..start + length].into()), format!("{before}{joint}{after}"))
}

/// The bytes of the block a text begins with, up to the brace that closes it.
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
