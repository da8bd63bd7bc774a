//! What other sites and search engines are told of a page of the client: its title, a sentence, a picture. The same for
//! everybody, so of what not everybody may see it tells nothing.

use std::fmt::Write;

use axum::http::HeaderMap;
use quadrex_protocol::view::{OutcomeView, Phase, SeatView, UserView};
use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::Variant;

use super::app::App;
use crate::auth::{Action, Identity, Key};
use crate::position_view;

/// A place of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place<'a> {
    /// The lobby.
    Lobby,
    /// A table.
    Table(TableId),
    /// A match.
    Match(MatchId),
    /// Somebody.
    User(UserId),
    /// One of the pages that are always the same: its path and its title.
    Fixed(&'a str, &'static str),
    /// None: there is nothing here.
    Nowhere,
}

/// What stands at the head of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Head {
    title: String,
    description: String,
    /// The path of its picture.
    picture: String,
    /// Its own path; none where there is nothing to be found.
    path: Option<String>,
}

/// What a page says that has nothing of its own to say.
const DESCRIPTION: &str = "Four-player and classic chess for people and programs";
const PICTURE: &str = "/pictures/position.card.png";

impl<'a> Place<'a> {
    /// The place that a path names, without the stroke it begins with.
    pub(super) fn of(path: &'a str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        match path.split_once('/') {
            None => match path {
                "" | "index.html" => Some(Self::Lobby),
                "archive" => Some(Self::Fixed(path, "Archive")),
                "analysis" => Some(Self::Fixed(path, "Analysis")),
                "rules" => Some(Self::Fixed(path, "Rules")),
                "settings" => Some(Self::Fixed(path, "Settings")),
                _ => None,
            },
            Some(("t", id)) => id.parse().ok().map(Self::Table),
            Some(("m", id)) => id.parse().ok().map(Self::Match),
            Some(("u", id)) => id.parse().ok().map(Self::User),
            Some(("rules", chapter)) => {
                let letter = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
                let is_chapter = !chapter.is_empty() && chapter.bytes().all(letter);
                is_chapter.then_some(Self::Fixed(path, "Rules"))
            }
            Some(_) => None,
        }
    }
}

impl App {
    /// The client's page with the head of a place.
    pub(super) async fn page_of(&self, place: Place<'_>, index: &str, headers: &HeaderMap) -> String {
        let head = match place {
            Place::Lobby => Head::plain("Quadrex".to_owned(), String::new()),
            Place::Fixed(path, title) => Head::plain(format!("{title} · Quadrex"), path.to_owned()),
            Place::Table(table) => self.head_of_table(table).await,
            Place::Match(match_id) => self.head_of_match(match_id).await,
            Place::User(user) => self.head_of_user(user).await,
            Place::Nowhere => {
                Head { path: None, ..Head::plain("Not here · Quadrex".to_owned(), String::new()) }
            }
        };
        head.fill(index, &self.origins.of(headers))
    }

    /// Of a table that cannot be found or seen, or not now, nothing is told.
    async fn head_of_table(&self, table: TableId) -> Head {
        let mut head = Head::plain("Table · Quadrex".to_owned(), format!("t/{table}"));
        head.picture = format!("/pictures/table/{table}.card.png");
        let watch = Action::Watch { key: Key::None };
        let Ok(handle) = self.table_for(&Identity::Anonymous, table, watch).await else { return head };
        let summary = handle.glance().summary;
        let game = name_of(summary.settings.variant);
        let taken = summary.seats.iter().filter(|seat| seat.user.is_some()).count();
        let seats = summary.seats.len();
        head.title = match summary.phase {
            Phase::Open => format!("{game}: {} of {seats} seats free · Quadrex", seats - taken),
            Phase::Running | Phase::Ended => format!("{} · Quadrex", names(&summary.seats)),
        };
        head.description = match summary.phase {
            Phase::Open => format!("{} waits for players at a table of {game}.", summary.host.name),
            Phase::Running => format!("{game}, live: {} moves so far.", summary.plies),
            Phase::Ended => format!("{game}: over after {} moves.", summary.plies),
        };
        head
    }

    async fn head_of_match(&self, match_id: MatchId) -> Head {
        let mut head = Head::plain("Match · Quadrex".to_owned(), format!("m/{match_id}"));
        head.picture = format!("/pictures/match/{match_id}.card.png");
        let found = self.match_for(&Identity::Anonymous, &match_id.to_string()).await;
        let Ok((table, _)) = found else { return head };
        let told = self.read_match(table, match_id, |history| {
            let state = history.state();
            let view = |seat: &crate::table::Seat| SeatView {
                color: seat.color,
                side: seat.color.side().into(),
                user: seat.holder.clone(),
            };
            let seats: Vec<SeatView> = state.seats().iter().map(view).collect();
            let outcome = state.game().and_then(position_view::outcome);
            (seats, state.terms().settings.variant, state.plies(), outcome)
        });
        let Ok((seats, variant, plies, outcome)) = told.await else { return head };
        let game = name_of(variant);
        head.title = format!("{} · Quadrex", names(&seats));
        head.description = match outcome.as_ref().and_then(|outcome| winner(outcome, &seats)) {
            Some(UserView { name, .. }) => format!("{game}: {name} won after {plies} moves. Play it over."),
            None if outcome.is_some() => format!("{game}: a draw after {plies} moves. Play it over."),
            None => format!("{game}, {plies} moves."),
        };
        head
    }

