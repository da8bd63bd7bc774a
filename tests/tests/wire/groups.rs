//! Groups: their members, their tables, and the standings.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{
    ChangeGroup, ChangeGroupRole, CreateTable, DeleteUser, GroupList, GroupMembers, GroupRole,
    GroupStandings, GroupTables, GroupView, GroupVisibility, JoinGroup, NewGroup, NewInvitation,
    PersonalData, TableSummary,
};
use quadrex_protocol::settings::{Admission, Privacy};
use quadrex_protocol::{GroupId, MatchId, RefusalCode, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::http::Response;
use quadrex_tests::{Guest, Http, InProcessServer};
use uuid::Uuid;

async fn create(server: &InProcessServer, owner: &Guest, visibility: GroupVisibility) -> Result<GroupView> {
    let new = NewGroup {
        name: "Thursday four".to_owned(),
        text: Some("Every week\nat eight".to_owned()),
        visibility: Some(visibility),
    };
    server.http().as_guest(owner).post("/api/groups", &new).await?.json(201)
}

async fn private_group(server: &InProcessServer, owner: &Guest) -> Result<GroupView> {
    create(server, owner, GroupVisibility::Private).await
}

async fn join(server: &InProcessServer, user: &Guest, group: &GroupView) -> Result<Response> {
    let path = format!("/api/groups/{}/join", group.group);
    server.http().as_guest(user).post(&path, &JoinGroup { secret: group.secret.clone() }).await
}

async fn joined(server: &InProcessServer, user: &Guest, group: &GroupView) -> Result<GroupView> {
    join(server, user, group).await?.json(200)
}

async fn show(http: &Http, group: GroupId) -> Result<Response> {
    http.get(&format!("/api/groups/{group}")).await
}

async fn members(server: &InProcessServer, user: &Guest, group: GroupId) -> Result<GroupMembers> {
    server.http().as_guest(user).get(&format!("/api/groups/{group}/members")).await?.json(200)
}

/// Returns the names and roles of the members, as one of them sees them.
async fn roles(server: &InProcessServer, user: &Guest, group: GroupId) -> Result<Vec<(String, GroupRole)>> {
    let members = members(server, user, group).await?.members;
    Ok(members.into_iter().map(|member| (member.user.name, member.role)).collect())
}

async fn member_request(
    server: &InProcessServer,
    by: &Guest,
    group: GroupId,
    of: &Guest,
    role: Option<GroupRole>,
) -> Result<Response> {
    let path = format!("/api/groups/{group}/members/{}", of.user.id);
    let http = server.http().as_guest(by);
    match role {
        Some(role) => {
            let body = serde_json::to_string(&ChangeGroupRole { role })?;
            http.request("PUT", &path, Some(&body)).await
        }
        None => http.request("DELETE", &path, None).await,
    }
}

async fn open(server: &InProcessServer, host: &Guest, group: GroupId, privacy: Privacy) -> Result<TableId> {
    let request = CreateTable {
        seat: Some(Color::White),
        group: Some(group),
        ..CreateTable::plain(Variant::Classic, privacy)
    };
    Ok(server.http().as_guest(host).create(&request).await?.table)
}

async fn tables(http: &Http, group: GroupId) -> Result<Vec<TableId>> {
    let list: GroupTables = http.get(&format!("/api/groups/{group}/tables")).await?.json(200)?;
    Ok(list.tables.into_iter().map(|table| table.table).collect())
}

/// Every request about a private group is answered to an outsider, to a client without a user, and to a
/// removed member byte for byte like one about a group that does not exist.
#[tokio::test]
async fn a_private_group_does_not_exist_for_outsiders() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.http().account("Ada").await?, server.http().account("Ben").await?);
    let removed = server.guest("Removed").await?;
    let new = NewGroup { name: "Guests".to_owned(), text: None, visibility: None };
    let by_guest = server.http().as_guest(&removed).post("/api/groups", &new).await?;
    ensure!(by_guest.refusal(403)? == RefusalCode::AccountNeeded);
    let group = private_group(&server, &ada).await?;
    ensure!(group.role == Some(GroupRole::Owner) && group.members == 1, "{group:?}");
    joined(&server, &removed, &group).await?;
    ensure!(member_request(&server, &ada, group.group, &removed, None).await?.status == 204);

    let requests: [(&str, &str, Option<&str>); 11] = [
        ("GET", "", None),
        ("PATCH", "", Some(r#"{"name": "Mine"}"#)),
        ("DELETE", "", None),
        ("POST", "/join", Some(r#"{"secret": "wrong"}"#)),
        ("POST", "/join", Some("{}")),
        ("POST", "/secret", None),
        ("GET", "/tables", None),
        ("GET", "/standings?period=month", None),
        ("GET", "/members", None),
        ("PUT", "/members/{ada}", Some(r#"{"role": "member"}"#)),
        ("DELETE", "/members/{ada}", None),
    ];
    let absent = GroupId(Uuid::from_u128(0x0189_0000_0000_7000_8000_0000_0000_0000));
    for http in [server.http(), server.http().as_guest(&ben), server.http().as_guest(&removed)] {
        for (method, path, body) in requests {
            let path = path.replace("{ada}", &ada.user.id.to_string());
            let request = async |group: GroupId| {
                http.request(method, &format!("/api/groups/{group}{path}"), body).await
            };
            let (hidden, missing) = (request(group.group).await?, request(absent).await?);
            ensure!(hidden.status == 404, "{method} {path}: {hidden:?}");
            ensure!((hidden.status, &hidden.body) == (missing.status, &missing.body), "{method} {path}");
        }
        let of_group = CreateTable { group: Some(group.group), ..plain(Variant::Classic) };
        let of_absent = CreateTable { group: Some(absent), ..plain(Variant::Classic) };
        let (hidden, missing) =
            (http.post("/api/tables", &of_group).await?, http.post("/api/tables", &of_absent).await?);
        ensure!(hidden.status >= 400 && hidden.body == missing.body, "{hidden:?}");
    }
    let again = join(&server, &removed, &group).await?;
    ensure!(again.refusal(404)? == RefusalCode::NotFound, "a removed user cannot join again");
    Ok(())
}

#[tokio::test]
async fn users_join_a_private_group_by_its_link_until_the_link_is_renewed() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.http().account("Ada").await?, server.guest("Ben").await?);
    let group = private_group(&server, &ada).await?;
    let secret = group.secret.clone().context("the owner sees the secret")?;
    let with_secret = server.http().as_guest(&ben).with_header("Group-Secret", &secret);
    let preview: GroupView = show(&with_secret, group.group).await?.json(200)?;
    ensure!(preview == GroupView { role: None, secret: None, ..group.clone() }, "{preview:?}");
    let anonymous = server.http().with_header("Group-Secret", &secret);
    ensure!(show(&anonymous, group.group).await?.status == 200);
    let path = format!("/api/groups/{}/join", group.group);
    let by_nobody = anonymous.post(&path, &JoinGroup { secret: Some(secret.clone()) }).await?;
    ensure!(by_nobody.refusal(401)? == RefusalCode::Unauthenticated);

    for _ in 0..2 {
        let own = joined(&server, &ben, &group).await?;
        ensure!(
            own == GroupView { role: Some(GroupRole::Member), secret: None, members: 2, ..group.clone() }
        );
    }
    let list: GroupList = server.http().as_guest(&ben).get("/api/me/groups").await?.json(200)?;
    ensure!(list.groups.len() == 1 && list.groups[0].role == Some(GroupRole::Member), "{list:?}");
    let path = format!("/api/groups/{}/secret", group.group);
    let by_member = server.http().as_guest(&ben).request("POST", &path, None).await?;
    ensure!(by_member.refusal(403)? == RefusalCode::Forbidden, "only the owner and the admins renew it");
    let renewed: GroupView = server.http().as_guest(&ada).request("POST", &path, None).await?.json(200)?;
    ensure!(renewed.secret.is_some() && renewed.secret != group.secret, "{renewed:?}");
    let cleo = server.guest("Cleo").await?;
    ensure!(join(&server, &cleo, &group).await?.refusal(404)? == RefusalCode::NotFound, "the old link");
    ensure!(joined(&server, &cleo, &renewed).await?.members == 3);
    let _connection = server.connect(&cleo).await?;
    let listed = members(&server, &ben, group.group).await?;
    let names: Vec<_> = listed.members.iter().map(|member| (&*member.user.name, member.online)).collect();
    ensure!(names == [("Ada", false), ("Ben", false), ("Cleo", true)], "{names:?}");
    let data: PersonalData = server.http().as_guest(&ben).get("/api/me/export").await?.json(200)?;
    ensure!(data.groups.len() == 1 && data.groups[0].group == group.group, "{data:?}");
    Ok(())
}

#[tokio::test]
async fn everybody_sees_and_joins_a_public_group_except_removed_users() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.http().account("Ada").await?, server.guest("Ben").await?);
    let group = create(&server, &ada, GroupVisibility::Public).await?;
    ensure!(group.secret.is_none(), "a public group needs no secret: {group:?}");
    let shown: GroupView = show(&server.http(), group.group).await?.json(200)?;
    ensure!(shown.role.is_none() && shown.name == "Thursday four", "{shown:?}");
    joined(&server, &ben, &group).await?;
    let _connection = server.connect(&ada).await?;
    let is_online = async |http: &Http| {
        let path = format!("/api/groups/{}/members", group.group);
        anyhow::Ok(http.get(&path).await?.json::<GroupMembers>(200)?.members[0].online)
    };
    ensure!(is_online(&server.http().as_guest(&ben)).await?);
    ensure!(!is_online(&server.http()).await?, "only members see who is there");
    ensure!(
        member_request(&server, &ben, group.group, &ada, None).await?.refusal(403)? == RefusalCode::Forbidden
    );
    ensure!(member_request(&server, &ada, group.group, &ben, None).await?.status == 204);
    ensure!(join(&server, &ben, &group).await?.refusal(403)? == RefusalCode::Forbidden);
    let listed = members(&server, &ada, group.group).await?;
    ensure!(listed.members.len() == 1 && listed.removed == [ben.user.clone()], "{listed:?}");
    ensure!(members(&server, &ben, group.group).await?.removed.is_empty(), "only the owner sees them");
    let back = member_request(&server, &ada, group.group, &ben, Some(GroupRole::Member)).await?;
    ensure!(back.status == 204, "{back:?}");
    ensure!(roles(&server, &ben, group.group).await?.len() == 2);

    let path = format!("/api/groups/{}", group.group);
    let change = ChangeGroup {
        name: Some("Friday four".to_owned()),
        text: Some(String::new()),
        visibility: Some(GroupVisibility::Private),
    };
    let body = serde_json::to_string(&change)?;
    let by_member = server.http().as_guest(&ben).request("PATCH", &path, Some(&body)).await?;
    ensure!(by_member.refusal(403)? == RefusalCode::Forbidden);
    let changed: GroupView =
        server.http().as_guest(&ada).request("PATCH", &path, Some(&body)).await?.json(200)?;
    ensure!(changed.name == "Friday four" && changed.text.is_none() && changed.secret.is_some());
    ensure!(show(&server.http(), group.group).await?.status == 404, "it is private now");
    for name in ["", " padded", "zero\u{200b}width", &"x".repeat(41)] {
        let body = serde_json::to_string(&ChangeGroup { name: Some(name.to_owned()), ..change.clone() })?;
        let answer = server.http().as_guest(&ada).request("PATCH", &path, Some(&body)).await?;
        ensure!(answer.refusal(400)? == RefusalCode::BadSetting, "{name:?}");
    }
    Ok(())
}

#[tokio::test]
async fn the_owner_appoints_admins_and_a_group_never_loses_its_owner() -> Result<()> {
    use GroupRole::{Admin, Member, Owner};
    let server = InProcessServer::start().await?;
    let http = server.http();
    let [ada, ben] = [http.account("Ada").await?, http.account("Ben").await?];
    let [cleo, dora] = [http.account("Cleo").await?, http.guest("Dora").await?];
    let group = private_group(&server, &ada).await?;
    for user in [&dora, &ben, &cleo] {
        joined(&server, user, &group).await?;
        server.skip(Duration::from_secs(1));
    }
    let set = async |by: &Guest, of: &Guest, role| {
        anyhow::Ok(member_request(&server, by, group.group, of, Some(role)).await?.status)
    };
    ensure!(set(&ben, &cleo, Admin).await? == 403 && set(&ada, &cleo, Admin).await? == 204);
    ensure!(set(&cleo, &ben, Admin).await? == 403, "only the owner appoints admins");
    let path = format!("/api/groups/{}", group.group);
    let by_admin = http.as_guest(&cleo).request("DELETE", &path, None).await?;
    ensure!(by_admin.refusal(403)? == RefusalCode::Forbidden, "only the owner ends the group");
    ensure!(set(&ada, &dora, Owner).await? == 403, "a guest cannot be the owner");
    ensure!(set(&ada, &ada, Member).await? == 403, "the owner stays the owner");
    ensure!(member_request(&server, &cleo, group.group, &ada, None).await?.status == 403);
    ensure!(member_request(&server, &cleo, group.group, &dora, None).await?.status == 204);
    ensure!(set(&cleo, &dora, Member).await? == 204, "an admin lets a removed user back");
    ensure!(set(&ada, &ben, Owner).await? == 204);
    let now = roles(&server, &dora, group.group).await?;
    let expected = |names: &[(&str, GroupRole)]| {
        names.iter().map(|(name, role)| ((*name).to_owned(), *role)).collect::<Vec<_>>()
    };
    ensure!(now == expected(&[("Ben", Owner), ("Ada", Admin), ("Cleo", Admin), ("Dora", Member)]), "{now:?}");

    let leave = async |user: &Guest| member_request(&server, user, group.group, user, None).await;
    ensure!(leave(&ben).await?.status == 204);
    let now = roles(&server, &dora, group.group).await?;
    ensure!(now == expected(&[("Ada", Owner), ("Cleo", Admin), ("Dora", Member)]), "{now:?}");
    let deletion = DeleteUser { password: Some(quadrex_tests::http::PASSWORD.to_owned()) };
    let deleted = http.as_guest(&ada).post("/api/me/delete", &deletion).await?;
    ensure!(deleted.status == 204, "{deleted:?}");
    let now = roles(&server, &dora, group.group).await?;
    ensure!(now == expected(&[("Cleo", Owner), ("Dora", Member)]), "{now:?}");
    ensure!(leave(&cleo).await?.status == 204, "Dora has no account, so the group ends");
    ensure!(show(&http.as_guest(&dora), group.group).await?.status == 404);
    Ok(())
}

/// Members see a private table of their group, sit there without an invite and watch it. Others do not,
/// and neither does a user who was removed from the group.
#[tokio::test]
async fn members_take_seats_at_the_tables_of_their_group_without_an_invite() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let (ada, ben) = (http.account("Ada").await?, http.guest("Ben").await?);
    let (cleo, eve) = (http.guest("Cleo").await?, http.guest("Eve").await?);
    let group = private_group(&server, &ada).await?;
    for user in [&ben, &cleo] {
        joined(&server, user, &group).await?;
    }
    let table = open(&server, &ada, group.group, Privacy::Private).await?;
    let path = format!("/api/tables/{table}");
    let shown: TableSummary = http.as_guest(&ben).get(&path).await?.json(200)?;
    ensure!(shown.settings.group == Some(group.group), "{shown:?}");
    ensure!(tables(&http.as_guest(&cleo), group.group).await? == [table]);
    for outsider in [http.clone(), http.as_guest(&eve)] {
        ensure!(outsider.get(&path).await?.status == 404);
    }
    ensure!(http.public_tables().await?.is_empty(), "the lobby does not list it");

    let mut eves = server.connect(&eve).await?;
    let sit = eves.sit(table, None, None);
    ensure!(eves.refused(&sit).await? == RefusalCode::NotFound);
    let mut cleos = server.connect(&cleo).await?;
    cleos.watch(table).await?;
    let mut bens = server.connect(&ben).await?;
    let sit = bens.sit(table, None, None);
    bens.accepted(&sit).await?;
    ensure!(tables(&http.as_guest(&ben), group.group).await? == [table], "the match runs");

    ensure!(member_request(&server, &ada, group.group, &cleo, None).await?.status == 204);
    ensure!(cleos.close_code().await? > 0, "the connection of the removed member is closed");
    let mut cleos = server.connect(&cleo).await?;
    let sit = cleos.sit(table, None, None);
    ensure!(cleos.refused(&sit).await? == RefusalCode::NotFound, "a removed member has no rights");
    ensure!(http.as_guest(&cleo).get(&path).await?.status == 404);
    let resign = bens.resign(table);
    bens.accepted(&resign).await?;
    ensure!(tables(&http.as_guest(&ben), group.group).await?.is_empty(), "the match is over");
    ensure!(member_request(&server, &ben, group.group, &ben, None).await?.status == 204);
    ensure!(bens.close_code().await? > 0, "the connection of a member who leaves is closed too");
    Ok(())
}

