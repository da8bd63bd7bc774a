//! How fast moves are generated, side by side with `cozy-chess` in one run: `cargo run --release -p quadrex-rules
//! --example speed`. Nanoseconds mean little on a shared machine; the ratios are what to compare.

use std::hint::black_box;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cozy_chess::Board;
use quadrex_rules::movegen::MoveList;
use quadrex_rules::{Classic, Dilkel, Move, Position, Setup, VariantRules};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Each measurement is the best of so many.
const ROUNDS: u32 = 5;

/// The shortest time one round of `work` takes, divided by what it says it did.
fn nanoseconds_each(mut work: impl FnMut() -> u64) -> f64 {
    let round = || {
        let started = time_on_cpu();
        let done = work();
        (time_on_cpu() - started).as_secs_f64() * 1e9 / done as f64
    };
    core::iter::repeat_with(round).take(ROUNDS as usize).fold(f64::INFINITY, f64::min)
}

/// The time this thread has had a processor, which on a busy machine is less than what has gone by. Where the system
/// does not tell it, the time of day has to do.
fn time_on_cpu() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(time_of_day, Duration::from_nanos)
}

#[expect(clippy::disallowed_methods, reason = "measuring is all this program does")]
fn time_of_day() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Does short work so often that it can be measured.
fn repeated(mut work: impl FnMut()) -> u64 {
    const TIMES: u64 = 4_000_000;
    for _ in 0..TIMES {
        work();
    }
    TIMES
}

fn peer_perft(board: &Board, depth: u32, bulk: bool) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if bulk && depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += if depth == 1 { 1 } else { peer_perft(&next, depth - 1, bulk) };
            }
        }
        false
    });
    nodes
}

fn list<V: VariantRules>(position: &Position<V>) -> f64 {
    let mut list = MoveList::default();
    nanoseconds_each(|| {
        repeated(|| {
            list.moves.clear();
            black_box(position).generate(&mut list);
            black_box(&list.moves);
        })
    })
}

fn legality<V: VariantRules>(position: &Position<V>) -> f64 {
    let moves: Vec<Move> = position.legal_moves();
    nanoseconds_each(|| {
        let mut next = moves.iter().cycle();
        repeated(|| {
            let mv = next.next().expect("a cycle has no end");
            black_box(black_box(position).is_legal(*mv));
        })
    })
}

fn row(name: &str, ours: f64, peer: f64) {
    println!("{name:<34} {ours:>9.2} ns {peer:>9.2} ns   {:>5.2} of its time", ours / peer);
}

fn main() {
    let setup = Setup::parse(Classic::VARIANT, KIWIPETE).expect("a FEN");
    let kiwipete = Position::<Classic>::new(&setup).expect("a position");
    let (start, dilkel) = (Position::<Classic>::start(), Position::<Dilkel>::start());
    let (peer_start, peer_kiwipete) = (Board::default(), KIWIPETE.parse::<Board>().expect("a FEN"));

    println!("{:<34} {:>12} {:>12}", "", "ours", "cozy-chess");
    let bulk = nanoseconds_each(|| peer_perft(&peer_start, 5, true));
    let single = nanoseconds_each(|| peer_perft(&peer_start, 5, false));
    row("start, perft in sets", nanoseconds_each(|| start.perft(6)), bulk);
    row(
        "kiwipete, perft in sets",
        nanoseconds_each(|| kiwipete.perft(5)),
        nanoseconds_each(|| peer_perft(&peer_kiwipete, 4, true)),
    );
    row("start, perft move by move", nanoseconds_each(|| start.perft_by_making(5)), single);
    row("dilkel start, perft in sets", nanoseconds_each(|| dilkel.perft(5)), bulk);
    row("dilkel start, perft move by move", nanoseconds_each(|| dilkel.perft_by_making(5)), single);

    let mut moves = Vec::new();
    let peer_list = |board: &Board, moves: &mut Vec<cozy_chess::Move>| {
        nanoseconds_each(|| {
            repeated(|| {
                moves.clear();
                black_box(board).generate_moves(|set| {
                    moves.extend(set);
                    false
                });
                black_box(&*moves);
            })
        })
    };
    let (start_list, kiwipete_list) =
        (peer_list(&peer_start, &mut moves), peer_list(&peer_kiwipete, &mut moves));
    row("start, list", list(&start), start_list);
    row("kiwipete, list", list(&kiwipete), kiwipete_list);
    row("dilkel start, list", list(&dilkel), start_list);
    row("kiwipete, is_legal (its list)", legality(&kiwipete), kiwipete_list);
    row("dilkel start, is_legal (its list)", legality(&dilkel), start_list);
}
