//! Reserved names. Users would think that such a name belongs to the server, a moderator or a bot.

use unicode_normalization::char::is_combining_mark;

use super::key::fold;

/// Words for the server and its staff. No word of a name may look like one of them.
const STAFF_WORDS: [&str; 11] = [
    "server",
    "moderator",
    "moderatorin",
    "admin",
    "administrator",
    "administratorin",
    "servidor",
    "moderador",
    "moderadora",
    "administrador",
    "administradora",
];

/// Words for bots. Bots may use these words, because every bot is marked as a bot.
const BOT_WORDS: [&str; 3] = ["quadrex", "bot", "bots"];

/// The names of bot levels in English, German and Spanish. Only the whole name is reserved.
const LEVEL_NAMES: [&str; 6] =
    ["beginner", "full strength", "anfänger", "volle stärke", "principiante", "fuerza máxima"];

/// The names of deleted users in English, German and Spanish. Only the whole name is reserved.
const DELETED_NAMES: [&str; 3] = ["deleted user", "gelöschter nutzer", "usuario eliminado"];

/// Words that are reserved as a whole name, and as a word before the number of a level.
const LEVEL_WORDS: [&str; 5] = ["level", "strength", "stufe", "spielstärke", "nivel"];

/// Returns the reserved word that a name, or a word of the name, looks like.
pub(super) fn find(name: &str, is_bot: bool) -> Option<&'static str> {
    let folded_name = fold(name);
    let words: Vec<String> = name.split(separates).map(fold).filter(|word| !word.is_empty()).collect();
    let is_word = |reserved: &&&str| {
        let reserved = fold(reserved);
        folded_name == reserved || words.contains(&reserved)
    };
    let is_whole = |reserved: &&&str| folded_name == fold(reserved);
    let found = STAFF_WORDS.iter().find(is_word).or_else(|| DELETED_NAMES.iter().find(is_whole));
    if found.is_some() || is_bot {
        return found.copied();
    }
    let is_level = |reserved: &&&str| {
        let digits = |word: &String| word.chars().all(|character| LOOK_LIKE_DIGITS.contains(character));
        words.len() == 2 && words[0] == fold(reserved) && digits(&words[1])
    };
    BOT_WORDS
        .iter()
        .find(is_word)
        .or_else(|| LEVEL_NAMES.iter().find(is_whole))
        .or_else(|| LEVEL_WORDS.iter().find(is_whole))
        .or_else(|| LEVEL_WORDS.iter().find(is_level))
        .copied()
}

/// The digits, and the letters by which a skeleton represents some digits.
const LOOK_LIKE_DIGITS: &str = "0123456789ol";

/// Returns whether a character separates the words of a name.
fn separates(character: char) -> bool {
    !character.is_alphanumeric() && !is_combining_mark(character)
}

#[cfg(test)]
mod tests {
    use crate::auth::{InvalidName, UserName};

    fn refused(name: &str, is_bot: bool) -> bool {
        matches!(UserName::choose(name, is_bot), Err(InvalidName::Reserved(_)))
    }

    #[test]
    fn names_of_the_server_and_its_staff_are_reserved() {
        for name in [
            "Server",
            "SERVER",
            "s e r v e r",
            "S.e.r.v.e.r",
            "The Server",
            "Sérver",
            "Ѕеrvеr",
            "ＳＥＲＶＥＲ",
            "𝐒erver",
            "Admin",
            "ADMlN",
            "Adm1n",
            "Аdmin",
            "Adrnin",
            "admin-7",
            "Administrator",
            "Moderator",
            "M0derat0r",
            "Mοderator (Ann)",
            "Moderatorin",
            "El Servidor",
            "Administradora",
        ] {
            assert!(refused(name, false), "{name:?}");
            assert!(refused(name, true), "{name:?} of a bot");
        }
    }

    #[test]
    fn names_of_bots_are_reserved() {
        for name in [
            "Bot",
            "bot 3",
            "Ann (bot)",
            "Ann (Bot)",
            "Ann [b0t]",
            "Ann（bot）",
            "Ann-Bot",
            "Вot",
            "Quadrex",
            "Quаdrex 2",
            "QUADREX",
            "Beginner",
            "Anfänger",
            "ANFANGER",
            "Full Strength",
            "volle Stärke",
            "Level 3",
            "Stufe 8",
            "Strength 10",
            "Principiante",
            "Fuerza maxima",
            "Nivel 3",
        ] {
            assert!(refused(name, false), "{name:?}");
        }
        for name in ["Bot", "Quadrex 2.1", "Stockfish (bot)"] {
            assert!(!refused(name, true), "{name:?} of a bot");
        }
    }

    #[test]
    fn reserved_words_inside_longer_words_are_allowed() {
        for name in [
            "Botvinnik",
            "Abbot",
            "Talbot",
            "Serverus",
            "Observer",
            "Adminton",
            "Level Headed",
            "Ada",
            "Zoë",
            "Ольга",
            "王小明",
            "Strong Strength",
            "Robot",
            "Stufen",
            "Systematic",
        ] {
            assert!(!refused(name, false), "{name:?}");
        }
    }
}
