import type { JSX } from 'preact';
import { type AdminApi, httpAdminApi } from '../../store/admin-api.ts';
import type { AdminPlace } from '../router.ts';
import { AdminUserPage } from './admin-user-page.tsx';
import { PairPage } from './pair-page.tsx';
import { PairsPage } from './pairs-page.tsx';
import { ReportPage } from './report-page.tsx';
import { ReportsPage } from './reports-page.tsx';
import { UsersPage } from './users-page.tsx';

/** A page for operators. */
export function AdminPage({ place, api = httpAdminApi }: { place: AdminPlace; api?: AdminApi }): JSX.Element {
  switch (place.kind) {
    case 'users':
      return <UsersPage api={api} name={place.name} suspended={place.suspended} />;
    case 'user':
      return <AdminUserPage key={place.user} api={api} user={place.user} />;
    case 'reports':
      return <ReportsPage key={place.state} api={api} state={place.state} />;
    case 'report':
      return <ReportPage key={place.number} api={api} number={place.number} />;
    case 'pairs':
      return <PairsPage api={api} />;
    case 'pair':
      return <PairPage key={`${place.a} ${place.b}`} api={api} a={place.a} b={place.b} />;
  }
}
