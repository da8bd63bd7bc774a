//! The people who come to one table: its host, players, watchers and strangers.

use std::time::Duration;

use quadrex_protocol::http::{CreateTable, QuickJoin};
use quadrex_protocol::settings::{Absence, Privacy, TimeSetting};
use quadrex_rules::Variant;
use quadrex_runtime::simulation::Process;
use quadrex_tests::Guest;

use crate::chance::Chance;
use crate::client::{Habits, ListWatcher, Place, Player, Stranger, Ticket, Watcher};
use crate::scenario::{Pace, Scenario};

/// The kind of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Casual,
    /// A table for accounts, whose results change ratings.
    Rated,
    /// A table that only people with a link find.
    Private,
    /// A private table at which a user can hold several seats.
    Hotseat,
    /// Players who let the server find a table.
    QuickJoin,
}

/// The people who come to one table.
pub(crate) struct Party {
    kind: Kind,
    table: CreateTable,
    places: Vec<Place>,
    watchers: Vec<Place>,
    stranger: Place,
    list_watcher: Place,
    pace: Pace,
    /// The longest time between two visits of a player; `None` if the players stay.
    between_visits: Option<Duration>,
    /// The number of tables to which one person of each kind comes who does not play.
    tables_per_visitor: u64,
    /// True if the players resign soon, and play again.
    is_restless: bool,
    chance: Chance,
}

impl Party {
    /// Returns a random party. `place` returns the place of a client with this name and number.
    pub(crate) fn new(
        chance: Chance,
        number: u64,
        scenario: &Scenario,
        place: impl Fn(&str, u16) -> Place,
    ) -> Self {
        let &Scenario { pace, watchers, .. } = scenario;
        let kind = match chance.below(10) {
            0 | 1 => Kind::Private,
            2 => Kind::Hotseat,
            3..=5 => Kind::Rated,
            6 if pace == Pace::Quick => Kind::QuickJoin,
            _ => Kind::Casual,
        };
        let table = table(kind, pace, &chance);
        let first = u16::try_from(number * 100).unwrap_or_default();
        let name = |role: &str, client: usize| format!("{role} {}.{}", number + 1, client + 1);
        let number = |client: usize| first + u16::try_from(client).unwrap_or_default();
        // There may be more players than seats.
        let players = table.variant.colors().len() + usize::from(chance.one_in(2));
        Self {
            kind,
            table,
            places: (0..players).map(|client| place(&name("player", client), number(client))).collect(),
            watchers: (0..usize::try_from(watchers).unwrap_or_default())
                .map(|client| place(&name("watcher", client), number(50 + client)))
                .collect(),
            stranger: place(&name("stranger", 0), number(70)),
            list_watcher: place(&name("lists", 0), number(80)),
            pace,
            between_visits: scenario.between_visits(),
            tables_per_visitor: scenario.tables_per_visitor(),
            is_restless: pace == Pace::Quick && chance.one_in(5),
            chance,
        }
    }

    /// Lets everybody come, each as a task of `clients`.
    pub(crate) async fn come(mut self, clients: Process) {
        let mut guests: Vec<Guest> = Vec::new();
        for place in &self.places {
            let Some(guest) = place.guest().await else { return };
            if self.kind == Kind::Rated {
                place.become_account(&guest).await;
            }
            guests.push(guest);
        }
        if self.kind == Kind::QuickJoin {
            return self.join(clients, guests);
        }
        let (Some(host), Some(host_place)) = (guests.first(), self.places.first()) else { return };
        let Some(created) = host_place.create(host, &self.table).await else { return };
        let table = created.table;
        host_place.trace.add(&host_place.name, format_args!("creates table {table} ({:?})", self.kind));
        let (mut invite, mut watch) = (None, None);
        if self.table.privacy == Privacy::Private {
            let members = guests.iter().map(|guest| guest.user.id);
            host_place.auditor.add_private_table(table, members.collect());
            invite = host_place.invite(host, table).await;
            watch = host_place.watch_link(host, table).await;
            if self.chance.one_in(self.tables_per_visitor) {
                clients.spawn(Stranger::new(self.stranger.clone(), table).live());
            }
        }
        if self.chance.one_in(2 * self.tables_per_visitor) {
            let user = self.chance.pick(&guests).unwrap_or(host).clone();
            clients.spawn(ListWatcher::new(self.list_watcher.clone(), user).live());
        }
        for (place, guest) in std::mem::take(&mut self.places).into_iter().zip(guests) {
            let ticket = Ticket { table, secret: invite.clone() };
            let habits = self.habits(&place.chance);
            come_in(&clients, habits, place, guest, ticket);
        }
        for place in self.watchers {
            clients.spawn(Watcher::new(place, Ticket { table, secret: watch.clone() }).live());
        }
    }

