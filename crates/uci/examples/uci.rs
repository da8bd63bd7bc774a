//! The UCI engine as a program of its own, without the server that `quadrex uci` links. It is built
//! quickly, and serves programs that run matches between engines.
//!
//! `cargo build --release --package quadrex-uci --example uci` writes it to
//! `target/release/examples`.

use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "time enters the program here")]
fn main() -> std::io::Result<()> {
    let start = Instant::now();
    quadrex_uci::run(std::io::stdin().lock(), std::io::stdout(), || start.elapsed())
}
