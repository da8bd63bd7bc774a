//! The colors of pictures. They are the colors of the client's light theme
//! (`view/styles/tokens.css`).

use quadrex_rules::Color;

/// A color without transparency, `0xRRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rgb(pub(super) u32);

/// The colors of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceColors {
    pub(super) body: Rgb,
    pub(super) outline: Rgb,
    /// The color of lines within the piece.
    pub(super) inner: Rgb,
}

pub(super) const PAGE: Rgb = Rgb(0xf6f4ee);
pub(super) const LIGHT: Rgb = Rgb(0xefe8d9);
pub(super) const DARK: Rgb = Rgb(0xcdc1ab);
pub(super) const INK_ON_LIGHT: Rgb = Rgb(0x6f6450);
pub(super) const INK_ON_DARK: Rgb = Rgb(0x574d3b);
/// The color that marks the square of a king in check.
pub(super) const CHECK: Rgb = Rgb(0xea580c);

/// The opacity of the mark of a last move.
pub(super) const MARK_OPACITY: f32 = 0.26;
/// The opacity of the bar of a player who is not to move.
pub(super) const WAITING_OPACITY: f32 = 0.3;
/// The opacity of the mark of a check.
pub(super) const CHECK_OPACITY: f32 = 0.6;

pub(super) const fn piece_colors(color: Color) -> PieceColors {
    let (body, outline, inner) = match color {
        Color::Red => (0xa31515, 0x2b0303, 0xffc9bf),
        Color::Blue => (0x12339e, 0x030c33, 0xcdd8ff),
        Color::Yellow => (0xffcd29, 0x3a2c00, 0x3a2c00),
        Color::Green => (0x46a98b, 0x04251c, 0x04251c),
        Color::White => (0xfbf8f0, 0x26221c, 0x26221c),
        Color::Black => (0x34312d, 0x0d0b09, 0xe6dfd2),
    };
    PieceColors { body: Rgb(body), outline: Rgb(outline), inner: Rgb(inner) }
}

impl Rgb {
    pub(super) fn channels(self) -> [u8; 3] {
        let [_, red, green, blue] = self.0.to_be_bytes();
        [red, green, blue]
    }

    pub(super) fn text(self) -> String {
        format!("#{:06x}", self.0)
    }
}
