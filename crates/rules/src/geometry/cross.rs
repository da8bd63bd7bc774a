//! Crosses: boards up to 14 x 14 with their corners cut out, as data inside a frame of 16 x 16.

use core::fmt::Debug;

use super::tables::Numbering;
use super::{Direction, Geometry, Tables};
use crate::bits::{Bits, Wide};
use crate::square::{BoardShape, Square};

/// A board with cut-out corners inside the frame of 16 x 16. A new board of this kind needs only
/// its shape and its tables.
pub trait Cross: Copy + Debug + 'static {
    /// The shape of the board.
    const SHAPE: BoardShape;

    /// The lookup tables of the empty board.
    const TABLES: &'static Tables<Wide>;
}

impl Tables<Wide> {
    /// Computes the tables of a board with cut-out corners. Store the tables in a static to which
    /// [`Cross::TABLES`] refers.
    ///
    /// # Panics
    /// Panics if the shape is larger than 14 x 14, or if no squares are left between its corners.
    #[must_use]
    pub const fn of_cross(shape: BoardShape) -> Self {
        assert!(shape.files <= Square::MAX_SIZE && shape.ranks <= Square::MAX_SIZE, "14 x 14 at most");
        assert!(
            2 * shape.corner < shape.files && 2 * shape.corner < shape.ranks,
            "squares between the corners"
        );
        Self::of(Numbering { shape, stride: 16, offset: 17 })
    }
}

/// The Dilkel board: 14 x 14 without four corners of 3 x 3 (RULES, "The board").
#[derive(Clone, Copy, Debug)]
pub struct Cross160;

static TABLES_160: Tables<Wide> = Tables::of_cross(<Cross160 as Cross>::SHAPE);

impl Cross for Cross160 {
    const SHAPE: BoardShape = BoardShape { files: 14, ranks: 14, corner: 3 };
    const TABLES: &'static Tables<Wide> = &TABLES_160;
}

/// The compact board: 12 x 12 without four corners of 2 x 2 (rule S5).
#[derive(Clone, Copy, Debug)]
pub struct Cross128;

static TABLES_128: Tables<Wide> = Tables::of_cross(<Cross128 as Cross>::SHAPE);

impl Cross for Cross128 {
    const SHAPE: BoardShape = BoardShape { files: 12, ranks: 12, corner: 2 };
    const TABLES: &'static Tables<Wide> = &TABLES_128;
}

/// The cells are the cells of the frame. The border catches every step that leaves a 14 x 14 board,
/// and cut-out squares are simply missing in [`Tables::board`].
impl<C: Cross> Geometry for C {
    type Bits = Wide;

    const SHAPE: BoardShape = <C as Cross>::SHAPE;
    const TABLES: &'static Tables<Wide> = <C as Cross>::TABLES;

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        square.frame()
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        Square::of_frame(cell)
    }

    #[inline(always)]
    fn step(set: Wide, direction: Direction) -> Wide {
        let stride = Self::stride(direction);
        if stride > 0 {
            set.up(u32::from(stride.unsigned_abs()))
        } else {
            set.down(u32::from(stride.unsigned_abs()))
        }
    }

    #[inline(always)]
    fn stride(direction: Direction) -> i16 {
        let (files, ranks) = direction.offset();
        i16::from(ranks) * 16 + i16::from(files)
    }

    #[inline(always)]
    fn direction(from: u8, to: u8) -> Direction {
        DIRECTIONS[usize::from(256 + u16::from(to) - u16::from(from))]
    }
}

/// The direction from one cell to another on the same line, by the difference of their indices plus
/// 256. Lines of different directions never have the same difference, because on a board of 14
/// files and ranks the multiples of 1, 15, 16 and 17, up to thirteen times each, are all different.
static DIRECTIONS: [Direction; 512] = {
    let mut directions = [Direction::North; 512];
    let mut index = 0;
    while index < 8 {
        let direction = Direction::ALL[index];
        let (files, ranks) = direction.offset();
        let stride = ranks as i16 * 16 + files as i16;
        let mut steps = 1;
        while steps < Square::MAX_SIZE as i16 {
            directions[(256 + steps * stride) as usize] = direction;
            steps += 1;
        }
        index += 1;
    }
    directions
};
