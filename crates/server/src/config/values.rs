//! Values of settings, as they are in the file: the key of a number names its unit, and an empty text
//! stands for no value.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Deserializer, de};

use super::public_url::PublicUrl;

pub(super) fn public_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PublicUrl>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(de::Error::custom) }
}

pub(super) fn optional_address<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(de::Error::custom) }
}

pub(super) fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let read = |text: &String| {
        let address = text.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
        address.or_else(|_| text.parse::<IpNet>()).map_err(|_| {
            de::Error::custom(format_args!("{text:?} is no address and no network (10.0.0.0/8)"))
        })
    };
    Vec::<String>::deserialize(deserializer)?.iter().map(read).collect()
}

pub(super) fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u32::deserialize(deserializer).map(|count| Duration::from_millis(count.into()))
}

pub(super) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u32::deserialize(deserializer).map(|count| Duration::from_secs(count.into()))
}

pub(super) fn list_of_minutes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Duration>, D::Error> {
    let counts = Vec::<u16>::deserialize(deserializer)?;
    Ok(counts.into_iter().map(|count| Duration::from_secs(60 * u64::from(count))).collect())
}

pub(super) fn hours<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u16::deserialize(deserializer).map(|count| Duration::from_secs(3_600 * u64::from(count)))
}

pub(super) fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u16::deserialize(deserializer).map(|count| Duration::from_secs(86_400 * u64::from(count)))
}
