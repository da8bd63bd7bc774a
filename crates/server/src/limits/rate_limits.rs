//! The rate limits on requests, for each client address and each user. They limit the creation of
//! guests, tables, handovers, links, analyses and reports, requests for mails, changes of names, attempts to sign in,
//! explorations of lines, drawings of pictures, and lookups in the archive.
//!
//! In a cluster, the creations, the changes of names and the attempts to sign in of a user or an
//! address are counted at one node, whichever node receives the requests. If that node does not
//! answer, the node that has received the request counts it. Everything else is counted by each node.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use quadrex_cluster::message::{LimitAnswer, LimitKey, LimitQuestion, MessageBody};
use quadrex_protocol::UserId;

use super::LimitExceeded;
use super::by_key::{ByAccount, ByAddress, ByRecipient, ByUser};
use super::client_addr::network_of;
use crate::cluster::ClusterLink;
use crate::config::LimitsConfig;

/// The limits whose requests are counted at one node of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SharedLimit {
    Guests,
    Tables,
    Handovers,
    Renames,
    Links,
    Analyses,
    SignIns,
    Reports,
    Mails,
}

impl SharedLimit {
    const ALL: [Self; 9] = [
        Self::Guests,
        Self::Tables,
        Self::Handovers,
        Self::Renames,
        Self::Links,
        Self::Analyses,
        Self::SignIns,
        Self::Reports,
        Self::Mails,
    ];

    /// Returns the name in messages between nodes.
    const fn name(self) -> &'static str {
        match self {
            Self::Guests => "guests",
            Self::Tables => "tables",
            Self::Handovers => "handovers",
            Self::Renames => "renames",
            Self::Links => "links",
            Self::Analyses => "analyses",
            Self::SignIns => "sign_ins",
            Self::Reports => "reports",
            Self::Mails => "mails",
        }
    }

    /// Returns the requests that are limited, for the message to the user.
    const fn requests(self) -> &'static str {
        match self {
            Self::Guests => "guests",
            Self::Tables => "tables",
            Self::Handovers => "handovers",
            Self::Renames => "changes of your name",
            Self::Links => "links",
            Self::Analyses => "analyses",
            Self::SignIns => "attempts to sign in",
            Self::Reports => "reports",
            Self::Mails => "mails",
        }
    }
}

/// The time that a node waits for the count of another node.
const COUNT_PATIENCE: Duration = Duration::from_millis(200);

/// The rate limits on requests. Each `check_` function counts a request, or fails if there were too
/// many.
#[derive(Debug)]
pub(crate) struct RateLimits {
    guests: ByUser,
    tables: ByUser,
    handovers: ByUser,
    renames: ByUser,
    links: ByUser,
    analyses: ByUser,
    sign_ins: ByAccount,
    reports: ByUser,
    mails: ByRecipient,
    reports_per_hour: NonZeroU32,
    explorations: ByAddress,
    pictures: ByAddress,
    lookups: ByAddress,
    cluster: Option<ClusterLink>,
}

impl RateLimits {
    /// Returns the limits of a server. `cluster` is the link to the other nodes, if there are any.
    pub(crate) fn new(limits: &LimitsConfig, cluster: Option<ClusterLink>) -> Self {
        Self {
            guests: ByUser::new(limits.guests_per_minute, limits.guests_burst),
            tables: ByUser::new(limits.tables_per_minute, limits.tables_burst),
            handovers: ByUser::new(limits.tables_per_minute, limits.tables_burst),
            renames: ByUser::new(limits.tables_per_minute, limits.tables_burst),
            links: ByUser::new(limits.links_per_minute, limits.links_burst),
            analyses: ByUser::new(limits.analyses_per_minute, limits.analyses_burst),
            sign_ins: ByAccount::new(
                limits.sign_ins_per_account,
                limits.sign_ins_per_minute,
                limits.sign_ins_burst,
            ),
            reports: ByUser::per_hour(limits.reports_per_hour),
            mails: ByRecipient::per_day(limits.mails_per_day),
            reports_per_hour: limits.reports_per_hour,
            explorations: ByAddress::new(limits.explore_per_minute, limits.explore_burst),
            pictures: ByAddress::new(limits.pictures_per_minute, limits.pictures_burst),
            lookups: ByAddress::new(limits.archive_per_minute, limits.archive_burst),
            cluster,
        }
    }

