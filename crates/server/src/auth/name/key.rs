//! Keys of names, by which names that look alike are equal.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

/// The key of a name. Names that look alike have the same key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameKey(String);

impl NameKey {
    /// Returns the key of a name, or `None` if the name has neither letters nor digits.
    pub fn of(name: &str) -> Option<Self> {
        Some(fold(name)).filter(|key| !key.is_empty()).map(Self)
    }

    /// Returns the key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Folds a text so that texts that look alike become equal. The result is the skeleton of Unicode
/// Technical Standard 39 in lower case and without accents. The letter i is replaced by l, because
/// the capital I looks like l.
pub(super) fn fold(text: &str) -> String {
    let normalized: String = text.nfkc().collect();
    let lower_case: String = skeleton(&normalized).flat_map(char::to_lowercase).collect();
    skeleton(&lower_case)
        .filter(|&character| character.is_alphanumeric() && !is_combining_mark(character))
        .map(|character| if character == 'i' { 'l' } else { character })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_the_same_key() {
        let key = NameKey::of("Ada Lovelace").unwrap();
        for name in [
            "ada lovelace",
            "ADA LOVELACE",
            "AdaLovelace",
            "Ada-Lovelace!",
            "Аdа Lоvеlасе",
            "Ada Iovelace",
            "Áda Lövelace",
            "Ａｄａ Ｌｏｖｅｌａｃｅ",
            "𝐀da Lovelace",
            "Ada L0velace",
            "Ada 1ovelace",
        ] {
            assert_eq!(NameKey::of(name), Some(key.clone()), "{name:?}");
        }
        for name in ["Ada Lovelac", "Ada Lovelacee", "Eda Lovelace", "Ольга", "王小明"] {
            assert_ne!(NameKey::of(name), Some(key.clone()), "{name:?}");
        }
        assert_eq!(NameKey::of("ﬁsh"), NameKey::of("fish"));
        assert_eq!(NameKey::of("①②"), NameKey::of("12"));
    }

    #[test]
    fn a_name_without_letters_and_digits_has_no_key() {
        for name in ["!!!", "-", "★", ""] {
            assert_eq!(NameKey::of(name), None, "{name:?}");
        }
    }

    /// Names of three or more characters have keys that are not much longer.
    #[test]
    fn a_key_of_a_name_is_short_enough_for_the_store() {
        let longest = "\u{fdfa}".repeat(24);
        assert!(NameKey::of(&longest).unwrap().as_str().chars().count() <= 1_000);
    }
}
