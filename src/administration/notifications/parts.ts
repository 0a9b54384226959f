import type { Triggers } from '../../core/events/event-kinds.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Random } from '../../core/lib/random.ts';
import type { Vault } from '../../core/lib/vault.ts';
import type { Store } from '../../core/store/store.ts';
import type { Services } from '../../room/context.ts';
import type { EntityKinds } from '../../room/entity.ts';
import type { NamedAction } from '../../security/ini/security-parts.ts';
import type { NotificationSettings } from './settings.ts';

/** Parts of the routes of notifications. */
export interface NotificationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly triggers: Triggers;
  readonly settings: Pick<NotificationSettings, 'maxPage' | 'maxPageValues' | 'maxNotifications' | 'maxParked'>;
  /** Encrypts secrets. Undefined: there is no key, so no secret can be stored. */
  readonly vault: Vault | undefined;
  readonly services: { readonly secrets: Services['secrets'] };
  /** Kinds of entities by resource, such as `/group`. Resources without a kind have no entities. */
  readonly entities: EntityKinds;
  /** Actions of plugins in the current configuration. */
  actions(): readonly NamedAction[];
  fingerprint(text: string): string;
  /** Reason why no setting permits calls to the address. Undefined: callable. */
  uncallable(url: string): string | undefined;
}
