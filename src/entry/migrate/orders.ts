import type {
  ImportSettingsDocument,
  NotificationDocument,
  QuotaRuleListDocument,
  QuotaRuleType,
  URIListDocument,
} from '../../types.ts';
import { carry, digestOf, listIfTold, type Migration, namesIn, withOldId } from './carry.ts';
import { many } from './original.ts';
import { at, idHere, type Path } from './places.ts';

/** Places of notifications that are about no single entity. */
const places = ['item', 'collection', 'job', 'storage', 'storage/file', 'quota', 'group', 'document', 'deletion-lock'];
const notificationsAt = (place: string): Path => {
  const [first = '', second] = place.split('/');
  return second === undefined ? at`/${first}/notification` : at`/${first}/${second}/notification`;
};

interface Placed {
  readonly place: string;
  readonly old: string;
}

const words = new Map([
  ['notification', 'notifications'],
  ['import-settings', 'import settings'],
]);

/** Names in a list that a release or a login may not have. */
async function listed(migration: Migration, kind: string, path: Path): Promise<readonly string[]> {
  return namesIn(
    migration,
    kind,
    (await listIfTold<string>(migration, words.get(kind)!, path.text, path, 'uri')) ?? [],
  );
}

export async function notificationsOf(migration: Migration): Promise<readonly Placed[]> {
  const notifications: Placed[] = [];
  for (const place of places)
    for (const old of await listed(migration, 'notification', notificationsAt(place)))
      notifications.push({ place, old });
  return notifications;
}

/** Notifications, switched off: they are paused before anything else happens. */
export async function carryNotifications(migration: Migration): Promise<void> {
  const { original, target, journal, report } = migration;
  await carry<Placed>(migration, {
    kind: 'notification',
    entries: await notificationsOf(migration),
    idOf: ({ place, old }) => `${place}/${old}`,
    async partsOf({ place, old }) {
      const path = at`${notificationsAt(place)}/${old}`;
      return { own: await original.api.read<NotificationDocument>(path) };
    },
    async put({ place, old }, { parts, id: current }) {
      const path = notificationsAt(place);
      const own = parts['own'] as NotificationDocument;
      if (current !== undefined) {
        await target.write('PUT', at`${path}/${current}`, own);
        return current;
      }
      // A run that is killed before the pause leaves a note, and the next one begins with this.
      await journal.begin('notification', `${place}/${old}`);
      return withOldId(migration, path, old, {
        async alike() {
          const id = await alikeAt(migration, path, own);
          if (id !== undefined) await pause(id);
          return id;
        },
        async make() {
          const { uri } = await target.write<URIListDocument>('POST', path, own);
          const id = idHere({ uri });
          await pause(id);
          report.remark('Notifications are switched off: POST …/resume switches one on', `${place}/${old}`);
          return id;
        },
      });
      async function pause(id: string): Promise<void> {
        await target.write('POST', at`${path}/${id}/pause?reason=${`Came from ${old}`}`);
      }
    },
  });
}

/** A document here that is equal, and has no old id. */
async function alikeAt(migration: Migration, path: Path, own: object): Promise<string | undefined> {
  const { target } = migration;
  const { uri } = await target.read<URIListDocument>(path);
  for (const id of many(uri).map((each) => idHere({ uri: [each] }))) {
    const { id: _id, ...content } = await target.read<{ readonly id?: string }>(at`${path}/${id}`);
    if (digestOf(migration, content) !== digestOf(migration, own)) continue;
    const { id: externalIds } = await target.read<{ id?: readonly object[] }>(at`${path}/${id}/external-id`);
    if (many(externalIds).length === 0) return id;
  }
  return undefined;
}

export const quotaRulesOf = async (migration: Migration): Promise<readonly QuotaRuleType[]> =>
  (await listIfTold<QuotaRuleType>(migration, 'quota rules', '/quota', at`/quota`, 'rule')) ?? [];

/** Requests that the original is to send later. */
export async function schedulesOf(migration: Migration): Promise<readonly object[]> {
  const path = at`/scheduled-request`;
  return (await listIfTold<object>(migration, 'scheduled requests', path.text, path, 'scheduledRequest')) ?? [];
}

export const importSettingsOf = (migration: Migration): Promise<readonly string[]> =>
  listed(migration, 'import-settings', at`/import/settings`);

/** Import profiles, quota rules that refuse nothing, and the list of schedules. */
export async function carryOrders(migration: Migration): Promise<void> {
  const { original, target, journal, report } = migration;
  await carry<string>(migration, {
    kind: 'import-settings',
    entries: await importSettingsOf(migration),
    idOf: (id) => id,
    async partsOf(old) {
      const { access } = await original.api.read<ImportSettingsDocument>(at`/import/settings/${old}`);
      return { own: { access: many(access).map(({ id: _id, loc: _loc, grantor: _grantor, ...entry }) => entry) } };
    },
    async put(old, { parts, id: current }) {
      const own = parts['own'] as object;
      const id = await withOldId(migration, at`/import/settings`, old, {
        alike: () => alikeAt(migration, at`/import/settings`, own),
        make: async () => (await target.write<ImportSettingsDocument>('POST', at`/import/settings`, own)).id!,
      });
      if (current !== undefined) await target.write('PUT', at`/import/settings/${id}`, own);
      return id;
    },
  });

  const newId = (kind: string, old: string | undefined) =>
    old === undefined ? undefined : journal.find(kind, old)?.id;
  await carry<QuotaRuleType>(migration, {
    kind: 'quota-rule',
    entries: await quotaRulesOf(migration),
    idOf: ({ id = '' }) => id,
    partsOf({ description, user, group, storageGroup, tag, updateFrequency, resource, ...entities }) {
      const collection = newId('collection', entities.collection);
      const library = newId('library', entities.library);
      const storage = newId('storage', entities.storage);
      const limits = many(resource).map(({ name, limit }) => ({ name, limit }));
      const own = { description, user, group, collection, library, storage, storageGroup, tag, updateFrequency };
      return { own: { ...own, resource: limits, enforce: false } };
    },
    async put({ id: old = '', ...rule }, { parts, id: current }) {
      const own = parts['own'] as QuotaRuleType;
      for (const kind of ['collection', 'library', 'storage'] as const)
        if (rule[kind] !== undefined && own[kind] === undefined)
          throw new Error(`Expected the ${kind} of the rule here`);
      const id = await withOldId(migration, at`/quota`, old, {
        alike: () => quotaAlike(migration, own),
        make: async () => (await target.write<QuotaRuleType>('POST', at`/quota`, own)).id!,
      });
      if (current !== undefined) await target.write('PUT', at`/quota/${id}`, own);
      else report.remark('Quota rules refuse nothing: enforce=true in the rule makes it refuse', old);
      return id;
    },
  });
  report.schedule = await schedulesOf(migration);
}

async function quotaAlike(migration: Migration, own: QuotaRuleType): Promise<string | undefined> {
  const { rule } = await migration.target.read<QuotaRuleListDocument>(at`/quota?content=external`);
  const facts = (each: QuotaRuleType) => {
    const { description, user, group, collection, library, storage, storageGroup, tag } = each;
    const limits = many(each.resource).map(({ name, limit }) => `${name} ${limit}`);
    const about = [description, user, group, collection, library, storage, storageGroup, tag];
    return digestOf(migration, [...about, limits.toSorted()]);
  };
  return many(rule).find((each) => many(each.externalId).length === 0 && facts(each) === facts(own))?.id;
}
