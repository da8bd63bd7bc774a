//! The texts of previews in English.

use super::Language;

/// English.
pub(super) static ENGLISH: Language = Language {
    tag: "en",
    description: "Four-player and classic chess for people and programs",
    archive: "Archive",
    ratings: "Leaderboards",
    analysis: "Analysis",
    rules: "Rules",
    friends: "Friends",
    groups: "Groups",
    own_games: "Your games",
    settings: "Settings",
    sign_in: "Sign in",
    sign_up: "Create an account",
    password_reset: "Reset your password",
    mail: "Email",
    table: "Table",
    a_match: "Match",
    anonymous_match: "Anonymous match",
    player: "Player",
    group: "Group",
    not_found: "Page not found",
    games: &[
        ("classic", "Classic chess"),
        ("dilkel", "Dilkel Checkmates"),
        ("dilkel-compact", "Dilkel Checkmates on the small board"),
    ],
    moves: |count| if count == 1 { "1 move".to_owned() } else { format!("{count} moves") },
    seats_free: |game, free, of| format!("{game}: {free} of {of} seats free"),
    waits: |game, host| format!("{host} is waiting for players: {game}."),
    waits_anonymously: |game| format!("An anonymous match is waiting for players: {game}."),
    live: |game, moves| format!("{game}, live: {moves} so far."),
    over: |game, moves| format!("{game}: over after {moves}."),
    won: |game, winner, moves| format!("{game}: {winner} won after {moves}. Replay it move by move."),
    drawn: |game, moves| format!("{game}: a draw after {moves}. Replay it move by move."),
    about_player: |name| format!("Matches and results of {name}."),
};
