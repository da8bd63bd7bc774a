//! Animations of matches. An animation is a GIF that shows one ply after the other.

use std::borrow::Cow;
use std::collections::HashMap;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use super::Picture;
use super::raster::{Canvas, sample};

/// The size of a square, in pixels.
const TILE: u32 = 32;

/// The times for which a ply, the start and the end are shown, in hundredths of a second.
const PLY: u16 = 70;
const START: u16 = 120;
const END: u16 = 400;

/// The largest number of frames. If a match has more plies, only every second ply is shown, or
/// every third, and so on.
const MAX_FRAMES: usize = 600;

/// The last index of the palette. It is not a color, but means that a pixel is unchanged.
const UNCHANGED: u8 = 255;

/// Encodes pictures of one board as an animation. Each frame contains only the pixels that have
/// changed.
#[must_use]
pub fn gif(pictures: &[Picture]) -> Vec<u8> {
    let Some((first, rest)) = pictures.split_first() else { return Vec::new() };
    let mut canvas = Canvas::new(first, TILE);
    let mut palette = Palette::of(&sample(first, TILE));
    let side = u16::try_from(canvas.dots.width()).expect("a board has some hundred dots");
    let mut out = Vec::new();
    let never = "writing into memory does not fail";
    let mut encoder = Encoder::new(&mut out, side, side, &palette.table()).expect(never);
    encoder.set_repeat(Repeat::Infinite).expect(never);
    let first_frame = Frame {
        width: side,
        height: side,
        delay: if rest.is_empty() { END } else { START },
        dispose: DisposalMethod::Keep,
        buffer: Cow::Owned(canvas.dots.data().chunks_exact(4).map(|dot| palette.nearest(dot)).collect()),
        ..Frame::default()
    };
    encoder.write_frame(&first_frame).expect(never);
    let step = pictures.len().div_ceil(MAX_FRAMES).max(1);
    let mut before = first;
    let last_index = rest.len().saturating_sub(1);
    let shown_pictures =
        rest.iter().enumerate().filter(|&(index, _)| (index + 1).is_multiple_of(step) || index == last_index);
    for (index, picture) in shown_pictures {
        let old = canvas.dots.clone();
        canvas.update(before, picture);
        before = picture;
        let delay = if index == last_index { END } else { PLY };
        encoder.write_frame(&changes(&old, &canvas.dots, delay, &mut palette)).expect(never);
    }
    drop(encoder);
    out
}

/// Returns a frame with the pixels that differ between `old` and `new`. The other pixels within the
/// bounds of the frame are marked as unchanged.
fn changes(old: &Pixmap, new: &Pixmap, delay: u16, palette: &mut Palette) -> Frame<'static> {
    let length = 4 * new.width() as usize;
    let rows = || old.data().chunks_exact(length).zip(new.data().chunks_exact(length));
    let dots = |row: &[u8]| row.as_chunks::<4>().0.to_vec();
    let differing: Vec<usize> =
        rows().enumerate().filter(|(_, (old, new))| old != new).map(|(y, _)| y).collect();
    let (top, bottom) = match (differing.first(), differing.last()) {
        (Some(first), Some(last)) => (*first, *last),
        // Nothing has changed, but a frame must have at least one pixel.
        _ => (0, 0),
    };
    let (mut left, mut right) = (usize::MAX, 0);
    for (old, new) in rows().filter(|(old, new)| old != new) {
        let (old, new) = (dots(old), dots(new));
        let differs = |x: &usize| old[*x] != new[*x];
        left = left.min((0..new.len()).find(differs).unwrap_or(left));
        right = right.max((0..new.len()).rfind(differs).unwrap_or(right));
    }
    let left = left.min(right);
    let mut buffer = Vec::with_capacity((right - left + 1) * (bottom - top + 1));
    for (old, new) in rows().skip(top).take(bottom - top + 1) {
        if old == new {
            buffer.resize(buffer.len() + right - left + 1, UNCHANGED);
            continue;
        }
        let (old, new) = (dots(old), dots(new));
        buffer.extend(
            (left..=right).map(|x| if old[x] == new[x] { UNCHANGED } else { palette.nearest(&new[x]) }),
        );
    }
    let size = |length: usize| u16::try_from(length).expect("a board has some hundred dots");
    Frame {
        left: size(left),
        top: size(top),
        width: size(right - left + 1),
        height: size(bottom - top + 1),
        delay,
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    }
}

/// A color, as its red, green and blue parts.
type Dot = [u8; 3];

/// The palette of an animation.
struct Palette {
    colors: Vec<Dot>,
    index_by_dot: HashMap<Dot, u8>,
}

impl Palette {
    /// Returns the most frequent colors of a picture that contains all colors of the animation.
    /// Similar colors share an entry.
    fn of(dots: &Pixmap) -> Self {
        let mut counts: HashMap<Dot, (u32, HashMap<Dot, u32>)> = HashMap::new();
        for dot in dots.data().chunks_exact(4) {
            let color = [dot[0], dot[1], dot[2]];
            let (count, exact) = counts.entry(color.map(|channel| channel >> 4)).or_default();
            *count += 1;
            *exact.entry(color).or_default() += 1;
        }
        let most = |exact: HashMap<Dot, u32>| exact.into_iter().max_by_key(|&(color, count)| (count, color));
        let mut groups: Vec<(u32, Dot)> =
            counts.into_values().filter_map(|(count, exact)| Some((count, most(exact)?.0))).collect();
        // Colors with equal counts are ordered by their values, so that the result is always the
        // same.
        groups.sort_unstable_by(|one, other| other.cmp(one));
        let colors = groups.into_iter().map(|(_, color)| color).take(UNCHANGED.into()).collect();
        Self { colors, index_by_dot: HashMap::new() }
    }

    fn table(&self) -> Vec<u8> {
        let mut table: Vec<u8> = self.colors.iter().flatten().copied().collect();
        table.resize(3 * (usize::from(UNCHANGED) + 1), 0);
        table
    }

    fn nearest(&mut self, dot: &[u8]) -> u8 {
        let color = [dot[0], dot[1], dot[2]];
        if let Some(index) = self.index_by_dot.get(&color) {
            return *index;
        }
        let distance = |other: &Dot| -> u32 {
            other.iter().zip(color).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
        };
        let nearest = self.colors.iter().enumerate().min_by_key(|(_, other)| distance(other));
        let index = nearest.map_or(0, |(index, _)| u8::try_from(index).unwrap_or_default());
        self.index_by_dot.insert(color, index);
        index
    }
}
