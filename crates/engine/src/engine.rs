//! What keeps its memory between searches.

use quadrex_rules::bits::Bits;
use quadrex_rules::position::BitsOf;
use quadrex_rules::{AnyPosition, Position};

use crate::evaluation::Valued;
use crate::level::Chance;
use crate::report::{Found, Report};
use crate::search::{Asked, Control, Root, Worker};
use crate::table::Table;
use crate::task::{Task, Watch};

/// An engine and what it remembers of earlier searches.
#[derive(Debug)]
pub struct Engine {
    table: Table,
}

impl Engine {
    /// With a table of so many MiB (at least 1).
    #[must_use]
    pub fn new(table_mib: usize) -> Self {
        Self { table: Table::new(table_mib) }
    }

    /// Gives the table another size, which forgets what it held.
    pub fn resize(&mut self, table_mib: usize) {
        self.table = Table::new(table_mib);
    }

    /// Forgets everything: a new game.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Chooses a move. `report` hears of each depth that was looked at in full.
    pub fn search(&mut self, task: &Task<'_>, watch: &dyn Watch, report: &mut dyn FnMut(&Report)) -> Found {
        match task.position {
            AnyPosition::Classic(position) => self.search_in(position, task, watch, report),
            AnyPosition::Dilkel(position) => self.search_in(position, task, watch, report),
            AnyPosition::DilkelCompact(position) => self.search_in(position, task, watch, report),
        }
    }

    fn search_in<V: Valued>(
        &mut self,
        position: &Position<V>,
        task: &Task<'_>,
        watch: &dyn Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Found
    where
        Position<V>: Sync,
    {
        let legal = position.legal_moves().into_iter();
        let wanted = legal.filter(|mv| task.moves.is_empty() || task.moves.contains(mv));
        let mut roots: Vec<Root> = wanted.filter_map(|mv| position.placed(mv)).map(Root::new).collect();
        if roots.is_empty() {
            return Found::default();
        }
        self.table.age();
        let me = position.turn_index();
        let mut chance = Chance(task.seed ^ position.hash());
        let manner = task.level.manner();
        let mut limits = task.limits;
        let mut lines = task.lines;
        let mut overlooked = BitsOf::<V>::EMPTY;
        if let Some(manner) = manner {
            limits.nodes = Some(limits.nodes.map_or(manner.nodes, |nodes| nodes.min(manner.nodes)));
            lines = lines.max(WEIGHED);
            (position.occupied() & !position.owned(me)).for_each(|place| {
                if chance.below(100) < manner.overlooks {
                    overlooked |= BitsOf::<V>::single(place);
                }
            });
        }
        let salt = if overlooked.is_empty() { 0 } else { chance.below(u64::MAX) };
        let control = Control::new(limits, watch);
        let table = &self.table;
        let depth = limits.depth.map_or(i32::MAX, |depth| i32::try_from(depth.max(1)).unwrap_or(i32::MAX));
        let asked = |thread| Asked { position, lines, depth, thread };
        let worker = || {
            let mut worker = Worker::<V>::new(table, &control, me, task.strategy, task.earlier);
            worker.overlook(overlooked, salt);
            worker
        };
        let mut report_here = |told: &Report| report(&with_lines(told, task.lines));
        let last = std::thread::scope(|scope| {
            for thread in 1..task.threads.max(1) {
                let mut roots = roots.clone();
                let (asked, worker) = (asked(thread), &worker);
                scope.spawn(move || {
                    let mut worker = worker();
                    worker.make_breakable();
                    worker.deepen(&asked, &mut roots, &mut |_| ());
                });
            }
            worker().deepen(&asked(0), &mut roots, &mut report_here)
        });
        let mut last = last;
        if let Some(manner) = manner {
            // The fewer pieces there are the less there is to misjudge: even a beginner comes to mate in the end.
            let crowd = position.occupied().count() as i32;
            let most = manner.misjudges * crowd / (16 * V::COLORS.len() as i32);
            let chosen = misjudge(&roots[..lines.min(roots.len())], most, &mut chance);
            roots[..=chosen].rotate_right(1);
            if chosen < last.lines.len() {
                last.lines[..=chosen].rotate_right(1);
            }
        }
        let best = &roots[0];
        let ponder = last.lines.first().and_then(|line| line.moves.get(1)).copied();
        Found { best: Some(best.mv.written::<V>()), ponder, report: with_lines(&last, task.lines) }
    }
}

/// How many moves a level that is held back weighs against each other.
const WEIGHED: usize = 4;

/// The place of the move that seems best when each may seem up to so much better than it is. Of moves that were not
/// looked at nothing is known.
fn misjudge(roots: &[Root], most: i32, chance: &mut Chance) -> usize {
    let mut seeming = |root: &Root| {
        let flattery = chance.below(u64::from(most.unsigned_abs()) + 1) as i32;
        if root.is_looked_at() { root.score + flattery } else { i32::MIN }
    };
    let scores: Vec<i32> = roots.iter().map(&mut seeming).collect();
    (0..roots.len()).max_by_key(|&index| (scores[index], std::cmp::Reverse(index))).unwrap_or(0)
}

/// The report with so many lines at most, at least one.
fn with_lines(report: &Report, lines: usize) -> Report {
    let mut report = report.clone();
    report.lines.truncate(lines.max(1));
    report
}
