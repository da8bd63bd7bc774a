import { batch, signal } from '@preact/signals';
import type { RatedWaitView, UserId, UserSuspensionView, UserView, WarningView } from '../protocol/generated.ts';
import type { Api } from './api.ts';

/** The suspension, the warnings and the wait of the user, and the rights of an operator. */
export class OwnStatus {
  /** The suspension; `null` if the user is not suspended, or if it is not known yet. */
  readonly suspension = signal<UserSuspensionView | null>(null);
  /** The warnings that the user has not acknowledged, newest first. */
  readonly warnings = signal<readonly WarningView[]>([]);
  /** The wait before the next rated match, after the user has left some; `null` if there is none. */
  readonly ratedWait = signal<RatedWaitView | null>(null);
  /** Set if the user is an operator; `null` while it is not known. */
  readonly isOperator = signal<boolean | null>(null);
  readonly #api: Pick<Api, 'me' | 'acknowledgeWarning'>;
  #user: UserId | null = null;
  /** Set if the last request has failed. */
  #isUnknown = false;
  /** The number of requests. Only the answer to the last one counts. */
  #requests = 0;

  constructor(api: Pick<Api, 'me' | 'acknowledgeWarning'>) {
    this.#api = api;
  }

  /** Requests the status if the user is not the one of the last request. */
  follow(user: UserView | null): void {
    if (user?.id === this.#user) return;
    this.#user = user?.id ?? null;
    this.#requests += 1;
    this.#set(null, [], null, user === null ? false : null);
    if (user !== null) void this.refresh();
  }

  /** Requests the status again if the last request has failed. */
  retry(): void {
    if (this.#isUnknown) void this.refresh();
  }

  /** Requests the status of the user again. After a failure the last known status stays. */
  async refresh(): Promise<void> {
    this.#requests += 1;
    const request = this.#requests;
    try {
      const { user, suspension, warnings, rated_wait, operator } = await this.#api.me();
      if (request !== this.#requests || user.id !== this.#user) return;
      this.#isUnknown = false;
      this.#set(suspension ?? null, warnings ?? [], rated_wait ?? null, operator === true);
    } catch {
      if (request === this.#requests) this.#isUnknown = true;
    }
  }

  /** Records that the user has read a warning. */
  async acknowledge(warning: number): Promise<void> {
    await this.#api.acknowledgeWarning(warning);
    this.warnings.value = this.warnings.value.filter(({ number }) => number !== warning);
  }

  #set(suspension: UserSuspensionView | null, warnings: readonly WarningView[], ratedWait: RatedWaitView | null, isOperator: boolean | null): void {
    batch(() => {
      this.suspension.value = suspension;
      this.warnings.value = warnings;
      this.ratedWait.value = ratedWait;
      this.isOperator.value = isOperator;
    });
  }
}
