import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { each } from '../../test/bench/item-root.ts';
import { settingsFor } from '../../test/bench/runtimes.ts';
import { setup as build } from '../../test/support/built.ts';
import { ask, type Request, rangeHeader, upload, uploadTus } from './client.ts';
import type { Column, Peer } from './peer.ts';
import { changesOf, fieldNames, type Values, valuesOf, wantedBy } from './values.ts';
import { rangeBytes } from './work.ts';

const program = fileURLToPath(new URL('../../dist/src/entry/cli.js', import.meta.url));
const callers = { editor: 'erin:bench-erin', administrator: 'admin:bench' } as const;
const basicOf = (who: keyof typeof callers) => ({ authorization: `Basic ${btoa(callers[who])}` });
const nameOf = (field: string) => `peer_${field}`;

const metadataOf = (values: Partial<Values>) => ({
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: Object.entries(values).map(([name, value]) => ({ name: nameOf(name), value: [{ value }] })),
    },
  ],
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

export const portico: Peer = {
  name: 'Portico',
  ready: '/health/ready',
  get: async () => build(),
  create: ({ folder }) => mkdir(join(folder, 'media')).then(() => {}),
  command: ({ folder, port }) => ({
    words: [process.execPath, program, 'serve'],
    environment: settingsFor(join(folder, 'root'), {
      PORTICO_PORT: `${port}`,
      PORTICO_STORAGE_ROOTS: join(folder, 'media'),
      PORTICO_MIN_FREE_BYTES: '0',
    }),
  }),

  async fill({ folder, port }, items) {
    const send = (words: string, body?: unknown, as: keyof typeof callers = 'administrator') => {
      const [method, path] = words.split(' ') as [string, string];
      return ask(port, { method, path, headers: basicOf(as), body });
    };
    await send('PUT /APIinit/groups');
    await send('POST /API/user', { userName: 'erin', password: 'bench-erin' });
    for (const group of ['editor', '_file_read', '_file_write']) await send(`PUT /API/group/${group}/user/erin`);
    for (const name of fieldNames) await send(`PUT /API/metadata-field/${nameOf(name)}`, { type: 'string' });
    const text = { ...basicOf('administrator'), 'content-type': 'text/plain' };
    const property = '/API/configuration/properties/userTokenMaxInterval';
    await ask(port, { method: 'PUT', path: property, headers: text, body: 86_400 });
    const method = [{ uri: pathToFileURL(join(folder, 'media/')).href, read: true, write: true }];
    const storage = (await send('POST /API/storage', { method })).id as string;
    await send(`POST /API/storage/${storage}/access`, { group: 'editor', permission: 'ALL' }).catch(() => {});
    const [above, below] = [
      (await send('POST /API/collection?name=above')).id as string,
      (await send('POST /API/collection?name=below')).id as string,
    ];
    await send(`PUT /API/collection/${above}/${below}?type=collection`);
    await send(`POST /API/collection/${above}/access`, { group: 'editor', permission: 'ALL' });
    const ids: string[] = new Array(items);
    // Most items are readable by a collection above theirs, and one of ten by an entry of its own.
    await each(items, async (serial) => {
      const { id } = await send('POST /API/import/placeholder', metadataOf(valuesOf(serial)));
      ids[serial] = id;
      if (serial % 10 === 0) await send(`POST /API/item/${id}/access`, { group: 'editor', permission: 'ALL' });
      else await send(`PUT /API/collection/${below}/${id}`);
    });
    const columns: Column[] = [];
    for (const who of ['editor', 'administrator'] as const) {
      const token = await ask(port, {
        path: '/API/token?seconds=86400',
        headers: { ...basicOf(who), accept: 'text/plain' },
      });
      columns.push({ name: `Portico, ${who}`, ...requestsOf(port, storage, ids, `token ${token}`, basicOf(who)) });
    }
    return columns;
  },
};

type Headers = Readonly<Record<string, string>>;

function requestsOf(
  port: number,
  storage: string,
  ids: readonly string[],
  authorization: string,
  basic: Headers,
): Omit<Column, 'name'> {
  const get = (path: string, more: Headers = {}): Request => ({
    path: `/API${path}`,
    headers: { authorization, ...more },
  });
  const item = (serial: number, rest: string) => get(`/item/${ids[serial % ids.length]}${rest}`);
  const change = (rest: string) => (serial: number) => ({
    ...item(serial, `/metadata${rest}`),
    method: 'PUT',
    body: metadataOf(changesOf(serial)),
  });
  const search = (rest: string, more: object = {}) => {
    return (serial: number) => {
      const { word, genre } = wantedBy(serial);
      const field = Object.entries({ title: word, genre }).map(([name, value]) => ({
        name: nameOf(name),
        value: [{ value }],
      }));
      return { ...get(`/item?number=50${rest}`), method: 'PUT', body: { field, ...more } };
    };
  };
  const page = '/item?number=50';
  const whole = '&content=metadata';
  const unique = `${Date.now()}${Math.random()}`;
  let file = '';
  return {
    item: (id) => get(`/item/${id}`),
    tasks: {
      token: () => get('/whoami', { accept: 'text/plain' }),
      basic: () => get('/whoami', { accept: 'text/plain', ...basic }),
      create: (serial) => ({ ...get('/import/placeholder'), method: 'POST', body: metadataOf(valuesOf(serial)) }),
      read: (serial) => item(serial, '?content=metadata'),
      update: change(''),
      updateShort: change('?onlyReturnChanges=true'),
      list: () => get(`${page}${whole}`),
      listTerse: () => get(`${page}${whole}&terse=true`),
      listUncounted: () => get(`${page}${whole}&count=false`),
      listIds: () => get(page),
      search: search(whole),
      searchIds: search(''),
      facet: search(whole, { facet: [{ field: nameOf('colour'), count: true }] }),
      upload: {
        async transfer(turn) {
          const path = `/storage/${storage}/file/data?path=${unique}-${turn}`;
          file = await upload(port, get(path, { accept: 'text/plain' }));
        },
      },
      tus: {
        transfer: (turn) =>
          uploadTus(
            port,
            get('/upload', { 'upload-metadata': `storage ${base64(storage)},path ${base64(`tus-${unique}-${turn}`)}` }),
          ),
      },
      range: () => get(`/file/${file}/data`, rangeHeader(rangeBytes)),
    },
  };
}
