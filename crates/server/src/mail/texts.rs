//! The texts of mails with links, in the languages of the browser client.

use quadrex_store::MailLinkKind;

/// The subject and the body of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MailText {
    pub(crate) subject: String,
    pub(crate) body: String,
}

/// Returns the text of a mail with a link. `name` is the name of the account.
pub(super) fn of_link(language: &str, kind: MailLinkKind, name: &str, url: &str) -> MailText {
    let (subject, body) = match (language, kind) {
        ("de", MailLinkKind::Confirm) => (
            "Bitte best\u{e4}tige deine E-Mail-Adresse",
            format!(
                "Hallo!\n\n\
                 Mit diesem Link best\u{e4}tigst du, dass Quadrex dir E-Mails an diese Adresse schicken darf:\n\n\
                 {url}\n\n\
                 Der Link gilt einmal und 24 Stunden lang. Falls du ihn nicht angefordert hast, brauchst du nichts \
                 zu tun: Ohne Best\u{e4}tigung bekommst du keine weiteren E-Mails.\n"
            ),
        ),
        ("es", MailLinkKind::Confirm) => (
            "Confirma tu direcci\u{f3}n de correo",
            format!(
                "\u{a1}Hola!\n\n\
                 Con este enlace confirmas que Quadrex puede enviarte correos a esta direcci\u{f3}n:\n\n\
                 {url}\n\n\
                 El enlace sirve una sola vez y durante 24 horas. Si no lo has pedido, no tienes que hacer nada: \
                 sin la confirmaci\u{f3}n no recibir\u{e1}s m\u{e1}s correos.\n"
            ),
        ),
        (_, MailLinkKind::Confirm) => (
            "Please confirm your email address",
            format!(
                "Hello!\n\n\
                 Open this link to confirm that Quadrex may send email to this address:\n\n\
                 {url}\n\n\
                 The link works once, for 24 hours. If you did not ask for it, you need not do anything: without \
                 the confirmation, you will get no more email from us.\n"
            ),
        ),
        ("de", MailLinkKind::Reset) => (
            "Neues Passwort f\u{fc}r Quadrex",
            format!(
                "Hallo {name}!\n\n\
                 Jemand hat ein neues Passwort f\u{fc}r dein Konto bei Quadrex angefordert. Mit diesem Link kannst \
                 du es festlegen:\n\n\
                 {url}\n\n\
                 Der Link gilt einmal und eine Stunde lang. Danach musst du dich auf allen Ger\u{e4}ten neu anmelden. \
                 Falls du das nicht warst, brauchst du nichts zu tun: Dein Passwort bleibt, wie es ist.\n"
            ),
        ),
        ("es", MailLinkKind::Reset) => (
            "Nueva contrase\u{f1}a para Quadrex",
            format!(
                "\u{a1}Hola, {name}!\n\n\
                 Alguien ha pedido una contrase\u{f1}a nueva para tu cuenta de Quadrex. Con este enlace puedes \
                 elegirla:\n\n\
                 {url}\n\n\
                 El enlace sirve una sola vez y durante una hora. Despu\u{e9}s tendr\u{e1}s que volver a entrar en \
                 todos tus dispositivos. Si no has sido t\u{fa}, no tienes que hacer nada: tu contrase\u{f1}a no \
                 cambia.\n"
            ),
        ),
        (_, MailLinkKind::Reset) => (
            "Your new password for Quadrex",
            format!(
                "Hello {name}!\n\n\
                 Somebody asked for a new password for your Quadrex account. You can choose it here:\n\n\
                 {url}\n\n\
                 The link works once, for one hour. Afterwards you will have to sign in again on all your devices. \
                 If it was not you, you need not do anything: your password stays as it is.\n"
            ),
        ),
    };
    MailText { subject: subject.to_owned(), body }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_contains_its_link_and_only_a_reset_names_the_account() {
        for language in ["en", "de", "es"] {
            for kind in [MailLinkKind::Confirm, MailLinkKind::Reset] {
                let text = of_link(language, kind, "Ada", "https://chess.example/x#secret");
                assert!(text.body.contains("\n\nhttps://chess.example/x#secret\n\n"), "{text:?}");
                // Strangers could otherwise send any name to any address.
                assert_eq!(text.body.contains("Ada"), kind == MailLinkKind::Reset, "{text:?}");
            }
        }
        let subject = |language| of_link(language, MailLinkKind::Confirm, "", "").subject;
        assert_eq!(subject("de"), "Bitte best\u{e4}tige deine E-Mail-Adresse");
        assert_eq!(subject("es"), "Confirma tu direcci\u{f3}n de correo");
        assert_eq!(subject("en"), "Please confirm your email address");
    }
}
