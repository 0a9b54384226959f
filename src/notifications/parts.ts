import type { Description, DocumentLimits } from '../documents/index.ts';
import type { Triggers } from '../events/triggers.ts';
import type { Call } from '../http/call.ts';
import type { MediaType } from '../http/negotiation.ts';
import type { Reply } from '../http/reply.ts';
import type { Clock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import type { Vault } from '../lib/vault.ts';
import type { EntityKinds } from '../room/entity.ts';
import type { NamedAction } from '../security-ini/security-parts.ts';
import type { Work } from '../store/contract.ts';
import type { Store } from '../store/store.ts';
import type { NotificationSettings } from './settings.ts';

/** What the routes of this room are given. */
export interface NotificationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: DocumentLimits;
  readonly triggers: Triggers;
  readonly settings: Pick<NotificationSettings, 'maxPage' | 'maxNotifications' | 'maxParked'>;
  /** Undefined: there is no key, and no secret can be stored. */
  readonly vault: Vault | undefined;
  /** By resource, `/group`. Of resources that are missing, no entity exists. */
  readonly entities: EntityKinds;
  /** What plugins can carry out, in the configuration that runs now. */
  actions(): readonly NamedAction[];
  fingerprint(text: string): string;
  /** Why no setting lets anybody call an address. */
  uncallable(url: string): string | undefined;
  /** A document in the negotiated form. */
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
  /** Commits in the name of the caller. */
  commit(work: Work, call: Call): Promise<void>;
}
