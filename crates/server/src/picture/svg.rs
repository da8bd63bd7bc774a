//! Pictures as SVG documents. They are small, because each kind of piece is defined only once. They
//! contain no styles and no scripts.

use std::fmt::Write;

use quadrex_rules::Role;

use super::art::{self, Cap, Join, PartKind};
use super::layout::{Cell, Layout};
use super::palette::{self, Rgb};
use super::{Mark, Picture};

/// The width of the edge around the board, in squares.
const EDGE: f32 = 0.5;

const WRITE_TO_STRING: &str = "writing to a string does not fail";

/// Returns a picture as an SVG document. It can be scaled to any size. `width` is its preferred
/// width.
#[must_use]
pub fn svg(picture: &Picture, width: u32) -> String {
    let layout = Layout::new(picture.variant, picture.bottom);
    let size = f32::from(layout.size()) + 2.0 * EDGE;
    let mut out = String::with_capacity(16_384);
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-{EDGE} -{EDGE} {size} {size}\" width=\"{width}\" \
         height=\"{width}\" role=\"img\" aria-label=\"{}\">",
        picture.label(),
    )
    .expect(WRITE_TO_STRING);
    define_pieces(&mut out);
    draw_squares(&mut out, &layout);
    draw_bars(&mut out, picture, &layout);
    for (square, mark) in picture.marks() {
        draw_mark(&mut out, layout.cell_of(square), mark);
    }
    for square in &picture.checks {
        let Cell { column, row } = layout.cell_of(*square);
        write!(
            out,
            "<circle cx=\"{column}.5\" cy=\"{row}.5\" r=\".44\" fill=\"{}\" fill-opacity=\"{}\"/>",
            palette::CHECK.text(),
            palette::CHECK_OPACITY,
        )
        .expect(WRITE_TO_STRING);
    }
    labels(&mut out, &layout);
    for (square, piece) in &picture.pieces {
        let Cell { column, row } = layout.cell_of(*square);
        let army = palette::piece_colors(piece.color);
        let (x, y) = (f32::from(column) + art::PIECE_INSET, f32::from(row) + art::PIECE_INSET);
        let size = 1.0 - 2.0 * art::PIECE_INSET;
        write!(
            out,
            "<use href=\"#{}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{}\" stroke=\"{}\" \
             color=\"{}\"/>",
            piece.role.letter(),
            army.body.text(),
            army.outline.text(),
            army.inner.text(),
        )
        .expect(WRITE_TO_STRING);
    }
    out.push_str("</svg>\n");
    out
}

/// Defines a symbol for each role. Where a symbol is used, the property `color` gives the color of
/// the inner lines, and `fill` and `stroke` give the colors of the other parts.
fn define_pieces(out: &mut String) {
    for role in [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
        write!(
            out,
            "<symbol id=\"{}\" viewBox=\"0 0 {size} {size}\" overflow=\"visible\"><g fill-rule=\"evenodd\" \
             stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\">",
            role.letter(),
            art::PIECE_LINE,
            size = art::PIECE_SIZE,
        )
        .expect(WRITE_TO_STRING);
        for part in art::piece(role) {
            write!(out, "<path d=\"{}\"", part.d).expect(WRITE_TO_STRING);
            out.push_str(match part.kind {
                PartKind::Body => "",
                PartKind::Line => " fill=\"none\"",
                PartKind::Detail => " fill=\"none\" stroke=\"currentColor\"",
                PartKind::Eye => " fill=\"currentColor\" stroke=\"currentColor\"",
            });
            out.push_str(match part.cap {
                Cap::Round => "",
                Cap::Butt => " stroke-linecap=\"butt\"",
            });
            out.push_str(match part.join {
                Join::Round => "",
                Join::Miter => " stroke-linejoin=\"miter\"",
            });
            out.push_str("/>");
        }
        out.push_str("</g></symbol>");
    }
}

