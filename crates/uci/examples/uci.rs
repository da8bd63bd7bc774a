//! The engine alone as a program, without the server that `quadrex uci` has beside it: quick to build, for match runners.
//!
//! `cargo build --release --package quadrex-uci --example uci` puts it into `target/release/examples`.

use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "time enters the program here")]
fn main() -> std::io::Result<()> {
    let start = Instant::now();
    quadrex_uci::run(std::io::stdin().lock(), std::io::stdout(), || start.elapsed())
}
