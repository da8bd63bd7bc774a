//! Chat: who may write where, what and how often, and whom it reaches (RULES D15).

use std::collections::VecDeque;
use std::time::Duration;

use quadrex_protocol::chat::{ChatMessage, LONGEST_TEXT, Room};
use quadrex_protocol::settings::Chat as Policy;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Entry;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::{Color, Timestamp};

use super::command::Rejection;
use super::state::{Stage, TableState};
use crate::bus::Viewer;

/// How many messages one person may write at a table within [`WITHIN`].
const OFTEN: usize = 5;

/// See [`OFTEN`].
const WITHIN: Duration = Duration::from_secs(10);

/// How many messages all bystanders of a match may write within [`WITHIN`].
const OFTEN_TOGETHER: usize = 50;

/// How many messages of bystanders somebody who comes is shown: the last ones. The log has all.
pub(super) const SHOWN: usize = 200;

/// Who has written lately, as the log tells.
#[derive(Clone, Debug, Default)]
pub(super) struct Chat {
    lately: VecDeque<(Timestamp, UserId, Room)>,
}

impl Chat {
    /// Takes in that somebody has said something.
    pub(super) fn said(&mut self, user: UserId, room: Room, at: Timestamp) {
        while self.lately.front().is_some_and(|&(then, ..)| then + WITHIN <= at) {
            self.lately.pop_front();
        }
        self.lately.push_back((at, user, room));
    }

    /// Whether somebody has written as often as one may, or all bystanders together have.
    fn is_spent(&self, user: UserId, room: Room, now: Timestamp) -> bool {
        let lately = || self.lately.iter().filter(|&&(then, ..)| now < then + WITHIN);
        let together = lately().filter(|&&(.., of)| of == Room::Bystanders).count();
        let own = lately().filter(|&&(_, by, _)| by == user).count();
        own >= OFTEN || (room == Room::Bystanders && together >= OFTEN_TOGETHER)
    }
}

impl TableState {
    pub(super) fn decide_chat(
        &self,
        by: &UserView,
        named: Option<Color>,
        room: Room,
        message: &ChatMessage,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let color = match self.any_seat(by.id, named) {
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
        if self.chat.is_spent(by.id, room, now) {
            return Err(Rejection::TooManyWords);
        }
        Ok(vec![Event::MessageSent { user: by.clone(), color, room, message }])
    }

    /// What the host lets the players say to one another (RULES D15).
    fn check_policy(&self, words: &ChatMessage) -> Result<(), Rejection> {
        match (self.terms().settings.chat, words) {
            (Policy::On, _) | (Policy::Phrases, ChatMessage::Phrase(_)) => Ok(()),
            (Policy::Phrases, ChatMessage::Text(_)) => Err(Rejection::PhrasesOnly),
            (Policy::Off, _) => Err(Rejection::NoChat),
        }
    }

    /// The room somebody belongs to now: that of the seated as long as a seat of theirs is still in.
    fn room_of(&self, user: UserId) -> Room {
        let sits = self.seats_of(user).into_iter().any(|color| self.is_in(color));
        if sits { Room::Seated } else { Room::Bystanders }
    }

    /// Whether an event is kept from the seated as things stand: it was said among bystanders since the match
    /// began, and the match still runs (RULES D15).
    pub(super) fn is_for_bystanders(&self, entry: &Entry) -> bool {
        let is_running = matches!(self.stage(), Stage::Running(_));
        is_running
            && self.began.is_some_and(|began| entry.seq > began)
            && matches!(entry.event, Event::MessageSent { room: Room::Bystanders, .. })
    }

    /// The users from whom an entry is kept as things stand.
    pub(super) fn kept_from(&self, entry: &Entry) -> impl Iterator<Item = UserId> + '_ {
        let is_kept = self.is_for_bystanders(entry);
        let holders = self.seats().iter().filter(move |_| is_kept).filter_map(|seat| seat.holder.as_ref());
        holders.map(|holder| holder.id).filter(|&holder| self.room_of(holder) == Room::Seated)
    }

    /// Whether an entry is kept from somebody as things stand.
    pub(super) fn is_kept_from(&self, entry: &Entry, viewer: Viewer) -> bool {
        self.kept_from(entry).any(|holder| viewer == Viewer::User(holder))
    }
}

/// A text as it is shown: on one line, without characters that control the text around them.
fn clean(text: &str) -> Result<String, Rejection> {
    let shown: String = text.chars().map(|one| if one.is_whitespace() { ' ' } else { one }).collect();
    let shown: String = shown.chars().filter(|&one| !one.is_control() && !turns_direction(one)).collect();
    let shown = shown.trim();
    let length = shown.chars().count();
    if (1..=LONGEST_TEXT).contains(&length) {
        Ok(shown.to_owned())
    } else {
        Err(Rejection::TextLength { length })
    }
}

/// Whether a character sets the direction of the text around it: the property `Bidi_Control` (Unicode Standard
/// Annex 9, section 2).
fn turns_direction(character: char) -> bool {
    matches!(character,
        '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_on_one_line_without_what_controls_others() {
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
    fn a_text_has_1_to_200_characters_once_it_is_clean() {
        let length = |text: &str| clean(text).map(|shown| shown.chars().count());
        assert_eq!(length(&"王".repeat(200)), Ok(200));
        assert_eq!(length(&format!("{}\u{202e}\n", "x".repeat(200))), Ok(200));
        assert_eq!(length(&"x".repeat(201)), Err(Rejection::TextLength { length: 201 }));
        for empty in ["", " ", "\n\t", "\u{202e}\u{0}"] {
            assert_eq!(length(empty), Err(Rejection::TextLength { length: 0 }), "{empty:?}");
        }
    }
}
