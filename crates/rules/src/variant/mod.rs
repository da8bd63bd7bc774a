//! Which rules a match is played by.

mod classic;
mod dilkel;
mod dilkel_compact;
mod rules;

pub use classic::Classic;
pub use dilkel::Dilkel;
pub use dilkel_compact::DilkelCompact;
pub use rules::{CastlingRule, DefeatRule, PerColor, PromotionRule, VariantRules};
pub(crate) use rules::{opposite, side};

use crate::color::Color;
use crate::geometry::Geometry;
use crate::serde_text::text_through_name;
use crate::square::BoardShape;

/// The variants there are. Text: `classic`, `dilkel`, `dilkel-compact`.
///
/// ```
/// use quadrex_rules::{Color, Variant};
///
/// let variant: Variant = "dilkel".parse()?;
/// assert_eq!(variant.colors(), [Color::Red, Color::Blue, Color::Yellow, Color::Green]);
/// assert_eq!(variant.color_of_letter('b'), Some(Color::Blue));
/// assert_eq!(Variant::Classic.color_of_letter('b'), Some(Color::Black));
/// # Ok::<(), quadrex_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Chess on 8 x 8 for two (RULES, C1-C7).
    Classic,
    /// The four-player game on the cross of 160 squares (RULES, D1-D15).
    Dilkel,
    /// The same game on the cross of 128 squares (S5).
    DilkelCompact,
}

impl Variant {
    /// Every variant.
    pub const ALL: [Self; 3] = [Self::Classic, Self::Dilkel, Self::DilkelCompact];

    /// The name as written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Dilkel => "dilkel",
            Self::DilkelCompact => "dilkel-compact",
        }
    }

    /// The colors in turn order, from White or Red (D2).
    #[must_use]
    pub const fn colors(self) -> &'static [Color] {
        match self {
            Self::Classic => Classic::COLORS,
            Self::Dilkel => Dilkel::COLORS,
            Self::DilkelCompact => DilkelCompact::COLORS,
        }
    }

    /// The color of a FEN4 or piece letter in this variant.
    #[must_use]
    pub fn color_of_letter(self, letter: char) -> Option<Color> {
        self.colors().iter().copied().find(|color| color.letter() == letter)
    }

    /// The squares played on.
    #[must_use]
    pub const fn board(self) -> BoardShape {
        match self {
            Self::Classic => <Classic as VariantRules>::Geometry::SHAPE,
            Self::Dilkel => <Dilkel as VariantRules>::Geometry::SHAPE,
            Self::DilkelCompact => <DilkelCompact as VariantRules>::Geometry::SHAPE,
        }
    }
}

/// A text that names no variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a variant: expected classic, dilkel or dilkel-compact")]
pub struct VariantError;

text_through_name!(Variant: VariantError);
