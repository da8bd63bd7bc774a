import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { httpSignInApi, type SignInApi } from '../../store/sign-in-api.ts';
import { useClient } from '../context.ts';
import { AccountSection } from './account-section.tsx';
import { DeletionSection } from './deletion-section.tsx';
import { HiddenUsersSection } from './hidden-users-section.tsx';
import { lazyPage } from '../lazy-page.tsx';
import { PersonalDataSection } from './personal-data-section.tsx';
import { RecoveryKeySection } from './recovery-key-section.tsx';
import { Sessions } from './sessions.tsx';
import { SignInsSection } from './sign-ins-section.tsx';
import { TokensSection } from './tokens-section.tsx';
import { useLoaded } from '../use-loaded.ts';

/** Few visits need this section, so its code is loaded when it is shown. */
const NotificationsSection = lazyPage(async () => (await import('./notifications/notifications-section.tsx')).NotificationsSection, 'part');

/** The sections of the settings about the user's identity. */
export function AccountSettings({ signInApi = httpSignInApi }: { signInApi?: SignInApi }): JSX.Element | null {
  const client = useClient();
  const user = client.user.value;
  const hasKey = useLoaded(async () => (await client.api.me()).recovery_key === true, user?.id);
  const signIns = useLoaded(() => signInApi.signIns(), user?.account === true ? user.id : undefined);
  const hasPassword = user?.account === true && signIns.value?.password !== false;
  /** The number of changes that end sessions, after which the list is loaded again. */
  const [changes, setChanges] = useState(0);
  const onPasswordSet = (): void => {
    if (signIns.value !== null) signIns.set({ ...signIns.value, password: true });
  };
  if (user === null) return null;
  return (
    <div class="settings-form" key={user.id}>
      <AccountSection user={user} hasPassword={hasPassword} onPasswordSet={onPasswordSet} onSessionsEnded={() => setChanges((count) => count + 1)} />
      {user.account === true && <SignInsSection api={signInApi} signIns={signIns} />}
      <RecoveryKeySection user={user} hasKey={hasKey} />
      <Sessions key={changes} hasKey={hasKey.value === true} />
      <TokensSection user={user} />
      <NotificationsSection user={user} />
      <HiddenUsersSection user={user} />
      <PersonalDataSection />
      <DeletionSection user={user} hasPassword={hasPassword} />
    </div>
  );
}
