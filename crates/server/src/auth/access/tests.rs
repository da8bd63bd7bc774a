use std::fmt::Write;

use quadrex_protocol::TableId;
use uuid::Uuid;

use super::*;
use crate::auth::Rights;
use quadrex_store::{SecretHash, User};

const HOST: UserId = UserId(Uuid::from_u128(1));
const SEATED: UserId = UserId(Uuid::from_u128(2));
const STRANGER: UserId = UserId(Uuid::from_u128(3));
const KICKED: UserId = UserId(Uuid::from_u128(4));
const HERE: TableId = TableId(Uuid::from_u128(10));
const ELSEWHERE: TableId = TableId(Uuid::from_u128(11));

fn user(id: UserId) -> Identity {
    with_rights(id, Rights::All)
}

fn with_rights(id: UserId, rights: Rights) -> Identity {
    let created_at = Timestamp::from_millis(0);
    let user = User { id, name: "Quiet Otter".into(), created_at, account: false, bot: None };
    Identity::User { user, rights, suspension: None }
}

fn identities() -> [(&'static str, Identity); 5] {
    [
        ("anonymous", Identity::Anonymous),
        ("stranger", user(STRANGER)),
        ("seated", user(SEATED)),
        ("host", user(HOST)),
        ("kicked", user(KICKED)),
    ]
}

fn keys() -> [(&'static str, Key); 7] {
    [
        ("no key", Key::None),
        ("wrong", Key::Wrong),
        ("spent", Key::Spent),
        ("watch link", Key::Watch),
        ("invite", Key::Invite { seat: None }),
        ("blue's invite", Key::Invite { seat: Some(Color::Blue) }),
        ("member", Key::Member),
    ]
}

fn actions() -> Vec<(String, Action)> {
    let mut actions =
        vec![("list".to_owned(), Action::List), ("see".to_owned(), Action::See { key: Key::None })];
    actions.extend(keys().map(|(name, key)| (format!("watch, {name}"), Action::Watch { key })));
    for (wish, seat) in [("any", None), ("red", Some(Color::Red)), ("blue", Some(Color::Blue))] {
        actions.extend(keys().map(|(name, key)| (format!("sit {wish}, {name}"), Action::Sit { seat, key })));
    }
    let others = [
        ("replay", Action::Replay { shared: false, key: Key::None }),
        ("replay, shared", Action::Replay { shared: true, key: Key::None }),
        ("see, member", Action::See { key: Key::Member }),
        ("replay, member", Action::Replay { shared: false, key: Key::Member }),
        ("share", Action::Share),
        ("play", Action::Play),
        ("chat", Action::Chat { watches: false }),
        ("chat, watching", Action::Chat { watches: true }),
        ("invite", Action::Invite),
        ("kick", Action::Kick),
    ];
    actions.extend(others.map(|(name, action)| (name.to_owned(), action)));
    actions
}

/// Returns a table of this privacy that as many users may watch as the privacy allows.
fn facts(privacy: Privacy) -> TableFacts<'static> {
    let watchers = if privacy == Privacy::Public { Watchers::Everybody } else { Watchers::Link };
    TableFacts { host: HOST, privacy, watchers, seated: &[SEATED], kicked: &[KICKED] }
}

fn short(access: Access) -> &'static str {
    match access {
        Access::Allow => "yes",
        Access::Hidden => "404",
        Access::Refused(Denial::SignIn) => "sign-in",
        Access::Refused(Denial::NotHost) => "not-host",
        Access::Refused(Denial::NotSeated) => "no-seat",
        Access::Refused(Denial::LinkNeeded) => "link",
        Access::Refused(Denial::Unwatched) => "unwatched",
        Access::Refused(Denial::NotWatching) => "no-watch",
        Access::Refused(Denial::BadInvite) => "bad-invite",
        Access::Refused(Denial::LinkEnded) => "link-ended",
        Access::Refused(Denial::Kicked) => "kicked",
        Access::Refused(Denial::MissingScope(_)) => "scope",
        Access::Refused(Denial::Token) => "token",
    }
}

