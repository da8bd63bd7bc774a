//! The facts of a variant as plain data, for code that does not know the variant at compile time.

use super::classic::Classic;
use super::dilkel::Dilkel;
use super::dilkel_compact::DilkelCompact;
use super::id::Variant;
use super::names::Names;
use super::rules::VariantRules;
use crate::color::Color;
use crate::geometry::Geometry;
use crate::serde_text::text_through_name;
use crate::square::BoardShape;

/// The notation of a game's files, and with it that of its positions: PGN and FEN, or PGN4 and
/// FEN4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Two players.
    Pgn,
    /// Four players.
    Pgn4,
}

/// Evaluates an expression with the rules of a variant known only at run time.
macro_rules! with_rules {
    ($variant:expr, $rules:ident => $result:expr) => {
        match $variant {
            $crate::variant::Variant::Classic => {
                type $rules = $crate::variant::Classic;
                $result
            }
            $crate::variant::Variant::Dilkel => {
                type $rules = $crate::variant::Dilkel;
                $result
            }
            $crate::variant::Variant::DilkelCompact => {
                type $rules = $crate::variant::DilkelCompact;
                $result
            }
        }
    };
}

pub(crate) use with_rules;

impl Variant {
    const fn names(self) -> Names {
        match self {
            Self::Classic => Classic::NAMES,
            Self::Dilkel => Dilkel::NAMES,
            Self::DilkelCompact => DilkelCompact::NAMES,
        }
    }

    /// The name in texts, on the wire and in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().name
    }

    /// The colors in turn order, from White or Red (D2).
    #[must_use]
    pub const fn colors(self) -> &'static [Color] {
        with_rules!(self, V => V::COLORS)
    }

    /// The number of players, two or four.
    #[must_use]
    pub const fn player_count(self) -> usize {
        self.colors().len()
    }

    /// The notation of its games and positions.
    #[must_use]
    pub const fn notation(self) -> Notation {
        match self.player_count() {
            2 => Notation::Pgn,
            _ => Notation::Pgn4,
        }
    }

    /// The values of the UCI option `UCI_Variant` that mean this variant, its own name first.
    #[must_use]
    pub const fn uci_names(self) -> &'static [&'static str] {
        self.names().uci
    }

    /// The variant that a value of the UCI option `UCI_Variant` means.
    #[must_use]
    pub fn from_uci_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.uci_names().contains(&name))
    }

    /// Returns whether UCI engines play this variant without being asked, as they all play chess.
    #[must_use]
    pub fn is_uci_default(self) -> bool {
        self.uci_names().contains(&"chess")
    }

    /// The value of the tag `Variant` in a written game.
    pub(crate) const fn tag(self) -> &'static str {
        self.names().tag
    }

    /// The color of a FEN4 or piece letter in this variant.
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

/// A text that names no variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a variant: expected classic, dilkel or dilkel-compact")]
pub struct VariantError;

text_through_name!(Variant: VariantError);
