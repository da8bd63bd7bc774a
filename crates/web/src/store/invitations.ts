import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { InvitationView, TableId, UserId, UserView } from '../protocol/generated.ts';
import type { Api } from './api.ts';

/** The invitations of the user to tables that wait for an answer. */
export class Invitations {
  /** All invitations, newest first. */
  readonly list: Signal<readonly InvitationView[]> = signal([]);
  /** The newest invitation that the user has not put aside, or `null`. */
  readonly newest: ReadonlySignal<InvitationView | null> = computed(() => {
    const aside = this.#aside.value;
    return this.list.value.find((invitation) => !aside.has(keyOf(invitation))) ?? null;
  });
  /** The invitations that the user has put aside, without an answer. */
  readonly #aside = signal<ReadonlySet<string>>(new Set());
  readonly #api: Pick<Api, 'acceptInvitation' | 'declineInvitation'>;
  #user: UserId | null = null;

  constructor(api: Pick<Api, 'acceptInvitation' | 'declineInvitation'>) {
    this.#api = api;
  }

  /** Removes the invitations if the user is another one than before. */
  follow(user: UserView | null): void {
    if ((user?.id ?? null) === this.#user) return;
    this.#user = user?.id ?? null;
    this.list.value = [];
  }

  /** Replaces the list by the one of the server. */
  receive(invitations: readonly InvitationView[]): void {
    this.list.value = invitations;
  }

  /** Hides an invitation until the user opens the first page. */
  putAside(invitation: InvitationView): void {
    this.#aside.value = new Set([...this.#aside.value, keyOf(invitation)]);
  }

  /** Accepts an invitation. Returns the path of the table, which gives the user a seat. */
  async accept({ table: { table } }: InvitationView): Promise<string> {
    const { secret } = await this.#api.acceptInvitation(table);
    this.#remove(table);
    return `/t/${table}#invite=${secret}`;
  }

  async decline({ table: { table } }: InvitationView): Promise<void> {
    await this.#api.declineInvitation(table);
    this.#remove(table);
  }

  #remove(table: TableId): void {
    this.list.value = this.list.value.filter((one) => one.table.table !== table);
  }
}

/** Returns a key that identifies an invitation. A later invitation to the same table has another key. */
function keyOf({ table, invited_at_ms }: InvitationView): string {
  return `${table.table} ${invited_at_ms}`;
}
