//! Progress of the migrations at the start of a command, which of a large database take long.

use std::sync::{Mutex, PoisonError};

use quadrex_store::observe_migrations;

use crate::progress::Progress;

/// Drives a future, and shows the progress of the migrations that run in it.
pub(crate) async fn shown<F: Future>(future: F) -> F::Output {
    let shown: Mutex<Option<Progress>> = Mutex::new(None);
    observe_migrations(
        move |step| {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(step) = step else {
                *shown = None;
                return;
            };
            let about = format!("migration {}", step.name);
            let progress = shown.get_or_insert_with(|| Progress::of_steps(step.of as u64, &about));
            progress.describe(about);
            progress.set(step.number as u64 - 1);
        },
        future,
    )
    .await
}
