//! The facts of a variant as plain data, for code that does not know the variant at compile time.

use core::fmt;
use core::iter::once;

use super::id::Variant;
use super::names::Names;
use super::rules::VariantRules;
use crate::color::Color;
use crate::geometry::Geometry;
use crate::serde_text::impl_text_from_name;
use crate::square::BoardShape;
use crate::with_rules;

/// The notation of games and positions: PGN and FEN, or PGN4 and FEN4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Two players.
    Pgn,
    /// More than two players.
    Pgn4,
}

impl Variant {
    const fn names(self) -> Names {
        with_rules!(self, V => V::NAMES)
    }

    /// The name in texts, on the wire and in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().name
    }

    /// The name for people, in English.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.names().title
    }

    /// The colors in turn order, from White or Red (rule D2).
    #[must_use]
    pub const fn colors(self) -> &'static [Color] {
        with_rules!(self, V => V::COLORS)
    }

    /// The number of players.
    #[must_use]
    pub const fn player_count(self) -> usize {
        self.colors().len()
    }

    /// The notation of the variant's games and positions.
    #[must_use]
    pub const fn notation(self) -> Notation {
        match self.player_count() {
            2 => Notation::Pgn,
            _ => Notation::Pgn4,
        }
    }

    /// The values of the UCI option `UCI_Variant` that mean this variant, its own name first.
    pub fn uci_names(self) -> impl Iterator<Item = &'static str> {
        once(self.name()).chain(self.names().uci_aliases.iter().copied())
    }

    /// Returns the variant that a value of the UCI option `UCI_Variant` means.
    #[must_use]
    pub fn from_uci_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.uci_names().any(|known| known == name))
    }

    /// The variant of UCI engines that have no option `UCI_Variant`: chess.
    #[must_use]
    pub fn uci_default() -> Self {
        Self::from_uci_name("chess").expect("a variant has this alias")
    }

    /// The value of the tag `Variant` in a written game.
    pub(crate) const fn tag(self) -> &'static str {
        self.names().tag
    }

    /// The color that a letter of FEN4 or of a piece's text stands for in this variant.
    #[must_use]
    pub fn color_of_letter(self, letter: char) -> Option<Color> {
        self.colors().iter().copied().find(|color| color.letter() == letter)
    }

    /// The shape of the board.
    #[must_use]
    pub const fn board(self) -> BoardShape {
        with_rules!(self, V => <V as VariantRules>::Geometry::SHAPE)
    }
}

impl Notation {
    /// The variant of a written game in this notation whose tags name no variant: the first variant
    /// with this notation.
    #[must_use]
    pub fn default_variant(self) -> Variant {
        let mut variants = Variant::ALL.into_iter();
        variants.find(|variant| variant.notation() == self).expect("each notation has a variant")
    }
}

/// The error for a text that names no variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantError;

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a variant: expected ")?;
        for (index, variant) in Variant::ALL.into_iter().enumerate() {
            let separator = match Variant::ALL.len() - index {
                _ if index == 0 => "",
                1 => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{variant}")?;
        }
        Ok(())
    }
}

impl core::error::Error for VariantError {}

impl_text_from_name!(Variant: VariantError);
