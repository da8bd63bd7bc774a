//! Conformance tests of groups.

use futures_util::future::join_all;
use quadrex_protocol::Event;
use quadrex_protocol::GroupId;
use quadrex_protocol::http::{GroupRole, GroupVisibility};
use quadrex_protocol::settings::Privacy;
use quadrex_store::{
    AccountCreation, Group, GroupChange, GroupJoined, GroupLeft, GroupLimits, NewAccount, NewTable, User,
};

use crate::test_store::{NOW, TestStore, after};

use GroupRole::{Admin, Member, Owner};

const LIMITS: GroupLimits = GroupLimits { members: 3, groups: 2 };

fn group(test: &TestStore, at: u64) -> Group {
    Group {
        id: GroupId(test.entropy.uuid(after(at))),
        name: "Thursday four".to_owned(),
        text: Some("Every week".to_owned()),
        visibility: GroupVisibility::Private,
        secret: "0123456789abcdef0123456789abcdef".to_owned(),
        created_at: after(at),
    }
}

/// Adds a group of this user.
async fn added(test: &TestStore, owner: &User, at: u64) -> Group {
    let group = group(test, at);
    assert!(test.store.create_group(&group, owner.id, 9, 9).await.unwrap());
    group
}

/// Returns a table that was created for a group.
fn of_group(mut table: NewTable, group: GroupId) -> NewTable {
    if let Some(Event::Opened { settings, .. }) = table.events.first_mut() {
        settings.group = Some(group);
    }
    table
}

async fn roles(test: &TestStore, group: GroupId) -> Vec<(String, Option<GroupRole>)> {
    let members = test.store.group_members(group).await.unwrap();
    members.into_iter().map(|member| (member.user.name, member.role)).collect()
}

pub(crate) async fn a_group_is_found_with_the_role_of_a_user(test: TestStore) {
    let (ada, ben) = (test.user("Ada").await, test.user("Ben").await);
    let store = &test.store;
    let first = added(&test, &ada, 1).await;
    let second = group(&test, 2);
    assert!(!store.create_group(&second, ada.id, 1, 9).await.unwrap(), "Ada owns as many as possible");
    assert!(!store.create_group(&second, ada.id, 9, 1).await.unwrap(), "Ada is in as many as possible");
    assert!(store.group(second.id, Some(ada.id)).await.unwrap().is_none());
    assert!(store.create_group(&second, ada.id, 2, 2).await.unwrap());
    let found = store.group(first.id, Some(ada.id)).await.unwrap().unwrap();
    assert_eq!((&found.group, found.members, found.role), (&first, 1, Some(Owner)));
    for user in [None, Some(ben.id)] {
        assert_eq!(store.group(first.id, user).await.unwrap().unwrap().role, None);
    }
    let own = store.groups_of(ada.id).await.unwrap();
    assert_eq!(own.iter().map(|own| own.group.id).collect::<Vec<_>>(), [second.id, first.id]);
    assert!(store.groups_of(ben.id).await.unwrap().is_empty());

    let change = GroupChange {
        name: Some("Friday four"),
        text: Some(None),
        visibility: Some(GroupVisibility::Public),
    };
    store.change_group(first.id, &change).await.unwrap();
    store.set_group_secret(first.id, "abcdef0123456789abcdef0123456789").await.unwrap();
    let changed = store.group(first.id, None).await.unwrap().unwrap().group;
    assert_eq!((changed.name.as_str(), &changed.text), ("Friday four", &None));
    assert_eq!(changed.visibility, GroupVisibility::Public);
    assert_eq!(changed.secret, "abcdef0123456789abcdef0123456789");
    store.change_group(first.id, &GroupChange::default()).await.unwrap();
    assert_eq!(store.group(first.id, None).await.unwrap().unwrap().group, changed, "nothing has changed");
    let too_long = "x".repeat(41);
    let change = GroupChange { name: Some(&too_long), ..GroupChange::default() };
    assert!(store.change_group(first.id, &change).await.is_err());

    assert_eq!(store.delete_group(second.id, NOW).await.unwrap(), [ada.id]);
    assert!(store.group(second.id, None).await.unwrap().is_none());
    assert_eq!(store.groups_of(ada.id).await.unwrap().len(), 1);
}

