//! The texts of enumerations in columns. Both databases use the same texts and check them with
//! constraints.

use quadrex_protocol::Event;
use quadrex_protocol::http::Uses;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_rules::Cause;

pub(super) const fn privacy(privacy: Privacy) -> &'static str {
    match privacy {
        Privacy::Public => "public",
        Privacy::Private => "private",
    }
}

pub(super) fn read_privacy(text: &str) -> Option<Privacy> {
    [Privacy::Public, Privacy::Private].into_iter().find(|&known| privacy(known) == text)
}

pub(super) const fn uses(uses: Uses) -> &'static str {
    match uses {
        Uses::Single => "single",
        Uses::Open => "open",
    }
}

pub(super) fn read_uses(text: &str) -> Option<Uses> {
    [Uses::Single, Uses::Open].into_iter().find(|&known| uses(known) == text)
}

pub(super) const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Open => "open",
        Phase::Running => "running",
        Phase::Ended => "ended",
    }
}

pub(super) fn read_phase(text: &str) -> Option<Phase> {
    [Phase::Open, Phase::Running, Phase::Ended].into_iter().find(|&known| phase(known) == text)
}

/// Returns the phase of a match after `events`, or `None` if neither the phase changes, nor a player
/// has left: the archive must then be completed.
pub(super) fn phase_after<'a>(events: impl IntoIterator<Item = &'a Event>) -> Option<Phase> {
    let mut after = None;
    for event in events {
        match event {
            Event::Opened { .. } => after = Some(Phase::Open),
            Event::Started { .. } => after = Some(Phase::Running),
            // The archive records who leaves a match, although the match goes on.
            Event::Eliminated { cause: Cause::Resign | Cause::Time | Cause::Absence, .. } => {
                after = Some(Phase::Running);
            }
            Event::Aborted { .. } | Event::Ended { .. } | Event::Closed { .. } => after = Some(Phase::Ended),
            Event::Seated { .. }
            | Event::Vacated { .. }
            | Event::HostChanged { .. }
            | Event::RematchRequested { .. }
            | Event::RematchAgreed { .. }
            | Event::RematchDeclined { .. }
            | Event::Rematched { .. }
            | Event::Moved { .. }
            | Event::Interrupted { .. }
            | Event::Paused {}
            | Event::Waiting { .. }
            | Event::VacationStarted { .. }
            | Event::VacationEnded { .. }
            | Event::Resuming { .. }
            | Event::Resumed {}
            | Event::Substituted { .. }
            | Event::Returned { .. }
            | Event::Eliminated { .. }
            | Event::Requested { .. }
            | Event::Agreed { .. }
            | Event::Declined { .. }
            | Event::TakenBack { .. }
            | Event::MessageSent { .. } => {}
        }
    }
    after
}
