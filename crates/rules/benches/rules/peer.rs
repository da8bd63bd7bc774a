//! The same tasks for `cozy-chess`, written as its own documentation recommends.

use std::hint::black_box;

use cozy_chess::{Board, Move};

use crate::Work;

/// The number of legal move sequences; the last moves are counted in sets.
pub(crate) fn perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    // A closure for each case, as in the library's own example: a look at the depth for every set
    // would slow it down.
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                nodes += perft(&after(board, mv), depth - 1);
            }
            false
        });
    }
    nodes
}

/// The same number; every move is made.
pub(crate) fn perft_by_making(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            for mv in moves {
                black_box(after(board, mv));
                nodes += 1;
            }
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                nodes += perft_by_making(&after(board, mv), depth - 1);
            }
            false
        });
    }
    nodes
}

fn after(board: &Board, mv: Move) -> Board {
    let mut next = board.clone();
    next.play_unchecked(mv);
    next
}

/// Making the list of all legal moves once.
pub(crate) fn list(board: &Board) -> Work<'_> {
    let mut moves: Vec<Move> = Vec::new();
    let run = move || {
        moves.clear();
        black_box(board).generate_moves(|set| {
            moves.extend(set);
            false
        });
        black_box(&moves);
    };
    Work { amount: 1, run: Box::new(run) }
}
