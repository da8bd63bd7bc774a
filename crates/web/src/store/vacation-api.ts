import type { VacationStatus } from '../protocol/generated.ts';
import { requestJson, sendJson } from './http.ts';

/** The HTTP routes of the user's vacation. */
export interface VacationApi {
  status(): Promise<VacationStatus>;
  begin(days: number): Promise<VacationStatus>;
  end(): Promise<VacationStatus>;
}

/** The routes of the server that this page came from. */
export const httpVacationApi: VacationApi = {
  status: () => requestJson('/api/me/vacation'),
  begin: (days) => sendJson('PUT', '/api/me/vacation', { days }),
  end: () => requestJson('/api/me/vacation', { method: 'DELETE' }),
};
