//! Games of four players (PGN4).
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrex_fuzz::games::{self, Form};

fuzz_target!(|data: &[u8]| games::check(Form::Pgn4, data));