/// A public table of a group is in the lobby. If its seats need an invite, members sit without one.
#[tokio::test]
async fn a_public_table_of_a_group_can_be_reserved_for_the_members() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let (ada, ben, eve) = (http.account("Ada").await?, http.guest("Ben").await?, http.guest("Eve").await?);
    let group = create(&server, &ada, GroupVisibility::Public).await?;
    joined(&server, &ben, &group).await?;
    let request = CreateTable {
        seat: Some(Color::White),
        group: Some(group.group),
        admission: Some(Admission::Invite),
        ..plain(Variant::Classic)
    };
    let table = http.as_guest(&ada).create(&request).await?.table;
    let private = open(&server, &ada, group.group, Privacy::Private).await?;
    ensure!(tables(&http, group.group).await? == [table], "others see the public tables");
    ensure!(tables(&http.as_guest(&ben), group.group).await? == [private, table]);
    let mut eves = server.connect(&eve).await?;
    let sit = eves.sit(table, None, None);
    ensure!(eves.refused(&sit).await? == RefusalCode::BadInvite);
    let mut bens = server.connect(&ben).await?;
    let sit = bens.sit(table, None, None);
    bens.accepted(&sit).await?;
    Ok(())
}

/// The match of a private table of a group is read by all members, and counts in the standings.
#[tokio::test]
async fn the_standings_of_a_group_count_the_matches_at_its_tables() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let (ada, ben, cleo) = (http.account("Ada").await?, http.guest("Ben").await?, http.guest("Cleo").await?);
    let group = private_group(&server, &ada).await?;
    for user in [&ben, &cleo] {
        joined(&server, user, &group).await?;
    }
    let play = async |host: &Guest, other: &Guest, group: Option<GroupId>| {
        let request = CreateTable {
            seat: Some(Color::White),
            group,
            ..CreateTable::plain(
                Variant::Classic,
                if group.is_some() { Privacy::Private } else { Privacy::Public },
            )
        };
        let created = http.as_guest(host).create(&request).await?;
        let mut client = server.connect(other).await?;
        let sit = client.sit(created.table, None, None);
        client.accepted(&sit).await?;
        let resign = client.resign(created.table);
        client.accepted(&resign).await?;
        anyhow::Ok(created.match_id)
    };
    let first: MatchId = play(&ada, &ben, Some(group.group)).await?;
    let path = format!("/api/matches/{first}");
    ensure!(http.as_guest(&cleo).get(&path).await?.status == 200, "a member reads the match");
    let eve = http.guest("Eve").await?;
    ensure!(http.as_guest(&eve).get(&path).await?.status == 404);
    server.skip(Duration::from_secs(31 * 86_400));
    play(&ben, &ada, Some(group.group)).await?;
    play(&ben, &cleo, Some(group.group)).await?;
    play(&cleo, &ada, None).await?;
    let standings = async |period: &str| {
        let path = format!("/api/groups/{}/standings{period}", group.group);
        let list: GroupStandings = http.as_guest(&cleo).get(&path).await?.json(200)?;
        let of = |it: quadrex_protocol::http::GroupStanding| {
            (it.user.name, it.matches, it.wins, it.points, it.places)
        };
        anyhow::Ok(list.standings.into_iter().map(of).collect::<Vec<_>>())
    };
    let all = standings("").await?;
    let expected = [
        ("Ben".to_owned(), 3, 2, 2.0, [2, 1, 0, 0]),
        ("Ada".to_owned(), 2, 1, 1.0, [1, 1, 0, 0]),
        ("Cleo".to_owned(), 1, 0, 0.0, [0, 1, 0, 0]),
    ];
    ensure!(all == expected && standings("?period=all").await? == expected, "{all:?}");
    let month = standings("?period=month").await?;
    ensure!(month[0] == ("Ben".to_owned(), 2, 2, 2.0, [2, 0, 0, 0]) && month.len() == 3, "{month:?}");
    ensure!(member_request(&server, &ada, group.group, &cleo, None).await?.status == 204);
    let path = format!("/api/groups/{}/standings", group.group);
    let list: GroupStandings = http.as_guest(&ada).get(&path).await?.json(200)?;
    let are_members: Vec<_> = list.standings.iter().map(|standing| standing.member).collect();
    ensure!(are_members == [true, true, false], "{list:?}");
    Ok(())
}

