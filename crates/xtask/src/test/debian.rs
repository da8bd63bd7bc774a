//! Installing what is missing, on a Debian (or Ubuntu) where we are root.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::system::Need;
use crate::process;

/// The settings by which installing PostgreSQL makes, and starts, a database cluster of the system's own.
const CLUSTER_SETTINGS: &str = "/etc/postgresql-common/createcluster.conf";

/// Whether packages can be installed without asking anybody: as root, where apt-get is.
pub(crate) fn may_install() -> bool {
    let root = process::stdout_of(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    root && Path::new("/etc/debian_version").exists() && Path::new("/usr/bin/apt-get").exists()
}

/// Installs Debian's packages for what is missing.
///
/// # Errors
/// When apt-get does not do it.
pub(crate) fn install(missing: &[Need]) -> Result<()> {
    let packages: Vec<&str> = missing.iter().map(|need| need.package()).collect();
    println!("installing {}, which the tests need", packages.join(", "));
    apt_get(&["update", "--quiet"])?;
    if missing.contains(&Need::Postgres) {
        // The tests start databases of their own and need none of the system's.
        apt_get(&["install", "--quiet", "--yes", "--no-install-recommends", "postgresql-common"])?;
        forbid_cluster(Path::new(CLUSTER_SETTINGS))?;
    }
    apt_get(&[&["install", "--quiet", "--yes", "--no-install-recommends"], packages.as_slice()].concat())
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    process::run(Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(arguments))
}

/// Makes `create_main_cluster = false` the one word on it; all else in the settings stays.
fn forbid_cluster(settings: &Path) -> Result<()> {
    let text = fs::read_to_string(settings).unwrap_or_default();
    let says = |line: &str| {
        line.trim_start().trim_start_matches('#').trim_start().starts_with("create_main_cluster")
    };
    let mut lines: Vec<&str> = text.lines().filter(|line| !says(line)).collect();
    lines.push("create_main_cluster = false\n");
    fs::write(settings, lines.join("\n")).with_context(|| format!("writing {}", settings.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn the_system_s_own_cluster_is_forbidden_and_the_other_settings_stay() {
        let folder = Scratch::new("debian-cluster");
        let settings = folder.path().join("createcluster.conf");
        for before in [
            "ssl = on\n#create_main_cluster = true\nstart_conf = 'auto'\n",
            "ssl = on\ncreate_main_cluster = true\nstart_conf = 'auto'\n",
        ] {
            fs::write(&settings, before).unwrap();
            forbid_cluster(&settings).unwrap();
            let after = fs::read_to_string(&settings).unwrap();
            assert_eq!(after, "ssl = on\nstart_conf = 'auto'\ncreate_main_cluster = false\n");
        }
    }

    #[test]
    fn settings_that_are_not_there_yet_are_written() {
        let folder = Scratch::new("debian-no-settings");
        let settings = folder.path().join("createcluster.conf");
        forbid_cluster(&settings).unwrap();
        assert_eq!(fs::read_to_string(&settings).unwrap(), "create_main_cluster = false\n");
    }
}
