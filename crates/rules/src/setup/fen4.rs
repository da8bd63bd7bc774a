//! FEN4: the written form of four-player positions (`docs/NOTATION.md`).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::fields::Fields;
use super::options::{self, Value};
use super::{CastlingRights, DoubleStep, Dropped, Field, Reading, Setup, SetupError, board};
use crate::color::{ByColor, Color};
use crate::elimination::Cause;
use crate::reserve::Reserve;
use crate::role::Role;
use crate::square::Square;
use crate::variant::Variant;

/// Parses a FEN4 of a four-player variant.
pub(super) fn parse(variant: Variant, text: &str, reading: &mut Reading) -> Result<Setup, SetupError> {
    let fields =
        if reading.is_lenient() { Fields::split_leniently(text)? } else { Fields::split_strictly(text)? };
    let options = match &fields.options {
        Some(options) => options::parse(options, reading)?,
        None => BTreeMap::new(),
    };
    if !reading.is_lenient() {
        parse_four(Field::Points, &fields.points)?;
    }
    let short = parse_flags(variant, Field::Castling, &fields.short)?;
    let long = parse_flags(variant, Field::Castling, &fields.long)?;
    let short_rooks = parse_short_rooks(variant, options.get("shortRook"))?;
    let setup = Setup {
        variant,
        turn: parse_turn(variant, &fields.turn, reading)?,
        eliminated: parse_out(variant, &fields.dead, options.get("out"))?,
        castling: ByColor::from_fn(|color| {
            let color = variant.colors()[color];
            CastlingRights { short: short[color], long: long[color], short_rook: short_rooks[color] }
        }),
        double_steps: parse_en_passant(variant, options.get("enPassant"))?,
        reserves: parse_reserves(variant, options.get("reserve"))?,
        halfmove_clock: super::parse_number(Field::Clock, &fields.clock)?,
        move_number: parse_move_number(options.get("moveNumber"))?,
        pieces: board::parse(variant, &fields.board, reading)?,
    };
    for key in options.into_keys().filter(|key| !KNOWN_OPTIONS.contains(&key.as_str())) {
        reading.drops(Dropped::Option { key });
    }
    Ok(setup)
}

/// The known keys of the options block.
const KNOWN_OPTIONS: [&str; 5] = ["enPassant", "shortRook", "reserve", "out", "moveNumber"];

fn parse_turn(variant: Variant, text: &str, reading: &Reading) -> Result<Color, SetupError> {
    let is_it = |color: &Color| {
        let letter = turn_letter(*color).to_string();
        letter == text || reading.is_lenient() && letter.eq_ignore_ascii_case(text)
    };
    let turn = variant.colors().iter().copied().find(is_it);
    turn.ok_or_else(|| SetupError::new(Field::Turn, text, "is none of R, B, Y and G"))
}

fn parse_move_number(option: Option<&Value>) -> Result<Option<u32>, SetupError> {
    match option {
        Some(Value::Number(number)) => super::parse_number(Field::MoveNumber, number).map(Some),
        Some(_) => Err(SetupError::new(Field::MoveNumber, "moveNumber", "is not a number")),
        None => Ok(None),
    }
}

fn turn_letter(color: Color) -> char {
    color.letter().to_ascii_uppercase()
}

/// Parses four values joined by commas.
fn parse_four(field: Field, text: &str) -> Result<[&str; 4], SetupError> {
    let values: Vec<&str> = text.split(',').collect();
    match *values.as_slice() {
        [red, blue, yellow, green] if values.iter().all(|value| !value.is_empty()) => {
            Ok([red, blue, yellow, green])
        }
        _ => Err(SetupError::new(field, text, "is not four values joined by commas")),
    }
}

fn parse_flags(variant: Variant, field: Field, text: &str) -> Result<ByColor<bool>, SetupError> {
    let values = parse_four(field, text)?;
    let mut flags = ByColor::from_fn(|_| false);
    for (&color, value) in variant.colors().iter().zip(values) {
        flags[color] = match value {
            "0" => false,
            "1" => true,
            _ => return Err(SetupError::new(field, text, "has a value that is neither 0 nor 1")),
        };
    }
    Ok(flags)
}

/// Parses the eliminated players in the order of their elimination. If only the flags contain
/// eliminated players, these players are returned in turn order with resignation as the cause.
fn parse_out(
    variant: Variant,
    dead: &str,
    option: Option<&Value>,
) -> Result<Vec<(Color, Cause)>, SetupError> {
    let dead = parse_flags(variant, Field::Dead, dead)?;
    let listed = variant.colors().iter().copied().filter(|&color| dead[color]);
    let Some(option) = option else {
        return Ok(listed.map(|color| (color, Cause::Resign)).collect());
    };
    let mut out: Vec<(Color, Cause)> = Vec::new();
    for entry in option.texts().ok_or_else(|| SetupError::new(Field::Out, "out", "is not a list of texts"))? {
        let parts = entry.split_once(':');
        let parsed = parts.and_then(|(color, cause)| Some((color.parse().ok()?, cause.parse().ok()?)));
        let (color, cause) =
            parsed.ok_or_else(|| SetupError::new(Field::Out, entry, "is not a color and a cause"))?;
        out.push((color, cause));
    }
    let agrees = out.len() == listed.clone().count()
        && listed.clone().all(|color| out.iter().any(|&(other, _)| other == color));
    if agrees {
        Ok(out)
    } else {
        Err(SetupError::new(Field::Out, "out", "names other players than the field of the dead"))
    }
}

