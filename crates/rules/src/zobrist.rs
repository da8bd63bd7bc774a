//! Random numbers for position keys (Zobrist, "A new hashing method with application for game
//! playing", 1970).
//!
//! The numbers are computed at compile time from a fixed seed, so that a position has the same key
//! on every machine.

/// The random numbers of position keys.
pub(crate) struct Keys {
    /// One number by color, role and cell.
    pub(crate) pieces: [[[u64; 256]; 6]; 4],
    /// One number by the color to move.
    pub(crate) turn: [u64; 4],
    /// One number by color, for the players still in the match.
    pub(crate) active_players: [u64; 4],
    /// One number by color and castling side.
    pub(crate) castling: [[u64; 2]; 4],
    /// One number by the color whose pawn made a double step, and by the cell that the pawn
    /// skipped.
    pub(crate) en_passant: [[u64; 256]; 4],
    /// One odd number by color and role (knight, bishop or rook). This number is multiplied by the
    /// count of these pieces in the reserve.
    pub(crate) reserve: [[u64; 3]; 4],
}

/// The keys of all positions.
pub(crate) static KEYS: Keys = Keys::new();

/// The generator SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014).
struct SplitMix(u64);

impl SplitMix {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    const fn row<const N: usize>(&mut self) -> [u64; N] {
        let mut row = [0; N];
        let mut index = 0;
        while index < N {
            row[index] = self.next();
            index += 1;
        }
        row
    }
}

impl Keys {
    const fn new() -> Self {
        let mut random = SplitMix(0x5175_6164_7265_7800);
        let mut keys = Self {
            pieces: [[[0; 256]; 6]; 4],
            turn: random.row(),
            active_players: random.row(),
            castling: [[0; 2]; 4],
            en_passant: [[0; 256]; 4],
            reserve: [[0; 3]; 4],
        };
        let mut color = 0;
        while color < 4 {
            let mut role = 0;
            while role < 6 {
                keys.pieces[color][role] = random.row();
                role += 1;
            }
            keys.castling[color] = random.row();
            keys.en_passant[color] = random.row();
            let [knights, bishops, rooks] = random.row();
            keys.reserve[color] = [knights | 1, bishops | 1, rooks | 1];
            color += 1;
        }
        keys
    }
}
