//! The ranges of all numbers in the settings. They are wide enough for every use. They are also
//! narrow enough that nothing overflows, and that a typing error prevents the start instead of
//! overloading the machine.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::{Config, LimitsConfig};

/// A number in the settings: its key, its value in the unit that the key names, and its range.
type Number = (&'static str, u64, RangeInclusive<u64>);

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const DAY_SECONDS: u64 = 86_400;

/// The range of rates and bursts.
const RATE: RangeInclusive<u64> = 1..=1_000_000;

impl Config {
    /// Returns all numbers in the settings.
    pub(super) fn numbers(&self) -> Vec<Number> {
        let Self {
            server,
            database,
            cluster,
            sessions,
            accounts,
            links,
            tables,
            retention,
            notifications,
            mail,
            correspondence,
            fair_play,
            bots,
            analysis,
            reviews,
            limits,
            clocks,
            ..
        } = self;
        let hours = links.lifetime.as_secs() / 3_600;
        let mut numbers = vec![
            ("server.leave_seconds", server.leave.as_secs(), 0..=600),
            ("database.max_connections", database.max_connections.into(), 1..=1_000),
            ("database.append_connections", database.append_connections.into(), 1..=100),
            ("cluster.move_seconds", cluster.move_spread.as_secs(), 0..=50),
            ("sessions.cookie_days", sessions.cookie_lifetime.as_secs() / DAY_SECONDS, 1..=400),
            ("accounts.memory_kib", accounts.memory_kib.into(), 7 * KIB..=MIB),
            ("accounts.iterations", accounts.iterations.into(), 1..=100),
            ("accounts.threads", accounts.threads as u64, 1..=64),
            ("accounts.waiting", accounts.waiting as u64, 0..=10_000),
            ("accounts.rename_days", accounts.rename_interval.as_secs() / DAY_SECONDS, 0..=3_650),
            ("links.lifetime_hours", hours, 1..=u64::from(u16::MAX)),
            ("tables.close_open_seconds", tables.close_open.as_secs(), 0..=30 * DAY_SECONDS),
            ("tables.close_ended_seconds", tables.close_ended.as_secs(), 0..=30 * DAY_SECONDS),
            ("tables.close_asleep_seconds", tables.close_asleep.as_secs(), 0..=30 * DAY_SECONDS),
            ("tables.hibernate_seconds", tables.hibernate.as_secs(), 1..=30 * DAY_SECONDS),
            ("retention.guests_days", retention.guests.as_secs() / DAY_SECONDS, 0..=36_500),
            ("retention.open_tables_days", retention.open_tables.as_secs() / DAY_SECONDS, 0..=3_650),
            ("retention.closed_reports_days", retention.closed_reports.as_secs() / DAY_SECONDS, 0..=36_500),
            ("notifications.delay_seconds", notifications.delay.as_secs(), 0..=3_600),
            ("mail.delay_seconds", mail.delay.as_secs(), 0..=DAY_SECONDS),
            ("correspondence.vacation_days_per_year", correspondence.vacation_days_per_year.into(), 0..=366),
            ("fair_play.recent_matches", fair_play.recent_matches.into(), 0..=100),
            ("fair_play.pair_min_matches", fair_play.pair_min_matches.into(), 1..=10_000),
            ("fair_play.recent_hours", fair_play.recent.as_secs() / 3_600, 0..=8_760),
            ("fair_play.recent_relax_seconds", fair_play.recent_relax.as_secs(), 0..=DAY_SECONDS),
            ("bots.threads", bots.threads as u64, 0..=256),
            ("bots.table_mib", bots.table_mib as u64, 1..=4_096),
            ("bots.think_ms", milliseconds(bots.think), 0..=3_600_000),
            ("bots.min_delay_ms", milliseconds(bots.min_delay), 0..=600_000),
            ("bots.max_delay_ms", milliseconds(bots.max_delay), 0..=600_000),
            ("analysis.places", analysis.places as u64, 0..=10_000),
            ("analysis.think_ms", milliseconds(analysis.think), 0..=3_600_000),
            ("analysis.nodes", analysis.nodes.into(), 1..=4_000_000_000),
            ("analysis.lines", analysis.lines.into(), 1..=100),
            ("analysis.kept", analysis.kept as u64, 0..=1_000_000),
            ("reviews.waiting", reviews.waiting.into(), 0..=1_000_000),
            ("reviews.nodes", reviews.nodes.into(), 1..=1_000_000_000),
            ("reviews.plies", reviews.plies.into(), 1..=100_000),
            ("reviews.automatic_plies", reviews.automatic_plies.into(), 1..=100_000),
            ("clocks.recovery_grace_ms", milliseconds(clocks.recovery_grace), 0..=600_000),
        ];
        let waits = fair_play.leaver_waits.iter().map(|wait| wait.as_secs() / 60);
        numbers.extend(waits.map(|minutes| ("fair_play.leaver_wait_minutes", minutes, 0..=43_200)));
        numbers.extend(of_limits(limits));
        numbers
    }
}

fn of_limits(limits: &LimitsConfig) -> Vec<Number> {
    vec![
        ("limits.connections_per_address", limits.connections_per_address.get().into(), RATE),
        ("limits.bot_matches_per_user", limits.bot_matches_per_user.get().into(), RATE),
        ("limits.bot_matches_per_address", limits.bot_matches_per_address.get().into(), RATE),
        ("limits.frame_bytes", limits.frame_bytes as u64, 1..=MIB),
        ("limits.frame_close_bytes", limits.frame_close_bytes as u64, 1..=16 * MIB),
        ("limits.malformed_in_a_row", limits.malformed_in_a_row.into(), RATE),
        ("limits.player_per_second", limits.player_per_second.get().into(), RATE),
        ("limits.player_burst", limits.player_burst.get().into(), RATE),
        ("limits.watcher_per_second", limits.watcher_per_second.get().into(), RATE),
        ("limits.watcher_burst", limits.watcher_burst.get().into(), RATE),
        ("limits.guests_per_minute", limits.guests_per_minute.get().into(), RATE),
        ("limits.guests_burst", limits.guests_burst.get().into(), RATE),
        ("limits.sign_ins_per_minute", limits.sign_ins_per_minute.get().into(), RATE),
        ("limits.sign_ins_burst", limits.sign_ins_burst.get().into(), RATE),
        ("limits.sign_ins_per_account", limits.sign_ins_per_account.get().into(), RATE),
        ("limits.tables_per_minute", limits.tables_per_minute.get().into(), RATE),
        ("limits.tables_burst", limits.tables_burst.get().into(), RATE),
        ("limits.links_per_minute", limits.links_per_minute.get().into(), RATE),
        ("limits.links_burst", limits.links_burst.get().into(), RATE),
        ("limits.reports_per_hour", limits.reports_per_hour.get().into(), RATE),
        ("limits.mails_per_day", limits.mails_per_day.get().into(), RATE),
        ("limits.links_per_table", limits.links_per_table.get().into(), RATE),
        ("limits.explore_plies", limits.explore_plies as u64, 1..=100_000),
        ("limits.explore_bytes", limits.explore_bytes as u64, 1..=16 * MIB),
        ("limits.explore_per_minute", limits.explore_per_minute.get().into(), RATE),
        ("limits.explore_burst", limits.explore_burst.get().into(), RATE),
        ("limits.analyses_per_minute", limits.analyses_per_minute.get().into(), RATE),
        ("limits.analyses_burst", limits.analyses_burst.get().into(), RATE),
        ("limits.pictures_per_minute", limits.pictures_per_minute.get().into(), RATE),
        ("limits.pictures_burst", limits.pictures_burst.get().into(), RATE),
        ("limits.archive_per_minute", limits.archive_per_minute.get().into(), RATE),
        ("limits.archive_burst", limits.archive_burst.get().into(), RATE),
        ("limits.picture_cache_bytes", limits.picture_cache_bytes as u64, 0..=KIB * MIB),
        ("limits.queue_frames", limits.queue_frames as u64, 1..=1_000_000),
        ("limits.queue_bytes", limits.queue_bytes as u64, 1..=256 * MIB),
        ("limits.resync_events", limits.resync_events, 0..=100_000),
        ("limits.ping_seconds", limits.ping.as_secs(), 1..=3_600),
        ("limits.dead_seconds", limits.dead.as_secs(), 1..=DAY_SECONDS),
    ]
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