fn parse_en_passant(
    variant: Variant,
    option: Option<&Value>,
) -> Result<ByColor<Option<DoubleStep>>, SetupError> {
    let mut steps = ByColor::from_fn(|_| None);
    for (color, entry) in by_color(variant, Field::EnPassant, "enPassant", option)? {
        if !entry.is_empty() {
            let parts = entry.split_once(':');
            let step = parts.and_then(|(passed, pawn)| {
                Some(DoubleStep { passed: passed.parse().ok()?, pawn: pawn.parse().ok()? })
            });
            let step = step.ok_or_else(|| {
                SetupError::new(Field::EnPassant, entry, "is not a passed square and a pawn's square")
            })?;
            steps[color] = Some(step);
        }
    }
    Ok(steps)
}

fn parse_short_rooks(
    variant: Variant,
    option: Option<&Value>,
) -> Result<ByColor<Option<Square>>, SetupError> {
    let mut rooks = ByColor::from_fn(|_| None);
    for (color, square) in by_color(variant, Field::Castling, "shortRook", option)? {
        if !square.is_empty() {
            let fail = |_| SetupError::new(Field::Castling, square, "is no square");
            rooks[color] = Some(square.parse().map_err(fail)?);
        }
    }
    Ok(rooks)
}

fn parse_reserves(variant: Variant, option: Option<&Value>) -> Result<ByColor<Reserve>, SetupError> {
    let mut reserves = ByColor::from_fn(|_| Reserve::EMPTY);
    for (color, letters) in by_color(variant, Field::Reserve, "reserve", option)? {
        let reserve = &mut reserves[color];
        for letter in letters.chars() {
            let count = match letter {
                'B' => &mut reserve.bishops,
                'N' => &mut reserve.knights,
                'R' => &mut reserve.rooks,
                _ => {
                    return Err(SetupError::new(
                        Field::Reserve,
                        letters,
                        "has a letter other than B, N and R",
                    ));
                }
            };
            *count = count.saturating_add(1);
        }
    }
    Ok(reserves)
}

/// Returns the four texts of an option, each with its color. If the option is missing, the list is
/// empty.
fn by_color<'a>(
    variant: Variant,
    field: Field,
    key: &str,
    option: Option<&'a Value>,
) -> Result<Vec<(Color, &'a str)>, SetupError> {
    let Some(option) = option else { return Ok(Vec::new()) };
    let texts = option.texts().filter(|texts| texts.len() == 4);
    let texts = texts.ok_or_else(|| SetupError::new(field, key, "is not four texts"))?;
    Ok(variant.colors().iter().copied().zip(texts).collect())
}

/// Writes a FEN4. Options are written only if their values differ from the defaults.
pub(super) fn write(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let colors = setup.variant.colors();
    write!(f, "{}-", turn_letter(setup.turn))?;
    write_joined(f, colors, |color| u8::from(setup.eliminated.iter().any(|&(out, _)| out == color)))?;
    f.write_str("-")?;
    write_joined(f, colors, |color| u8::from(setup.castling[color].short))?;
    f.write_str("-")?;
    write_joined(f, colors, |color| u8::from(setup.castling[color].long))?;
    write!(f, "-0,0,0,0-{}-", setup.halfmove_clock)?;
    write_options(setup, f)?;
    board::write(setup, f)
}

fn write_joined<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    colors: &[Color],
    value: impl Fn(Color) -> T,
) -> fmt::Result {
    for (index, &color) in colors.iter().enumerate() {
        write!(f, "{}{}", if index > 0 { "," } else { "" }, value(color))?;
    }
    Ok(())
}

fn write_options(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let colors = setup.variant.colors();
    let four = |text: &dyn Fn(Color) -> String| {
        let texts: Vec<String> = colors.iter().map(|&color| format!("'{}'", text(color))).collect();
        texts.join(",")
    };
    let mut options = Vec::new();
    if colors.iter().any(|&color| setup.double_steps[color].is_some()) {
        let texts = four(&|color| match setup.double_steps[color] {
            Some(step) => format!("{}:{}", step.passed, step.pawn),
            None => String::new(),
        });
        options.push(format!("'enPassant':({texts})"));
    }
    if colors.iter().any(|&color| setup.castling[color].short_rook.is_some()) {
        let texts =
            four(&|color| setup.castling[color].short_rook.map(|rook| rook.to_string()).unwrap_or_default());
        options.push(format!("'shortRook':({texts})"));
    }
    if colors.iter().any(|&color| setup.reserves[color] != Reserve::EMPTY) {
        let texts = four(&|color| reserve_letters(setup.reserves[color]));
        options.push(format!("'reserve':({texts})"));
    }
    let by_flags =
        colors.iter().copied().filter(|color| setup.eliminated.iter().any(|(out, _)| out == color));
    if !setup.eliminated.iter().copied().eq(by_flags.map(|color| (color, Cause::Resign))) {
        let texts: Vec<String> =
            setup.eliminated.iter().map(|(color, cause)| format!("'{color}:{cause}'")).collect();
        options.push(format!("'out':({})", texts.join(",")));
    }
    if let Some(number) = setup.move_number {
        options.push(format!("'moveNumber':{number}"));
    }
    if options.is_empty() { Ok(()) } else { write!(f, "{{{}}}-", options.join(",")) }
}

/// Returns a letter for each piece, in the order B, N, R.
fn reserve_letters(reserve: Reserve) -> String {
    [Role::Bishop, Role::Knight, Role::Rook]
        .into_iter()
        .flat_map(|role| core::iter::repeat_n(role.letter(), usize::from(reserve.count(role))))
        .collect()
}