    /// Counts the creation of a guest from an address.
    pub(crate) async fn check_guest(&self, address: IpAddr) -> Result<(), LimitExceeded> {
        let counted = self.count_at_owner(SharedLimit::Guests, client_key(address)).await;
        let message = "too many guests were made from your address; try again later";
        counted.map_err(|wait| LimitExceeded::until(SharedLimit::Guests.name(), message, wait))
    }

    /// Counts the exploration of a line for an address.
    pub(crate) fn check_exploration(&self, address: IpAddr) -> Result<(), LimitExceeded> {
        let message = "too many lines were explored from your address; try again in a moment";
        self.explorations.check("explorations", address, message)
    }

    /// Counts an analysis for a user at an address.
    pub(crate) async fn check_analysis(&self, user: UserId, address: IpAddr) -> Result<(), LimitExceeded> {
        self.check_user(SharedLimit::Analyses, user, address).await
    }

    /// Counts the drawing of a picture for an address. An animation costs as much as many pictures.
    pub(crate) fn check_pictures(&self, address: IpAddr, cost: NonZeroU32) -> Result<(), LimitExceeded> {
        let message = "too many pictures were drawn for your address; try again in a moment";
        self.pictures.check_cost("pictures", address, cost, message)
    }

    /// Counts the lookup of a list, a match or a player for an address.
    pub(crate) fn check_lookup(&self, address: IpAddr) -> Result<(), LimitExceeded> {
        let message = "too much was looked up from your address; try again in a moment";
        self.lookups.check("lookups", address, message)
    }

    /// Counts the creation of a table by a user at an address.
    pub(crate) async fn check_table(&self, user: UserId, address: IpAddr) -> Result<(), LimitExceeded> {
        self.check_user(SharedLimit::Tables, user, address).await
    }

    /// Counts the creation of a handover by a user at an address. Handovers have the same limits as
    /// tables.
    pub(crate) async fn check_handover(&self, user: UserId, address: IpAddr) -> Result<(), LimitExceeded> {
        self.check_user(SharedLimit::Handovers, user, address).await
    }

    /// Counts the choice of a name by a user at an address. Names have the same limits as tables.
    pub(crate) async fn check_rename(&self, user: UserId, address: IpAddr) -> Result<(), LimitExceeded> {
        self.check_user(SharedLimit::Renames, user, address).await
    }

    /// Counts an invite, a watch link or a share link that a user at an address creates.
    pub(crate) async fn check_link(&self, user: UserId, address: IpAddr) -> Result<(), LimitExceeded> {
        self.check_user(SharedLimit::Links, user, address).await
    }

    /// Counts an attempt to sign in from an address, with a recovery key or with the password of an
    /// account. `account` is the key of the account's name, whether or not there is such an account.
    pub(crate) async fn check_sign_in(
        &self,
        account: Option<&str>,
        address: IpAddr,
    ) -> Result<(), LimitExceeded> {
        let account = account.map(|name_key| LimitKey::Account(name_key.to_owned()));
        for key in [client_key(address)].into_iter().chain(account) {
            self.count_at_owner(SharedLimit::SignIns, key).await.map_err(|wait| {
                let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                let message = format!("too many attempts to sign in; wait {seconds} seconds and try again");
                LimitExceeded::until(SharedLimit::SignIns.name(), message, wait)
            })?;
        }
        Ok(())
    }

