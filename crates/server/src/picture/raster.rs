//! Drawings of pictures in pixels, and their encoding as PNG.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kurbo::{BezPath, PathEl};
use quadrex_rules::{Color, Piece, Role, Square};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::art::{self, Cap, Join, PartKind};
use super::layout::{Cell, Layout};
use super::palette::{self, Rgb};
use super::svg::{LETTER_SCALE, label_places};
use super::{Mark, Picture};

/// The width and height of a link preview, in pixels.
const CARD: (u32, u32) = (1_200, 630);

/// Encodes a picture as PNG of about this width. The exact width differs, because the size of a
/// square is a whole number of pixels.
#[must_use]
pub fn png(picture: &Picture, width: u32) -> Vec<u8> {
    let canvas = Canvas::new(picture, Canvas::tile_for(picture, width));
    encode(&canvas.dots)
}

/// Draws a picture in the middle of an image for a link preview. Returns the PNG.
#[must_use]
pub fn card(picture: &Picture) -> Vec<u8> {
    let canvas = Canvas::new(picture, Canvas::tile_for(picture, CARD.1));
    let mut card = blank(CARD.0, CARD.1);
    let at = |whole: u32, part: u32| i32::try_from(whole.saturating_sub(part) / 2).unwrap_or_default();
    let (x, y) = (at(CARD.0, canvas.dots.width()), at(CARD.1, canvas.dots.height()));
    card.draw_pixmap(x, y, canvas.dots.as_ref(), &Default::default(), Transform::identity(), None);
    encode(&card)
}

/// A canvas on which a picture is drawn square by square.
pub(super) struct Canvas {
    pub(super) dots: Pixmap,
    layout: Layout,
    /// The size of a square, in pixels. It is an even number.
    tile: u32,
}

impl Canvas {
    /// Returns the size of a square in a picture of this width.
    pub(super) fn tile_for(picture: &Picture, width: u32) -> u32 {
        let squares = u32::from(Layout::new(picture.variant, picture.bottom).size()) + 1;
        (width / squares).clamp(4, 200) & !1
    }

    pub(super) fn new(picture: &Picture, tile: u32) -> Self {
        let layout = Layout::new(picture.variant, picture.bottom);
        let width = (u32::from(layout.size()) + 1) * tile;
        let mut canvas = Self { dots: blank(width, width), layout, tile };
        canvas.draw_bars(picture);
        let marks = picture.marks();
        for square in layout.squares() {
            canvas.square(picture, &marks, square);
        }
        canvas
    }

    /// Draws only the differences between the picture on the canvas, `from`, and another picture of
    /// the same board, `to`.
    pub(super) fn update(&mut self, from: &Picture, to: &Picture) {
        let (before, after) = (from.marks(), to.marks());
        let appearance = |picture: &Picture, marks: &BTreeMap<Square, Mark>, square| {
            let piece = picture.pieces.get(&square).copied();
            (piece, marks.get(&square).copied(), picture.checks.contains(&square))
        };
        for square in self.layout.squares() {
            if appearance(from, &before, square) != appearance(to, &after, square) {
                self.square(to, &after, square);
            }
        }
        if (from.turn, &from.active_players) != (to.turn, &to.active_players) {
            self.draw_bars(to);
        }
    }

    /// Draws a square with its content. Nothing is drawn outside of the square.
    fn square(&mut self, picture: &Picture, marks: &BTreeMap<Square, Mark>, square: Square) {
        let Cell { column, row } = self.layout.cell_of(square);
        let tile = self.tile as f32;
        let (x, y) = (f32::from(column) * tile + tile / 2.0, f32::from(row) * tile + tile / 2.0);
        let is_dark = Layout::is_dark(square);
        self.fill(x, y, tile, tile, if is_dark { palette::DARK } else { palette::LIGHT }, 1.0);
        if let Some(Mark { color, is_target }) = marks.get(&square).copied() {
            let body = palette::piece_colors(color).body;
            self.fill(x, y, tile, tile, body, palette::MARK_OPACITY);
            if is_target {
                self.frame(x, y, body);
            }
        }
        if picture.checks.contains(&square) {
            let (middle, radius) = (tile / 2.0, 0.44 * tile);
            if let Some(circle) = PathBuilder::from_circle(x + middle, y + middle, radius) {
                self.path(&circle, palette::CHECK, palette::CHECK_OPACITY, Transform::identity());
            }
        }
        let ink = if is_dark { palette::INK_ON_DARK } else { palette::INK_ON_LIGHT };
        let (of_column, of_row) = self.layout.labels(square);
        for (word, left, top) in label_places(of_column, of_row) {
            self.draw_text(&word, x + left * tile, y + top * tile, ink);
        }
        if let Some(piece) = picture.pieces.get(&square) {
            self.piece(*piece, x, y);
        }
    }

