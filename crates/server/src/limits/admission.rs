//! The limits on open connections: a limit for each client address, and a limit on the file
//! descriptors that all connections use together.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::os::fd::AsRawFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_runtime::Socket;
use rustix::process::{Resource, getrlimit};

use super::client_addr::{LOOPBACK_FACTOR, network_of};

/// The limit on the open connections of each client address.
#[derive(Debug)]
pub(crate) struct Admission {
    /// The number of open connections by network ([`network_of`]).
    open: Mutex<HashMap<IpAddr, u32>>,
    max_per_address: u32,
}

impl Admission {
    pub(crate) fn new(max_per_address: NonZeroU32) -> Arc<Self> {
        Arc::new(Self { open: Mutex::default(), max_per_address: max_per_address.get() })
    }

    /// Counts a further connection of an address until the returned permit is dropped. Returns
    /// `None` if the address has reached its limit. The limit of the loopback address is much
    /// higher.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Permit> {
        let factor = if address.is_loopback() { LOOPBACK_FACTOR } else { 1 };
        let limit = self.max_per_address.saturating_mul(factor);
        let network = network_of(address);
        let mut open = self.lock();
        let count = open.entry(network).or_default();
        if *count >= limit {
            return None;
        }
        *count += 1;
        Some(Permit { admission: Arc::clone(self), network })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The permit of an open connection. When the permit is dropped, the connection no longer counts.
#[derive(Debug)]
pub(crate) struct Permit {
    admission: Arc<Admission>,
    network: IpAddr,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.admission.lock();
        if let Some(count) = open.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.network);
            }
        }
    }
}

/// The share of the file descriptors that connections may use, in tenths. The other descriptors are
/// for the database and for files.
const SHARE_TENTHS: u64 = 9;

/// The limit on file descriptors, beyond which connections are refused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DescriptorLimit {
    limit: u64,
}

impl DescriptorLimit {
    /// Returns the limit that follows from the number of descriptors that the process may have.
    pub(crate) fn of_process() -> Self {
        let limit = getrlimit(Resource::Nofile).current.map_or(u64::MAX, |all| all / 10 * SHARE_TENTHS);
        Self { limit }
    }

    /// Returns the number of descriptors that may be in use.
    pub(crate) fn limit(self) -> u64 {
        self.limit
    }

    /// Returns whether a new connection is within the limit. A new descriptor gets the lowest free
    /// number (POSIX, "File Descriptor Allocation"), so all lower numbers are in use. The number of
    /// the new descriptor is therefore a lower bound for the descriptors in use.
    pub(crate) fn allows(self, socket: &Socket) -> bool {
        // A socket in memory has no descriptor.
        let number = socket.tcp().map_or(0, AsRawFd::as_raw_fd);
        u64::try_from(number).is_ok_and(|number| number < self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(admission: &Arc<Admission>, address: &str) -> Vec<Permit> {
        let address = address.parse().unwrap();
        std::iter::from_fn(|| admission.admit(address)).take(10_000).collect()
    }

    #[test]
    fn open_connections_are_limited_per_address() {
        let admission = Admission::new(NonZeroU32::new(50).unwrap());
        let mut permits = admitted(&admission, "192.0.2.7");
        assert_eq!(permits.len(), 50);
        assert!(admission.admit("192.0.2.8".parse().unwrap()).is_some(), "another address");
        permits.pop();
        assert!(admission.admit("192.0.2.7".parse().unwrap()).is_some(), "one has been closed");
        drop(permits);
        assert!(admission.lock().is_empty(), "addresses without connections are forgotten");
    }

    #[test]
    fn an_ipv6_network_is_one_address_and_loopback_is_not_limited() {
        let admission = Admission::new(NonZeroU32::new(50).unwrap());
        let permits = admitted(&admission, "2001:db8:0:1::1");
        assert_eq!(permits.len(), 50);
        assert!(admission.admit("2001:db8:0:1:ffff::2".parse().unwrap()).is_none());
        assert!(admission.admit("2001:db8:0:2::1".parse().unwrap()).is_some());
        assert_eq!(admitted(&admission, "127.0.0.1").len(), 10_000);
    }
}
