//! Parsers of values that several commands have.

use quadrex_rules::{Color, Variant};

/// Parses the name of a variant.
///
/// # Errors
/// Returns a list of the names if the text is not one of these names.
pub(crate) fn variant(text: &str) -> Result<Variant, String> {
    text.parse().map_err(|_| format!("expected one of {}", join(&Variant::ALL)))
}

/// Parses the name of a color.
///
/// # Errors
/// Returns a list of the names if the text is not one of these names.
pub(crate) fn color(text: &str) -> Result<Color, String> {
    text.parse().map_err(|_| "expected white, black, red, blue, yellow or green".to_owned())
}

/// Returns the names of variants, separated by commas.
pub(crate) fn join(variants: &[Variant]) -> String {
    variants.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(", ")
}
