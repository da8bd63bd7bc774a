import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Updates } from '../offline/updates.ts';
import { useHeadingFocus } from './heading-focus.ts';
import { PieceShapes } from './board/piece-icon.tsx';
import { CallBar } from './call-bar.tsx';
import { Header } from './header.tsx';
import { InvitationNotice } from './invitations/invitation-notice.tsx';
import { InviteDialog } from './invitations/invite-dialog.tsx';
import { lazyPage } from './lazy-page.tsx';
import { Lobby } from './lobby/lobby.tsx';
import { NameDialog } from './name-form.tsx';
import { NotFound } from './not-found.tsx';
import { Notices } from './notices.tsx';
import { OperatorsOnly } from './operators-only.tsx';
import { PlayerDialog } from './people/player-dialog.tsx';
import { page, type Page } from './router.ts';
import { RulesDialog } from './rules/rules-dialog.tsx';
import { SettingsDialog } from './settings/settings-dialog.tsx';
import { TablePage } from './table/table-page.tsx';
import { WarningDialog } from './warning-dialog.tsx';
import { HandoverDialog } from './handover-dialog.tsx';
import { SignedOutDialog } from './signed-out-dialog.tsx';
import { SuspensionBanner } from './suspension-banner.tsx';

const ArchivePage = lazyPage(async () => (await import('./archive/archive-page.tsx')).ArchivePage);
const LeaderboardPage = lazyPage(async () => (await import('./ratings/leaderboard-page.tsx')).LeaderboardPage);
const UserPage = lazyPage(async () => (await import('./user/user-page.tsx')).UserPage);
const MatchPage = lazyPage(async () => (await import('./match/match-page.tsx')).MatchPage);
const AnalysisPage = lazyPage(async () => (await import('./analysis/analysis-page.tsx')).AnalysisPage);
const SettingsPage = lazyPage(async () => (await import('./settings/settings-page.tsx')).SettingsPage);
const SignInPage = lazyPage(async () => (await import('./account/sign-in-page.tsx')).SignInPage);
const SignUpPage = lazyPage(async () => (await import('./account/sign-up-page.tsx')).SignUpPage);
const CompleteSignUpPage = lazyPage(async () => (await import('./account/complete-sign-up-page.tsx')).CompleteSignUpPage);
const PasswordResetPage = lazyPage(async () => (await import('./account/password-reset-page.tsx')).PasswordResetPage);
const FriendsPage = lazyPage(async () => (await import('./people/friends-page.tsx')).FriendsPage);
const GamesPage = lazyPage(async () => (await import('./games/games-page.tsx')).GamesPage);
const GroupsPage = lazyPage(async () => (await import('./groups/groups-page.tsx')).GroupsPage);
const GroupPage = lazyPage(async () => (await import('./groups/group-page.tsx')).GroupPage);
const MailPage = lazyPage(async () => (await import('./mail/mail-page.tsx')).MailPage);
const AdminPage = lazyPage(async () => (await import('./admin/admin-page.tsx')).AdminPage);
const RulesPage = lazyPage(async () => (await import('./rules/rules-page.tsx')).RulesPage);

/** The whole client. */
export function App({ updates }: { updates: Updates }): JSX.Element {
  const currentPage = page.value;
  useHeadingFocus(currentPage);
  const { kind } = currentPage;
  // Styles of the whole page depend on this attribute.
  useLayoutEffect(() => {
    document.documentElement.dataset['page'] = kind;
  }, [kind]);
  return (
    <>
      <PieceShapes />
      <Header currentPage={currentPage.kind} updates={updates} />
      <SuspensionBanner />
      <PageView currentPage={currentPage} />
      <SettingsDialog />
      <RulesDialog />
      <HandoverDialog />
      <SignedOutDialog />
      <NameDialog />
      <PlayerDialog />
      <WarningDialog />
      <Notices />
      <InviteDialog />
      <InvitationNotice />
      <CallBar page={currentPage} />
    </>
  );
}

/**
 * The page of the present address. The code of rarely opened pages is loaded when they are opened.
 */
function PageView({ currentPage }: { currentPage: Page }): JSX.Element {
  switch (currentPage.kind) {
    case 'lobby':
      return <Lobby />;
    case 'table':
      return <TablePage key={currentPage.table} table={currentPage.table} />;
    case 'archive':
      return <ArchivePage variant={currentPage.variant} user={currentPage.user} player={currentPage.player} />;
    case 'ratings':
      return <LeaderboardPage variant={currentPage.variant} speed={currentPage.speed} />;
    case 'user':
      return <UserPage key={currentPage.user} user={currentPage.user} />;
    case 'match':
      return <MatchPage key={currentPage.match} match={currentPage.match} ply={currentPage.ply} />;
    case 'analysis':
      return <AnalysisPage key={location.search} />;
    case 'rules':
      return <RulesPage page={currentPage} />;
    case 'friends':
      return <FriendsPage />;
    case 'games':
      return <GamesPage />;
    case 'groups':
      return <GroupsPage />;
    case 'group':
      return <GroupPage key={currentPage.group} group={currentPage.group} />;
    case 'settings':
      return <SettingsPage />;
    case 'sign-in':
      return <SignInPage />;
    case 'sign-up':
      return <SignUpPage />;
    case 'complete-sign-up':
      return <CompleteSignUpPage />;
    case 'password-reset':
      return <PasswordResetPage />;
    case 'mail':
      return <MailPage key={currentPage.action} action={currentPage.action} />;
    case 'admin':
      return (
        <OperatorsOnly>
          <AdminPage place={currentPage.place} />
        </OperatorsOnly>
      );
    case 'unknown':
      return <NotFound />;
  }
}
