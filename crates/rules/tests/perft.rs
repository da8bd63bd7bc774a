//! Counts of legal move sequences, each with the origin of its numbers.

use quadrex_rules::{AnyPosition, Setup, Variant};

fn assert_perft(variant: Variant, text: &str, counts: &[u64]) {
    let setup = Setup::parse(variant, text).unwrap();
    let position = AnyPosition::new(&setup).unwrap();
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(position.perft(depth), count, "depth {depth} of {text}");
    }
}

/// C1: the start position. Counts from the chess programming wiki, "Perft results".
#[test]
fn classic_start() {
    let start = Setup::start(Variant::Classic).to_string();
    assert_perft(Variant::Classic, &start, &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]);
}

/// Counts from the chess programming wiki, "Perft results", position 2 ("kiwipete").
#[test]
fn classic_kiwipete() {
    let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    assert_perft(Variant::Classic, text, &[48, 2_039, 97_862, 4_085_603, 193_690_690]);
}

/// D1: Dilkel's own set-up.
#[test]
fn dilkel_start() {
    let start = Setup::start(Variant::Dilkel).to_string();
    assert_perft(Variant::Dilkel, &start, &[20, 395, 7_800, 152_050, 3_450_730]);
}

/// S5
#[test]
fn dilkel_compact_start() {
    let start = Setup::start(Variant::DilkelCompact).to_string();
    assert_perft(Variant::DilkelCompact, &start, &[22, 472, 10_120, 211_312]);
}