pub(crate) async fn users_join_a_group_within_the_limits(test: TestStore) {
    let ada = test.user("Ada").await;
    let store = &test.store;
    let [first, second, third] =
        [added(&test, &ada, 1).await.id, added(&test, &ada, 2).await.id, added(&test, &ada, 3).await.id];
    let ben = test.user("Ben").await;
    let join = async |group, user: &User| store.join_group(group, user.id, after(9), LIMITS).await.unwrap();
    assert_eq!([join(first, &ben).await, join(first, &ben).await], [GroupJoined::Joined; 2]);
    assert_eq!(join(second, &ben).await, GroupJoined::Joined);
    assert_eq!(join(third, &ben).await, GroupJoined::UserFull);
    assert_eq!(join(GroupId(test.entropy.uuid(NOW)), &ada).await, GroupJoined::Gone);
    assert!(store.is_group_member(first, ben.id).await.unwrap());
    assert!(!store.is_group_member(third, ben.id).await.unwrap());

    let mut users = Vec::new();
    for number in 0..6 {
        users.push(test.user(&format!("User {number}")).await);
    }
    let joined = join_all(users.iter().map(|user| join(third, user))).await;
    let count = |outcome| joined.iter().filter(|joined| **joined == outcome).count();
    assert_eq!((count(GroupJoined::Joined), count(GroupJoined::GroupFull)), (2, 4), "of parallel attempts");
    assert_eq!(store.group(third, None).await.unwrap().unwrap().members, 3);

    assert!(store.remove_group_member(first, ben.id, NOW).await.unwrap());
    assert!(!store.remove_group_member(first, ben.id, NOW).await.unwrap());
    assert!(!store.remove_group_member(first, ada.id, NOW).await.unwrap(), "the owner is not removed");
    assert_eq!(join(first, &ben).await, GroupJoined::Removed);
    assert!(!store.is_group_member(first, ben.id).await.unwrap());
    assert_eq!(store.group(first, Some(ben.id)).await.unwrap().unwrap().role, None);
    assert_eq!(store.group(first, None).await.unwrap().unwrap().members, 1);
    assert_eq!(store.groups_of(ben.id).await.unwrap().len(), 1, "of the second group");
    assert_eq!(roles(&test, first).await, [("Ada".to_owned(), Some(Owner)), ("Ben".to_owned(), None)]);
    assert!(store.set_group_role(first, ben.id, Member).await.unwrap());
    assert!(store.is_group_member(first, ben.id).await.unwrap());
    assert!(!store.set_group_role(third, ben.id, Member).await.unwrap(), "Ben was never there");
}

pub(crate) async fn the_owner_of_a_group_has_a_successor(test: TestStore) {
    let store = &test.store;
    let mut users = Vec::new();
    for name in ["Ada", "Ben", "Cleo", "Dora"] {
        let user = test.user(name).await;
        if name != "Ben" {
            let (name_key, password_hash) =
                (name.to_lowercase(), Some("$argon2id$v=19$m=64,t=2,p=1$c2Fs$aGFz"));
            let account = NewAccount { user: user.id, name, name_key: &name_key, password_hash, at: NOW };
            let created = store.create_account(account).await.unwrap();
            assert!(matches!(created, AccountCreation::Created(_)), "{created:?}");
        }
        users.push(user);
    }
    let [ada, ben, cleo, dora] = users.try_into().unwrap();
    let group = added(&test, &ada, 1).await.id;
    let limits = GroupLimits { members: 9, groups: 9 };
    for (at, user) in [(2, &ben), (3, &cleo), (4, &dora)] {
        assert_eq!(store.join_group(group, user.id, after(at), limits).await.unwrap(), GroupJoined::Joined);
    }
    store.set_group_role(group, dora.id, Admin).await.unwrap();
    let last = async || store.revocations_after(0).await.unwrap().users;
    let leave = async |user: &User| store.leave_group(group, user.id, NOW).await.unwrap();
    assert_eq!([leave(&ada).await, leave(&ada).await], [GroupLeft::Left, GroupLeft::NotMember]);
    assert!(last().await.contains(&ada.id), "all servers learn that Ada has lost rights");
    let is_now = async |expected: &[(&str, GroupRole)]| {
        let roles = roles(&test, group).await;
        let is = roles.iter().map(|(name, role)| (name.as_str(), role.unwrap()));
        assert_eq!(is.collect::<Vec<_>>(), expected);
    };
    // The admin becomes the owner, and then the member with an account.
    is_now(&[("Dora", Owner), ("Ben", Member), ("Cleo", Member)]).await;
    assert!(store.delete_user(dora.id, NOW).await.unwrap().is_some());
    is_now(&[("Cleo", Owner), ("Ben", Member)]).await;
    assert_eq!(leave(&cleo).await, GroupLeft::Dissolved, "Ben is a guest");
    assert!(store.group(group, None).await.unwrap().is_none());
    assert!(last().await.contains(&ben.id));
}

pub(crate) async fn the_unfinished_tables_of_a_group_are_listed(test: TestStore) {
    let ada = test.user("Ada").await;
    let store = &test.store;
    let (group, other) = (added(&test, &ada, 1).await.id, added(&test, &ada, 2).await.id);
    let mut tables = Vec::new();
    for at in 3..5 {
        let table = of_group(test.new_table(&ada, after(at)), group);
        store.open_table(&table).await.unwrap();
        tables.push(table);
    }
    store.open_table(&test.new_table(&ada, after(5))).await.unwrap();
    let listed = store.matches_of_group(group, 9).await.unwrap();
    let listed: Vec<_> = listed.into_iter().map(|(own, privacy)| (own.match_id, privacy)).collect();
    assert_eq!(listed, [(tables[1].match_id, Privacy::Public), (tables[0].match_id, Privacy::Public)]);
    assert_eq!(store.matches_of_group(group, 1).await.unwrap().len(), 1);
    assert!(store.matches_of_group(other, 9).await.unwrap().is_empty());
    assert!(store.group_standings(group, after(0)).await.unwrap().is_empty());
    assert_eq!(store.delete_group(group, NOW).await.unwrap(), [ada.id]);
    assert!(store.table(tables[0].table).await.unwrap().is_some(), "the table stays");
}
