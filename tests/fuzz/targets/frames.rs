//! Frames, events and HTTP bodies.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrex_fuzz::frames;

fuzz_target!(|data: &[u8]| frames::check(data));
