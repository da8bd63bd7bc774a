//! Permits for analyses. They limit the number of analyses that run or wait at the same time, in
//! total and for each user.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::UserId;

/// The largest number of permits of one user. The user needs a permit for the current position, and
/// a second permit for an earlier search that is still being cancelled.
const MAX_PER_USER: usize = 2;

/// The permits of all users. Clones share the same permits.
#[derive(Clone, Debug)]
pub(super) struct AnalysisPermits {
    max: usize,
    in_use: Arc<Mutex<HashMap<UserId, usize>>>,
}

/// A permit for one analysis. Dropping the permit releases it.
#[derive(Debug)]
pub(super) struct AnalysisPermit {
    permits: AnalysisPermits,
    user: UserId,
}

/// The reason for which a user gets no permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoPermit {
    /// The user has as many permits as one user may have.
    UserLimit,
    /// All permits are in use.
    TotalLimit,
}

impl AnalysisPermits {
    pub(super) fn new(max: usize) -> Self {
        Self { max, in_use: Arc::default() }
    }

    /// Acquires a permit for a user.
    pub(super) fn acquire(&self, user: UserId) -> Result<AnalysisPermit, NoPermit> {
        let mut in_use = self.lock();
        let count = in_use.get(&user).copied().unwrap_or(0);
        if count >= MAX_PER_USER {
            return Err(NoPermit::UserLimit);
        }
        if in_use.values().sum::<usize>() >= self.max {
            return Err(NoPermit::TotalLimit);
        }
        in_use.insert(user, count + 1);
        Ok(AnalysisPermit { permits: self.clone(), user })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, usize>> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for AnalysisPermit {
    fn drop(&mut self) {
        let mut in_use = self.permits.lock();
        match in_use.get_mut(&self.user) {
            Some(count) if *count > 1 => *count -= 1,
            Some(_) | None => drop(in_use.remove(&self.user)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: u128) -> UserId {
        UserId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn permits_are_limited_per_user_and_in_total() {
        let permits = AnalysisPermits::new(3);
        let [first, _second] = [permits.acquire(user(1)).unwrap(), permits.acquire(user(1)).unwrap()];
        assert_eq!(permits.acquire(user(1)).unwrap_err(), NoPermit::UserLimit);
        let _other = permits.acquire(user(2)).unwrap();
        assert_eq!(permits.acquire(user(3)).unwrap_err(), NoPermit::TotalLimit);
        drop(first);
        assert!(permits.acquire(user(3)).is_ok());
        assert!(permits.acquire(user(1)).is_ok());
    }

    #[test]
    fn a_user_without_permits_is_removed() {
        let permits = AnalysisPermits::new(8);
        drop([permits.acquire(user(1)).unwrap(), permits.acquire(user(1)).unwrap()]);
        assert!(permits.lock().is_empty());
    }
}
