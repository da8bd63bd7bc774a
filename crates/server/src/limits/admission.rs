//! Limits on open connections: by address, and by the file descriptors that the process may have.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::os::fd::AsRawFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Resource, getrlimit};
use tokio::net::TcpStream;

use super::client_addr::{LOOPBACK_FACTOR, network_of};

/// Counts the open connections of each address.
#[derive(Debug)]
pub(crate) struct Admission {
    open: Mutex<HashMap<IpAddr, u32>>,
    most: u32,
}

impl Admission {
    pub(crate) fn new(most: NonZeroU32) -> Arc<Self> {
        Arc::new(Self { open: Mutex::default(), most: most.get() })
    }

    /// Counts one more connection of an address for as long as the permit lives. `None` if it has
    /// too many; this machine's own address may have many more.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Permit> {
        let most = if address.is_loopback() { self.most.saturating_mul(LOOPBACK_FACTOR) } else { self.most };
        let network = network_of(address);
        let mut open = self.lock();
        let count = open.entry(network).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Permit { admission: Arc::clone(self), network })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A counted connection; dropping it ends the count.
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

/// The share of the descriptors that connections may have, in tenths. The rest is for the database
/// and files.
const SHARE: u64 = 9;

/// The number of descriptors at which connections are refused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptors(u64);

impl Descriptors {
    /// Returns the limit that follows from what the system lets the process have.
    pub(crate) fn of_process() -> Self {
        Self(getrlimit(Resource::Nofile).current.map_or(u64::MAX, |most| most / 10 * SHARE))
    }

    /// The limit.
    pub(crate) fn most(self) -> u64 {
        self.0
    }

    /// Returns whether a connection is within the limit. A new descriptor gets the lowest number
    /// that is free (POSIX, "File Descriptor Allocation"), so its number is a lower bound of those
    /// in use.
    pub(crate) fn have_room_for(self, stream: &TcpStream) -> bool {
        u64::try_from(stream.as_raw_fd()).is_ok_and(|number| number < self.0)
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
    fn an_address_may_have_only_so_many_open_connections() {
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
    fn an_ipv6_network_is_one_address_and_this_machine_may_have_many_connections() {
        let admission = Admission::new(NonZeroU32::new(50).unwrap());
        let permits = admitted(&admission, "2001:db8:0:1::1");
        assert_eq!(permits.len(), 50);
        assert!(admission.admit("2001:db8:0:1:ffff::2".parse().unwrap()).is_none());
        assert!(admission.admit("2001:db8:0:2::1".parse().unwrap()).is_some());
        assert_eq!(admitted(&admission, "127.0.0.1").len(), 10_000);
    }
}
