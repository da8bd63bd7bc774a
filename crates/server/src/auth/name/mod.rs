//! The names of users.

use quadrex_clock::Entropy;
use std::fmt;
use std::str::FromStr;

use unicode_normalization::char::is_combining_mark;

mod key;
mod reserved;

pub use key::NameKey;

/// The longest name, in characters.
const MAX_LENGTH: usize = 24;

/// A name that can be displayed. It has 1 to 24 characters. None of them is invisible or changes
/// the display of the text around it. The name has no space at either end, and no two spaces in a
/// row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserName(String);

/// The reason for which a text is not a valid name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    /// The text is empty or too long.
    #[error("a name has 1 to {MAX_LENGTH} characters, this one has {0}")]
    Length(usize),
    /// The text has a character that is invisible or changes the display of other characters.
    #[error("a name cannot have the character {0:?}")]
    Character(char),
    /// The text has a space at an end, or two spaces in a row.
    #[error("a name has no spaces at its ends and no two in a row")]
    Spaces,
    /// The text has only combining marks, which need a letter to combine with.
    #[error("a name has a character that stands by itself")]
    MarksOnly,
    /// Users would think that the name belongs to the server, its staff, or a bot.
    #[error("a name cannot be or look like {0:?}, which is reserved")]
    Reserved(&'static str),
}

impl UserName {
    /// Returns a random pleasant name, such as "Quiet Otter", for a user who has not chosen a name.
    pub fn draw(entropy: &Entropy) -> Self {
        Self(format!("{} {}", entropy.pick(&ADJECTIVES), entropy.pick(&ANIMALS)))
    }

    /// Validates a name that a user has chosen. Bots may use some words that people may not use.
    ///
    /// # Errors
    /// Returns [`InvalidName`] if the name is invalid, or if it looks like a reserved name.
    pub fn choose(text: &str, is_bot: bool) -> Result<Self, InvalidName> {
        let name: Self = text.parse()?;
        match reserved::find(text, is_bot) {
            Some(word) => Err(InvalidName::Reserved(word)),
            None => Ok(name),
        }
    }

    /// Returns the key by which names that look alike are equal, or `None` if the name has neither
    /// letters nor digits.
    pub fn key(&self) -> Option<NameKey> {
        NameKey::of(&self.0)
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for UserName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let length = text.chars().count();
        if !(1..=MAX_LENGTH).contains(&length) {
            return Err(InvalidName::Length(length));
        }
        if let Some(wrong) = text.chars().find(|&character| !is_visible(character)) {
            return Err(InvalidName::Character(wrong));
        }
        if text.starts_with(' ') || text.ends_with(' ') || text.contains("  ") {
            return Err(InvalidName::Spaces);
        }
        if text.chars().all(|character| character == ' ' || is_combining_mark(character)) {
            return Err(InvalidName::MarksOnly);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for UserName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<UserName> for String {
    fn from(name: UserName) -> Self {
        name.0
    }
}

/// Returns whether a character is visible and does not change the display of other characters.
///
/// Control characters and unusual spaces are rejected. So are characters without a shape, and
/// characters that change the direction of the text (Unicode categories Cf, Zl, Zp, Co and Cn). The
/// blocks in this list contain all characters of the category Cf below the block of the tags, all
/// variation selectors, and the four fillers that look empty.
pub fn is_visible(character: char) -> bool {
    let invisible = matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}'
        | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{13455}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}');
    character == ' ' || !(character.is_control() || character.is_whitespace() || invisible)
}

/// The adjectives of random names. Each has at most 10 letters, so that a name of an adjective and
/// an animal is short enough.
const ADJECTIVES: [&str; 64] = [
    "Able", "Agile", "Amber", "Ample", "Bold", "Brave", "Breezy", "Bright", "Brisk", "Calm", "Candid",
    "Cheerful", "Clever", "Copper", "Cosy", "Crisp", "Curious", "Dapper", "Daring", "Deft", "Eager", "Early",
    "Earnest", "Fair", "Fleet", "Fond", "Frank", "Fresh", "Gentle", "Glad", "Golden", "Happy", "Hardy",
    "Honest", "Humble", "Jolly", "Keen", "Kind", "Lively", "Loyal", "Lucky", "Mellow", "Merry", "Mild",
    "Neat", "Nimble", "Noble", "Patient", "Placid", "Polite", "Proud", "Quick", "Quiet", "Ready", "Silver",
    "Sincere", "Snowy", "Steady", "Sunny", "Swift", "Tidy", "Velvet", "Warm", "Witty",
];

/// The animals of random names. Each has at most 10 letters.
const ANIMALS: [&str; 64] = [
    "Alpaca", "Badger", "Beaver", "Bison", "Bittern", "Camel", "Caracal", "Chamois", "Civet", "Condor",
    "Coot", "Crane", "Curlew", "Deer", "Dolphin", "Dormouse", "Dove", "Eagle", "Egret", "Elk", "Falcon",
    "Ferret", "Finch", "Fox", "Gazelle", "Gecko", "Goose", "Grouse", "Gull", "Hare", "Heron", "Hoopoe",
    "Ibex", "Ibis", "Jackdaw", "Kestrel", "Koala", "Lark", "Lemur", "Linnet", "Lynx", "Magpie", "Marmot",
    "Marten", "Merlin", "Moose", "Newt", "Ocelot", "Oriole", "Osprey", "Otter", "Owl", "Panda", "Petrel",
    "Plover", "Puffin", "Quail", "Raven", "Robin", "Seal", "Sparrow", "Stork", "Swan", "Wren",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_drawn_name_is_valid() {
        for adjective in ADJECTIVES {
            for animal in ANIMALS {
                let name = format!("{adjective} {animal}");
                assert_eq!(name.parse::<UserName>().map(String::from), Ok(name));
            }
        }
        let entropy = Entropy::seeded(1);
        let names: BTreeSet<_> = (0..100).map(|_| String::from(UserName::draw(&entropy))).collect();
        assert!(names.len() > 90, "100 draws gave {} names", names.len());
    }

    #[test]
    fn no_word_is_listed_twice() {
        assert_eq!(BTreeSet::from(ADJECTIVES).len(), ADJECTIVES.len());
        assert_eq!(BTreeSet::from(ANIMALS).len(), ANIMALS.len());
    }

    #[test]
    fn names_of_all_scripts_are_accepted() {
        for name in ["a", "Zoë", "Ольга", "王小明", "O'Neil-2", "x y z", "123456789012345678901234"]
        {
            assert_eq!(name.parse::<UserName>().map(String::from), Ok(name.to_owned()));
        }
    }

    #[test]
    fn a_name_with_invisible_characters_is_refused() {
        assert_eq!("".parse::<UserName>(), Err(InvalidName::Length(0)));
        assert_eq!("1234567890123456789012345".parse::<UserName>(), Err(InvalidName::Length(25)));
        for spaced in [" a", "a ", "a  b", " "] {
            assert_eq!(spaced.parse::<UserName>(), Err(InvalidName::Spaces), "{spaced:?}");
        }
        for wrong in
            ['\0', '\n', '\u{7f}', '\u{a0}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{3000}', '\u{feff}']
        {
            assert_eq!(
                format!("a{wrong}b").parse::<UserName>(),
                Err(InvalidName::Character(wrong)),
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn a_name_of_combining_marks_alone_is_refused() {
        for marks in ["\u{301}", "\u{301}\u{302} \u{20dd}", "\u{64b}"] {
            assert_eq!(marks.parse::<UserName>(), Err(InvalidName::MarksOnly), "{marks:?}");
        }
        assert!("e\u{301}".parse::<UserName>().is_ok());
    }
}
