//! How many analyses may wait or be under way, and how many of one user.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::UserId;

/// As many of these places one user may hold: one for what is looked at now, one for what is just being given up.
const EACH: usize = 2;

/// The places there are.
#[derive(Clone, Debug)]
pub(super) struct AnalysisPermits {
    most: usize,
    held: Arc<Mutex<HashMap<UserId, usize>>>,
}

/// A place that is held until this is dropped.
#[derive(Debug)]
pub(super) struct AnalysisPermit {
    places: AnalysisPermits,
    user: UserId,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoPermit {
    /// The user holds as many as one may.
    Own,
    /// All are held.
    Any,
}

impl AnalysisPermits {
    pub(super) fn new(most: usize) -> Self {
        Self { most, held: Arc::default() }
    }

    /// Takes a place for a user.
    pub(super) fn take(&self, user: UserId) -> Result<AnalysisPermit, NoPermit> {
        let mut held = self.lock();
        let own = held.get(&user).copied().unwrap_or(0);
        if own >= EACH {
            return Err(NoPermit::Own);
        }
        if held.values().sum::<usize>() >= self.most {
            return Err(NoPermit::Any);
        }
        held.insert(user, own + 1);
        Ok(AnalysisPermit { places: self.clone(), user })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for AnalysisPermit {
    fn drop(&mut self) {
        let mut held = self.places.lock();
        match held.get_mut(&self.user) {
            Some(own) if *own > 1 => *own -= 1,
            Some(_) | None => drop(held.remove(&self.user)),
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
    fn one_user_cannot_hold_all_places_and_all_users_no_more_than_there_are() {
        let places = AnalysisPermits::new(3);
        let [first, _second] = [places.take(user(1)).unwrap(), places.take(user(1)).unwrap()];
        assert_eq!(places.take(user(1)).unwrap_err(), NoPermit::Own);
        let _other = places.take(user(2)).unwrap();
        assert_eq!(places.take(user(3)).unwrap_err(), NoPermit::Any);
        drop(first);
        assert!(places.take(user(3)).is_ok());
        assert!(places.take(user(1)).is_ok());
    }

    #[test]
    fn who_holds_no_place_is_forgotten() {
        let places = AnalysisPermits::new(8);
        drop([places.take(user(1)).unwrap(), places.take(user(1)).unwrap()]);
        assert!(places.lock().is_empty());
    }
}
