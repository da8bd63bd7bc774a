//! Positions of four players (FEN4).
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrex_fuzz::positions;
use quadrex_rules::Variant;

fuzz_target!(|data: &[u8]| {
    positions::check(Variant::Dilkel, data);
    positions::check(Variant::DilkelCompact, data);
});
