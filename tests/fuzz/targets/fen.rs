//! Positions of two players (FEN).
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrex_fuzz::positions;
use quadrex_rules::Variant;

fuzz_target!(|data: &[u8]| positions::check(Variant::Classic, data));
