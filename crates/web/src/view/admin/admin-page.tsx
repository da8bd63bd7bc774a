import type { JSX } from 'preact';
import { type AdminApi, httpAdminApi } from '../../store/admin-api.ts';
import type { AdminPlace } from '../router.ts';
import { AdminUserPage } from './admin-user-page.tsx';
import { UsersPage } from './users-page.tsx';

/** A page for operators. */
export function AdminPage({ place, api = httpAdminApi }: { place: AdminPlace; api?: AdminApi }): JSX.Element {
  switch (place.kind) {
    case 'users':
      return <UsersPage api={api} name={place.name} suspended={place.suspended} />;
    case 'user':
      return <AdminUserPage key={place.user} api={api} user={place.user} />;
  }
}
