//! Decisions about chat messages: their room, text and rate (RULES D15).

use quadrex_protocol::Event;
use quadrex_protocol::chat::{ChatMessage, LONGEST_TEXT, Room};
use quadrex_protocol::settings::Chat as Policy;
use quadrex_protocol::user::UserView;
use quadrex_rules::{Color, Timestamp};

use crate::rejection::Rejection;
use crate::state::TableState;

impl TableState {
    /// Decides whether a user may write a chat message.
    pub(crate) fn decide_chat(
        &self,
        by: &UserView,
        named_seat: Option<Color>,
        room: Room,
        message: &ChatMessage,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let color = match self.named_or_first_seat(by.id, named_seat) {
            Err(Rejection::NotSeated) => None,
            seat => Some(seat?),
        };
        if self.room_of(by.id) != room {
            return Err(Rejection::OtherRoom { asked: room });
        }
        let message = match message {
            ChatMessage::Text(text) => ChatMessage::Text(clean(text)?),
            ChatMessage::Phrase(phrase) => ChatMessage::Phrase(*phrase),
        };
        if room == Room::Seated {
            self.check_policy(&message)?;
        }
        if self.chat.is_exceeded(by.id, room, now) {
            return Err(Rejection::TooManyMessages);
        }
        Ok(vec![Event::MessageSent { user: by.clone(), color, room, message }])
    }

    /// Checks that the table's settings allow players to write a message of this kind (RULES D15).
    fn check_policy(&self, message: &ChatMessage) -> Result<(), Rejection> {
        match (self.terms().settings.chat, message) {
            (Policy::On, _) | (Policy::Phrases, ChatMessage::Phrase(_)) => Ok(()),
            (Policy::Phrases, ChatMessage::Text(_)) => Err(Rejection::PhrasesOnly),
            (Policy::Off, _) => Err(Rejection::NoChat),
        }
    }
}

/// Returns the text as one line, without control characters.
///
/// # Errors
/// Returns [`Rejection::TextLength`] if the cleaned text is empty or too long.
fn clean(text: &str) -> Result<String, Rejection> {
    let is_kept = |character: &char| !character.is_control() && !controls_direction(*character);
    let on_one_line = text.chars().map(|character| if character.is_whitespace() { ' ' } else { character });
    let cleaned: String = on_one_line.filter(is_kept).collect();
    let cleaned = cleaned.trim();
    let length = cleaned.chars().count();
    if (1..=LONGEST_TEXT).contains(&length) {
        Ok(cleaned.to_owned())
    } else {
        Err(Rejection::TextLength { length })
    }
}

/// Returns whether a character controls the writing direction of the text around it. These
/// characters have the property `Bidi_Control` (Unicode Standard Annex 9, section 2).
fn controls_direction(character: char) -> bool {
    matches!(character,
        '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_one_line_without_control_characters() {
        for (text, shown) in [
            ("Good game!", "Good game!"),
            ("  two\r\nlines\t", "two  lines"),
            ("a\u{0}b\u{7}c\u{85}d\u{9f}", "abc d"),
            ("\u{202e}txt\u{202c} \u{2066}x\u{2069}\u{200f}\u{61c}", "txt x"),
            ("Привет, 王 👩‍👩‍👧", "Привет, 王 👩‍👩‍👧"),
        ] {
            assert_eq!(clean(text), Ok(shown.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn a_cleaned_text_has_1_to_200_characters() {
        let length = |text: &str| clean(text).map(|shown| shown.chars().count());
        assert_eq!(length(&"王".repeat(200)), Ok(200));
        assert_eq!(length(&format!("{}\u{202e}\n", "x".repeat(200))), Ok(200));
        assert_eq!(length(&"x".repeat(201)), Err(Rejection::TextLength { length: 201 }));
        for empty in ["", " ", "\n\t", "\u{202e}\u{0}"] {
            assert_eq!(length(empty), Err(Rejection::TextLength { length: 0 }), "{empty:?}");
        }
    }
}
