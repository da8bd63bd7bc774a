//! Tasks of a simulation.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::order::draw_turns;
use super::process::{Phase, Process};

/// A task of a process. When it has been woken, it lets other tasks pass before it is polled.
pub(crate) struct Task<F> {
    process: Option<Process>,
    /// The number of the task in its process.
    number: u64,
    /// `None` once the task has ended or its process has been killed.
    future: Option<Pin<Box<F>>>,
    /// The number of times that the woken task still lets others pass; `None` while it sleeps.
    turns: Option<u32>,
}

impl<F: Future> Task<F> {
    /// Returns a task of the process that runs now.
    pub(crate) fn new(future: F) -> Self {
        Self::of(Process::current(), future)
    }

    pub(super) fn of(process: Option<Process>, future: F) -> Self {
        let number = process.as_ref().map_or(0, Process::add_task);
        Self { process, number, future: Some(Box::pin(future)), turns: None }
    }
}

impl<F> Task<F> {
    /// Drops the future, as a part of its process.
    fn end(&mut self) {
        if let Some(process) = &self.process {
            process.remove_task(self.number);
        }
        let future = self.future.take();
        Process::enter(self.process.as_ref(), || drop(future));
    }
}

impl<F: Future> Future for Task<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        if let Some(process) = &this.process {
            process.set_waker(this.number, context.waker());
            match process.phase() {
                Phase::Running => {}
                Phase::Stopped => return Poll::Pending,
                Phase::Killed => {
                    this.end();
                    return Poll::Pending;
                }
            }
        }
        let turns = this.turns.take().unwrap_or_else(draw_turns);
        if turns > 0 {
            this.turns = Some(turns - 1);
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Some(future) = &mut this.future else { return Poll::Pending };
        let polled = Process::enter(this.process.as_ref(), || future.as_mut().poll(context));
        if polled.is_ready() {
            this.end();
        }
        polled
    }
}

impl<F> Drop for Task<F> {
    fn drop(&mut self) {
        self.end();
    }
}
