//! The texts of push messages, in the languages of the browser client.

use quadrex_store::NotificationKind;

/// The title and the body of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MessageText {
    pub(super) title: String,
    pub(super) body: String,
}

/// Returns the text of a notification. `variant` is the name of the variant, and `opponents` has the
/// names of the other players.
pub(super) fn text(
    language: &str,
    kind: NotificationKind,
    variant: &str,
    opponents: &[String],
) -> MessageText {
    let title = match (language, kind) {
        ("de", NotificationKind::Turn) => "Du bist am Zug",
        ("es", NotificationKind::Turn) => "Es tu turno",
        (_, NotificationKind::Turn) => "It\u{2019}s your turn",
        ("de", NotificationKind::Started) => "Deine Partie hat begonnen",
        ("es", NotificationKind::Started) => "Tu partida ha empezado",
        (_, NotificationKind::Started) => "Your game has started",
        ("de", _) => "Benachrichtigungen sind eingeschaltet",
        ("es", _) => "Las notificaciones est\u{e1}n activadas",
        (_, _) => "Notifications are on",
    };
    let body = match (language, kind) {
        (_, NotificationKind::Turn | NotificationKind::Started) => {
            let against = match language {
                "de" => "gegen",
                "es" => "contra",
                _ => "against",
            };
            match opponents {
                [] => variant.to_owned(),
                _ => format!("{variant} {against} {}", list(language, opponents)),
            }
        }
        ("de", _) => "So sehen Nachrichten von Quadrex aus.".to_owned(),
        ("es", _) => "As\u{ed} se ven los avisos de Quadrex.".to_owned(),
        (_, _) => "This is what messages from Quadrex look like.".to_owned(),
    };
    MessageText { title: title.to_owned(), body }
}

/// Returns a list of names as a text.
fn list(language: &str, names: &[String]) -> String {
    let and = match language {
        "de" => "und",
        "es" => "y",
        _ => "and",
    };
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_language_of_the_subscription() {
        let names = ["Ann", "Bo", "Cy"].map(str::to_owned);
        let turn = |language| text(language, NotificationKind::Turn, "Classic", &names);
        assert_eq!(turn("en").title, "It\u{2019}s your turn");
        assert_eq!(turn("en").body, "Classic against Ann, Bo and Cy");
        assert_eq!(turn("de").title, "Du bist am Zug");
        assert_eq!(turn("de").body, "Classic gegen Ann, Bo und Cy");
        assert_eq!(turn("es").body, "Classic contra Ann, Bo y Cy");
        assert_eq!(text("de", NotificationKind::Started, "Duel", &names[..1]).body, "Duel gegen Ann");
        assert_eq!(text("en", NotificationKind::Started, "Duel", &[]).body, "Duel");
    }
}
