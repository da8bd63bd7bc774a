//! FEN: the written form of positions of two players on 8 x 8 (Edwards, PGN specification, section
//! 16.1).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use super::{CastlingRights, DoubleStep, Dropped, Field, Reading, Setup, SetupError};
use crate::color::{ByColor, Color};
use crate::reserve::Reserve;
use crate::role::{Piece, Role};
use crate::square::Square;
use crate::variant::Variant;

/// Parses a FEN: six fields separated by single blanks. If there are only the first four fields,
/// the half-move clock is 0 and the round number is 1. Lenient reading accepts any white space, and
/// a missing last field.
pub(super) fn parse(variant: Variant, text: &str, reading: &mut Reading) -> Result<Setup, SetupError> {
    let fields: Vec<&str> =
        if reading.is_lenient() { text.split_whitespace().collect() } else { text.split(' ').collect() };
    let (board, turn, castling, en_passant, clock, number) = match *fields.as_slice() {
        [board, turn, castling, en_passant] => (board, turn, castling, en_passant, "0", "1"),
        [board, turn, castling, en_passant, clock] if reading.is_lenient() => {
            (board, turn, castling, en_passant, clock, "1")
        }
        [board, turn, castling, en_passant, clock, number] => {
            (board, turn, castling, en_passant, clock, number)
        }
        _ => {
            let reason = format!("expected six fields joined by blanks, found {}", fields.len());
            return Err(SetupError { field: Field::Text, reason });
        }
    };
    let turn = match turn {
        "w" => Color::White,
        "b" => Color::Black,
        "W" if reading.is_lenient() => Color::White,
        "B" if reading.is_lenient() => Color::Black,
        _ => return Err(SetupError::new(Field::Turn, turn, "is neither w nor b")),
    };
    Ok(Setup {
        variant,
        pieces: parse_board(board)?,
        turn,
        eliminated: Vec::new(),
        castling: parse_castling(castling, reading)?,
        double_steps: parse_en_passant(en_passant, turn, reading)?,
        reserves: ByColor::from_fn(|_| Reserve::EMPTY),
        halfmove_clock: super::parse_number(Field::Clock, clock)?,
        move_number: Some(parse_move_number(number, reading)?),
    })
}

/// Parses the number of the round. Some programs write 0 for the first round.
fn parse_move_number(text: &str, reading: &mut Reading) -> Result<u32, SetupError> {
    match super::parse_number(Field::MoveNumber, text)? {
        0 if reading.drops(Dropped::RoundZero) => Ok(1),
        number => Ok(number),
    }
}

fn parse_board(text: &str) -> Result<BTreeMap<Square, Piece>, SetupError> {
    let mut pieces = BTreeMap::new();
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(SetupError::new(Field::Board, text, "has not eight ranks"));
    }
    for (rank, row) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        let mut after_run = false;
        for letter in row.chars() {
            let run = letter.to_digit(10).filter(|run| (1..=8).contains(run));
            if let Some(run) = run {
                if after_run {
                    return Err(SetupError::new(Field::Board, row, "has two runs of empty squares in a row"));
                }
                file += run as u8;
            } else {
                let role = Role::from_letter(letter.to_ascii_uppercase())
                    .ok_or_else(|| SetupError::new(Field::Board, row, "has a letter that is no piece"))?;
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                let square = Square::new(file, rank).filter(|_| file < 8);
                let square =
                    square.ok_or_else(|| SetupError::new(Field::Board, row, "is longer than eight"))?;
                pieces.insert(square, Piece { color, role });
                file += 1;
            }
            after_run = run.is_some();
        }
        if file != 8 {
            return Err(SetupError::new(Field::Board, row, "has not eight squares"));
        }
    }
    Ok(pieces)
}

