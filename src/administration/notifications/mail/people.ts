import { isAtLeast, levelsOn } from '../../../assets/access/public-reading.ts';
import { displayNamesOf } from '../../../assets/metadata/public.ts';
import type { Store } from '../../../core/store/store.ts';
import { effectiveRoles, findUser } from '../../../identity/public-reading.ts';
import { administrator } from '../../../security/subject.ts';
import type { DeliveryResult } from '../actions/order.ts';
import { actorName } from '../body.ts';
import type { Head } from '../outbox-sql.ts';
import { kindsFor, type MailKind, type MailLanguage, mailLanguages } from './kinds.ts';
import { type Line, letterOf } from './letter.ts';
import type { Mailer } from './mailer.ts';
import { eventsTogether, type MailReader, readerOfMail, type ToldRow } from './store.ts';
import { mailTexts } from './texts.ts';

/** Tells a user of the events of a queue that are due. */
export type TellPerson = (
  head: Pick<Head, 'notificationId' | 'sequence' | 'at'>,
  signal: AbortSignal,
) => Promise<DeliveryResult>;

interface Parts {
  readonly store: Store;
  readonly mailer: Mailer;
  readonly settings: { readonly publicUrl: string };
  /** Code that a user reads in the mail to an address. */
  codeOf(reader: Pick<MailReader, 'userId' | 'address' | 'addressedAt'>): string;
}

/** Events of one message, and those of them that it has a line for. */
const [maxEvents, maxLines] = [1_000, 100];

/** Kinds of entities that mail tells of: their pages, and a role that reads them. */
const targets = {
  item: { page: '/item/', roles: ['_item_read', '_metadata_read'] },
  collection: { page: '/collection/', roles: ['_collection_read'] },
  library: { page: '/saved/', roles: ['_library_read'] },
} as const;
type TargetType = keyof typeof targets;

/** Roles that a request for a review needs. */
const reviews = ['_approval_write', '_item_shape_read'];

type Payload = Readonly<Record<string, string | undefined>>;
type Usage = Readonly<Record<'itemLimit' | 'itemUsage' | 'storageLimit' | 'storageUsage', number | undefined>>;

/** A kind of message about an event, before the names in it are known. */
interface Told {
  readonly kind: MailKind | 'confirm';
  readonly row: ToldRow;
  readonly payload: Payload;
  readonly target: { readonly type: TargetType; readonly id: string } | undefined;
}

interface Rights {
  readonly userId: string;
  readonly administers: boolean;
  has(role: string): boolean;
}

