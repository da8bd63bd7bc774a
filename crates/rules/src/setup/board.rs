//! The board of a FEN4: the ranks from the last to the first, and the squares of a rank from file
//! `a`.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Dropped, Field, Reading, Setup, SetupError};
use crate::role::{Piece, Role};
use crate::square::Square;
use crate::variant::Variant;

/// An entry of a rank.
enum Entry {
    /// This number of squares without a piece, including cut-out squares.
    Empty(u32),
    Piece(Piece),
}

/// Parses all ranks.
pub(super) fn parse(
    variant: Variant,
    text: &str,
    reading: &mut Reading,
) -> Result<BTreeMap<Square, Piece>, SetupError> {
    let shape = variant.board();
    let mut pieces = BTreeMap::new();
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(shape.ranks) {
        let reason = format!("{} ranks instead of {}", rows.len(), shape.ranks);
        return Err(SetupError { field: Field::Board, reason });
    }
    for (rank, row) in (0..shape.ranks).rev().zip(rows) {
        let fail = |reason: String| SetupError { field: Field::Board, reason };
        let number = rank + 1;
        let mut file = 0_u8;
        for entry in row.split(',') {
            let entry = if reading.is_lenient() { entry.trim() } else { entry };
            let square = Square::new(file, rank).filter(|_| file < shape.files);
            let square = square.ok_or_else(|| fail(format!("rank {number} is longer than the board")))?;
            let run = match parse_entry(variant, square, entry, reading)? {
                Entry::Empty(run) => run,
                Entry::Piece(piece) => {
                    pieces.insert(square, piece);
                    1
                }
            };
            if run == 0 || run > u32::from(shape.files - file) {
                return Err(fail(format!("rank {number}: {entry} empty squares do not fit")));
            }
            file += run as u8;
        }
        if file != shape.files {
            return Err(fail(format!("rank {number} has {file} squares instead of {}", shape.files)));
        }
    }
    Ok(pieces)
}

/// Parses the entry that starts at `square`.
fn parse_entry(
    variant: Variant,
    square: Square,
    entry: &str,
    reading: &mut Reading,
) -> Result<Entry, SetupError> {
    if entry.starts_with(|first: char| first.is_ascii_digit()) {
        return super::parse_number(Field::Board, entry).map(Entry::Empty);
    }
    if !entry.is_empty() && entry.bytes().all(|letter| matches!(letter, b'x' | b'X')) {
        return parse_cut_out(variant, square, entry, reading).map(Entry::Empty);
    }
    if let Ok(piece) = Piece::parse(variant, entry) {
        return Ok(Entry::Piece(piece));
    }
    let foreign = if reading.is_lenient() { parse_foreign(variant, square, entry) } else { None };
    match foreign {
        Some((entry, dropped)) => {
            reading.drops(dropped);
            Ok(entry)
        }
        None => Err(SetupError::new(Field::Board, entry, "is no piece")),
    }
}

/// Parses the marks of cut-out squares. Lenient reading accepts several `x`. Strict reading accepts
/// only one `x`.
fn parse_cut_out(variant: Variant, first: Square, entry: &str, reading: &Reading) -> Result<u32, SetupError> {
    let shape = variant.board();
    let ends = if reading.is_lenient() { entry.len() } else { 1 };
    let squares = (0..ends).map(|ahead| Square::new(first.file().saturating_add(ahead as u8), first.rank()));
    for square in squares.flatten() {
        if square.file() < shape.files && shape.contains(square) {
            return Err(SetupError { field: Field::Board, reason: format!("{square} is not cut out") });
        }
    }
    if ends < entry.len() {
        return Err(SetupError::new(Field::Board, entry, "is no piece"));
    }
    Ok(ends as u32)
}

/// Parses pieces that some sites have but our rules do not: queens of one point (`rD`), and pieces
/// without an owner (`dR`, `drR`).
fn parse_foreign(variant: Variant, square: Square, entry: &str) -> Option<(Entry, Dropped)> {
    if let Some(dead) = entry.strip_prefix('d') {
        let role = dead.strip_prefix(|letter| variant.color_of_letter(letter).is_some()).unwrap_or(dead);
        let is_role = role.len() == 1 && role.bytes().all(|letter| letter.is_ascii_uppercase());
        return is_role.then_some((Entry::Empty(1), Dropped::DeadPiece { square }));
    }
    let letter = entry.strip_suffix('D')?;
    let mut letters = letter.chars();
    let color = letters.next().and_then(|letter| variant.color_of_letter(letter))?;
    let queen = Entry::Piece(Piece { color, role: Role::Queen });
    letters.next().is_none().then_some((queen, Dropped::OnePoint { square }))
}

/// Writes all ranks.
pub(super) fn write(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let shape = setup.variant.board();
    for rank in (0..shape.ranks).rev() {
        let mut entries: Vec<String> = Vec::new();
        let mut empty = 0;
        for file in 0..shape.files {
            match Square::new(file, rank).and_then(|square| setup.pieces.get(&square)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        entries.push(empty.to_string());
                        empty = 0;
                    }
                    entries.push(piece.to_string());
                }
            }
        }
        if empty > 0 {
            entries.push(empty.to_string());
        }
        write!(f, "{}{}", entries.join(","), if rank > 0 { "/" } else { "" })?;
    }
    Ok(())
}
