//! UCI sessions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrex_fuzz::sessions;

fuzz_target!(|data: &[u8]| sessions::check(data));
