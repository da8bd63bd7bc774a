//! The metrics that the parts of the server count. They count for the whole process. Values that
//! are read when somebody requests the metrics are in `app::metrics`.

use std::sync::LazyLock;

use quadrex_metrics::{Counter, CounterBy, Define, Durations, DurationsBy, Gauge, LONG, Part, SHORT};

/// The metrics.
pub(crate) static METRICS: LazyLock<Part<Metrics>> = LazyLock::new(|| Part::new("quadrex", Metrics::new));

/// The counts and durations of a server.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub(crate) commands: Commands,
    pub(crate) connections: Connections,
    pub(crate) matches: Matches,
    pub(crate) cluster: Cluster,
    pub(crate) notifications: Notifications,
    /// The requests that exceeded a limit, by limit.
    pub(crate) limited: CounterBy,
    /// The times that searches waited for a thread, by urgency.
    pub(crate) search_wait: DurationsBy,
    /// The old data that was removed, by kind.
    pub(crate) removed: CounterBy,
    /// The errors of the server that were logged with an id.
    pub(crate) faults: Counter,
    /// The entries of the log, by level.
    pub(crate) log_entries: CounterBy,
    /// The periods in which the process did not run.
    pub(crate) stalls: Counter,
}

/// The commands of clients, and the answers to them.
#[derive(Debug)]
pub(crate) struct Commands {
    /// The durations of commands from the frame to the answer, by outcome.
    pub(crate) duration: DurationsBy,
    /// The refused frames and requests, by the code of the refusal.
    pub(crate) refusals: CounterBy,
    /// The durations of HTTP requests, by the class of the status.
    pub(crate) http_duration: DurationsBy,
}

/// The connections of clients.
#[derive(Debug)]
pub(crate) struct Connections {
    pub(crate) opened: Counter,
    /// The connections that ended, by reason.
    pub(crate) closed: CounterBy,
    /// The connections that were not accepted, by reason.
    pub(crate) refused: CounterBy,
    /// The frames that the socket of a client did not accept at once.
    pub(crate) frames_queued: Counter,
    /// The queued frames that were never sent.
    pub(crate) frames_dropped: Counter,
}

/// The matches and their actors.
#[derive(Debug)]
pub(crate) struct Matches {
    pub(crate) moves: Counter,
    pub(crate) started: Counter,
    /// The ends of matches, by the way in which they ended.
    pub(crate) ended: CounterBy,
    /// The interruptions that the logs of matches record.
    pub(crate) interruptions: Counter,
    pub(crate) actor_panics: Counter,
    pub(crate) unreadable: Counter,
    pub(crate) without_actor: Counter,
    pub(crate) hibernating: Gauge,
}

/// The notifications of users.
#[derive(Debug)]
pub(crate) struct Notifications {
    /// The notifications that their targets have accepted, by channel.
    pub(crate) sent: CounterBy,
    /// The attempts that have failed, by channel.
    pub(crate) failed: CounterBy,
}

/// The channels of notifications.
const CHANNELS: &[&str] = &["webhook", "push", "mail"];

impl Notifications {
    fn new(define: &mut Define<'_>) -> Self {
        Self {
            sent: define.counter_by(
                "notifications_sent",
                "Notifications that their targets have accepted, by channel",
                "channel",
                CHANNELS,
            ),
            failed: define.counter_by(
                "notifications_failed",
                "Attempts to send a notification that have failed, by channel",
                "channel",
                CHANNELS,
            ),
        }
    }
}

/// The membership in a cluster.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// The times for which matches had no owner before this node claimed them.
    pub(crate) takeover_pause: Durations,
    /// The claims of matches, by outcome.
    pub(crate) claims: CounterBy,
    pub(crate) nodes_lost: Counter,
    pub(crate) disconnections: Counter,
}

