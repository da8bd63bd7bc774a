//! What is set up, and what each command does to it.

use std::time::Duration;

use quadrex_engine::{Engine, Limits, TimeBudget};
use quadrex_rules::notation::Playback;
use quadrex_rules::{AnyPosition, DrawPolicy, Move, Setup, SetupWarning, Variant};

use super::command::{Command, CommandError, Happening, Start, clipped};
use super::description::describe;
use super::go::{Aim, Go};
use super::job::{Hold, Job};
use super::options::{self, Setting, Settings, USUAL};

/// The answer to `isready`.
pub(super) const READY: &str = "readyok";

/// How long `go` alone thinks.
const UNASKED: Duration = Duration::from_secs(1);

/// A variant, a game of it, the options, and the engine.
#[derive(Debug)]
pub(super) struct State {
    variant: Variant,
    draws: DrawPolicy,
    playback: Playback,
    settings: Settings,
    /// Made when it is needed, and away while a search goes on.
    engine: Option<Engine>,
}

/// What comes of a command.
#[derive(Debug)]
pub(super) enum Done {
    /// Lines to answer.
    Told(Vec<String>),
    /// A search to be done, after which the engine is given back.
    Begun(Box<Job>),
}

type Answer = Result<Done, CommandError>;

impl State {
    /// Classic chess from its start, draws by claim.
    pub(super) fn new() -> Self {
        let (variant, draws, settings) = (Variant::Classic, DrawPolicy::Claim, USUAL);
        Self { variant, draws, playback: start(variant, draws), settings, engine: None }
    }

    /// Does what a command asks while no search goes on. An error has changed nothing. `now` is what a level's mistakes
    /// are drawn from.
    pub(super) fn carry_out(&mut self, command: Command, now: Duration) -> Answer {
        Ok(Done::Told(match command {
            Command::Introduce => introduction(),
            Command::IsReady => {
                // A large table takes time to make, which no clock should pay for.
                let engine = self.take_engine();
                self.give_back(engine);
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
            Command::Position { start, happenings } => {
                let (playback, warnings) = self.set_up(&start, &happenings)?;
                self.playback = playback;
                warnings.iter().map(warning_line).collect()
            }
            Command::Go(Go::Perft(depth)) => self.perft(depth),
            Command::Go(Go::Search(aim)) => {
                return Ok(Done::Begun(Box::new(self.job(aim, now))));
            }
            Command::Describe => describe(self.playback.game()),
            Command::Stop | Command::PonderHit | Command::Ignore | Command::Quit => Vec::new(),
        }))
    }

    /// Takes the engine back from a search.
    pub(super) fn give_back(&mut self, engine: Engine) {
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

    /// Plays a position's moves and tokens from its start, which may be written as other programs write it.
    fn set_up(
        &self,
        start: &Start,
        happenings: &[Happening],
    ) -> Result<(Playback, Vec<SetupWarning>), CommandError> {
        let read = match start {
            Start::Own => Ok((Setup::start(self.variant), Vec::new())),
            Start::Written(text) => Setup::parse_lenient(self.variant, text),
        };
        let (mut playback, warnings) = read
            .and_then(|(setup, warnings)| Ok((Playback::new(setup, self.draws)?, warnings)))
            .map_err(|error| CommandError::Setup { error })?;
        for (index, &happening) in happenings.iter().enumerate() {
            let done = match happening {
                Happening::Move(mv) => playback.play(mv, None),
                Happening::Resigns(color) => playback.resign(color),
                Happening::Flags(color) => playback.flag(color),
                Happening::DrawAgreed => playback.agree_draw(),
            };
            let number = index + 1;
            done.map_err(|reason| CommandError::Happening { happening, number, reason })?;
        }
        Ok((playback, warnings))
    }

    /// The legal moves with the count behind each, and their sum. A finished game has no moves.
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

    /// The search that a `go` asks for. Hands out the engine. What makes no sense here is reported and left out.
    fn job(&mut self, mut aim: Aim, now: Duration) -> Job {
        let moves = self.moves_of(&mut aim);
        let limits = self.limits(&mut aim);
        let hold = match aim {
            Aim { is_infinite: true, .. } => Hold::UntilStop,
            Aim { ponders: true, .. } => Hold::UntilHit,
            Aim { .. } => Hold::No,
        };
        let Settings { threads, lines, .. } = self.settings;
        Job {
            faults: aim.faults.iter().map(refusal).collect(),
            engine: self.take_engine(),
            position: self.position().clone(),
            earlier: self.playback.game().earlier_keys().to_vec(),
            moves,
            lines,
            threads,
            level: self.settings.level(),
            seed: u64::try_from(now.as_nanos()).unwrap_or_default(),
            limits,
            hold,
        }
    }

    /// The moves to choose among: the legal ones of `searchmoves`, or all if there is none.
    fn moves_of(&self, aim: &mut Aim) -> Vec<Move> {
        let legal = self.moves();
        for mv in std::mem::take(&mut aim.moves) {
            if legal.contains(&mv) {
                aim.moves.push(mv);
            } else {
                aim.fault(format!("searchmoves: {mv} is not legal here"));
            }
        }
        if aim.moves.is_empty() {
            legal
        } else {
            legal.into_iter().filter(|mv| aim.moves.contains(mv)).collect()
        }
    }

    fn limits(&self, aim: &mut Aim) -> Limits {
        let mut limits = Limits { depth: aim.depth, nodes: aim.nodes, mate: aim.mate, ..Limits::default() };
        if aim.is_infinite {
            return limits;
        }
        if let Some((left, increment)) = self.clock(aim) {
            let clock = TimeBudget {
                left,
                increment,
                delay: Duration::ZERO,
                moves_to_go: aim.moves_to_go,
                players: self.position().players_in().count(),
                overhead: self.settings.overhead,
            };
            let Limits { soft, hard, .. } = clock.limits();
            limits = Limits { soft, hard, ..limits };
        }
        let is_limited = limits != Limits::default() || aim.time.is_some();
        let unasked = (!is_limited && !aim.ponders).then_some(UNASKED);
        let most = [limits.hard, aim.time.or(unasked)].into_iter().flatten().min();
        Limits { hard: most, ..limits }
    }

    /// The clock of the player to move and what each move adds. Where its own is missing, the shortest that was told stands
    /// in for it.
    fn clock(&self, aim: &mut Aim) -> Option<(Duration, Duration)> {
        let turn = self.position().turn();
        let (left, increment) = aim.clock_of(turn);
        if aim.clocks.is_empty() || left.is_some() {
            return Some((left?, increment));
        }
        aim.fault(format!("no clock for {turn}, who is to move"));
        let others = aim.clocks.iter().filter(|hand| !hand.is_increment);
        Some((others.map(|hand| hand.value).min()?, increment))
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

/// The line that says why a line was refused.
pub(super) fn refusal(error: &CommandError) -> String {
    format!("info string error: {error}")
}

/// A variant's own start.
fn start(variant: Variant, draws: DrawPolicy) -> Playback {
    Playback::new(Setup::start(variant), draws).expect("a variant's own set-up is a position")
}

/// What of a position was dropped in reading it.
fn warning_line(warning: &SetupWarning) -> String {
    format!("info string warning: position: {}", clipped(&warning.to_string()))
}

fn introduction() -> Vec<String> {
    let mut lines = vec![
        format!("id name Quadrex {}", env!("CARGO_PKG_VERSION")),
        "id author the Quadrex authors".to_owned(),
    ];
    lines.extend(options::lines());
    lines.push("uciok".to_owned());
    lines
}
