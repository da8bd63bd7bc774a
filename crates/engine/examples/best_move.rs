//! Prints the best move in a position: `best_move VARIANT FEN MILLISECONDS`.
//!
//! ```text
//! $ cargo run --release --package quadrex-engine --example best_move -- \
//!     classic "6k1/5ppp/8/8/8/8/q7/R2QK3 w - - 0 1" 500
//! d1d8  mate in 1  (depth 120, 2402 nodes)
//! ```
//!
//! `startpos` in place of the FEN or FEN4 is the variant's first position.

use std::error::Error;
use std::time::{Duration, Instant};

use quadrex_engine::{Engine, Limits, Score, SearchControl, SearchRequest};
use quadrex_rules::{AnyPosition, Setup, Variant};

/// A stopwatch that never stops a search. The limits of the request stop it.
struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    fn start() -> Self {
        Self(Instant::now())
    }
}

impl SearchControl for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, fen, milliseconds] = arguments.as_slice() else {
        return Err("expected a variant, a FEN or FEN4, and milliseconds".into());
    };
    let variant: Variant = variant.parse()?;
    let setup = if fen == "startpos" { Setup::start(variant) } else { Setup::parse(variant, fen)? };
    let position = AnyPosition::new(&setup)?;
    let limits = Limits { hard: Some(Duration::from_millis(milliseconds.parse()?)), ..Limits::default() };

    // The transposition table has 16 MiB. The callback would receive a report for each depth.
    let mut engine = Engine::new(16);
    let result = engine.search(&SearchRequest::new(&position, limits), &Stopwatch::start(), &mut |_| ());

    let Some(best) = result.best else {
        println!("no legal move");
        return Ok(());
    };
    let score = match result.report.lines.first().map(|line| line.score) {
        Some(Score::Centipawns(centipawns)) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Some(Score::Mate(moves)) => format!("mate in {moves}"),
        None => "no score".to_owned(),
    };
    println!("{best}  {score}  (depth {}, {} nodes)", result.report.depth, result.report.nodes);
    Ok(())
}