/// Every identity with every action, at a public and at a private table. The expected table is the
/// specification: a difference is a decision about rights.
#[test]
fn every_identity_with_every_action_at_every_privacy() {
    let mut matrix = String::from("\n");
    for privacy in [Privacy::Public, Privacy::Private] {
        let table = facts(privacy);
        let names = identities().map(|(name, _)| name);
        let title = if privacy == Privacy::Public { "public" } else { "private" };
        let [a, b, c, d, e] = names;
        writeln!(matrix, "{title:<24}{a:<12}{b:<12}{c:<12}{d:<12}{e}").unwrap();
        for (name, action) in actions() {
            let decided = identities().map(|(_, identity)| short(authorize(&identity, &table, action)));
            let [a, b, c, d, e] = decided;
            writeln!(matrix, "{name:<24}{a:<12}{b:<12}{c:<12}{d:<12}{e}").unwrap();
        }
    }
    assert_eq!(matrix, EXPECTED, "got:{matrix}");
}

const EXPECTED: &str = "
public                  anonymous   stranger    seated      host        kicked
list                    yes         yes         yes         yes         yes
see                     yes         yes         yes         yes         yes
watch, no key           yes         yes         yes         yes         yes
watch, wrong            yes         yes         yes         yes         yes
watch, spent            yes         yes         yes         yes         yes
watch, watch link       yes         yes         yes         yes         yes
watch, invite           yes         yes         yes         yes         yes
watch, blue's invite    yes         yes         yes         yes         yes
watch, member           yes         yes         yes         yes         yes
sit any, no key         sign-in     yes         yes         yes         kicked
sit any, wrong          sign-in     bad-invite  bad-invite  bad-invite  kicked
sit any, spent          sign-in     bad-invite  bad-invite  bad-invite  kicked
sit any, watch link     sign-in     bad-invite  bad-invite  bad-invite  kicked
sit any, invite         sign-in     yes         yes         yes         kicked
sit any, blue's invite  sign-in     yes         yes         yes         kicked
sit any, member         sign-in     yes         yes         yes         kicked
sit red, no key         sign-in     yes         yes         yes         kicked
sit red, wrong          sign-in     bad-invite  bad-invite  bad-invite  kicked
sit red, spent          sign-in     bad-invite  bad-invite  bad-invite  kicked
sit red, watch link     sign-in     bad-invite  bad-invite  bad-invite  kicked
sit red, invite         sign-in     yes         yes         yes         kicked
sit red, blue's invite  sign-in     bad-invite  bad-invite  bad-invite  kicked
sit red, member         sign-in     yes         yes         yes         kicked
sit blue, no key        sign-in     yes         yes         yes         kicked
sit blue, wrong         sign-in     bad-invite  bad-invite  bad-invite  kicked
sit blue, spent         sign-in     bad-invite  bad-invite  bad-invite  kicked
sit blue, watch link    sign-in     bad-invite  bad-invite  bad-invite  kicked
sit blue, invite        sign-in     yes         yes         yes         kicked
sit blue, blue's invite sign-in     yes         yes         yes         kicked
sit blue, member        sign-in     yes         yes         yes         kicked
replay                  yes         yes         yes         yes         yes
replay, shared          yes         yes         yes         yes         yes
see, member             yes         yes         yes         yes         yes
replay, member          yes         yes         yes         yes         yes
share                   sign-in     no-seat     yes         no-seat     kicked
play                    sign-in     no-seat     yes         no-seat     kicked
chat                    sign-in     no-watch    yes         no-watch    kicked
chat, watching          sign-in     yes         yes         yes         kicked
invite                  sign-in     not-host    not-host    yes         kicked
kick                    sign-in     not-host    not-host    yes         kicked
private                 anonymous   stranger    seated      host        kicked
list                    404         404         404         404         404
see                     404         404         yes         yes         404
watch, no key           404         404         yes         yes         404
watch, wrong            404         404         yes         yes         404
watch, spent            bad-invite  bad-invite  yes         yes         404
watch, watch link       yes         yes         yes         yes         404
watch, invite           yes         yes         yes         yes         404
watch, blue's invite    yes         yes         yes         yes         404
watch, member           yes         yes         yes         yes         404
sit any, no key         404         404         yes         yes         404
sit any, wrong          404         404         bad-invite  bad-invite  404
sit any, spent          sign-in     bad-invite  bad-invite  bad-invite  404
sit any, watch link     sign-in     bad-invite  bad-invite  bad-invite  404
sit any, invite         sign-in     yes         yes         yes         404
sit any, blue's invite  sign-in     yes         yes         yes         404
sit any, member         sign-in     yes         yes         yes         404
sit red, no key         404         404         yes         yes         404
sit red, wrong          404         404         bad-invite  bad-invite  404
sit red, spent          sign-in     bad-invite  bad-invite  bad-invite  404
sit red, watch link     sign-in     bad-invite  bad-invite  bad-invite  404
sit red, invite         sign-in     yes         yes         yes         404
sit red, blue's invite  sign-in     bad-invite  bad-invite  bad-invite  404
sit red, member         sign-in     yes         yes         yes         404
sit blue, no key        404         404         yes         yes         404
sit blue, wrong         404         404         bad-invite  bad-invite  404
sit blue, spent         sign-in     bad-invite  bad-invite  bad-invite  404
sit blue, watch link    sign-in     bad-invite  bad-invite  bad-invite  404
sit blue, invite        sign-in     yes         yes         yes         404
sit blue, blue's invite sign-in     yes         yes         yes         404
sit blue, member        sign-in     yes         yes         yes         404
replay                  404         404         yes         yes         404
replay, shared          yes         yes         yes         yes         404
see, member             yes         yes         yes         yes         404
replay, member          yes         yes         yes         yes         404
share                   404         404         yes         no-seat     404
play                    404         404         yes         no-seat     404
chat                    404         404         yes         no-watch    404
chat, watching          sign-in     yes         yes         yes         404
invite                  404         404         not-host    yes         404
kick                    404         404         not-host    yes         404
";

