/** Compares two services over HTTP, entity by entity. Shares nothing with the command that it judges. */

type Json = Readonly<Record<string, unknown>>;
/** Sends a request of an administrator. `path`: behind the address of the API. */
export type Reach = (path: string, init?: RequestInit) => Promise<Response>;

interface Side {
  readonly reach: Reach;
  get(path: string): Promise<Json>;
  /** An answer, or an empty document for 404. */
  find(path: string): Promise<Json>;
  search(path: string, body: object): Promise<Json>;
}

export interface Comparison {
  /** Entities of each kind. */
  readonly compared: Readonly<Record<string, number>>;
  readonly differences: number;
  /** The first ones. */
  readonly some: readonly string[];
}

const maxLines = 200;

function sideOf(reach: Reach): Side {
  const read = async (path: string, init: RequestInit, missing?: Json): Promise<Json> => {
    const answer = await reach(path, init);
    const text = await answer.text();
    if (answer.status === 404 && missing) return missing;
    if (!answer.ok) throw new Error(`Expected 200 from ${path}: ${answer.status} ${text.slice(0, 200)}`);
    return JSON.parse(text) as Json;
  };
  const headers = { accept: 'application/json' };
  return {
    reach,
    get: (path) => read(path, { headers }),
    find: (path) => read(path, { headers }, {}),
    search: (path, body) =>
      read(path, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

/** A list may stand without brackets, if it has one entry. */
const list = (value: unknown): readonly Json[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? (value as Json[]) : [value as Json];
const texts = (value: unknown): readonly string[] => list(value).map(String);
const inPath = (id: unknown): string => encodeURIComponent(String(id));

/** A text that is equal for documents with the same content, without the properties that each service numbers itself. */
const textOf = (value: unknown, without: readonly string[] = []): string =>
  JSON.stringify(plainOf(value, without)) ?? '';

/** Nothing that is empty or false, members in order, single entries without brackets, and pairs by their keys. */
function plainOf(value: unknown, without: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const all = value.map((each) => plainOf(each, without)).filter((each) => each !== undefined);
    // Pairs, and the words of an access entry.
    const nameOf = (each: unknown) => Object(each).key ?? (Object(each).name === undefined && Object(each).value);
    const hasNoOrder = all.every((each) => typeof nameOf(each) === 'string');
    const ordered = hasNoOrder ? all.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) : all;
    return ordered.length < 2 ? ordered[0] : ordered;
  }
  if (typeof value !== 'object' || value === null)
    return value === null || value === '' || value === false ? undefined : value;
  const members = Object.entries(value)
    .filter(([name]) => !without.includes(name))
    .map(([name, each]) => [name, plainOf(each, without)] as const)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const pairsOf = (metadata: unknown): readonly string[] =>
  list(Object(metadata).field).map(({ key, value }) => `metadata ${key}=${value}`);
const namesOf = (groups: unknown): readonly string[] =>
  list(Object(groups).group).map(({ groupName }) => `group ${groupName}`);

/** Lines of a metadata document: one for each value. */
function valuesOf(document: unknown): readonly string[] {
  const lines = texts(Object(document).group).map((name) => `form ${name}`);
  const add = (content: Json, place: string): void => {
    for (const { name, track = '', value, inheritance } of list(content['field'])) {
      // Names and addresses that each service has of its own.
      if (/^__|^representative|^(?:itemId|collectionId)$/.test(String(name)) || inheritance) continue;
      for (const each of list(value)) lines.push(`${place} ${name} ${track} ${each['lang'] ?? ''}: ${each['value']}`);
    }
    for (const group of list(content['group'])) {
      lines.push(`${place}/${group['name']}`);
      add(group, `${place}/${group['name']}`);
    }
  };
  for (const span of list(Object(document).timespan)) add(span, `${span['start']} ${span['end']}`);
  return lines;
}

const entriesOf = ({ access }: Json): readonly string[] =>
  list(access).map(
    (entry) => `access ${textOf(entry, ['id', 'loc', 'grantor', 'priority', 'recursive'])} ${entry['priority'] ?? 0}`,
  );

const own = ['id', 'loc', 'uri', 'uuid', 'timestamp', 'storage'];

/** Lines of a shape: its tags and components, and the files in them. */
function shapeLines(shape: Json): readonly string[] {
  const head = `shape ${shape['essenceVersion'] ?? 0} ${texts(shape['tag']).toSorted()} ${texts(shape['mimeType'])}`;
  const kinds = Object.keys(shape).filter((name) => name.endsWith('Component'));
  return [
    head,
    ...pairsOf(shape['metadata']).map((line) => `${head} ${line}`),
    ...kinds.flatMap((kind) =>
      [shape[kind]].flat().flatMap((each) => {
        const { file, ...component } = each as Json;
        const files = list(file).flatMap(({ path, size, hash, state, metadata }) => [
          `${head} ${kind} ${path} ${size} ${hash} ${state}`,
          ...pairsOf(metadata).flatMap((line) => (/ (?:mtime|created)=/.test(line) ? [] : [`${path} ${line}`])),
        ]);
        return [`${head} ${kind} ${textOf(component, own)}`, ...files];
      }),
    ),
  ];
}

const last = (uri: unknown): string => String(uri).split('/').at(-1)!;

export async function compareHouses(from: Reach, to: Reach, atOnce = 8): Promise<Comparison> {
  const [one, other] = [sideOf(from), sideOf(to)];
  const compared: Record<string, number> = {};
  const some: string[] = [];
  let differences = 0;
  /** Old ids of what is at the other side, by kind and new id. */
  const oldIds = new Map<string, string>();

  function differ(line: string): void {
    differences++;
    if (some.length < maxLines) some.push(line);
  }

  /** Lines of both sides, each as often as the other side has it. */
  function compare(kind: string, id: unknown, mine: readonly string[], its: readonly string[]): void {
    compared[kind] = (compared[kind] ?? 0) + 1;
    const counts = new Map<string, number>();
    for (const line of mine) counts.set(line, (counts.get(line) ?? 0) + 1);
    for (const line of its) counts.set(line, (counts.get(line) ?? 0) - 1);
    for (const [line, count] of counts)
      if (count !== 0) differ(`${kind} ${id} ${count > 0 ? 'lacks' : 'has besides'}: ${line.slice(0, 300)}`);
  }

  /** Looks at all entries of a list, so many at a time. */
  async function each(entries: AsyncIterable<Json>, work: (entry: Json) => Promise<void>): Promise<void> {
    const iterator = entries[Symbol.asyncIterator]();
    const hand = async () => {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) await work(next.value);
    };
    await Promise.all(Array.from({ length: atOnce }, hand));
  }

  async function* pagesOf({ get }: Side, path: string, name: string, number = 500): AsyncGenerator<Json> {
    for (let first = 1; ; first += number) {
      const entries = list(
        (await get(`${path}${path.includes('?') ? '&' : '?'}first=${first}&number=${number}`))[name],
      );
      yield* entries;
      if (entries.length < number) return;
    }
  }

  async function* searched({ search }: Side, path: string, name: string, query = ''): AsyncGenerator<Json> {
    const body = { sort: [{ field: 'created', order: 'ascending' }] };
    for (let cursor = '*'; ; ) {
      const page = await search(`${path}?number=100&cursor=${encodeURIComponent(cursor)}${query}`, body);
      yield* list(page[name]);
      if (page['nextCursor'] === undefined || page['nextCursor'] === cursor) return;
      cursor = String(page['nextCursor']);
    }
  }

  const both = async <T>(work: (side: Side) => Promise<T>): Promise<[T, T]> => Promise.all([work(one), work(other)]);

  async function countsOf(kind: string, count: (side: Side) => Promise<unknown>): Promise<void> {
    const [mine, its] = await both(count);
    if (mine !== its) differ(`${kind}: ${mine} of them there, and ${its} here`);
  }

  async function people(): Promise<void> {
    const userLines = (user: Json) => [
      `name ${user['realName']}`,
      `disabled ${user['disabled'] === true}`,
      ...list(user['alias']).map((alias) => `alias ${alias}`),
      ...pairsOf(user['metadata']),
      ...namesOf(user['groupList']),
    ];
    await each(pagesOf(one, '/user', 'user'), async ({ userName }) => {
      if (userName === 'admin' || userName === 'system') return;
      const [mine, its] = await both((side) => side.find(`/user/${inPath(userName)}`));
      compare('user', userName, userLines(mine), userLines(its));
    });
    await each(pagesOf(one, '/group', 'group'), async ({ groupName, role }) => {
      if (role === true || String(groupName).startsWith('_')) return;
      const [mine, its] = await both((side) => side.find(`/group/${inPath(groupName)}`));
      const groupLines = (group: Json) => [
        `description ${group['description'] ?? ''}`,
        ...pairsOf(group['metadata']),
        ...namesOf(group['parentGroupList']),
      ];
      compare('group', groupName, groupLines(mine), groupLines(its));
    });
    await countsOf('user', async ({ get }) => (await get('/user?number=1'))['hits']);
  }

  async function definitions(): Promise<void> {
    const withoutNames = ['origin', 'system', 'access', 'loc', 'uuid', 'id'];
    for (const [kind, path, query, name] of [
      ['field', '/metadata-field', 'data=all&includeValues=true', 'field'],
      ['field group', '/metadata-field/field-group', 'content=true&data=all', 'group'],
    ] as const) {
      const [mine, its] = await both(async ({ get }) => list((await get(`${path}?${query}`))[name]));
      for (const definition of mine) {
        if (String(definition['system']) === 'true') continue;
        const here = its.find((each) => each['name'] === definition['name']) ?? {};
        const access = await both(({ find }) => find(`${path}/${inPath(definition['name'])}/access`));
        const lines = (document: Json, entries: Json) => [textOf(document, withoutNames), ...entriesOf(entries)];
        compare(kind, definition['name'], lines(definition, access[0]), lines(here, access[1]));
      }
    }
    for (const uri of texts((await one.get('/shape-tag'))['uri'])) {
      const [mine, its] = await both(({ find }) => find(`/shape-tag/${last(uri)}`));
      compare('shape tag', last(uri), [textOf(mine)], [textOf(its)]);
    }
  }

  async function accessOf(path: string): Promise<[readonly string[], readonly string[]]> {
    const [mine, its] = await both(({ find }) => find(`${path}/access`));
    return [entriesOf(mine), entriesOf(its)];
  }

  async function items(): Promise<void> {
    const content = 'content=metadata,shape,thumbnail,poster,external&conflict=no&includeTransientMetadata=false';
    await each(searched(one, '/item', 'item', `&${content}`), async (mine) => {
      const old = String(mine['id']);
      const path = `/item/${inPath(old)}`;
      const its = await other.find(`${path}?${content}`);
      oldIds.set(`item ${its['id']}`, old);
      const [shapesThere, shapesHere] = await both(async ({ find, get }) =>
        Promise.all(
          texts((await find(`${path}/shape?version=all&placeholder=all`))['uri']).map((uri) =>
            get(`${path}/shape/${last(uri)}?includePlaceholder=true`),
          ),
        ),
      );
      const relationsOf = async ({ find }: Side, id: unknown) =>
        list((await find(`${path}/relation?number=1000`))['relation']).map(({ direction, value }) => {
          const { source, type } = direction as Json;
          const pairs = list(value).map((pair) => `${pair['key']}=${pair['value']}`);
          return `relation ${type} ${source === id ? 'from' : 'to'} it ${pairs.toSorted()}`;
        });
      const pictures = (item: Json) =>
        (['thumbnails', 'posters'] as const).flatMap((kind) =>
          texts(Object(item[kind]).uri).map((uri) => `${kind} ${last(uri)}`),
        );
      const stands = ({ metadata }: Json) =>
        list(Object(metadata).timespan)
          .flatMap((span) => list(span['field']))
          .filter(({ name }) => name === 'representativeThumbnail')
          .flatMap(({ value }) => list(value).map((each) => `stands for it ${/;.*/.exec(String(each['value']))?.[0]}`));
      const names = list(mine['externalId']).map(({ externalId }) => String(externalId));
      const [entriesThere, entriesHere] = await accessOf(path);
      compare(
        'item',
        old,
        [
          ...valuesOf(mine['metadata']),
          ...shapesThere.flatMap(shapeLines),
          ...pictures(mine),
          ...stands(mine),
          ...entriesThere,
          ...(await relationsOf(one, old)),
          ...[...names, old].map((name) => `external id ${name}`),
        ],
        [
          ...valuesOf(its['metadata']),
          ...shapesHere.flatMap(shapeLines),
          ...pictures(its),
          ...stands(its),
          ...entriesHere,
          ...(await relationsOf(other, its['id'])),
          ...list(its['externalId']).map(({ externalId }) => `external id ${externalId}`),
        ],
      );
    });
    await countsOf('item', async ({ search }) => (await search('/item?number=0', {}))['hits']);
  }

  async function containers(): Promise<void> {
    for (const uri of texts((await one.get('/library?number=1000'))['uri'])) {
      const path = `/library/${inPath(last(uri))}`;
      const [mine, its] = await both(async (side) => {
        const ids: string[] = [];
        for await (const { id } of pagesOf(side, path, 'item')) ids.push(String(id));
        const settings = await side.find(`${path}/settings`);
        return { ids, settings: textOf(settings, ['id', 'username', 'lastUpdate']) };
      });
      const here = its.ids.map((id) => oldIds.get(`item ${id}`) ?? `${id} of nobody`);
      const [entriesThere, entriesHere] = await accessOf(path);
      compare(
        'library',
        last(uri),
        [mine.settings, ...mine.ids, ...entriesThere],
        [its.settings, ...here, ...entriesHere],
      );
      const names = list((await other.find(`${path}/external-id`))['id']);
      for (const { entityId } of names) oldIds.set(`library ${entityId}`, last(uri));
    }
    const collections: string[] = [];
    for await (const { id } of searched(one, '/collection', 'collection')) {
      collections.push(String(id));
      oldIds.set(`collection ${(await other.find(`/collection/${inPath(id)}`))['id']}`, String(id));
    }
    for (const id of collections) {
      const path = `/collection/${inPath(id)}`;
      const [mine, its] = await both(({ find }) => find(`${path}?content=metadata&includeTransientMetadata=false`));
      const member = ({ id: name, type = 'item', metadata }: Json) => `${type} ${name} ${pairsOf(metadata)}`;
      const here = list(its['content']).map((each) => {
        const key = `${each['type'] ?? 'item'} ${each['id']}`;
        return { ...each, id: oldIds.get(key) ?? `${each['id']} of nobody` };
      });
      const [entriesThere, entriesHere] = await accessOf(path);
      const numbered = (members: readonly Json[]) => members.map((each, at) => `member ${at}: ${member(each)}`);
      compare(
        'collection',
        id,
        [`name ${mine['name']}`, ...valuesOf(mine['metadata']), ...numbered(list(mine['content'])), ...entriesThere],
        [`name ${its['name']}`, ...valuesOf(its['metadata']), ...numbered(here), ...entriesHere],
      );
    }
    await countsOf('collection', async ({ search }) => (await search('/collection?number=0', {}))['hits']);
    await countsOf('library', async ({ get }) => (await get('/library?number=1'))['hits']);
  }

  async function locks(): Promise<void> {
    const [mine, its] = await both(async (side) => {
      const lines: string[] = [];
      for await (const lock of pagesOf(side, '/deletion-lock', 'lock'))
        if (!lock['isExpired'])
          lines.push(`${lock['entityType']} ${Date.parse(String(lock['expiryTime']))} ${pairsOf(lock['metadata'])}`);
      return lines;
    });
    compare('locks', 'all', mine, its);
  }

  await people();
  await definitions();
  await items();
  await containers();
  await locks();
  return { compared, differences, some };
}
