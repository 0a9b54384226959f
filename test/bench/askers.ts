import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, authorization, each, makeEditor } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startService } from './runtimes.ts';
import { calm, pin, spentBy } from './usage.ts';

/**
 * CPU time of requests of an editor, against the same request of an administrator on the same server. The editor is a
 * member of the group `editor` and reads items by entries on collections, on groups of collections, and on single items.
 */

const connections = 8;
const items = 2_000;
export const fields = ['title', 'place', 'note', 'city', 'person', 'source', 'genre', 'colour'].map(
  (name) => `ask_${name}`,
);
const json = { accept: 'application/json', 'content-type': 'application/json' };
const roles = { administrator: authorization, editor: `Basic ${btoa('erin:bench-erin')}` } as const;
type Role = keyof typeof roles;

const words = ['harbour', 'bridge', 'market', 'tower', 'station', 'garden', 'museum', 'river', 'castle', 'square'];
export const metadataOf = (serial: number, length = 600) => ({
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: fields.map((name, at) => ({
        name,
        value: [
          {
            value: `${words[(serial + at) % words.length]} ${at === 2 ? 'x'.repeat(length) : `${serial % 100}`} of ${name}`,
          },
        ],
      })),
    },
  ],
});

export interface Kind {
  readonly name: string;
  readonly method?: string;
  path(serial: number): string;
  body?(serial: number): unknown;
}

interface Filled {
  readonly ids: readonly string[];
  readonly collection: string;
}

/** Kinds of requests, by what people do all day. */
export const kindsOf = ({ ids, collection }: Filled): readonly Kind[] => {
  const at = (serial: number) => ids[serial % ids.length]!;
  const item = (rest: string) => (serial: number) => `/item/${at(serial)}${rest}`;
  const search = (more: object) => (serial: number) => ({
    field: [{ name: 'ask_title', value: [{ value: words[serial % words.length] }] }],
    ...more,
  });
  const three = (serial: number) => ({
    timespan: [
      {
        start: '-INF',
        end: '+INF',
        field: fields.slice(0, 3).map((name) => ({ name, value: [{ value: `turn ${serial} ${Math.random()}` }] })),
      },
    ],
  });
  return [
    { name: 'whoami', path: () => '/whoami' },
    { name: 'an item', path: item('') },
    { name: 'an item with metadata', path: item('?content=metadata') },
    { name: 'an item with metadata, terse', path: item('?content=metadata&terse=true') },
    { name: 'metadata of an item', path: item('/metadata') },
    { name: 'one field of an item', path: item('/metadata?field=ask_title') },
    { name: 'shapes of an item', path: item('/shape') },
    { name: 'an item with shapes and access', path: item('?content=shape,access') },
    { name: 'addresses of files', path: item('/uri') },
    { name: 'access of an item', path: item('/access') },
    { name: 'merged access of an item', path: item('/merged-access') },
    { name: 'collections of an item', path: item('/collections') },
    { name: 'changes of metadata', path: item('/metadata/changes') },
    { name: 'relations of an item', path: item('/relation') },
    { name: 'thumbnails of an item', path: item('/thumbnailresource') },
    { name: 'list of 50 ids', path: () => '/item?number=50' },
    { name: 'list of 50 with metadata', path: () => '/item?number=50&content=metadata' },
    { name: 'list of 50 with metadata, terse', path: () => '/item?number=50&content=metadata&terse=true' },
    { name: 'list of 50 with two fields', path: () => '/item?number=50&content=metadata&field=ask_title,ask_place' },
    { name: 'search by field with count', method: 'PUT', path: () => '/item?number=50', body: search({}) },
    {
      name: 'search by field with metadata',
      method: 'PUT',
      path: () => '/item?number=50&content=metadata',
      body: search({}),
    },
    {
      name: 'search with a facet',
      method: 'PUT',
      path: () => '/item?number=50',
      body: search({ facet: [{ field: 'ask_genre', count: true }] }),
    },
    {
      name: 'search by words',
      method: 'PUT',
      path: () => '/item?number=50',
      body: (serial) => ({ text: [words[serial % words.length]] }),
    },
    { name: 'collections', path: () => '/collection?number=50' },
    { name: 'a collection', path: () => `/collection/${collection}?number=50` },
    { name: 'items of a collection', path: () => `/collection/${collection}/item?number=50` },
    { name: 'metadata of a collection', path: () => `/collection/${collection}/metadata` },
    { name: 'libraries', path: () => '/library?number=50' },
    { name: 'fields', path: () => '/metadata-field?number=50' },
    { name: 'a field', path: () => '/metadata-field/ask_title' },
    { name: 'PUT three fields', method: 'PUT', path: item('/metadata'), body: three },
    {
      name: 'placeholder with eight fields',
      method: 'POST',
      path: () => '/import/placeholder',
      body: (serial) => metadataOf(serial, 40),
    },
  ];
};