fn draw_squares(out: &mut String, layout: &Layout) {
    for (is_dark, shade) in [(false, palette::LIGHT), (true, palette::DARK)] {
        write!(out, "<path fill=\"{}\" d=\"", shade.text()).expect(WRITE_TO_STRING);
        for square in layout.squares().filter(|&square| Layout::is_dark(square) == is_dark) {
            let Cell { column, row } = layout.cell_of(square);
            write!(out, "M{column} {row}h1v1h-1z").expect(WRITE_TO_STRING);
        }
        out.push_str("\"/>");
    }
}

/// Draws a bar at the side of each player who is still in the game. The bar of the player to move
/// is opaque.
fn draw_bars(out: &mut String, picture: &Picture, layout: &Layout) {
    let (size, corner) = (f32::from(layout.size()), f32::from(layout.corner()));
    let middle = size / 2.0;
    for &color in &picture.active_players {
        let (opacity, line) =
            if picture.turn == Some(color) { (1.0, 0.03) } else { (palette::WAITING_OPACITY, 0.0) };
        write!(
            out,
            "<rect transform=\"rotate({} {middle} {middle})\" x=\"{corner}\" y=\"{}\" width=\"{}\" height=\".16\" rx=\".08\" \
             fill=\"{}\" fill-opacity=\"{opacity}\" stroke=\"{}\" stroke-width=\"{line}\"/>",
            90 * layout.turns(color.side()),
            size + 0.17,
            size - 2.0 * corner,
            palette::piece_colors(color).body.text(),
            palette::piece_colors(color).outline.text(),
        )
        .expect(WRITE_TO_STRING);
    }
}

fn draw_mark(out: &mut String, Cell { column, row }: Cell, Mark { color, is_target }: Mark) {
    let body = palette::piece_colors(color).body.text();
    write!(
        out,
        "<path d=\"M{column} {row}h1v1h-1z\" fill=\"{body}\" fill-opacity=\"{}\"/>",
        palette::MARK_OPACITY
    )
    .expect(WRITE_TO_STRING);
    if is_target {
        let (x, y) = (f32::from(column) + 0.03, f32::from(row) + 0.03);
        write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\".94\" height=\".94\" fill=\"none\" stroke=\"{body}\" stroke-width=\".06\"/>"
        )
        .expect(WRITE_TO_STRING);
    }
}

fn labels(out: &mut String, layout: &Layout) {
    for square in layout.squares() {
        let Cell { column, row } = layout.cell_of(square);
        let ink = if Layout::is_dark(square) { palette::INK_ON_DARK } else { palette::INK_ON_LIGHT };
        let (of_column, of_row) = layout.labels(square);
        for (word, x, y) in label_places(of_column, of_row) {
            write_word(out, &word, f32::from(column) + x, f32::from(row) + y, ink);
        }
    }
}

/// The size of the unit in which letters are drawn, in squares.
pub(super) const LETTER_SCALE: f32 = 0.018;

/// Returns the places of the labels in a square. The label of the file is at the bottom right, and
/// the label of the rank at the top left.
pub(super) fn label_places(of_column: Option<String>, of_row: Option<String>) -> Vec<(String, f32, f32)> {
    let file_label = of_column.map(|word| {
        let x = 0.95 - art::word_width(&word) * LETTER_SCALE;
        (word, x, 0.93 - 10.0 * LETTER_SCALE)
    });
    let rank_label = of_row.map(|word| (word, 0.06, 0.045));
    file_label.into_iter().chain(rank_label).collect()
}

fn write_word(out: &mut String, word: &str, x: f32, y: f32, ink: Rgb) {
    write!(
        out,
        "<g transform=\"translate({x:.3} {y:.3}) scale({LETTER_SCALE})\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">",
        ink.text(),
        art::LETTER_LINE,
    )
    .expect(WRITE_TO_STRING);
    let mut at = 0.0;
    for sign in word.chars() {
        let (width, lines) = art::letter(sign);
        write!(out, "<path transform=\"translate({at:.1} 0)\" d=\"{lines}\"/>").expect(WRITE_TO_STRING);
        at += width + art::LETTER_GAP;
    }
    out.push_str("</g>");
}
