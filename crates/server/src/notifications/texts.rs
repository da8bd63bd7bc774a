//! The texts of push messages and mails, in the languages of the browser client.

use quadrex_store::NotificationKind;

use crate::mail::MailText;

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

/// The links in a mail about a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct MailLinks<'a> {
    /// The URL of the table.
    pub(super) table: &'a str,
    /// The URL of the user's settings.
    pub(super) settings: &'a str,
    /// The URL of the page that ends the notifications by mail.
    pub(super) unsubscribe: &'a str,
}

/// Returns the text of a notification as a mail.
pub(super) fn mail_text(
    language: &str,
    kind: NotificationKind,
    variant: &str,
    opponents: &[String],
    links: MailLinks<'_>,
) -> MailText {
    let MessageText { title, body } = text(language, kind, variant, opponents);
    let MailLinks { table, settings, unsubscribe } = links;
    let (go, reason, end) = match language {
        "de" => (
            "Zur Partie",
            "Du bekommst diese E-Mail, weil du sie in deinen Einstellungen eingeschaltet hast",
            "Keine E-Mails zu Partien mehr",
        ),
        "es" => (
            "Ir a la partida",
            "Recibes este correo porque lo has activado en tus ajustes",
            "No recibir m\u{e1}s correos sobre partidas",
        ),
        _ => (
            "Go to the game",
            "You get this email because you have turned it on in your settings",
            "No more email about games",
        ),
    };
    let lines = [
        format!("{title}: {body}\n"),
        format!("{go}: {table}\n"),
        "-- ".to_owned(),
        format!("{reason}: {settings}"),
        format!("{end}: {unsubscribe}"),
    ];
    MailText { subject: format!("{title}: {body}"), body: lines.join("\n") + "\n" }
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

    #[test]
    fn a_mail_contains_the_links_and_says_how_to_end_the_mails() {
        let links = MailLinks {
            table: "https://q/t/1",
            settings: "https://q/settings",
            unsubscribe: "https://q/u#1",
        };
        let mail =
            |language| mail_text(language, NotificationKind::Turn, "Classic", &["Bo".to_owned()], links);
        let english = mail("en");
        assert_eq!(english.subject, "It\u{2019}s your turn: Classic against Bo");
        assert_eq!(
            english.body,
            "It\u{2019}s your turn: Classic against Bo\n\nGo to the game: https://q/t/1\n\n-- \n\
             You get this email because you have turned it on in your settings: https://q/settings\n\
             No more email about games: https://q/u#1\n"
        );
        assert!(mail("de").body.contains("Keine E-Mails zu Partien mehr: https://q/u#1"));
        assert!(mail("es").body.contains("Ir a la partida: https://q/t/1"));
    }
}