export function createTellPerson({ store, mailer, settings, codeOf }: Parts): TellPerson {
  return async ({ notificationId: id, sequence: first, at }, signal) => {
    const rows = await eventsTogether(store, { id, first, at, limit: maxEvents });
    const also = rows.slice(1).map(({ sequence }) => sequence);
    const reader = await readerOfMail(store, { id });
    const rights = reader && (await rightsOf(reader));
    const messages = rights ? await readable(rights, toldTo(reader, rows)) : [];
    if (!rights || messages.length === 0) return { verdict: 'delivered', text: 'There was nothing to tell', also };
    const language = mailLanguages.find((each) => each === reader.language) ?? 'en';
    const lines = await linesOf(reader, rights, messages.slice(0, maxLines), language);
    const letter = letterOf({ lines, more: messages.length - lines.length, language, base: settings.publicUrl });
    const last = also.at(-1) ?? first;
    const outcome = await mailer.send(
      { ...letter, id: `${id}.${first}-${last}.${rows[0]?.at ?? at}`, to: reader.address },
      signal,
    );
    return { ...outcome, also };
  };

  async function rightsOf({ userId }: MailReader): Promise<Rights> {
    const roles = await effectiveRoles(store, userId);
    const administers = roles.has(administrator);
    return { userId, administers, has: (role) => administers || roles.has(role) };
  }

  /** Without the rights that a message needs now, the user does not get it. */
  async function readable({ userId, administers, has }: Rights, told: readonly Told[]): Promise<readonly Told[]> {
    const places = told.flatMap(({ target }) => target ?? []);
    const { levelOf } = await levelsOn(store, { administrator: administers, userId }, places);
    return told.filter(({ kind, target }) => {
      if (kind === 'review' && !reviews.every(has)) return false;
      return !target || (targets[target.type].roles.some(has) && isAtLeast(levelOf(target), 'READ'));
    });
  }

  async function linesOf(
    reader: MailReader,
    rights: Rights,
    told: readonly Told[],
    language: MailLanguage,
  ): Promise<readonly Line[]> {
    const names = await namesFor(rights, told);
    const people = await realNames(told.map(({ row }) => actorOf(row)));
    return told.map(({ kind, row, payload, target }): Line => {
      const page = target ? `${targets[target.type].page}${encodeURIComponent(target.id)}` : '/me';
      const who = people.get(actorOf(row)) ?? '';
      if (kind === 'confirm') {
        return { sentence: 'confirm', values: { name: reader.name, code: codeOf(reader) }, page };
      }
      if (kind === 'login') {
        const place = [payload['device'], payload['address']].filter((part) => part).join(', ');
        return { sentence: 'login', values: { place, time: timeOf(row.at) }, page };
      }
      if (kind === 'quota') {
        const sentence = row.name === 'quota/near' ? 'quotaNear' : 'quotaOver';
        return { sentence, values: usageIn(payload as unknown as Usage, language), page };
      }
      const what = names.get(target!.id) ?? target!.id;
      return { sentence: kind, values: { who, what }, page, quote: payload['comment'] };
    });
  }

  async function namesFor(
    { userId, administers }: Rights,
    told: readonly Told[],
  ): Promise<ReadonlyMap<string, string>> {
    const owned = (['item', 'collection'] as const).map((kind) => {
      const ids = told.flatMap(({ target }) => (target?.type === kind ? [target.id] : []));
      const owners = Array.from(new Set(ids), (id) => ({ kind, id }));
      return owners.length === 0 ? new Map<string, string>() : displayNamesOf(store, owners, { userId, administers });
    });
    return new Map((await Promise.all(owned)).flatMap((names) => [...names]));
  }

  async function realNames(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const users = await Promise.all([...new Set(names)].map((name) => findUser(store, { name })));
    return new Map([...new Set(names)].map((name, at) => [name, users[at]?.realName ?? name]));
  }
}

const actorOf = ({ user, runAs }: ToldRow): string => actorName({ user, runAs: runAs ?? undefined });

/** Messages for a reader, who is not told of the own doings. Before the address is confirmed, of nothing but that. */
function toldTo(reader: MailReader, rows: readonly ToldRow[]): readonly Told[] {
  const kinds = JSON.parse(reader.kinds) as readonly MailKind[];
  return rows.flatMap((row): readonly Told[] => {
    const payload = JSON.parse(row.payload) as Payload;
    if (row.name === 'mail/confirm') {
      return reader.confirmed === 1 || reader.address === ''
        ? []
        : [{ kind: 'confirm', row, payload, target: undefined }];
    }
    const isOwn = actorOf(row) === reader.name && row.name !== 'login/new';
    if (reader.confirmed !== 1 || isOwn) return [];
    const wanted = kindsFor({ name: row.name, payload }, reader.name, kinds);
    return wanted.map((kind) => ({ kind, row, payload, target: targetOf(payload) }));
  });
}

function targetOf({ itemId, type = '', id }: Payload): Told['target'] {
  if (itemId !== undefined) return { type: 'item', id: itemId };
  return id !== undefined && Object.hasOwn(targets, type) ? { type: type as TargetType, id } : undefined;
}

/** Minutes in UTC: mail is read anywhere. */
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The resource that is nearest to its limit. */
function usageIn(usage: Usage, language: MailLanguage) {
  const { itemLimit, itemUsage = 0, storageLimit, storageUsage = 0 } = usage;
  const share = (used: number, limit: number | undefined) => (limit === undefined ? -1 : used / Math.max(limit, 1));
  const { items, storage } = mailTexts[language];
  if (share(itemUsage, itemLimit) >= share(storageUsage, storageLimit)) {
    const count = (number = 0) => number.toLocaleString(language);
    return { what: items, used: count(itemUsage), limit: count(itemLimit) };
  }
  const gigabytes = (bytes = 0) => (bytes / 1e9).toLocaleString(language, { maximumFractionDigits: 2 });
  return { what: storage, used: gigabytes(storageUsage), limit: `${gigabytes(storageLimit)} GB` };
}
