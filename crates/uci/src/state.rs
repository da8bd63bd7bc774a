//! The state of a session and the effect of each command.

use std::time::Duration;

use quadrex_engine::{Engine, Limits, TimeBudget};
use quadrex_rules::notation::Playback;
use quadrex_rules::{AnyPosition, DrawPolicy, Move, Setup, SetupWarning, Variant};

use super::action::Action;
use super::command::{Command, Start};
use super::description::describe;
use super::error::{CommandError, clipped};
use super::go::{Go, SearchParams};
use super::job::{Job, MoveRelease};
use super::options::{self, DEFAULTS, Setting, Settings};

/// The answer to `isready`.
pub(super) const READY: &str = "readyok";

/// The time for a `go` without parameters.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The state of a session: the variant, the game, the options and the engine.
#[derive(Debug)]
pub(super) struct State {
    variant: Variant,
    draws: DrawPolicy,
    playback: Playback,
    settings: Settings,
    /// The engine. It is created when it is first needed, and absent while a search uses it.
    engine: Option<Engine>,
}

/// The effect of a command.
#[derive(Debug)]
pub(super) enum Effect {
    /// Lines of output.
    Lines(Vec<String>),
    /// A search to run. Its engine is returned afterwards.
    Search(Box<Job>),
}

type ExecuteResult = Result<Effect, CommandError>;

impl State {
    /// Returns the initial state: classic chess from its start position, draws by claim.
    pub(super) fn new() -> Self {
        let (variant, draws, settings) = (Variant::uci_default(), DrawPolicy::Claim, DEFAULTS);
        Self { variant, draws, playback: start(variant, draws), settings, engine: None }
    }

    /// Executes a command while no search runs. A command with an error changes nothing. `now` is
    /// the seed of the mistakes of the lower levels.
    pub(super) fn execute(&mut self, command: Command, now: Duration) -> ExecuteResult {
        Ok(Effect::Lines(match command {
            Command::Uci => identification(),
            Command::IsReady => {
                // A large table takes long to allocate. An allocation at this point costs no time
                // of a game's clock.
                let engine = self.take_engine();
                self.return_engine(engine);
                vec![READY.to_owned()]
            }
            Command::Set(setting) => {
                self.set(setting);
                Vec::new()
            }
            Command::NewGame => {
                self.clear();
                self.playback = start(self.variant, self.draws);
                Vec::new()
            }
            Command::Position { start, actions } => {
                let (playback, warnings) = self.play_position(&start, &actions)?;
                self.playback = playback;
                warnings.iter().map(warning_line).collect()
            }
            Command::Go(Go::Perft(depth)) => self.perft(depth),
            Command::Go(Go::Search(params)) => {
                return Ok(Effect::Search(Box::new(self.job(params, now))));
            }
            Command::Describe => describe(self.playback.game()),
            Command::Stop | Command::PonderHit | Command::Ignore | Command::Quit => Vec::new(),
        }))
    }

    /// Returns the engine after a search.
    pub(super) fn return_engine(&mut self, engine: Engine) {
        self.engine = Some(engine);
    }

    fn take_engine(&mut self) -> Engine {
        self.engine.take().unwrap_or_else(|| Engine::new(self.settings.table_mib))
    }

