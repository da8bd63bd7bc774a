//! The texts of previews in Spanish.

use super::Language;

/// Spanish.
pub(super) static SPANISH: Language = Language {
    tag: "es",
    description: "Ajedrez para cuatro y clásico, para personas y programas",
    archive: "Archivo",
    ratings: "Clasificaciones",
    analysis: "Análisis",
    rules: "Reglas",
    friends: "Amigos",
    groups: "Grupos",
    own_games: "Tus partidas",
    settings: "Ajustes",
    sign_in: "Iniciar sesión",
    sign_up: "Crear una cuenta",
    password_reset: "Restablecer la contraseña",
    mail: "Correo electrónico",
    table: "Mesa",
    a_match: "Partida",
    anonymous_match: "Partida anónima",
    player: "Jugador",
    group: "Grupo",
    not_found: "Página no encontrada",
    games: &[
        ("classic", "Ajedrez clásico"),
        ("dilkel", "Dilkel Checkmates"),
        ("dilkel-compact", "Dilkel Checkmates en el tablero pequeño"),
    ],
    moves: |count| if count == 1 { "1 jugada".to_owned() } else { format!("{count} jugadas") },
    seats_free: |game, free, of| format!("{game}: {free} de {of} asientos libres"),
    waits: |game, host| format!("{host} espera jugadores: {game}."),
    waits_anonymously: |game| format!("Una partida anónima espera jugadores: {game}."),
    live: |game, moves| format!("{game}, en vivo: {moves} hasta ahora."),
    over: |game, moves| format!("{game}: terminada tras {moves}."),
    won: |game, winner, moves| format!("{game}: {winner} ganó tras {moves}. Mírala jugada a jugada."),
    drawn: |game, moves| format!("{game}: tablas tras {moves}. Mírala jugada a jugada."),
    about_player: |name| format!("Partidas y resultados de {name}."),
};