/// The rights to watch under each setting. A private table that everybody may watch is refused when
/// it is created, so this combination is not tested.
#[test]
fn the_watchers_setting_decides_the_right_to_watch() {
    let mut matrix = String::from("\n");
    for (privacy, watchers) in [
        (Privacy::Public, Watchers::Link),
        (Privacy::Public, Watchers::Nobody),
        (Privacy::Private, Watchers::Nobody),
    ] {
        let table = TableFacts { watchers, ..facts(privacy) };
        writeln!(matrix, "{privacy:?}, {watchers:?}").unwrap();
        let watch = keys().map(|(name, key)| (name, Action::Watch { key }));
        let replay = [false, true].map(|shared| {
            (if shared { "shared" } else { "replay" }, Action::Replay { shared, key: Key::None })
        });
        for (name, action) in watch.into_iter().chain(replay) {
            let decided = identities().map(|(_, identity)| short(authorize(&identity, &table, action)));
            let [a, b, c, d, e] = decided;
            writeln!(matrix, "{name:<16}{a:<12}{b:<12}{c:<12}{d:<12}{e}").unwrap();
        }
    }
    assert_eq!(matrix, WATCHERS, "got:{matrix}");
}

const WATCHERS: &str = "
Public, Link
no key          link        link        yes         yes         kicked
wrong           bad-invite  bad-invite  yes         yes         kicked
spent           bad-invite  bad-invite  yes         yes         kicked
watch link      yes         yes         yes         yes         kicked
invite          yes         yes         yes         yes         kicked
blue's invite   yes         yes         yes         yes         kicked
member          yes         yes         yes         yes         kicked
replay          link        link        yes         yes         kicked
shared          yes         yes         yes         yes         kicked
Public, Nobody
no key          unwatched   unwatched   yes         yes         unwatched
wrong           unwatched   unwatched   yes         yes         unwatched
spent           unwatched   unwatched   yes         yes         unwatched
watch link      unwatched   unwatched   yes         yes         unwatched
invite          unwatched   unwatched   yes         yes         unwatched
blue's invite   unwatched   unwatched   yes         yes         unwatched
member          unwatched   unwatched   yes         yes         unwatched
replay          unwatched   unwatched   yes         yes         unwatched
shared          yes         yes         yes         yes         unwatched
Private, Nobody
no key          404         404         yes         yes         404
wrong           404         404         yes         yes         404
spent           unwatched   unwatched   yes         yes         404
watch link      unwatched   unwatched   yes         yes         404
invite          unwatched   unwatched   yes         yes         404
blue's invite   unwatched   unwatched   yes         yes         404
member          unwatched   unwatched   yes         yes         404
replay          404         404         yes         yes         404
shared          yes         yes         yes         yes         404
";

/// A user who has left and is not the host has the rights of a stranger.
#[test]
fn a_user_who_left_is_a_stranger() {
    for privacy in [Privacy::Public, Privacy::Private] {
        for watchers in [Watchers::Link, Watchers::Nobody] {
            let table = TableFacts { watchers, ..facts(privacy) };
            for (name, action) in actions() {
                let stranger = authorize(&user(STRANGER), &table, action);
                for parted in [SEATED, HOST] {
                    assert_eq!(authorize_bystander(&user(parted), &table, action), stranger, "{name}");
                }
            }
        }
    }
}