#[tokio::test]
async fn members_of_a_group_invite_each_other_to_tables() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let (ada, ben) = (http.account("Ada").await?, http.guest("Ben").await?);
    let group = private_group(&server, &ada).await?;
    let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let table = http.as_guest(&ada).create(&request).await?.table;
    let path = format!("/api/tables/{table}/invitations");
    let invitation = NewInvitation { user: ben.user.id, seat: None };
    let before = http.as_guest(&ada).post(&path, &invitation).await?;
    ensure!(before.refusal(403)? == RefusalCode::Forbidden);
    joined(&server, &ben, &group).await?;
    ensure!(http.as_guest(&ada).post(&path, &invitation).await?.status == 204);
    Ok(())
}

#[tokio::test]
async fn an_account_owns_at_most_ten_groups() -> Result<()> {
    let server = InProcessServer::start().await?;
    let ada = server.http().account("Ada").await?;
    let mut groups = Vec::new();
    for _ in 0..10 {
        groups.push(private_group(&server, &ada).await?);
    }
    let new = NewGroup { name: "One more".to_owned(), text: None, visibility: None };
    let http = server.http().as_guest(&ada);
    ensure!(http.post("/api/groups", &new).await?.refusal(409)? == RefusalCode::ListFull);
    let path = format!("/api/groups/{}", groups[0].group);
    ensure!(http.request("DELETE", &path, None).await?.status == 204);
    ensure!(http.get(&path).await?.status == 404);
    ensure!(http.post("/api/groups", &new).await?.status == 201);
    Ok(())
}
