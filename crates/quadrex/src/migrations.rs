//! Progress of migrations, which can take a long time on a large database.

use std::sync::{Mutex, PoisonError};

use quadrex_progress::Progress;
use quadrex_store::observe_migrations;

/// Awaits a future and shows the progress of the migrations that run in it.
pub(crate) async fn with_progress<F: Future>(future: F) -> F::Output {
    let displayed: Mutex<Option<Progress>> = Mutex::new(None);
    observe_migrations(
        move |step| {
            let mut displayed = displayed.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(step) = step else {
                *displayed = None;
                return;
            };
            let about = format!("migration {}", step.name);
            let progress = displayed.get_or_insert_with(|| Progress::of_steps(step.of as u64, &about));
            progress.describe(about);
            progress.set(step.number as u64 - 1);
        },
        future,
    )
    .await
}
