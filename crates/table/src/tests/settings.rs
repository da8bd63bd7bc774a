//! Tests of the validation of settings.

use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{
    Absence, Admission, Chat, Privacy, RatingRange, Seating, TableSettings, TimeSetting, Watchers,
};
use quadrex_rules::{DrawPolicy, Variant};

use super::{FISCHER, plain};
use crate::{SettingError, validate_settings};

fn private() -> CreateTable {
    CreateTable::plain(Variant::Dilkel, Privacy::Private)
}

#[test]
fn missing_settings_get_defaults() {
    let public = TableSettings {
        variant: Variant::Dilkel,
        privacy: Privacy::Public,
        setup: None,
        time: TimeSetting::None,
        draws: DrawPolicy::Claim,
        absence: Absence::Eliminate,
        watchers: Watchers::Everybody,
        chat: Chat::On,
        admission: Admission::Open,
        rated: false,
        rating_range: None,
        seating: Seating::Chosen,
        move_limit_ms: Some(300_000),
        hotseat: false,
        group: None,
        anonymous: false,
    };
    assert_eq!(validate_settings(plain(Variant::Dilkel)).unwrap(), public);
    let closed = TableSettings {
        privacy: Privacy::Private,
        watchers: Watchers::Link,
        admission: Admission::Invite,
        move_limit_ms: None,
        ..public.clone()
    };
    assert_eq!(validate_settings(private()).unwrap(), closed);
    let timed = CreateTable { time: Some(FISCHER), ..plain(Variant::Dilkel) };
    assert_eq!(
        validate_settings(timed).unwrap(),
        TableSettings { time: FISCHER, move_limit_ms: None, ..public }
    );
}

#[test]
fn chosen_settings_are_used() {
    let chosen = CreateTable {
        draws: Some(DrawPolicy::Automatic),
        absence: Some(Absence::Wait),
        watchers: Some(Watchers::Nobody),
        chat: Some(Chat::Phrases),
        seating: Some(Seating::Drawn),
        move_limit_ms: Some(10_000),
        hotseat: Some(true),
        ..private()
    };
    let settings = validate_settings(chosen).unwrap();
    assert_eq!(
        (settings.draws, settings.absence, settings.watchers, settings.chat, settings.seating),
        (DrawPolicy::Automatic, Absence::Wait, Watchers::Nobody, Chat::Phrases, Seating::Drawn)
    );
    assert_eq!((settings.move_limit_ms, settings.hotseat), (Some(10_000), true));
}

#[test]
fn incompatible_settings_are_refused_with_the_reason() {
    let rated = |request: CreateTable| CreateTable { rated: Some(true), ..request };
    let limit = |move_limit_ms, time| CreateTable {
        move_limit_ms: Some(move_limit_ms),
        time: Some(time),
        ..plain(Variant::Dilkel)
    };
    let ranged = |min, max| CreateTable {
        time: Some(FISCHER),
        rating_range: Some(RatingRange { min, max }),
        ..plain(Variant::Dilkel)
    };
    let start = quadrex_rules::Setup::start(Variant::Classic).to_string();
    let wrong = [
        (CreateTable { absence: Some(Absence::Wait), ..plain(Variant::Dilkel) }, SettingError::WaitInPublic),
        (CreateTable { watchers: Some(Watchers::Everybody), ..private() }, SettingError::PrivateWatchedByAll),
        (CreateTable { admission: Some(Admission::Open), ..private() }, SettingError::PrivateOpenToAll),
        (CreateTable { hotseat: Some(true), ..plain(Variant::Dilkel) }, SettingError::HotseatInPublic),
        (
            rated(CreateTable { setup: Some(start), ..plain(Variant::Classic) }),
            SettingError::Unratable { with: "a setup of its own" },
        ),
        (
            rated(CreateTable { hotseat: Some(true), ..private() }),
            SettingError::Unratable { with: "hotseat" },
        ),
        (
            rated(CreateTable { absence: Some(Absence::Wait), ..private() }),
            SettingError::Unratable { with: "absence wait" },
        ),
        (
            rated(CreateTable { absence: Some(Absence::Bot), ..plain(Variant::Dilkel) }),
            SettingError::Unratable { with: "absence bot" },
        ),
        (rated(plain(Variant::Dilkel)), SettingError::Unratable { with: "no clocks" }),
        (ranged(Some(1_500), None), SettingError::RangeWithoutUse),
        (
            rated(CreateTable { rating_range: ranged(Some(1_500), None).rating_range, ..private() }),
            SettingError::RangeWithoutUse,
        ),
        (rated(ranged(None, None)), SettingError::EmptyRange),
        (rated(ranged(Some(1_501), Some(1_500))), SettingError::RangeOfNobody { min: 1_501, max: 1_500 }),
        (rated(ranged(Some(4_001), None)), SettingError::RangeLimit { field: "min", value: 4_001 }),
        (rated(ranged(None, Some(4_001))), SettingError::RangeLimit { field: "max", value: 4_001 }),
        (limit(60_000, FISCHER), SettingError::LimitBesideClocks),
        (limit(9_999, TimeSetting::None), SettingError::MoveLimit(9_999)),
        (limit(86_400_001, TimeSetting::None), SettingError::MoveLimit(86_400_001)),
    ];
    for (request, expected) in wrong {
        let error = validate_settings(request.clone()).expect_err("it does not go together");
        assert_eq!((error.code(), error), (RefusalCode::BadSetting, expected), "{request:?}");
    }
    for request in [plain(Variant::Dilkel), private()] {
        let settings = validate_settings(CreateTable { time: Some(FISCHER), ..rated(request) }).unwrap();
        assert_eq!((settings.rated, settings.chat), (true, Chat::Phrases), "free chat is off by default");
    }
    assert_eq!(SettingError::MoveLimit(5).to_string(), "move_limit_ms is 5, it must be 10000 to 86400000");
}

#[test]
fn an_unreadable_setup_is_refused() {
    let request = CreateTable { setup: Some("rubbish".to_owned()), ..plain(Variant::Classic) };
    assert_eq!(validate_settings(request).unwrap_err().code(), RefusalCode::BadSetup);
}