    /// Lets the players join by quick joins.
    fn join(mut self, clients: Process, guests: Vec<Guest>) {
        let request = QuickJoin { time: self.table.time, ..QuickJoin::plain(self.table.variant) };
        for (place, guest) in std::mem::take(&mut self.places).into_iter().zip(guests) {
            let (request, tasks, habits) = (request.clone(), clients.clone(), self.habits(&place.chance));
            clients.spawn(async move {
                let Some(joined) = place.quick_join(&guest, &request).await else { return };
                place.trace.add(&place.name, format_args!("joins table {}", joined.table));
                come_in(&tasks, habits, place, guest, Ticket { table: joined.table, secret: None });
            });
        }
    }

    /// Returns the habits of a random player of this party.
    fn habits(&self, chance: &Chance) -> Habits {
        let Self { pace, between_visits, is_restless, .. } = *self;
        let longest_thought = if is_restless { Duration::from_secs(2) } else { pace.longest_thought() };
        Habits {
            think: chance.time(Duration::from_secs(2), longest_thought),
            away: between_visits
                .map(|longest| chance.time(longest.min(Duration::from_hours(1)) / 6, longest)),
            is_hasty: chance.one_in(3),
            doubles: chance.one_in(3),
            is_stale: chance.one_in(4),
            floods: chance.one_in(8),
            leaves: pace != Pace::Daily && chance.one_in(4),
            vanishes: chance.one_in(6),
            changes_mind: chance.one_in(2),
            kicks: chance.one_in(3),
            adds_bots: chance.one_in(6),
            is_restless,
        }
    }
}

/// Lets a player come to a table, sometimes in two tabs.
fn come_in(clients: &Process, habits: Habits, place: Place, guest: Guest, ticket: Ticket) {
    if place.chance.one_in(6) {
        let mut tab = place.clone();
        tab.name = format!("{} tab 2", place.name);
        tab.chance = place.chance.fork();
        clients.spawn(Player::new(tab, guest.clone(), ticket.clone(), habits).live());
    }
    clients.spawn(Player::new(place, guest, ticket, habits).live());
}

/// Returns the settings of a random table of this kind.
fn table(kind: Kind, pace: Pace, chance: &Chance) -> CreateTable {
    let is_small = matches!(kind, Kind::Rated | Kind::QuickJoin) || chance.one_in(3);
    let variant = if is_small { Variant::Classic } else { Variant::Dilkel };
    let is_private = matches!(kind, Kind::Private | Kind::Hotseat);
    let privacy = if is_private { Privacy::Private } else { Privacy::Public };
    let mut table = CreateTable::plain(variant, privacy);
    let fischer = TimeSetting::Fischer {
        base_ms: 60_000 * (1 + chance.below(10)),
        increment_ms: 1_000 * chance.below(10),
    };
    let slow = TimeSetting::Fischer { base_ms: 3_600_000, increment_ms: 60_000 };
    table.time = Some(match chance.below(4) {
        _ if pace == Pace::Daily => TimeSetting::Correspondence { days: 1 },
        0 if kind == Kind::Casual || is_private => TimeSetting::None,
        _ if pace == Pace::Slow => slow,
        1 => TimeSetting::Delay { base_ms: 60_000 * (1 + chance.below(10)), delay_ms: 3_000 },
        _ => fischer,
    });
    table.hotseat = (kind == Kind::Hotseat).then_some(true);
    if kind == Kind::Rated {
        table.rated = Some(true);
    } else {
        table.absence = chance.pick(&[Absence::Eliminate, Absence::Bot]).copied();
    }
    table
}
