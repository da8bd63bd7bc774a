//! Names that nobody may give itself, since others would take its owner for somebody else.

use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

/// Words of the server and of those who act for it. No word of a name may look like one of them.
const AUTHORITY: [&str; 6] =
    ["server", "moderator", "moderatorin", "admin", "administrator", "administratorin"];

/// Words of the server's own bots. Bots may have them in their names: they are marked as bots.
const BOTS: [&str; 3] = ["quadrex", "bot", "bots"];

/// Levels of the server's bots, as a whole name, in English and in German.
const LEVELS: [&str; 4] = ["beginner", "full strength", "anfänger", "volle stärke"];

/// What stands before the number of a level.
const LEVEL: [&str; 4] = ["level", "strength", "stufe", "spielstärke"];

/// The reserved word that a name, or a word of it, looks like.
pub(super) fn find(name: &str, is_bot: bool) -> Option<&'static str> {
    let whole = fold(name);
    let words: Vec<String> = name.split(separates).map(fold).filter(|word| !word.is_empty()).collect();
    let is_word = |reserved: &&&str| {
        let reserved = fold(reserved);
        whole == reserved || words.contains(&reserved)
    };
    let found = AUTHORITY.iter().find(is_word);
    if found.is_some() || is_bot {
        return found.copied();
    }
    let is_whole = |reserved: &&&str| whole == fold(reserved);
    let is_level = |reserved: &&&str| {
        let digits = |word: &String| word.chars().all(|character| LOOK_LIKE_DIGITS.contains(character));
        words.len() == 2 && words[0] == fold(reserved) && digits(&words[1])
    };
    BOTS.iter()
        .find(is_word)
        .or_else(|| LEVELS.iter().find(is_whole))
        .or_else(|| LEVEL.iter().find(is_whole))
        .or_else(|| LEVEL.iter().find(is_level))
        .copied()
}

/// The digits, and the letters as which a skeleton has some of them.
const LOOK_LIKE_DIGITS: &str = "0123456789ol";

/// Whether a character stands between the words of a name.
fn separates(character: char) -> bool {
    !character.is_alphanumeric() && !is_combining_mark(character)
}

/// A text such that two that look alike have the same one: the skeleton of Unicode Technical Standard 39 in small
/// letters, without accents, and with i, whose capital looks like l, as that.
fn fold(text: &str) -> String {
    let small: String = skeleton(text).flat_map(char::to_lowercase).collect();
    skeleton(&small)
        .filter(|&character| character.is_alphanumeric() && !is_combining_mark(character))
        .map(|character| if character == 'i' { 'l' } else { character })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::auth::{InvalidName, UserName};

    fn refused(name: &str, is_bot: bool) -> bool {
        matches!(UserName::chosen(name, is_bot), Err(InvalidName::Reserved(_)))
    }

    #[test]
    fn nobody_is_called_like_the_server_or_its_people() {
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
        ] {
            assert!(refused(name, false), "{name:?}");
            assert!(refused(name, true), "{name:?} of a bot");
        }
    }

    #[test]
    fn people_are_not_called_like_bots() {
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
        ] {
            assert!(refused(name, false), "{name:?}");
        }
        for name in ["Bot", "Quadrex 2.1", "Stockfish (bot)"] {
            assert!(!refused(name, true), "{name:?} of a bot");
        }
    }

    #[test]
    fn names_with_such_letters_inside_are_free() {
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