    fn clear(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Variant(variant) => {
                self.variant = variant;
                self.playback = start(variant, self.draws);
            }
            Setting::Draws(draws) => self.draws = draws,
            Setting::Hash(mib) => {
                self.settings.table_mib = mib;
                self.engine = None;
            }
            Setting::ClearHash => self.clear(),
            Setting::Threads(count) => self.settings.threads = count,
            Setting::MultiPv(count) => self.settings.lines = count,
            Setting::Ponder => {}
            Setting::MoveOverhead(overhead) => self.settings.overhead = overhead,
            Setting::SkillLevel(level) => self.settings.skill = level,
            Setting::LimitStrength(limits_strength) => self.settings.limits_strength = limits_strength,
            Setting::Elo(elo) => self.settings.elo = elo,
        }
    }

    /// Plays the moves and tokens of a `position` command from the position `start`. The position
    /// may have a form that only other programs write.
    fn play_position(
        &self,
        start: &Start,
        actions: &[Action],
    ) -> Result<(Playback, Vec<SetupWarning>), CommandError> {
        let parsed = match start {
            Start::Variant => Ok((Setup::start(self.variant), Vec::new())),
            Start::Text(text) => Setup::parse_lenient(self.variant, text),
        };
        let (mut playback, warnings) = parsed
            .and_then(|(setup, warnings)| Ok((Playback::new(setup, self.draws)?, warnings)))
            .map_err(|error| CommandError::Setup { error })?;
        for (index, &action) in actions.iter().enumerate() {
            let played = match action {
                Action::Move(mv) => playback.play(mv, None),
                Action::Resigns(color) => playback.resign(color),
                Action::Flags(color) => playback.flag(color),
                Action::DrawAgreed => playback.agree_draw(),
            };
            let number = index + 1;
            played.map_err(|reason| CommandError::Action { action, number, reason })?;
        }
        Ok((playback, warnings))
    }

    /// Returns the legal moves with their node counts, and the total. A finished game has no moves.
    fn perft(&self, depth: u32) -> Vec<String> {
        let mut total = u64::from(depth == 0);
        let mut lines = Vec::new();
        if let Some(depth) = depth.checked_sub(1) {
            for mv in self.moves() {
                let mut next = self.position().clone();
                next.play(mv);
                let count = next.perft(depth);
                lines.push(format!("{mv}: {count}"));
                total += count;
            }
        }
        lines.extend([String::new(), format!("Nodes searched: {total}")]);
        lines
    }

    /// Returns the search that a `go` requests, with the engine. Parameters that are invalid in
    /// this position are reported and ignored.
    fn job(&mut self, mut params: SearchParams, now: Duration) -> Job {
        let moves = self.moves_of(&mut params);
        let limits = self.limits(&mut params);
        let release = match params {
            SearchParams { is_infinite: true, .. } => MoveRelease::OnStop,
            SearchParams { is_pondering: true, .. } => MoveRelease::OnPonderHit,
            SearchParams { .. } => MoveRelease::WhenFound,
        };
        let Settings { threads, lines, .. } = self.settings;
        Job {
            faults: params.faults.iter().map(error_line).collect(),
            engine: self.take_engine(),
            position: self.position().clone(),
            earlier: self.playback.game().earlier_keys().to_vec(),
            moves,
            lines,
            threads,
            level: self.settings.level(),
            seed: u64::try_from(now.as_nanos()).unwrap_or_default(),
            limits,
            release,
        }
    }

    /// Returns the moves to choose among: the legal moves of `searchmoves`, or all legal moves if
    /// `searchmoves` names no legal move.
    fn moves_of(&self, params: &mut SearchParams) -> Vec<Move> {
        let legal = self.moves();
        for mv in std::mem::take(&mut params.moves) {
            if legal.contains(&mv) {
                params.moves.push(mv);
            } else {
                params.report(format!("searchmoves: {mv} is not legal here"));
            }
        }
        if params.moves.is_empty() {
            legal
        } else {
            legal.into_iter().filter(|mv| params.moves.contains(mv)).collect()
        }
    }

    fn limits(&self, params: &mut SearchParams) -> Limits {
        let mut limits =
            Limits { depth: params.depth, nodes: params.nodes, mate: params.mate, ..Limits::default() };
        if params.is_infinite {
            return limits;
        }
        if let Some((left, increment)) = self.clock(params) {
            let clock = TimeBudget {
                left,
                increment,
                delay: Duration::ZERO,
                moves_to_go: params.moves_to_go,
                players: self.position().active_players().count(),
                overhead: self.settings.overhead,
            };
            let Limits { soft, hard, .. } = clock.limits();
            limits = Limits { soft, hard, ..limits };
        }
        let is_limited = limits != Limits::default() || params.time.is_some();
        let default_time = (!is_limited && !params.is_pondering).then_some(DEFAULT_TIME);
        let hard = [limits.hard, params.time.or(default_time)].into_iter().flatten().min();
        Limits { hard, ..limits }
    }

    /// Returns the time left and the increment of the player to move. If the player's clock is not
    /// given, the shortest given clock is used.
    fn clock(&self, params: &mut SearchParams) -> Option<(Duration, Duration)> {
        let turn = self.position().turn();
        let (left, increment) = params.clock_of(turn);
        if params.clocks.is_empty() || left.is_some() {
            return Some((left?, increment));
        }
        params.report(format!("no clock for {turn}, who is to move"));
        let others = params.clocks.iter().filter(|clock| !clock.is_increment);
        Some((others.map(|clock| clock.value).min()?, increment))
    }

    fn position(&self) -> &AnyPosition {
        self.playback.game().position()
    }

    fn moves(&self) -> Vec<Move> {
        match self.playback.game().outcome() {
            None => self.position().legal_moves(),
            Some(_) => Vec::new(),
        }
    }
}

/// Returns the line that reports an error.
pub(super) fn error_line(error: &CommandError) -> String {
    format!("info string error: {error}")
}

/// Returns a game from the variant's start position.
fn start(variant: Variant, draws: DrawPolicy) -> Playback {
    Playback::new(Setup::start(variant), draws).expect("a variant's start position is valid")
}

/// Returns the line that reports an ignored part of a position.
fn warning_line(warning: &SetupWarning) -> String {
    format!("info string warning: position: {}", clipped(&warning.to_string()))
}

fn identification() -> Vec<String> {
    let mut lines = vec![
        format!("id name Quadrex {}", env!("CARGO_PKG_VERSION")),
        "id author the Quadrex authors".to_owned(),
    ];
    lines.extend(options::lines());
    lines.push("uciok".to_owned());
    lines
}
