import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Database from 'libsql';
import { ask, rangeHeader, uploadForm } from './client.ts';
import type { Peer } from './peer.ts';
import { run } from './tree.ts';
import { changesOf, fieldNames, valuesOf, wantedBy } from './values.ts';
import { rangeBytes } from './work.ts';

/** Builds a program of a Go module, once. */
export async function goInstall(downloads: string, module: string): Promise<void> {
  const bin = join(downloads, 'bin');
  if (existsSync(join(bin, basename(module.split('@')[0]!)))) return;
  await mkdir(bin, { recursive: true });
  await run({ words: ['go', 'install', module], environment: { GOBIN: bin, CGO_ENABLED: '0' } }, downloads);
}

const admin = { identity: 'admin@example.com', password: 'bench-password' };
const editor = { identity: 'erin@example.com', password: 'bench-erin' };
const anybody = '@request.auth.id != ""';
const records = '/api/collections/item/records';
const idOf = (serial: number) => `i${String(serial).padStart(14, '0')}`;

/** Inserts the items into the PocketBase database. The rows lack nothing that its API would add. */
function addItems(file: string, items: number): void {
  const database = new Database(file);
  const columns = ['id', 'created', ...fieldNames];
  const row = database.prepare(`INSERT INTO item (${columns}) VALUES (${columns.map(() => '?')})`);
  const created = new Date().toISOString().replace('T', ' ');
  database.exec('BEGIN');
  for (let serial = 0; serial < items; serial++) row.run(idOf(serial), created, ...Object.values(valuesOf(serial)));
  database.exec('COMMIT');
  database.close();
}

export const pocketbase: Peer = {
  name: 'PocketBase 0.36',
  ready: '/api/health',
  get: (downloads) => goInstall(downloads, 'github.com/pocketbase/pocketbase/examples/base@v0.36.8'),
  create: ({ folder, downloads }) => {
    const words = ['superuser', 'upsert', admin.identity, admin.password, '--dir', join(folder, 'data')];
    return run({ words: [join(downloads, 'bin/base'), ...words] }, folder);
  },
  command: ({ folder, port, downloads }) => ({
    words: [join(downloads, 'bin/base'), 'serve', `--http=127.0.0.1:${port}`, '--dir', join(folder, 'data')],
  }),

  async fill({ folder, port }, items) {
    const login = async (collection: string, body: typeof admin) =>
      ask(port, { method: 'POST', path: `/api/collections/${collection}/auth-with-password`, body });
    const headers = { authorization: (await login('_superusers', admin)).token };
    const post = (path: string, body: object) => ask(port, { method: 'POST', path, headers, body });
    const rules = { listRule: anybody, viewRule: anybody, createRule: anybody, updateRule: anybody };
    await post('/api/collections', {
      name: 'item',
      type: 'base',
      fields: [
        ...fieldNames.map((name) => ({ name, type: 'text' })),
        { name: 'created', type: 'autodate', onCreate: true },
      ],
      indexes: ['CREATE INDEX item_genre ON item (genre)'],
      ...rules,
    });
    const file = { name: 'file', type: 'file', maxSize: 1e9, maxSelect: 1 };
    await post('/api/collections', { name: 'media', type: 'base', fields: [file], ...rules });
    const { identity: email, password } = editor;
    await post('/api/collections/users/records', { email, password, passwordConfirm: password, verified: true });
    addItems(join(folder, 'data/data.db'), items);
    const session = await login('users', editor);
    const mine = { authorization: session.token };
    const get = (path: string) => ({ path, headers: mine });
    const page = `${records}?perPage=50`;
    const search = (serial: number) => {
      const { word, genre } = wantedBy(serial);
      return `${page}&filter=${encodeURIComponent(`genre = "${genre}" && title ~ "${word}"`)}`;
    };
    const uploaded = { id: '', file: '' };
    return [
      {
        name: pocketbase.name,
        item: (id) => get(`${records}/${id}`),
        tasks: {
          token: () => get(`/api/collections/users/records/${session.record.id}`),
          create: (serial) => ({ ...get(records), method: 'POST', body: valuesOf(serial) }),
          read: (serial) => get(`${records}/${idOf(serial % items)}`),
          update: (serial) => ({
            ...get(`${records}/${idOf(serial % items)}`),
            method: 'PATCH',
            body: changesOf(serial),
          }),
          list: () => get(page),
          listUncounted: () => get(`${page}&skipTotal=1`),
          listIds: () => get(`${page}&fields=id`),
          search: (serial) => get(search(serial)),
          searchIds: (serial) => get(`${search(serial)}&fields=id`),
          upload: {
            async transfer() {
              const path = '/api/collections/media/records';
              Object.assign(uploaded, JSON.parse(await uploadForm(port, { path, headers: mine })));
            },
          },
          range: () => ({
            path: `/api/files/media/${uploaded.id}/${uploaded.file}`,
            headers: { ...mine, ...rangeHeader(rangeBytes) },
          }),
        },
      },
    ];
  },
};