impl Metrics {
    fn new(define: &mut Define<'_>) -> Self {
        Self {
            commands: Commands::new(define),
            connections: Connections::new(define),
            matches: Matches::new(define),
            cluster: Cluster::new(define),
            notifications: Notifications::new(define),
            limited: define.counter_by(
                "requests_limited",
                "Requests that exceeded a limit, by limit",
                "limit",
                &["frames", "bot_matches", "guests", "tables", "links", "analyses", "reports", "lookups"],
            ),
            search_wait: define.durations_by(
                "search_wait",
                "Time for which searches of bots, analyses and reviews waited for a thread, by urgency",
                "urgency",
                &["player", "spectators", "unattended", "analysis", "review"],
                LONG,
            ),
            removed: define.counter_by(
                "retention_removed",
                "Old data that was removed, by kind",
                "kind",
                &["guests", "reports", "expired"],
            ),
            faults: define.counter("faults", "Errors of the server that were logged with an id"),
            log_entries: define.counter_by(
                "log_entries",
                "Entries of the log that its filter lets through, by level",
                "level",
                &["error", "warn"],
            ),
            stalls: define
                .counter("process_stalls", "Periods of more than 2 s in which the process did not run"),
        }
    }
}

impl Commands {
    fn new(define: &mut Define<'_>) -> Self {
        Self {
            duration: define.durations_by(
                "command_duration",
                "Duration of clients' commands from the frame to the answer, by outcome",
                "outcome",
                &["accepted", "refused", "fault"],
                SHORT,
            ),
            refusals: define.counter_by(
                "refusals",
                "Refused frames and HTTP requests, by the code of the refusal",
                "code",
                &["internal", "rate_limited", "closing", "busy", "stale", "illegal_move"],
            ),
            http_duration: define.durations_by(
                "http_request_duration",
                "Duration of HTTP requests, by the class of the status",
                "status",
                &["2xx", "5xx"],
                SHORT,
            ),
        }
    }
}

impl Connections {
    fn new(define: &mut Define<'_>) -> Self {
        Self {
            opened: define.counter("connections_opened", "WebSockets that were opened"),
            closed: define.counter_by(
                "connections_closed",
                "WebSockets that ended, by reason",
                "reason",
                &["client", "too_slow", "stalled", "broken", "timed_out", "server_stop"],
            ),
            refused: define.counter_by(
                "connections_refused",
                "Connections that were not accepted, by reason",
                "reason",
                &["address_limit", "descriptors"],
            ),
            frames_queued: define
                .counter("frames_queued", "Frames that waited, because the client had not read earlier ones"),
            frames_dropped: define.counter(
                "frames_dropped",
                "Queued frames that were never sent, because the connection failed",
            ),
        }
    }
}

impl Matches {
    fn new(define: &mut Define<'_>) -> Self {
        Self {
            moves: define.counter("moves", "Moves that were stored and published"),
            started: define.counter("matches_started", "Matches that began"),
            ended: define.counter_by(
                "matches_ended",
                "Matches that ended, by the way",
                "how",
                &["ended", "aborted"],
            ),
            interruptions: define
                .counter("interruptions", "Interruptions of matches for which nobody's clock is charged"),
            actor_panics: define.counter("actor_panics", "Panics of the tasks that serve tables"),
            unreadable: define.counter("unreadable_matches", "Attempts to read a match whose log is damaged"),
            hibernating: define.updated_gauge(
                "hibernating_matches",
                "Hibernating matches in the database, counted every five minutes",
            ),
            without_actor: define.counter(
                "matches_without_actor",
                "Unfinished matches that nothing served, and that were resumed",
            ),
        }
    }
}

impl Cluster {
    fn new(define: &mut Define<'_>) -> Self {
        Self {
            takeover_pause: define.durations(
                "cluster_takeover_pause",
                "Time for which matches had no owner before this node claimed them",
                LONG,
            ),
            claims: define.counter_by(
                "cluster_claims",
                "Claims of matches by this node, by outcome",
                "outcome",
                &["claimed", "refused"],
            ),
            nodes_lost: define.counter("cluster_nodes_lost", "Other nodes that have left or died"),
            disconnections: define
                .counter("cluster_nats_disconnections", "Interruptions of the connection to the NATS server"),
        }
    }
}
