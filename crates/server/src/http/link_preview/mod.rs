//! The previews of the client's pages for other sites and search engines (Open Graph). A preview
//! has a title, a sentence and a picture. All readers of a language see the same preview, so it
//! shows only public data.

use std::fmt::Write;

use axum::http::HeaderMap;
use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::http::{GroupVisibility, TableSummary};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{OutcomeView, Phase, SeatView};
use quadrex_protocol::{GroupId, MatchId, TableId, UserId};

use super::state::{AppState, Peer};
use crate::auth::{Action, Identity, Key};
pub(crate) use texts::FixedPage;
use texts::Language;

mod texts;

/// A URL of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageUrl<'a> {
    /// The lobby.
    Lobby,
    /// A table.
    Table(TableId),
    /// A match.
    Match(MatchId),
    /// A user.
    User(UserId),
    /// A group.
    Group(GroupId),
    /// A page with fixed content, and its path.
    Fixed(&'a str, FixedPage),
    /// The URL does not belong to a page.
    NotFound,
}

/// The content of the `<head>` of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Head {
    title: String,
    description: String,
    /// The path of the preview's picture.
    picture: String,
    /// The path of the page; `None` if there is no such page.
    path: Option<String>,
}

/// The path of the picture for pages without a picture of their own.
const PICTURE: &str = "/pictures/position.card.png";

impl<'a> PageUrl<'a> {
    /// Parses the path of a URL, without its leading slash. Returns `None` if the client has no
    /// such page.
    pub(crate) fn parse(path: &'a str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        match path.split_once('/') {
            None => match path {
                "" | "index.html" => Some(Self::Lobby),
                "archive" => Some(Self::Fixed(path, FixedPage::Archive)),
                "ratings" => Some(Self::Fixed(path, FixedPage::Ratings)),
                "analysis" => Some(Self::Fixed(path, FixedPage::Analysis)),
                "rules" => Some(Self::Fixed(path, FixedPage::Rules)),
                "groups" => Some(Self::Fixed(path, FixedPage::Groups)),
                "friends" => Some(Self::Fixed(path, FixedPage::Friends)),
                "games" => Some(Self::Fixed(path, FixedPage::Games)),
                "settings" => Some(Self::Fixed(path, FixedPage::Settings)),
                "sign-in" => Some(Self::Fixed(path, FixedPage::SignIn)),
                "sign-up" => Some(Self::Fixed(path, FixedPage::SignUp)),
                "password-reset" => Some(Self::Fixed(path, FixedPage::PasswordReset)),
                _ => None,
            },
            Some(("t", id)) => id.parse().ok().map(Self::Table),
            Some(("m", id)) => id.parse().ok().map(Self::Match),
            Some(("u", id)) => id.parse().ok().map(Self::User),
            Some(("g", id)) => id.parse().ok().map(Self::Group),
            Some(("sign-in", "complete")) => Some(Self::Fixed(path, FixedPage::SignUp)),
            Some(("mail", "confirm" | "unsubscribe")) => Some(Self::Fixed(path, FixedPage::Mail)),
            Some(("rules", chapter)) => {
                let letter = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
                let is_chapter = !chapter.is_empty() && chapter.bytes().all(letter);
                is_chapter.then_some(Self::Fixed(path, FixedPage::Rules))
            }
            Some(_) => None,
        }
    }
}

impl AppState {
    /// Returns the client's page with the head for a URL, in the language that the request prefers.
    pub(crate) async fn page_of(
        &self,
        url: PageUrl<'_>,
        index: &str,
        peer: Peer,
        headers: &HeaderMap,
    ) -> String {
        let language = Language::of(headers);
        // If a client has exceeded the rate limit, nothing is looked up for its preview.
        let may_look_up = || self.check_lookup_rate(peer, headers).is_ok();
        let head = match url {
            PageUrl::Lobby => Head::general(language, "Quadrex".to_owned(), String::new()),
            PageUrl::Fixed(path, page) => Head::named(language, language.page(page), path.to_owned()),
            PageUrl::Table(table) => self.head_of_table(language, table).await,
            PageUrl::Match(match_id) => self.head_of_match(language, match_id, may_look_up).await,
            PageUrl::User(user) => self.head_of_user(language, user, may_look_up).await,
            PageUrl::Group(group) => self.head_of_group(language, group, may_look_up).await,
            PageUrl::NotFound => {
                Head { path: None, ..Head::named(language, language.not_found, String::new()) }
            }
        };
        let index = index.replacen("<html lang=\"en\"", &format!("<html lang=\"{}\"", language.tag), 1);
        head.fill(&index, &self.origins.of(headers))
    }