    /// Counts a report that a user at an address sends.
    pub(crate) async fn check_report(&self, user: UserId, address: IpAddr) -> Result<(), LimitExceeded> {
        for key in [LimitKey::User(user), client_key(address)] {
            self.count_at_owner(SharedLimit::Reports, key).await.map_err(|wait| {
                let message = format!(
                    "at most {} reports an hour are accepted from you or from your address; try again later",
                    self.reports_per_hour
                );
                LimitExceeded::until(SharedLimit::Reports.name(), message, wait)
            })?;
        }
        Ok(())
    }

    /// Counts a mail that a client requests: a user, to a new mail address, or anybody, for the account
    /// with a name. `recipient` is a text that does not contain the mail address; `None` if nothing can
    /// be sent.
    pub(crate) async fn check_mail(
        &self,
        user: Option<UserId>,
        recipient: Option<String>,
        address: IpAddr,
    ) -> Result<(), LimitExceeded> {
        let recipient = recipient.map(LimitKey::Account);
        let keys = [Some(client_key(address)), user.map(LimitKey::User), recipient];
        for key in keys.into_iter().flatten() {
            self.count_at_owner(SharedLimit::Mails, key).await.map_err(|wait| {
                let message = "too many mails were requested; try again later";
                LimitExceeded::until(SharedLimit::Mails.name(), message, wait)
            })?;
        }
        Ok(())
    }

    /// Answers the question of another node whether a limit allows a request, and counts the request.
    pub(crate) fn answer(&self, question: &LimitQuestion) -> LimitAnswer {
        let limit = SharedLimit::ALL.into_iter().find(|limit| limit.name() == question.limit);
        let counted = limit.map_or(Ok(()), |limit| self.count(limit, &question.key));
        LimitAnswer { retry_after_ms: counted.err().map(milliseconds) }
    }

    /// Counts a request of a user. Fails if there were too many from the user or from the address.
    async fn check_user(
        &self,
        limit: SharedLimit,
        user: UserId,
        address: IpAddr,
    ) -> Result<(), LimitExceeded> {
        for key in [LimitKey::User(user), client_key(address)] {
            self.count_at_owner(limit, key).await.map_err(|wait| {
                let requests = limit.requests();
                let message =
                    format!("too many {requests} were made by you or from your address; try again later");
                LimitExceeded::until(limit.name(), message, wait)
            })?;
        }
        Ok(())
    }

    /// Counts a request at the node that counts the requests of its key.
    async fn count_at_owner(&self, limit: SharedLimit, key: LimitKey) -> Result<(), Duration> {
        if let Some(cluster) = &self.cluster {
            let owner = cluster.key_owner(&format!("{} {key:?}", limit.name()));
            if owner != cluster.node() {
                let question = LimitQuestion { limit: limit.name().to_owned(), key: key.clone(), cost: 1 };
                let answer = cluster.ask(owner, question.into(), COUNT_PATIENCE).await;
                if let Some(MessageBody::LimitAnswer(LimitAnswer { retry_after_ms })) = answer {
                    return retry_after_ms.map_or(Ok(()), |wait| Err(Duration::from_millis(wait)));
                }
            }
        }
        self.count(limit, &key)
    }

    fn count(&self, limit: SharedLimit, key: &LimitKey) -> Result<(), Duration> {
        let limiter = match limit {
            SharedLimit::Guests => &self.guests,
            SharedLimit::Tables => &self.tables,
            SharedLimit::Handovers => &self.handovers,
            SharedLimit::Renames => &self.renames,
            SharedLimit::Links => &self.links,
            SharedLimit::Analyses => &self.analyses,
            SharedLimit::Reports => &self.reports,
            SharedLimit::SignIns => return self.sign_ins.count(key),
            SharedLimit::Mails => return self.mails.count(key),
        };
        limiter.count(key)
    }
}

fn client_key(address: IpAddr) -> LimitKey {
    LimitKey::Client(network_of(address).to_string())
}

