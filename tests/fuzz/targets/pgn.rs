//! Games of two players (PGN).
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrex_fuzz::games::{self, Form};

fuzz_target!(|data: &[u8]| games::check(Form::Pgn, data));