    /// Returns the head for a table. It contains no data about the table if the table does not
    /// exist, is not public, or cannot be found now.
    async fn head_of_table(&self, language: &Language, table: TableId) -> Head {
        let mut head = Head::named(language, language.table, format!("t/{table}"));
        head.picture = format!("/pictures/table/{table}.card.png");
        let watch = Action::Watch { key: Key::None };
        let Ok(handle) = self.table_for(&Identity::Anonymous, table, watch).await else { return head };
        let TableSummary { settings, host, phase, seats: shown, plies, .. } = handle.overview().summary();
        let (variant, seats) = (settings.variant, shown.len());
        let free_seats = shown.iter().filter(|seat| seat.user.is_none()).count();
        let (title, description) = match phase {
            Phase::Open if host.anonymous => {
                (language.seats_free(variant, free_seats, seats), language.waits_anonymously(variant))
            }
            Phase::Open => {
                (language.seats_free(variant, free_seats, seats), language.waits(&host.name, variant))
            }
            Phase::Running => (names(language, &shown), language.live(variant, plies)),
            Phase::Ended => (names(language, &shown), language.over(variant, plies)),
        };
        Head { title: titled(&title), description, ..head }
    }

    /// Returns the head for a match. It contains no data about the match if the match has not begun
    /// or is not public.
    async fn head_of_match(
        &self,
        language: &Language,
        match_id: MatchId,
        may_look_up: impl FnOnce() -> bool,
    ) -> Head {
        let mut head = Head::named(language, language.a_match, format!("m/{match_id}"));
        head.picture = format!("/pictures/match/{match_id}.card.png");
        let found = if may_look_up() { self.archive.find(match_id).await.unwrap_or(None) } else { None };
        let Some(archived) = found.filter(|archived| archived.is_public) else { return head };
        let mut summary = archived.summary;
        self.fill_plies(&mut summary).await;
        let MatchSummary { variant, plies, outcome, seats, .. } = summary;
        let winner = outcome.as_ref().and_then(|outcome| winner(outcome, &seats));
        let description = match (winner, outcome.is_some(), summary.ended_at_ms.is_some()) {
            (Some(winner), _, _) => language.won(variant, &winner.name, plies),
            (None, true, _) => language.drawn(variant, plies),
            (None, false, true) => language.over(variant, plies),
            (None, false, false) => language.live(variant, plies),
        };
        Head { title: titled(&names(language, &seats)), description, ..head }
    }

    /// Returns the head for a group. It contains no data about the group if the group does not exist or
    /// is private.
    async fn head_of_group(
        &self,
        language: &Language,
        group: GroupId,
        may_look_up: impl FnOnce() -> bool,
    ) -> Head {
        let head = Head::named(language, language.group, format!("g/{group}"));
        let found = if may_look_up() { self.groups.find(group, None).await.unwrap_or(None) } else { None };
        match found.map(|found| found.group).filter(|group| group.visibility == GroupVisibility::Public) {
            Some(group) => Head {
                title: titled(&group.name),
                description: group.text.unwrap_or_else(|| language.description.to_owned()),
                ..head
            },
            None => head,
        }
    }

    async fn head_of_user(
        &self,
        language: &Language,
        user: UserId,
        may_look_up: impl FnOnce() -> bool,
    ) -> Head {
        let head = Head::named(language, language.player, format!("u/{user}"));
        let found = if may_look_up() { self.guests.find(user).await.unwrap_or(None) } else { None };
        match found {
            Some(user) => {
                let description = language.about_player(user.name.as_str());
                Head { title: titled(user.name.as_str()), description, ..head }
            }
            None => head,
        }
    }
}

/// Returns the title of a page.
fn titled(name: &str) -> String {
    format!("{name} · Quadrex")
}

/// Returns the names of the players in turn order.
fn names(language: &Language, seats: &[SeatView]) -> String {
    if seats.iter().filter_map(|seat| seat.user.as_ref()).any(|user| user.anonymous) {
        return language.anonymous_match.to_owned();
    }
    let name = |user: &UserView| match user.bot {
        Some(_) => format!("{} (bot)", user.name),
        None => user.name.clone(),
    };
    let names = seats.iter().map(|seat| seat.user.as_ref().map_or("?".to_owned(), name));
    names.collect::<Vec<_>>().join(" – ")
}

/// Returns the winner, if only one player is in first place.
fn winner<'a>(outcome: &OutcomeView, seats: &'a [SeatView]) -> Option<&'a UserView> {
    let mut first = outcome.places.iter().filter(|(_, place)| **place == 1).map(|(color, _)| *color);
    let (Some(color), None) = (first.next(), first.next()) else { return None };
    seats.iter().find(|seat| seat.color == color)?.user.as_ref()
}

impl Head {
    fn general(language: &Language, title: String, path: String) -> Self {
        let description = language.description.to_owned();
        Self { title, description, picture: PICTURE.to_owned(), path: Some(path) }
    }

    fn named(language: &Language, name: &str, path: String) -> Self {
        Self::general(language, titled(name), path)
    }

