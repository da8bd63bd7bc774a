//! Nothing is allocated while moves are generated, tested and made.

use allocation_counter::measure;
use quadrex_rules::movegen::MoveList;
use quadrex_rules::{
    Dilkel, Move, Piece, Position, Role, Setup, Square, Variant, VariantRules, for_each_variant,
};

/// Positions along a game in which anything may happen, each with the move made in it.
fn line<V: VariantRules>(setup: &Setup) -> Vec<(Position<V>, Move)> {
    let mut position = Position::<V>::new(setup).expect("the set-up is a position");
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut line = Vec::new();
    while line.len() < 600 {
        let moves = position.legal_moves();
        if moves.is_empty() || position.players_left() == 1 {
            break;
        }
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let mv = moves[(state >> 33) as usize % moves.len()];
        line.push((position, mv));
        position.play(mv);
    }
    line
}

/// Counts the allocations of everything that a search or a perft does with each position of a line.
fn allocations<V: VariantRules>(line: &[(Position<V>, Move)], strange: Move) -> u64 {
    let mut list = MoveList { moves: Vec::with_capacity(1_024) };
    let mut sum = 0_u64;
    let info = measure(|| {
        for &(position, mv) in line {
            list.moves.clear();
            position.generate(&mut list);
            sum += list.moves.iter().filter(|&&mv| position.is_legal(mv)).count() as u64;
            sum += u64::from(position.is_legal(strange));
            for &mv in &list.moves {
                let mut after = position;
                after.play(mv);
                sum ^= after.hash();
                sum += u64::from(after == position);
            }
            let mut after = position;
            after.play(mv);
            sum += position.perft(2) + after.perft_by_making(1) + u64::from(after.has_legal_move());
            sum += u64::from(after.is_dead()) + after.verdict() as u64;
            sum += after.checks().count() as u64 + after.checked_by(after.turn()).count() as u64;
        }
    });
    std::hint::black_box(sum);
    info.count_total
}

fn assert_no_allocations<V: VariantRules>() {
    let strange = Move::new(square(0), square(7));
    let mut seen = 0;
    for setup in [Setup::start(V::VARIANT), melee(V::VARIANT)] {
        let line = line::<V>(&setup);
        assert_eq!(allocations(&line, strange), 0, "{setup}");
        seen += line.len();
    }
    assert!(seen > 100, "only {seen} plies");
}

fn square(number: u8) -> Square {
    Square::new(number, 7).expect("every board has it")
}

/// The set-up without most pawns, so that the others are promoted and players are eliminated soon.
fn melee(variant: Variant) -> Setup {
    let mut setup = Setup::start(variant);
    let mut pawns = 0;
    setup.pieces.retain(|_, piece: &mut Piece| {
        pawns += u32::from(piece.role == Role::Pawn);
        piece.role != Role::Pawn || pawns % 4 == 0
    });
    setup
}

/// Declares a test for each variant.
macro_rules! test_each {
    ($($module:ident::$variant:ident,)+) => {
        $(mod $module {
            /// No allocation, also with eliminations in between.
            #[test]
            fn moves_allocate_nothing() {
                super::assert_no_allocations::<quadrex_rules::$variant>();
            }
        })+
    };
}

for_each_variant!([test_each]);

/// The counter counts: a list in each position is one allocation for each.
#[test]
fn a_list_of_its_own_is_an_allocation() {
    let position = Position::<Dilkel>::start();
    let info = measure(|| assert_eq!(std::hint::black_box(position.legal_moves()).len(), 20));
    assert_eq!(info.count_total, 1);
}
