//! Guides with examples: using this crate and extending it.

macro_rules! pages {
    ($($name:ident: $file:literal),+ $(,)?) => {$(
        #[doc = include_str!(concat!("../docs/", $file))]
        pub mod $name {}
    )+};
}

pages! {
    positions: "positions.md",
    play_a_game: "play-a-game.md",
    read_and_write_games: "read-and-write-games.md",
    generate_moves: "generate-moves.md",
    add_a_variant: "add-a-variant.md",
    add_a_board: "add-a-board.md",
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
