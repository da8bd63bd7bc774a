//! Benchmarks of move generation, side by side with `cozy-chess`:

mod peer;
mod thread_time;

use std::hint::black_box;
use std::time::Duration;

use cozy_chess::Board;
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use quadrex_rules::movegen::MoveList;
use quadrex_rules::{Classic, Dilkel, DilkelCompact, Move, Position, Setup, VariantRules};

use thread_time::ThreadTime;

/// Peter McKenzie's position of many kinds of moves, a favourite for counting.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Both sides developed, 46 moves; position 6 of the Chess Programming Wiki's "Perft Results".
const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// Work whose amount is known.
struct Work<'a> {
    /// Nodes or calls in one run of it.
    amount: u64,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Work<'a> {
    /// A count of move sequences: its amount is what it comes to.
    fn count(perft: impl Fn() -> u64 + 'a) -> Self {
        let amount = perft();
        let run = move || {
            black_box(perft());
        };
        Self { amount, run: Box::new(run) }
    }
}

fn position<V: VariantRules>(text: &str) -> Position<V> {
    Position::new(&Setup::parse(V::VARIANT, text).expect("a FEN")).expect("a position")
}

/// Making the list of all legal moves once.
fn list<V: VariantRules>(position: &Position<V>) -> Work<'_> {
    let mut list = MoveList::default();
    let run = move || {
        list.moves.clear();
        black_box(position).generate(&mut list);
        black_box(&list.moves);
    };
    Work { amount: 1, run: Box::new(run) }
}

/// Judging each of the legal moves.
fn legality<V: VariantRules>(position: &Position<V>) -> Work<'_> {
    let moves: Vec<Move> = position.legal_moves();
    let amount = moves.len() as u64;
    let run = move || {
        for &mv in &moves {
            black_box(black_box(position).is_legal(mv));
        }
    };
    Work { amount, run: Box::new(run) }
}

/// Measures ours and the peer's right after each other.
fn side_by_side(criterion: &mut Criterion<ThreadTime>, name: &str, ours: Work<'_>, peers: Work<'_>) {
    let mut group = criterion.benchmark_group(name);
    group.sampling_mode(SamplingMode::Flat);
    for (who, mut work) in [("quadrex", ours), ("cozy-chess", peers)] {
        group.throughput(Throughput::Elements(work.amount));
        group.bench_function(who, |bencher| bencher.iter(&mut work.run));
    }
    group.finish();
}

fn square_board(criterion: &mut Criterion<ThreadTime>) {
    let (start, kiwipete) = (Position::<Classic>::start(), position::<Classic>(KIWIPETE));
    let middlegame = position::<Classic>(MIDDLEGAME);
    let [peer_start, peer_kiwipete, peer_middlegame] = boards();
    let sets = |board, depth| Work::count(move || peer::perft(board, depth));

    side_by_side(criterion, "start perft", Work::count(|| start.perft(5)), sets(&peer_start, 5));
    side_by_side(criterion, "kiwipete perft", Work::count(|| kiwipete.perft(4)), sets(&peer_kiwipete, 4));
    let by_making = Work::count(|| peer::perft_by_making(&peer_start, 4));
    side_by_side(criterion, "start perft by making", Work::count(|| start.perft_by_making(4)), by_making);

    side_by_side(criterion, "start list", list(&start), peer::list(&peer_start));
    side_by_side(criterion, "kiwipete list", list(&kiwipete), peer::list(&peer_kiwipete));
    side_by_side(criterion, "middlegame list", list(&middlegame), peer::list(&peer_middlegame));
    side_by_side(criterion, "start is_legal", legality(&start), peer::list(&peer_start));
    side_by_side(criterion, "kiwipete is_legal", legality(&kiwipete), peer::list(&peer_kiwipete));
}

/// Four players on a cross, beside the same work of two players on 8 x 8.
fn crosses(criterion: &mut Criterion<ThreadTime>) {
    let (dilkel, compact) = (Position::<Dilkel>::start(), Position::<DilkelCompact>::start());
    let [start, ..] = boards();
    let sets = || Work::count(|| peer::perft(&start, 5));

    side_by_side(criterion, "dilkel perft", Work::count(|| dilkel.perft(4)), sets());
    let by_making = Work::count(|| peer::perft_by_making(&start, 4));
    side_by_side(criterion, "dilkel perft by making", Work::count(|| dilkel.perft_by_making(4)), by_making);
    side_by_side(criterion, "dilkel list", list(&dilkel), peer::list(&start));
    side_by_side(criterion, "dilkel is_legal", legality(&dilkel), peer::list(&start));
    side_by_side(criterion, "dilkel-compact perft", Work::count(|| compact.perft(4)), sets());
    side_by_side(criterion, "dilkel-compact list", list(&compact), peer::list(&start));
}

fn boards() -> [Board; 3] {
    [Board::default(), KIWIPETE.parse().expect("a FEN"), MIDDLEGAME.parse().expect("a FEN")]
}

/// Many short samples: the best of them is the least disturbed by whatever else the machine does.
fn settings() -> Criterion<ThreadTime> {
    Criterion::default()
        .with_measurement(ThreadTime)
        .sample_size(15)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500))
        // Of no use to the best sample, and slow.
        .nresamples(1001)
}

criterion_group! {
    name = benches;
    config = settings();
    targets = square_board, crosses
}
criterion_main!(benches);