    /// Draws the bars at the sides of the board with their background.
    fn draw_bars(&mut self, picture: &Picture) {
        let (tile, width) = (self.tile as f32, self.dots.width() as f32);
        let corner = f32::from(self.layout.corner());
        let (start, length) = (tile / 2.0 + corner * tile, width - tile - 2.0 * corner * tile);
        let (outer, inner, thick) = (width - tile / 2.0, width - tile * 0.33, tile * 0.16);
        for turns in 0..4 {
            let (x, y, wide, high) = match turns {
                0 => (0.0, outer, width, tile / 2.0),
                1 => (0.0, 0.0, tile / 2.0, width),
                2 => (0.0, 0.0, width, tile / 2.0),
                _ => (outer, 0.0, tile / 2.0, width),
            };
            self.fill(x, y, wide, high, palette::PAGE, 1.0);
        }
        for &color in &picture.active_players {
            let opacity = if picture.turn == Some(color) { 1.0 } else { palette::WAITING_OPACITY };
            let (x, y, wide, high) = match self.layout.turns(color.side()) {
                0 => (start, inner, length, thick),
                1 => (width - inner - thick, start, thick, length),
                2 => (start, width - inner - thick, length, thick),
                _ => (inner, start, thick, length),
            };
            let army = palette::piece_colors(color);
            if picture.turn == Some(color) {
                self.fill(x - 1.0, y - 1.0, wide + 2.0, high + 2.0, army.outline, 1.0);
            }
            self.fill(x, y, wide, high, army.body, opacity);
        }
    }

    fn fill(&mut self, x: f32, y: f32, wide: f32, high: f32, color: Rgb, opacity: f32) {
        if let Some(rect) = Rect::from_xywh(x, y, wide, high) {
            self.dots.fill_rect(rect, &paint(color, opacity), Transform::identity(), None);
        }
    }

    fn frame(&mut self, x: f32, y: f32, color: Rgb) {
        let tile = self.tile as f32;
        let thick = (tile * 0.06).max(1.0).round();
        for (x, y, wide, high) in [
            (x, y, tile, thick),
            (x, y + tile - thick, tile, thick),
            (x, y + thick, thick, tile - 2.0 * thick),
            (x + tile - thick, y + thick, thick, tile - 2.0 * thick),
        ] {
            self.fill(x, y, wide, high, color, 1.0);
        }
    }

    fn path(&mut self, path: &Path, color: Rgb, opacity: f32, transform: Transform) {
        self.dots.fill_path(path, &paint(color, opacity), FillRule::EvenOdd, transform, None);
    }

