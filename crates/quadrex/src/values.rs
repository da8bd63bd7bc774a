//! Values of flags that several commands take.

use quadrex_rules::{Color, Variant};

/// Parses the name of a variant.
///
/// # Errors
/// Lists the names.
pub(crate) fn variant(text: &str) -> Result<Variant, String> {
    text.parse().map_err(|_| format!("it is one of {}", join(&Variant::ALL)))
}

/// Parses the name of a color.
///
/// # Errors
/// Lists the names.
pub(crate) fn color(text: &str) -> Result<Color, String> {
    text.parse().map_err(|_| "it is white or black, red, blue, yellow or green".to_owned())
}

/// The names of variants in a sentence.
pub(crate) fn join(variants: &[Variant]) -> String {
    variants.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(", ")
}