/** Entries by a collection for most items, by a collection above it for some, and by single items. */
export async function fill(server: Started): Promise<Filled> {
  const send = async (request: string, body?: unknown) => JSON.parse((await ask(server, request, body)) || '{}');
  const put = (path: string, body?: unknown) => ask(server, `PUT /API${path}`, body, '*/*');
  await makeEditor(server);
  for (const name of fields) await put(`/metadata-field/${name}`, { type: 'string' });
  const [above, below, other] = await Promise.all(
    ['above', 'below', 'other'].map(async (name) => (await send(`POST /API/collection?name=${name}`)).id as string),
  );
  await put(`/collection/${above}/${below}?type=collection`);
  await ask(server, `POST /API/collection/${above}/access`, { group: 'editor', permission: 'ALL' });
  await ask(server, `POST /API/collection/${other}/access`, { user: 'erin', permission: 'ALL' });
  const ids: string[] = [];
  await each(items, async (serial) => {
    const { id } = await send('POST /API/import/placeholder', metadataOf(serial));
    ids.push(id);
    if (serial % 10 === 0) await ask(server, `POST /API/item/${id}/access`, { group: 'editor', permission: 'ALL' });
    else await put(`/collection/${serial % 3 === 0 ? other : below}/${id}`);
  });
  return { ids, collection: below! };
}

export const bytesOf = ({ method = 'GET', path, body }: Kind, role: Role) => {
  let serial = 0;
  return () => {
    serial++;
    const text = body ? JSON.stringify(body(serial)) : '';
    return requestBytes(method, `/API${path(serial)}`, { authorization: roles[role], ...json }, text);
  };
};

const aim = 1.15;

export async function benchAskers(runtime: RuntimeName, rounds = 3, seconds = 0.8): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const server = await startService(runtime, join(directory, 'root'));
  const only = process.env['BENCH_ONLY'];
  try {
    const kinds = kindsOf(await fill(server)).filter(({ name }) => !only || name.includes(only));
    pin(server.process);
    const rows: Row[] = [];
    for (const kind of kinds) {
      const spent: Record<Role, number[]> = { administrator: [], editor: [] };
      for (let round = 0; round <= rounds; round++) {
        for (const role of ['administrator', 'editor'] as const) {
          await calm(server.process);
          const next = bytesOf(kind, role);
          const { cpu, result } = await spentBy(server.process, () =>
            load({ port: server.port, connections, seconds, next }),
          );
          if (round > 0) spent[role].push((cpu * 1000) / result.answers);
        }
      }
      const value = median(spent.editor);
      const ratio = median(spent.editor.map((one, round) => one / spent.administrator[round]!));
      const row = {
        name: `${kind.name}, editor against administrator; microseconds of the editor`,
        ratio,
        ceiling: aim,
        value,
      };
      if (only !== undefined || process.env['BENCH_LOUD'])
        console.log(kind.name, ratio.toFixed(2), Math.round(median(spent.administrator)), Math.round(value));
      rows.push(row);
    }
    return rows;
  } finally {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