    fn draw_text(&mut self, word: &str, x: f32, y: f32, ink: Rgb) {
        let scale = LETTER_SCALE * self.tile as f32;
        let stroke = Stroke {
            width: art::LETTER_LINE,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let mut at = x;
        for sign in word.chars() {
            if let Some(path) = LETTERS.get(&sign) {
                let transform = Transform::from_row(scale, 0.0, 0.0, scale, at, y);
                self.dots.stroke_path(path, &paint(ink, 1.0), &stroke, transform, None);
            }
            at += (art::letter(sign).0 + art::LETTER_GAP) * scale;
        }
    }

    fn piece(&mut self, piece: Piece, x: f32, y: f32) {
        let tile = self.tile as f32;
        let scale = tile * (1.0 - 2.0 * art::PIECE_INSET) / art::PIECE_SIZE;
        let inset = art::PIECE_INSET * tile;
        let transform = Transform::from_row(scale, 0.0, 0.0, scale, x + inset, y + inset);
        let army = palette::piece_colors(piece.color);
        for (part, path) in art::piece(piece.role).iter().zip(&PIECES[&piece.role.letter()]) {
            let (fill, line) = match part.kind {
                PartKind::Body => (Some(army.body), army.outline),
                PartKind::Line => (None, army.outline),
                PartKind::Detail => (None, army.inner),
                PartKind::Eye => (Some(army.inner), army.inner),
            };
            if let Some(fill) = fill {
                self.path(path, fill, 1.0, transform);
            }
            let stroke = Stroke {
                width: art::PIECE_LINE,
                line_cap: match part.cap {
                    Cap::Round => LineCap::Round,
                    Cap::Butt => LineCap::Butt,
                },
                line_join: match part.join {
                    Join::Round => LineJoin::Round,
                    Join::Miter => LineJoin::Miter,
                },
                ..Stroke::default()
            };
            self.dots.stroke_path(path, &paint(line, 1.0), &stroke, transform, None);
        }
    }
}

/// Draws every kind of piece in every color that an animation of this board can show. The colors of
/// this drawing are the basis of the animation's palette.
pub(super) fn sample(picture: &Picture, tile: u32) -> Pixmap {
    let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let colors: Vec<Color> = picture.variant.colors().to_vec();
    let mut sample = picture.clone();
    sample.pieces.clear();
    let armies = colors.iter().flat_map(|&color| roles.iter().map(move |&role| Piece { color, role }));
    let squares: Vec<Square> = Layout::new(picture.variant, picture.bottom).squares().collect();
    let twice: Vec<Piece> = armies.flat_map(|piece| [piece, piece]).collect();
    for (square, piece) in squares.iter().zip(twice.iter().cycle()) {
        sample.pieces.insert(*square, *piece);
    }
    for (color, at) in colors.iter().zip((0..).step_by(2)) {
        if let (Some(&from), Some(&to)) = (squares.get(at), squares.get(at + 1)) {
            sample.last_moves.insert(*color, quadrex_rules::Move::new(from, to));
        }
    }
    sample.checks = squares.iter().rev().take(4).copied().collect();
    Canvas::new(&sample, tile).dots
}

fn blank(width: u32, height: u32) -> Pixmap {
    let mut dots =
        Pixmap::new(width, height).expect("a picture has at least one dot and at most some millions");
    let [red, green, blue] = palette::PAGE.channels();
    dots.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
    dots
}

fn paint(Rgb(rgb): Rgb, opacity: f32) -> Paint<'static> {
    let [red, green, blue] = Rgb(rgb).channels();
    let mut paint = Paint::default();
    let alpha = (opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
    paint.set_color_rgba8(red, green, blue, alpha);
    paint
}

static PIECES: LazyLock<BTreeMap<char, Vec<Path>>> = LazyLock::new(|| {
    let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let paths = |role| art::piece(role).iter().map(|part| parse_path(&part.d)).collect();
    roles.into_iter().map(|role| (role.letter(), paths(role))).collect()
});

static LETTERS: LazyLock<BTreeMap<char, Path>> = LazyLock::new(|| {
    let characters = ('a'..='n').chain('0'..='9');
    characters.map(|sign| (sign, parse_path(art::letter(sign).1))).collect()
});

/// Parses a path in SVG notation.
fn parse_path(text: &str) -> Path {
    let path = BezPath::from_svg(text).expect("the shapes are part of the project");
    let mut builder = PathBuilder::new();
    let dot = |point: kurbo::Point| (point.x as f32, point.y as f32);
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(to) => {
                let (x, y) = dot(to);
                builder.move_to(x, y);
            }
            PathEl::LineTo(to) => {
                let (x, y) = dot(to);
                builder.line_to(x, y);
            }
            PathEl::QuadTo(by, to) => {
                let ((x1, y1), (x, y)) = (dot(by), dot(to));
                builder.quad_to(x1, y1, x, y);
            }
            PathEl::CurveTo(first, second, to) => {
                let ((x1, y1), (x2, y2), (x, y)) = (dot(first), dot(second), dot(to));
                builder.cubic_to(x1, y1, x2, y2, x, y);
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish().expect("a shape has more than a point")
}

fn encode(dots: &Pixmap) -> Vec<u8> {
    let opaque: Vec<u8> = dots.data().chunks_exact(4).flat_map(|dot| [dot[0], dot[1], dot[2]]).collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, dots.width(), dots.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let write_result = encoder.write_header().and_then(|mut writer| writer.write_image_data(&opaque));
    write_result.expect("writing into memory does not fail");
    out
}