/// Parses `KQkq` in this order. Lenient reading accepts any order, and it accepts the letters of
/// the rooks' files in place of these letters.
fn parse_castling(text: &str, reading: &Reading) -> Result<ByColor<CastlingRights>, SetupError> {
    let mut rights = ByColor::from_fn(|_| CastlingRights::default());
    let mut grant = |color: Color, short: bool| {
        let rights = &mut rights[color];
        *(if short { &mut rights.short } else { &mut rights.long }) = true;
    };
    let is_read = if text == "-" {
        true
    } else if reading.is_lenient() {
        let known = |letter| LETTERS.into_iter().find(|&(right, file, ..)| letter == right || letter == file);
        let all_known = text.chars().all(|letter| known(letter).is_some());
        text.chars().filter_map(known).for_each(|(_, _, color, short)| grant(color, short));
        all_known
    } else {
        let mut rest = text;
        for (letter, _, color, short) in LETTERS {
            if let Some(after) = rest.strip_prefix(letter) {
                rest = after;
                grant(color, short);
            }
        }
        rest.is_empty()
    };
    if text.is_empty() || !is_read {
        return Err(SetupError::new(Field::Castling, text, "is neither - nor some of KQkq in this order"));
    }
    Ok(rights)
}

/// The castling rights in the order of their letters: the letter, the letter of the rook's file,
/// the owner, and true for the short side.
const LETTERS: [(char, char, Color, bool); 4] = [
    ('K', 'H', Color::White, true),
    ('Q', 'A', Color::White, false),
    ('k', 'h', Color::Black, true),
    ('q', 'a', Color::Black, false),
];

/// Parses the square that a pawn skipped. The pawn stands in front of this square.
fn parse_en_passant(
    text: &str,
    turn: Color,
    reading: &mut Reading,
) -> Result<ByColor<Option<DoubleStep>>, SetupError> {
    let mut steps = ByColor::from_fn(|_| None);
    if text == "-" {
        return Ok(steps);
    }
    let (stepper, passed_rank, pawn_rank) = match turn {
        Color::White => (Color::Black, 5, 4),
        _ => (Color::White, 2, 3),
    };
    let reason = "is not a square that the last pawn could have passed";
    let named_square = text.parse::<Square>().ok();
    match named_square.filter(|square| square.rank() == passed_rank) {
        Some(passed) => {
            steps[stepper] = Square::new(passed.file(), pawn_rank).map(|pawn| DoubleStep { passed, pawn });
            Ok(steps)
        }
        None if named_square.is_some()
            && reading.drops(Dropped::EnPassant { text: text.into(), reason: reason.into() }) =>
        {
            Ok(steps)
        }
        None => Err(SetupError::new(Field::EnPassant, text, reason)),
    }
}

/// Writes a FEN of six fields.
pub(super) fn write(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let piece = Square::new(file, rank).and_then(|square| setup.pieces.get(&square));
            match piece {
                None => empty += 1,
                Some(piece) => {
                    write_run(f, empty)?;
                    empty = 0;
                    let letter = piece.role.letter();
                    let black = piece.color == Color::Black;
                    write!(f, "{}", if black { letter.to_ascii_lowercase() } else { letter })?;
                }
            }
        }
        write_run(f, empty)?;
        f.write_str(if rank > 0 { "/" } else { " " })?;
    }
    write!(f, "{} ", setup.turn.letter())?;
    let mut any = false;
    for (letter, _, color, short) in LETTERS {
        let rights = setup.castling[color];
        if if short { rights.short } else { rights.long } {
            write!(f, "{letter}")?;
            any = true;
        }
    }
    f.write_str(if any { " " } else { "- " })?;
    match [Color::White, Color::Black].into_iter().find_map(|color| setup.double_steps[color]) {
        Some(step) => write!(f, "{}", step.passed)?,
        None => f.write_str("-")?,
    }
    write!(f, " {} {}", setup.halfmove_clock, setup.move_number.unwrap_or(1))
}

fn write_run(f: &mut fmt::Formatter<'_>, empty: u8) -> fmt::Result {
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}