    /// Returns the client's page `index` with this head in the place of its title and description.
    fn fill(&self, index: &str, origin: &str) -> String {
        let (title, description) = (escape(&self.title), escape(&self.description));
        let picture = escape(&format!("{origin}{}", self.picture));
        let mut lines =
            format!("<title>{title}</title>\n    <meta name=\"description\" content=\"{description}\" />");
        let mut meta = |kind: &str, name: &str, content: &str| {
            write!(lines, "\n    <meta {kind}=\"{name}\" content=\"{content}\" />")
                .expect("writing to a string does not fail");
        };
        match &self.path {
            Some(path) => {
                let address = escape(&format!("{origin}/{path}"));
                meta("property", "og:type", "website");
                meta("property", "og:site_name", "Quadrex");
                meta("property", "og:title", &title);
                meta("property", "og:description", &description);
                meta("property", "og:url", &address);
                meta("property", "og:image", &picture);
                meta("property", "og:image:width", "1200");
                meta("property", "og:image:height", "630");
                meta("name", "twitter:card", "summary_large_image");
                write!(lines, "\n    <link rel=\"canonical\" href=\"{address}\" />")
                    .expect("writing to a string does not fail");
            }
            None => meta("name", "robots", "noindex"),
        }
        let stripped =
            without_part(&without_part(index, "<title>", "</title>"), "<meta name=\"description\"", ">");
        stripped.replacen("</head>", &format!("  {lines}\n  </head>"), 1)
    }
}

/// Returns a text without its first part that begins with `begin` and ends with `end`.
fn without_part(text: &str, begin: &str, end: &str) -> String {
    let cut = text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    cut.map_or_else(|| text.to_owned(), |(before, after)| format!("{before}{after}"))
}

/// Escapes a text for HTML. The result may be used within quotes too.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            sign => escaped.push(sign),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_urls_of_the_web_client_are_pages() {
        let id = "0192f0c1-2345-7000-8000-000000000000";
        for page in [
            "",
            "index.html",
            "archive",
            "ratings",
            "archive/",
            "analysis",
            "rules",
            "rules/",
            "rules/going-out",
            "friends",
            "groups",
            "games",
            "settings",
            "sign-in",
            "sign-up",
            "sign-in/complete",
            "password-reset",
            "mail/confirm",
            "mail/unsubscribe/",
        ] {
            assert!(PageUrl::parse(page).is_some(), "{page}");
        }
        for kind in ["t", "m", "u", "g"] {
            assert!(PageUrl::parse(&format!("{kind}/{id}")).is_some(), "{kind}");
            for wrong in [format!("{kind}/"), format!("{kind}/7"), format!("{kind}/{id}/x"), kind.to_owned()]
            {
                assert_eq!(PageUrl::parse(&wrong), None, "{wrong}");
            }
        }
        for other in [
            "x",
            "assets/",
            "../Cargo.toml",
            "rules/a/b",
            "rules/../x",
            "rules//",
            "archive/x",
            "mail/x",
            "sign-in/x",
            "a/b",
        ] {
            assert_eq!(PageUrl::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_preview_replaces_the_default_head_and_escapes_html() {
        let index = "<html><head><meta name=\"description\" content=\"x\" /><title>Quadrex</title></head><body></body></html>";
        let head = Head {
            title: "\"><script>alert('&')</script>".to_owned(),
            ..Head::general(Language::of(&HeaderMap::new()), String::new(), "t/1".to_owned())
        };
        let page = head.fill(index, "https://chess.example");
        assert_eq!(page.matches("<title>").count(), 1);
        assert_eq!(page.matches("name=\"description\"").count(), 1);
        assert!(!page.contains("<script>") && page.contains("&quot;&gt;&lt;script&gt;"), "{page}");
        assert!(page.contains(
            "<meta property=\"og:image\" content=\"https://chess.example/pictures/position.card.png\" />"
        ));
        assert!(page.contains("<link rel=\"canonical\" href=\"https://chess.example/t/1\" />"));
        assert!(page.ends_with("</head><body></body></html>"));
        let missing = Head { path: None, ..head }.fill(index, "https://chess.example");
        assert!(missing.contains("noindex") && !missing.contains("og:"), "{missing}");
        assert_eq!(empty_head().fill("no page at all", ""), "no page at all");
    }

    fn empty_head() -> Head {
        Head::general(Language::of(&HeaderMap::new()), String::new(), String::new())
    }

    #[test]
    fn only_a_player_alone_in_first_place_is_a_winner() {
        use quadrex_rules::{Color, Reason};
        let user = |name: &str| {
            Some(UserView {
                id: UserId(Default::default()),
                name: name.to_owned(),
                account: false,
                bot: None,
                anonymous: false,
            })
        };
        let seat = |color: Color, name| SeatView {
            color,
            side: color.side().into(),
            user: user(name),
            substitute: None,
        };
        let seats = [seat(Color::White, "Ada"), seat(Color::Black, "Ben")];
        let ended = |white, black| OutcomeView {
            reason: Reason::Mate,
            places: [(Color::White, white), (Color::Black, black)].into(),
        };
        assert_eq!(winner(&ended(2, 1), &seats).map(|user| user.name.as_str()), Some("Ben"));
        assert_eq!(winner(&ended(1, 1), &seats), None);
        assert_eq!(names(Language::of(&HeaderMap::new()), &seats), "Ada – Ben");
    }
}