/// No link readmits a kicked user. A private table is hidden from the user; a public table may be
/// watched if everybody may watch it.
#[test]
fn a_kicked_user_is_refused_with_every_link() {
    for (name, action) in actions() {
        let at = |table| short(authorize(&user(KICKED), &table, action));
        assert_eq!(at(facts(Privacy::Private)), "404", "{name}");
        let (everybody, by_link) = match action {
            Action::List | Action::See { .. } => ("yes", "yes"),
            Action::Watch { .. } | Action::Replay { .. } => ("yes", "kicked"),
            _ => ("kicked", "kicked"),
        };
        assert_eq!(at(facts(Privacy::Public)), everybody, "{name}");
        assert_eq!(at(TableFacts { watchers: Watchers::Link, ..facts(Privacy::Public) }), by_link, "{name}");
    }
}

/// Without a link, a private table is hidden from everybody but its host and its seated users, for
/// every action.
#[test]
fn a_private_table_is_hidden_without_a_link() {
    let table = facts(Privacy::Private);
    for (name, action) in actions() {
        let keyless = match action {
            Action::Watch { key } | Action::Sit { key, .. } => matches!(key, Key::None | Key::Wrong),
            Action::Replay { shared, key } => !shared && key == Key::None,
            Action::See { key } => key == Key::None,
            Action::List | Action::Share | Action::Play | Action::Invite | Action::Kick | Action::AddBot => {
                true
            }
            Action::Chat { watches } => !watches,
        };
        for identity in [Identity::Anonymous, user(STRANGER)] {
            if keyless {
                assert_eq!(authorize(&identity, &table, action), Access::Hidden, "{name}");
            }
        }
    }
}

#[test]
fn a_link_gives_its_right_until_it_is_used() {
    let (now, later) = (Timestamp::from_millis(1_000), Timestamp::from_millis(2_000));
    let invite = |uses| LinkPurpose::Invite { seat: Some(Color::Red), uses };
    let link = |purpose, used_by| Link {
        secret: SecretHash([0; 32]),
        table: HERE,
        purpose,
        created_at: Timestamp::from_millis(0),
        expires_at: later,
        used_by,
    };
    let worth = |link: &Link, by| Key::of(Some(link), HERE, by, now);
    let opens = Key::Invite { seat: Some(Color::Red) };

    assert_eq!(Key::of(None, HERE, None, now), Key::Wrong);
    let watch = link(LinkPurpose::Watch, None);
    assert_eq!(Key::of(Some(&watch), ELSEWHERE, None, now), Key::Wrong);
    assert_eq!(worth(&watch, None), Key::Watch);
    assert_eq!(Key::of(Some(&watch), HERE, None, later), Key::Spent);

    assert_eq!(worth(&link(invite(Uses::Single), None), Some(STRANGER)), opens);
    let used = link(invite(Uses::Single), Some(SEATED));
    assert_eq!(worth(&used, Some(SEATED)), opens, "who used it may come back with it");
    assert_eq!(worth(&used, Some(STRANGER)), Key::Spent);
    assert_eq!(worth(&used, None), Key::Spent);
    assert_eq!(worth(&link(invite(Uses::Open), Some(SEATED)), Some(STRANGER)), opens);
}

/// A token is refused what its scopes do not allow, and only if its user may do it. So it does not
/// reveal hidden tables.
#[test]
fn a_token_may_do_what_its_scopes_and_its_user_allow() {
    let facts = TableFacts {
        host: HOST,
        privacy: Privacy::Private,
        watchers: Watchers::Everybody,
        seated: &[SEATED],
        kicked: &[],
    };
    for scope in TokenScope::ALL {
        for (name, action) in actions() {
            for id in [HOST, SEATED, STRANGER] {
                let of_user = authorize(&user(id), &facts, action);
                let rights = Rights::with_scopes(&[scope]);
                let expected = match (of_user, rights.check(action.scope())) {
                    (Access::Allow, Err(missing)) => Access::Refused(missing),
                    (of_user, _) => of_user,
                };
                assert_eq!(authorize(&with_rights(id, rights), &facts, action), expected, "{scope}: {name}");
            }
        }
    }
    let reader = with_rights(SEATED, Rights::with_scopes(&[TokenScope::Read]));
    let missing = Access::Refused(Denial::MissingScope(TokenScope::Play));
    assert_eq!(authorize(&reader, &facts, Action::Play), missing);
    assert_eq!(authorize(&reader, &facts, Action::Watch { key: Key::None }), Access::Allow);
}
