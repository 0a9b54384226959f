import type { World } from '../../support/matrix.ts';
import { jsonOf } from '../../support/requests.ts';

type Json = Readonly<Record<string, unknown>>;

/** Names that each house has of its own, and times. */
const own = new Set([
  ...['id', 'loc', 'uri', 'uuid', 'timestamp', 'change', 'revision', 'reference', 'created', 'grantor', 'entityId'],
  ...['lastUpdate', 'lastSuccess', 'usage', 'freeCapacity', 'thumbnails', 'enforce', 'write', 'storage', 'username'],
]);
const isOwnField = ({ name }: Json): boolean =>
  /^__|^(?:itemId|collectionId)$|^representative/.test(String(name ?? ''));

/** A document without what differs between houses that have the same things. */
function plain(value: unknown): unknown {
  // Fields have no order.
  if (Array.isArray(value)) return inOrder(value.filter((each) => !isOwnField(Object(each))).map(plain));
  if (typeof value !== 'object' || value === null) return value;
  const { change, ...given } = value as Json;
  const { user: _author, ...authored } = given;
  const rest = change === undefined ? given : authored;
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, each]) => (own.has(name) ? [] : [[name, plain(each)]])),
  );
}

const inOrder = (values: readonly unknown[]): readonly unknown[] =>
  values.toSorted((a, b) => (String(Object(a).name) < String(Object(b).name) ? -1 : 1));

const byText = (values: readonly unknown[] = []): readonly unknown[] =>
  values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** All that a house has, by the ids that programs know. */
export async function snapshotOf(world: World): Promise<object> {
  const get = (path: string) => jsonOf<Json>(world, `GET /API/${path}`);
  const list = async (path: string) => ((await get(path))['uri'] ?? []) as readonly string[];
  const items = ['VX-1', 'VX-2', 'VX-3'].map(async (id) => {
    const item = await get(`item/${id}?content=metadata,thumbnail&includeTransientMetadata=false`);
    const shapes = (await list(`item/${id}/shape?version=all&placeholder=all`)).map(async (shape) =>
      plain(await get(`item/${id}/shape/${shape}?includePlaceholder=true`)),
    );
    const access = (await get(`item/${id}/access`)) as { access: Json[] };
    const times = ((item['thumbnails'] as { uri?: string[] })?.uri ?? []).map((uri) => uri.split('/').at(-1));
    const external = (await get(`item/${id}/external-id`)) as { id?: { externalId: string; namespace?: string }[] };
    const { relation = [] } = (await get(`item/${id}/relation`)) as { relation?: { direction: Json; value: Json[] }[] };
    return {
      relations: byText(relation.map(({ direction, value }) => [direction['type'], byText(value)])),
      metadata: plain(item),
      shapes: byText(await Promise.all(shapes)),
      access: byText(access.access.map(plain)),
      times,
      external: external.id?.filter(({ namespace }) => namespace).map(({ externalId }) => externalId),
    };
  });
  const collections = ['VX-1', 'VX-2'].map(async (id) => {
    const { content = [], ...rest } = await get(`collection/${id}?content=metadata`);
    const members = (content as { id: string; type: string; metadata?: object }[]).map(async (member) => {
      const path = `${member.type}/${member.id}`;
      const names =
        member.type === 'library'
          ? (await get(path))['hits']
          : (plain(await get(`${path}/metadata?field=title&includeTransientMetadata=false`)) as object);
      return [member.type, names, member.metadata];
    });
    const access = (await get(`collection/${id}/access`)) as { access: Json[] };
    return {
      ...(plain(rest) as object),
      members: await Promise.all(members),
      access: byText(access.access.map(plain)),
    };
  });
  const names = [
    'user/ann',
    'user/ben',
    'group/staff',
    'group/crew',
    'metadata-field/x_note?data=all&includeValues=true',
  ];
  const more = [
    'metadata-field/x_number?data=all&includeValues=true',
    'metadata-field/field-group/Film',
    'shape-tag/lowres',
  ];
  const rest = [
    'metadata-field/x_secret/access',
    'external-id/house',
    'storage/VX-1',
    'library/VX*2/settings',
    'quota/VX-1',
  ];
  const documents = [...names, ...more, ...rest].map(async (path) => [path, plain(await get(path))] as const);
  const { lock } = (await get('deletion-lock')) as { lock: Json[] };
  const settings = 'import/settings/VX-1';
  const { file } = (await get('storage/VX-1/file?number=100')) as { file: { path: string; state: string }[] };
  return {
    items: await Promise.all(items),
    collections: await Promise.all(collections),
    documents: Object.fromEntries(
      await Promise.all([...documents, get(settings).then((each) => [settings, plain(each)] as const)]),
    ),
    files: file.map(({ path, state }) => `${path} ${state}`).toSorted(),
    // Locks that have ended stay behind.
    locks: byText(
      lock
        .filter((each) => !each['isExpired'])
        .map((each) => [each['entityType'], each['expiryTime'], each['metadata']]),
    ),
    counts: await countsOf(world),
  };
}

/** Numbers that a thing made twice would change. */
async function countsOf(world: World): Promise<object> {
  const tables = ['item', 'collection', 'library', 'shape', 'component', 'file', 'storage', 'storage_method', 'user'];
  const more = [
    'group_user',
    'access_entry',
    'collection_member',
    'library_item',
    'notification',
    'quota_rule',
    'import_settings',
    'item_relation',
  ];
  const { store } = world.service;
  const counts = [...tables, ...more].map(async (table) => {
    const [row] = await store.read(`SELECT count(*) FROM "${table}"`);
    return [table, Number(row![0])] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