    async fn head_of_user(&self, user: UserId) -> Head {
        let head = Head::plain("Player · Quadrex".to_owned(), format!("u/{user}"));
        match self.guests.find(user).await {
            Ok(Some(user)) => Head {
                title: format!("{} · Quadrex", user.name),
                description: format!("Matches and standings of {}.", user.name),
                ..head
            },
            Ok(None) | Err(_) => head,
        }
    }
}

/// What people call the game.
const fn name_of(variant: Variant) -> &'static str {
    match variant {
        Variant::Classic => "Classic chess",
        Variant::Dilkel => "Dilkel Checkmates",
        Variant::DilkelCompact => "Dilkel Checkmates on the small board",
    }
}

/// The players' names in turn order.
fn names(seats: &[SeatView]) -> String {
    let names = seats.iter().map(|seat| seat.user.as_ref().map_or("?", |user| user.name.as_str()));
    names.collect::<Vec<_>>().join(" – ")
}

/// Who has the first place alone.
fn winner<'a>(outcome: &OutcomeView, seats: &'a [SeatView]) -> Option<&'a UserView> {
    let mut first = outcome.places.iter().filter(|(_, place)| **place == 1).map(|(color, _)| *color);
    let (Some(color), None) = (first.next(), first.next()) else { return None };
    seats.iter().find(|seat| seat.color == color)?.user.as_ref()
}

impl Head {
    fn plain(title: String, path: String) -> Self {
        Self { title, description: DESCRIPTION.to_owned(), picture: PICTURE.to_owned(), path: Some(path) }
    }

    /// Puts it into the client's page, in place of the title and the description that stand there.
    fn fill(&self, index: &str, origin: &str) -> String {
        let (title, description) = (escape(&self.title), escape(&self.description));
        let picture = escape(&format!("{origin}{}", self.picture));
        let mut lines =
            format!("<title>{title}</title>\n    <meta name=\"description\" content=\"{description}\" />");
        let mut meta = |kind: &str, name: &str, content: &str| {
            write!(lines, "\n    <meta {kind}=\"{name}\" content=\"{content}\" />")
                .expect("a string takes all");
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
                    .expect("a string takes all");
            }
            None => meta("name", "robots", "noindex"),
        }
        let bare = without(&without(index, "<title>", "</title>"), "<meta name=\"description\"", ">");
        bare.replacen("</head>", &format!("  {lines}\n  </head>"), 1)
    }
}

/// A text without the first part that begins and ends so.
fn without(text: &str, begin: &str, end: &str) -> String {
    let cut = text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    cut.map_or_else(|| text.to_owned(), |(before, after)| format!("{before}{after}"))
}

/// A text as it may stand in HTML, also within quotes.
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
    fn only_the_clients_own_places_are_pages() {
        let id = "0192f0c1-2345-7000-8000-000000000000";
        for page in [
            "",
            "index.html",
            "archive",
            "archive/",
            "analysis",
            "rules",
            "rules/",
            "rules/going-out",
            "settings",
        ] {
            assert!(Place::of(page).is_some(), "{page}");
        }
        for place in ["t", "m", "u"] {
            assert!(Place::of(&format!("{place}/{id}")).is_some(), "{place}");
            for wrong in
                [format!("{place}/"), format!("{place}/7"), format!("{place}/{id}/x"), place.to_owned()]
            {
                assert_eq!(Place::of(&wrong), None, "{wrong}");
            }
        }
        for other in
            ["x", "assets/", "../Cargo.toml", "rules/a/b", "rules/../x", "rules//", "archive/x", "a/b"]
        {
            assert_eq!(Place::of(other), None, "{other}");
        }
    }

    #[test]
    fn a_head_takes_the_place_of_the_plain_one_and_lets_nobody_write_html() {
        let index = "<html><head><meta name=\"description\" content=\"x\" /><title>Quadrex</title></head><body></body></html>";
        let head = Head {
            title: "\"><script>alert('&')</script>".to_owned(),
            ..Head::plain(String::new(), "t/1".to_owned())
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
        let nowhere = Head { path: None, ..head }.fill(index, "https://chess.example");
        assert!(nowhere.contains("noindex") && !nowhere.contains("og:"), "{nowhere}");
        assert_eq!(head_of_nothing().fill("no page at all", ""), "no page at all");
    }

    fn head_of_nothing() -> Head {
        Head::plain(String::new(), String::new())
    }

    #[test]
    fn who_is_first_alone_has_won() {
        use quadrex_rules::{Color, Reason};
        let user = |name: &str| Some(UserView { id: UserId(Default::default()), name: name.to_owned() });
        let seat = |color: Color, name| SeatView { color, side: color.side().into(), user: user(name) };
        let seats = [seat(Color::White, "Ada"), seat(Color::Black, "Ben")];
        let ended = |white, black| OutcomeView {
            reason: Reason::Mate,
            places: [(Color::White, white), (Color::Black, black)].into(),
        };
        assert_eq!(winner(&ended(2, 1), &seats).map(|user| user.name.as_str()), Some("Ben"));
        assert_eq!(winner(&ended(1, 1), &seats), None);
        assert_eq!(names(&seats), "Ada – Ben");
    }
}
