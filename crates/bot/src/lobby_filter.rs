//! The choice of a table among the public tables in the lobby.

use std::collections::BTreeSet;

use quadrex_protocol::http::TableSummary;
use quadrex_protocol::settings::{Admission, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Variant;

/// The criteria by which a bot chooses tables in the lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LobbyFilter {
    /// The accepted variants.
    pub variants: Vec<Variant>,
    /// The only accepted time control. `None` accepts all except correspondence.
    pub time: Option<TimeSetting>,
}

impl LobbyFilter {
    /// Returns the best table to join: the table with the fewest open seats. If several tables have
    /// the same number of open seats, returns the oldest of these tables.
    pub(crate) fn best_table<'a>(
        &self,
        tables: impl Iterator<Item = &'a TableSummary>,
        me: UserId,
        excluded: &BTreeSet<TableId>,
    ) -> Option<TableId> {
        let fitting = tables.filter(|table| !excluded.contains(&table.table) && self.fits(table, me));
        let open = |table: &TableSummary| table.seats.iter().filter(|seat| seat.user.is_none()).count();
        fitting.min_by_key(|table| (open(table), table.created_at_ms)).map(|table| table.table)
    }

    /// Returns true if the bot may join a table.
    fn fits(&self, table: &TableSummary, me: UserId) -> bool {
        let TableSummary { settings, phase, seats, .. } = table;
        let has_accepted_time = match self.time {
            Some(time) => settings.time == time,
            None => !matches!(settings.time, TimeSetting::Correspondence { .. }),
        };
        let is_seated = seats.iter().any(|seat| seat.user.as_ref().is_some_and(|user| user.id == me));
        let is_open = *phase == Phase::Open && seats.iter().any(|seat| seat.user.is_none());
        let may_join = settings.admission == Admission::Open && !settings.rated && !settings.hotseat;
        has_accepted_time && is_open && may_join && !is_seated && self.variants.contains(&settings.variant)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ME: &str = "0192f0c1-2345-7000-8000-0000000000ff";

    /// Returns a table with this number at the end of its id and with `open` open seats.
    fn table(number: u32, open: usize, settings: serde_json::Value) -> TableSummary {
        let mut all = json!({
            "variant": "classic", "privacy": "public", "time": {"kind": "none"}, "draws": "claim", "absence": "eliminate",
            "watchers": "everybody", "chat": "on", "admission": "open", "rated": false, "seating": "chosen", "hotseat": false,
        });
        for (key, value) in settings.as_object().unwrap() {
            all[key] = value.clone();
        }
        let user = json!({"id": "0192f0c1-2345-7000-8000-0000000000aa", "name": "Ada"});
        let seat = |at: usize| {
            let (color, side) = [("white", "south"), ("black", "north")][at];
            json!({"color": color, "side": side, "user": if at < open { json!(null) } else { user.clone() }})
        };
        let table = json!({
            "table": format!("0192f0c1-2345-7000-8000-{number:012x}"), "settings": all, "host": user, "phase": "open",
            "seats": [seat(0), seat(1)], "plies": 0, "created_at_ms": number,
        });
        serde_json::from_value(table).unwrap()
    }

    fn best_table(tables: &[TableSummary], time: Option<TimeSetting>, excluded: &[u32]) -> Option<u32> {
        let excluded = excluded.iter().map(|&number| table(number, 0, json!({})).table).collect();
        let filter = LobbyFilter { variants: vec![Variant::Classic], time };
        let found = filter.best_table(tables.iter(), ME.parse().unwrap(), &excluded)?;
        tables.iter().find(|table| table.table == found).map(|table| table.created_at_ms as u32)
    }

    #[test]
    fn the_best_table_has_the_fewest_open_seats() {
        let tables =
            [table(1, 2, json!({})), table(2, 1, json!({})), table(3, 1, json!({})), table(4, 0, json!({}))];
        assert_eq!(best_table(&tables, None, &[]), Some(2));
        assert_eq!(best_table(&tables, None, &[2]), Some(3));
        assert_eq!(best_table(&tables, None, &[2, 3, 1]), None);
    }

    #[test]
    fn unsuitable_tables_are_ignored() {
        for wrong in [
            json!({"variant": "dilkel"}),
            json!({"admission": "invite"}),
            json!({"rated": true}),
            json!({"hotseat": true}),
            json!({"time": {"kind": "correspondence", "days": 3}}),
        ] {
            assert_eq!(best_table(&[table(1, 1, wrong.clone())], None, &[]), None, "{wrong}");
        }
        let days = json!({"time": {"kind": "correspondence", "days": 3}});
        let wanted = Some(TimeSetting::Correspondence { days: 3 });
        assert_eq!(best_table(&[table(1, 1, days), table(2, 1, json!({}))], wanted, &[]), Some(1));
    }
}
