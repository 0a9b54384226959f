import type { Triggers } from '../../../core/events/event-kinds.ts';
import { fromBase64 } from '../../../core/lib/bytes.ts';
import { Recent } from '../../../core/lib/cache.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { aliasIn } from '../../../core/lib/secret.ts';
import { type Vault, VaultError } from '../../../core/lib/vault.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Services } from '../../../room/context.ts';
import type { ActionOrder } from '../actions/order.ts';
import type { SigningKey } from '../actions/signature.ts';
import { bodyOf, type DeliveredEvent, fieldsOf } from '../body.ts';
import { asCloudEvent, type CloudAttributes } from '../cloud-event.ts';
import { actionOf, type PlaceholderNotification, readStored } from '../documents/notification.ts';
import { unmask } from '../secrets/masking.ts';
import { importPrivateKey, needed, openSecret, openSigning } from '../secrets/sealing.ts';
import { type SigningSecretRow, signingSecretsOf } from '../secrets/store.ts';

/** A notification as its deliveries are made: with its secrets. */
export interface Opened {
  readonly sent: PlaceholderNotification;
  /** The newest first. None: it is not signed. */
  readonly keys: readonly SigningKey[];
}

/** Notification in its stored, encrypted form. */
export interface Closed {
  readonly notificationId: string;
  readonly version: number;
  readonly document: string;
  readonly sealed: string | null;
  /** The number of its newest secret. Null: it has none. */
  readonly newestSecret: number | null;
}

export interface OpenParts {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly vault: Vault | undefined;
  readonly services: { readonly secrets: Pick<Services['secrets'], 'open'> };
}

const max = 2_000;
/** Limit of cached documents in characters. Longer ones are rare, and read again. */
const maxKeptLength = 16_384;
const day = 86_400_000;

type Key = SigningKey & { readonly endsAt: number | null };
const noKeys: readonly SigningKey[] = [];

/** Opens notifications and caches them: opening costs more than sending. */
export function createOpen({ reader, clock, vault, services }: OpenParts) {
  const documents = new Recent<string, PlaceholderNotification>(max);
  const signing = new Recent<string, readonly Key[]>(max);
  const imported = new Recent<string, SigningKey>(max);

  async function documentOf({ notificationId: id, version, document, sealed }: Closed) {
    const key = `${id} ${version}`;
    const now = clock.now();
    const cached = documents.get(key, now);
    if (cached) return cached;
    const masked = readStored(document);
    const secret = sealed === null ? undefined : await openSecret(vault, sealed, id);
    const alias = aliasIn(secret ?? '');
    // A value may change while the notification stays.
    if (alias !== undefined) return unmask(masked, await credentialsOf(alias, masked));
    const sent = secret === undefined ? masked : unmask(masked, secret);
    if (document.length <= maxKeptLength) documents.set(key, sent, now + day);
    return sent;
  }

  /** Credentials of a secret, as the action of the notification has them. */
  async function credentialsOf(alias: string, { action }: PlaceholderNotification): Promise<string> {
    const password = await services.secrets.open(alias, 'password');
    if (password === undefined) throw new VaultError(`Expected a password in the secret "${alias}"`);
    if (action.http === undefined && action.smtp === undefined) return password;
    const username = (await services.secrets.open(alias, 'username')) ?? '';
    return [username, password].map(encodeURIComponent).join(':');
  }

  async function keysOf({ notificationId: id, newestSecret }: Closed): Promise<readonly SigningKey[]> {
    if (newestSecret === null) return noKeys;
    const now = clock.now();
    const version = `${id} ${newestSecret}`;
    let keys = signing.get(version, now);
    if (!keys) {
      const rows = await signingSecretsOf(reader, { id, now });
      keys = await Promise.all(rows.map(async (row) => ({ ...(await keyOf(row, id)), endsAt: row.endsAt })));
      signing.set(version, keys, now + day);
    }
    return keys.filter(({ endsAt }) => endsAt === null || endsAt > now);
  }

  async function keyOf(row: SigningSecretRow, id: string): Promise<SigningKey> {
    const now = clock.now();
    const cached = imported.get(row.sealed, now);
    if (cached) return cached;
    const { secret, privateKey } = await openSigning(needed(vault), row, id);
    const bytes = fromBase64(secret.replace(/^whsec_/, ''));
    const key = {
      hmac: await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
      ed25519: await importPrivateKey(privateKey),
    };
    imported.set(row.sealed, key, now + day);
    return key;
  }

  return async (closed: Closed): Promise<Opened> => ({
    sent: await documentOf(closed),
    keys: await keysOf(closed),
  });
}

type Identity = Pick<ActionOrder, 'notificationId' | 'id' | 'number' | 'depth' | 'cause' | 'within' | 'trial'>;

/** Conversion of events to bodies: triggers, and the XML namespace. */
export interface Telling {
  readonly triggers: Triggers;
  readonly namespace: string;
}

/** Order for an event, in the format of the notification. */
export function deliveryOrder(
  event: DeliveredEvent,
  { sent, keys }: Opened,
  identity: Identity,
  telling: Telling,
): ActionOrder {
  const fields = fieldsOf(telling.triggers, event, sent, identity.number - 1);
  const { mode, ...message } = bodyOf(actionOf(sent).contentType, fields, telling.namespace);
  const attributes = cloudAttributes(event, identity, telling.triggers);
  return { ...identity, sent, keys, event: event.name, fields, ...asCloudEvent(message, mode, attributes) };
}

const cloudAttributes = (event: DeliveredEvent, { id }: Identity, triggers: Triggers): CloudAttributes => ({
  id,
  source: `/API${triggers.of(event.name).resource}`,
  type: `portico.${event.name.replaceAll('/', '.')}`,
  subject: `${event.entityType}/${event.entityId}`,
  time: new Date(event.at).toISOString(),
});
