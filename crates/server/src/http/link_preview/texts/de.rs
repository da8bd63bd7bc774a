//! The texts of previews in German.

use super::Language;

/// The German texts. The texts about numbers of moves are in the dative.
pub(super) static GERMAN: Language = Language {
    tag: "de",
    description: "Schach zu viert und klassisch, für Menschen und Programme",
    archive: "Archiv",
    ratings: "Bestenlisten",
    analysis: "Analyse",
    rules: "Regeln",
    friends: "Freunde",
    groups: "Gruppen",
    own_games: "Deine Partien",
    settings: "Einstellungen",
    sign_in: "Anmelden",
    sign_up: "Konto erstellen",
    password_reset: "Passwort zurücksetzen",
    mail: "E-Mail",
    table: "Tisch",
    a_match: "Partie",
    anonymous_match: "Anonyme Partie",
    player: "Spieler",
    group: "Gruppe",
    not_found: "Seite nicht gefunden",
    games: &[
        ("classic", "Klassisches Schach"),
        ("dilkel", "Dilkel Checkmates"),
        ("dilkel-compact", "Dilkel Checkmates auf dem kleinen Brett"),
    ],
    moves: |count| if count == 1 { "1 Zug".to_owned() } else { format!("{count} Zügen") },
    seats_free: |game, free, of| format!("{game}: {free} von {of} Plätzen frei"),
    waits: |game, host| format!("{host} wartet auf Mitspieler: {game}."),
    waits_anonymously: |game| format!("Eine anonyme Partie wartet auf Mitspieler: {game}."),
    live: |game, moves| format!("{game}, live: Stand nach {moves}."),
    over: |game, moves| format!("{game}: zu Ende nach {moves}."),
    won: |game, winner, moves| {
        format!("{game}: {winner} hat nach {moves} gewonnen. Zug für Zug zum Nachspielen.")
    },
    drawn: |game, moves| format!("{game}: Remis nach {moves}. Zug für Zug zum Nachspielen."),
    about_player: |name| format!("Partien und Ergebnisse von {name}."),
};
