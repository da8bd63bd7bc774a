//! Tests of the database for simulations.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quadrex_rules::Timestamp;
use quadrex_store::{FaultPlan, Location, NoFaults, SimulatedDatabase};

use crate::run_conformance_tests;
use crate::test_store::{NOW, TestStore};

/// The time of a simulated database, which a test sets.
#[derive(Clone, Debug)]
pub(crate) struct ManualTime(Arc<AtomicU64>);

impl ManualTime {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(NOW.as_millis())))
    }

    pub(crate) fn set(&self, at: Timestamp) {
        self.0.store(at.as_millis(), Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }

    /// Returns an empty database with this time.
    pub(crate) fn database(&self, faults: Arc<dyn FaultPlan>) -> SimulatedDatabase {
        let time = self.clone();
        SimulatedDatabase::new(move || time.now(), faults)
    }
}

fn without_faults() -> SimulatedDatabase {
    ManualTime::new().database(Arc::new(NoFaults))
}

#[tokio::test(start_paused = true)]
async fn a_simulated_database_passes_the_conformance_tests() {
    run_conformance_tests(async |_| TestStore::open(Location::Simulated(without_faults())).await).await;
}
