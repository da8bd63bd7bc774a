//! Plays moves from the start of a variant and prints the position: `show_position VARIANT MOVE ...`.
//!
//! ```text
//! $ cargo run --package quadrex-rules --example show_position -- dilkel h2h4 b7c7
//! ```

use std::error::Error;

use quadrex_rules::{AnyPosition, Move, Setup, Variant, notation};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant: Variant = arguments.next().ok_or("expected a variant")?.parse()?;
    let mut position = AnyPosition::new(&Setup::start(variant))?;
    for text in arguments {
        let mv: Move = text.parse()?;
        if !position.is_legal(mv) {
            return Err(format!("{mv} is not legal for {}", position.turn()).into());
        }
        println!("{}: {}", position.turn(), notation::move_text(&position, mv));
        position.play(mv);
    }

    println!("\n{}", position.setup());
    println!("{} to move, {} legal moves", position.turn(), position.legal_moves().len());
    for color in position.checks() {
        println!("{color} is in check");
    }
    Ok(())
}