fn milliseconds(wait: Duration) -> u64 {
    u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use futures_util::FutureExt;

    use super::*;

    fn rate_limits() -> RateLimits {
        let config = crate::config::Config::load(None, [], &crate::config::Flags::default()).unwrap();
        RateLimits::new(&config.limits, None)
    }

    /// Returns the result of a check. A server without a cluster never waits for it.
    fn now<T>(check: impl Future<Output = T>) -> T {
        check.now_or_never().expect("it does not wait")
    }

    #[test]
    fn new_guests_are_limited_per_address() {
        let limits = rate_limits();
        let stranger: IpAddr = "192.0.2.7".parse().unwrap();
        let made = (0..10_000).take_while(|_| now(limits.check_guest(stranger)).is_ok()).count();
        assert!((1..10_000).contains(&made), "{made} guests");
        assert!(
            now(limits.check_guest("192.0.2.8".parse().unwrap())).is_ok(),
            "another address has its own count"
        );
        assert!((0..10_000).all(|_| now(limits.check_guest("127.0.0.1".parse().unwrap())).is_ok()));
    }

    /// An account allows five attempts from all addresses together, and an address more attempts at
    /// different accounts.
    #[test]
    fn attempts_to_sign_in_are_limited_per_account_and_address() {
        let limits = rate_limits();
        let address = |number: u8| IpAddr::from([192, 0, 2, number]);
        let tried =
            (0..100).take_while(|&number| now(limits.check_sign_in(Some("ada"), address(number))).is_ok());
        assert_eq!(tried.count(), 5);
        let refused = now(limits.check_sign_in(Some("ada"), address(200))).unwrap_err();
        assert_eq!(refused.to_string(), "too many attempts to sign in; wait 12 seconds and try again");
        assert!(refused.retry_after.is_some_and(|wait| wait <= Duration::from_secs(12)), "{refused:?}");
        assert!(now(limits.check_sign_in(Some("ben"), address(200))).is_ok(), "another account");

        let accounts = (0..1_000).map(|number| format!("user {number}"));
        let stranger = address(201);
        let tried =
            accounts.take_while(|name| now(limits.check_sign_in(Some(name), stranger)).is_ok()).count();
        assert!((30..35).contains(&tried), "{tried} attempts");
        assert!(now(limits.check_sign_in(None, stranger)).is_err(), "recovery keys count too");
        assert!(now(limits.check_guest(stranger)).is_ok(), "guests have their own count");
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let limits = rate_limits();
        let host = |number: u128| IpAddr::from(Ipv6Addr::from_bits((0x2001_0db8 << 96) | number));
        let made = (0..1_000).take_while(|&number| now(limits.check_guest(host(number))).is_ok()).count();
        assert!((60..70).contains(&made), "{made} guests");
        assert!(now(limits.check_guest(host(1 << 64))).is_ok(), "another network has its own count");
    }

    #[test]
    fn explorations_are_limited_per_address() {
        let limits = rate_limits();
        let stranger: IpAddr = "192.0.2.7".parse().unwrap();
        let explored = (0..10_000).take_while(|_| limits.check_exploration(stranger).is_ok()).count();
        assert!((200..300).contains(&explored), "{explored} lines");
        assert!(now(limits.check_guest(stranger)).is_ok(), "guests have their own count");
    }

    #[test]
    fn a_user_and_an_address_may_send_ten_reports_an_hour() {
        let limits = rate_limits();
        let user = |number| UserId(uuid::Uuid::from_u128(number));
        let (here, there) = ("127.0.0.1".parse().unwrap(), "192.0.2.7".parse().unwrap());
        let sent = (0..100).take_while(|_| now(limits.check_report(user(0), here)).is_ok()).count();
        assert_eq!(sent, 10, "by one user");
        let refused = now(limits.check_report(user(0), here)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "at most 10 reports an hour are accepted from you or from your address; try again later"
        );
        assert!(refused.retry_after.is_some_and(|wait| wait <= Duration::from_secs(360)), "{refused:?}");
        assert!(now(limits.check_report(user(1), here)).is_ok(), "another user has its own count");
        let sent = (1..100).take_while(|&number| now(limits.check_report(user(number), there)).is_ok());
        assert_eq!(sent.count(), 10, "from one address");
    }

    #[test]
    fn mails_are_limited_per_user_per_recipient_and_per_address() {
        let limits = rate_limits();
        let user = |number| UserId(uuid::Uuid::from_u128(number));
        let address = |number: u8| IpAddr::from([192, 0, 2, number]);
        let check = |user, recipient: String, address| now(limits.check_mail(user, Some(recipient), address));
        let sent = (0..50).take_while(|number| check(Some(user(0)), number.to_string(), address(0)).is_ok());
        assert_eq!(sent.count(), 6, "by one user, to different recipients");
        let sent = (1..50).take_while(|&number| check(Some(user(number)), "ada".into(), address(1)).is_ok());
        assert_eq!(sent.count(), 6, "to one recipient, by different users");
        let refused = check(None, "ada".into(), address(2)).unwrap_err();
        assert_eq!(refused.to_string(), "too many mails were requested; try again later");
        assert!(refused.retry_after.is_some_and(|wait| wait <= Duration::from_hours(4)), "{refused:?}");
        let sent = (0..50).take_while(|number| check(None, format!("by {number}"), address(3)).is_ok());
        assert_eq!(sent.count(), 24, "from one address");
    }

    /// Checks a limit: the users of one address together get as much as one user, while another
    /// user or another address has its own count.
    fn expect_limit(count: impl Fn(&RateLimits, UserId, IpAddr) -> Result<(), LimitExceeded>) -> RateLimits {
        let limits = rate_limits();
        let (here, there) = ("127.0.0.1".parse().unwrap(), "192.0.2.7".parse().unwrap());
        let user = |number| UserId(uuid::Uuid::from_u128(number));
        let granted = (0..10_000).take_while(|_| count(&limits, user(0), here).is_ok()).count();
        assert!((60..70).contains(&granted), "{granted} for one user");
        assert!(count(&limits, user(1), here).is_ok(), "another user has its own count");
        let granted = (1..10_000).take_while(|&number| count(&limits, user(number), there).is_ok()).count();
        assert!((60..70).contains(&granted), "{granted} for one address");
        limits
    }

    #[test]
    fn an_animation_costs_as_much_as_several_pictures() {
        let address = "192.0.2.7".parse().unwrap();
        let drawn = |cost: u32| {
            let limits = rate_limits();
            let cost = NonZeroU32::new(cost).unwrap();
            (0..10_000).take_while(|_| limits.check_pictures(address, cost).is_ok()).count()
        };
        assert!((300..310).contains(&drawn(1)), "{} pictures", drawn(1));
        assert_eq!(drawn(20), 15, "animations");
        assert_eq!(drawn(100_000), 1, "more than may come at once count as that many");
    }

    #[test]
    fn tables_analyses_and_handovers_are_limited_per_user_and_address() {
        let (user, here) = (UserId(uuid::Uuid::from_u128(0)), "127.0.0.1".parse().unwrap());
        let limits = expect_limit(|limits, user, address| now(limits.check_table(user, address)));
        assert!(now(limits.check_analysis(user, here)).is_ok(), "analyses have their own count");
        let limits = expect_limit(|limits, user, address| now(limits.check_analysis(user, address)));
        assert!(now(limits.check_handover(user, here)).is_ok(), "handovers have their own count");
        let limits = expect_limit(|limits, user, address| now(limits.check_handover(user, address)));
        assert!(now(limits.check_table(user, here)).is_ok(), "tables have their own count");
    }
}
