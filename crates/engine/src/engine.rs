//! What keeps its memory between searches.

use quadrex_rules::{AnyPosition, Position};

use crate::evaluation::Valued;
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
        let limits = task.limits;
        let control = Control::new(limits, watch);
        let me = position.turn_index();
        let table = &self.table;
        let depth = limits.depth.map_or(i32::MAX, |depth| i32::try_from(depth.max(1)).unwrap_or(i32::MAX));
        let asked = |thread| Asked { position, lines: task.lines, depth, thread };
        let last = std::thread::scope(|scope| {
            for thread in 1..task.threads.max(1) {
                let mut roots = roots.clone();
                let control = &control;
                let asked = asked(thread);
                scope.spawn(move || {
                    let mut worker = Worker::<V>::new(table, control, me, task.earlier);
                    worker.make_breakable();
                    worker.deepen(&asked, &mut roots, &mut |_| ());
                });
            }
            let mut worker = Worker::<V>::new(table, &control, me, task.earlier);
            worker.deepen(&asked(0), &mut roots, report)
        });
        let best = &roots[0];
        let line: Vec<_> = best.line.iter().map(|mv| mv.written::<V>()).collect();
        Found { best: Some(best.mv.written::<V>()), ponder: line.get(1).copied(), report: last }
    }
}
