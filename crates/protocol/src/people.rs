//! The users that are named by events.

use crate::Event;
use crate::user::UserView;

impl Event {
    /// Returns the users that the event names, bots included.
    pub fn people(&self) -> impl Iterator<Item = &UserView> {
        let (one, seats) = match self {
            Self::Opened { host: user, .. }
            | Self::HostChanged { host: user }
            | Self::Seated { user, .. }
            | Self::MessageSent { user, .. }
            | Self::Substituted { bot: user, .. } => (Some(user), None),
            Self::Started { seats, .. } => (None, Some(seats.values())),
            _ => (None, None),
        };
        one.into_iter().chain(seats.into_iter().flatten())
    }

    /// Returns the users that the event names, bots included, for changes of their names.
    pub fn people_mut(&mut self) -> impl Iterator<Item = &mut UserView> {
        let (one, seats) = match self {
            Self::Opened { host: user, .. }
            | Self::HostChanged { host: user }
            | Self::Seated { user, .. }
            | Self::MessageSent { user, .. }
            | Self::Substituted { bot: user, .. } => (Some(user), None),
            Self::Started { seats, .. } => (None, Some(seats.values_mut())),
            _ => (None, None),
        };
        one.into_iter().chain(seats.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quadrex_rules::Color;
    use uuid::Uuid;

    use super::*;
    use crate::UserId;
    use crate::chat::{ChatMessage, Room};

    #[test]
    fn names_of_all_people_can_be_changed() {
        let user = |name: &str| UserView {
            id: UserId(Uuid::from_u128(name.len() as u128)),
            name: name.to_owned(),
            account: true,
            bot: None,
            anonymous: false,
        };
        let events = [
            Event::HostChanged { host: user("Ada") },
            Event::Seated { color: Color::Red, user: user("Ada"), nonce: "n".parse().unwrap() },
            Event::Started {
                first_player: Color::Red,
                secret: serde_json::from_str(&format!("\"{}\"", "0".repeat(64))).unwrap(),
                seats: BTreeMap::from([(Color::Red, user("Ada")), (Color::Blue, user("Ada"))]),
            },
            Event::MessageSent {
                user: user("Ada"),
                color: None,
                room: Room::Seated,
                message: ChatMessage::Text("hello".to_owned()),
            },
            Event::Substituted { color: Color::Red, bot: user("Ada") },
        ];
        for mut event in events {
            let count = event.people().count();
            assert!(count > 0, "{event:?}");
            for person in event.people_mut() {
                "Ben".clone_into(&mut person.name);
            }
            let text = serde_json::to_string(&event).unwrap();
            assert_eq!((text.matches("Ben").count(), text.matches("Ada").count()), (count, 0), "{text}");
        }
        assert_eq!(Event::Paused {}.people().count(), 0);
    }
}
