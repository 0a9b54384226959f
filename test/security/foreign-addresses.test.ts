import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wire } from '../../src/core/outbound/wire.ts';
import { hostPlugins } from '../../src/entry/native/file-storage/scheme.ts';
import { newUser } from '../support/cast.ts';
import { ended } from '../support/files.ts';
import { openBehind, type World } from '../support/matrix.ts';
import { asking, done, json, rowsOf, sqlIn } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { start } from '../support/transfers.ts';
import { importer, outsider, storageRows, viewer } from '../support/world.ts';

const ask = asking(importer);

/** Network with one redirect, and with a file of a storage that everybody could read. */
const wire = {
  resolve: async () => ['93.184.216.34'],
  async send(_address: string, { url }: { readonly url: URL }) {
    const status = url.hostname === 'nas.test' ? 200 : 302;
    const location = 'http://nas.test/media/web.txt';
    const headers = new Headers(status === 302 ? { location } : { 'content-length': '10' });
    return { status, headers, address: undefined, body: new Blob(['web secret']).stream() };
  },
} as unknown as Wire;

const roles = ['_import', '_item_read', '_item_write', '_metadata_write'];

describe('an address that names a known file is that file', () => {
  let world: World;
  let base: string;
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'portico-foreign-')));
    ends.push(() => rm(base, { recursive: true, force: true }));
    const [store, drop] = [join(base, 'store'), join(base, 'drop')];
    await mkdir(join(store, 'inner'), { recursive: true });
    await mkdir(drop);
    await writeFile(join(store, 'clip.txt'), 'secret');
    await writeFile(join(store, 'inner', 'deep.txt'), 'deep secret');
    await link(join(store, 'clip.txt'), join(drop, 'hard.txt'));
    await link(join(store, 'clip.txt'), join(store, 'alias.txt'));
    await symlink(store, join(drop, 'link'));
    const settings = { root: base, storageRoots: [store], importRoots: [drop], minFreeBytes: 0 };
    world = await openBehind('fetch', { wire, plugins: hostPlugins(settings) }, (end) => ends.push(end));
    await storageRows(world, { uri: `file://${store}/` });
    await prepare(world, [
      newUser(importer, [...roles, '_file_read', '_file_write']),
      newUser(outsider, roles),
      newUser(viewer, ['_job_read', '_file_read']),
    ]);
    for (const name of ['clip.txt', 'inner/deep.txt']) {
      const job = await start(world, ask(`POST /API/import?uri=file://${store}/${name}`));
      expect((await ended(world, job.jobId)).status).toBe('FINISHED');
    }
    await storageRows(world, { id: 'VX-3', uri: 'http://nas.test/media/', type: 'SHARED' });
    // A storage inside of the other one, whose scan has found the same file.
    await storageRows(world, { id: 'VX-2', uri: `file://${store}/inner/` });
    const columns = 'state, size, modified, content, identity, changed_at, timestamp, version';
    await sqlIn(
      world,
      `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, ${columns})
        SELECT 'VX-90', 90, 'VX-2', 'deep.txt', '', 'deep.txt', 'txt', ${columns} FROM file WHERE path = 'inner/deep.txt'`,
    );
    await sqlIn(
      world,
      `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, ${columns})
        SELECT 'VX-91', 91, 'VX-3', 'web.txt', '', 'web.txt', 'txt', ${columns} FROM file WHERE path = 'clip.txt'`,
    );
    await sqlIn(world, `INSERT INTO file_use SELECT 'VX-91', item_id, shape_id, 'VX-91' FROM file_use LIMIT 1`);
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  it.each([
    ['as it is', 'file://BASE/store/clip.txt'],
    ['with the name of this machine', 'file://localhostBASE/store/clip.txt'],
    ['with one slash', 'file:BASE/store/clip.txt'],
    ['with a scheme in capitals', 'FILE://BASE/store/clip.txt'],
    ['with an encoded folder', 'file://BASE/%73tore/clip.txt'],
    ['with an encoded name', 'file://BASE/store/%63lip.txt'],
    ['through a link to its folder', 'file://BASE/drop/link/clip.txt'],
    ['by another name of the file on the disk', 'file://BASE/drop/hard.txt'],
    ['by another name of the file on its storage', 'file://BASE/store/alias.txt'],
    ['on a web server', 'http://nas.test/media/web.txt'],
    ['on a web server, with capitals, a port and an encoded letter', 'HTTP://NAS.test:80/media/%77eb.txt?a=1'],
    ['through a redirect', 'http://other.test/go'],
    ['below the inner of two storages', 'file://BASE/store/inner/deep.txt'],
  ])('%s', async (_, spelling) => {
    const uri = encodeURIComponent(spelling.replace('BASE', base));
    for (const request of [`POST /API/import?uri=${uri}`, `POST /API/import?storageId=VX-1&uri=${uri}`]) {
      const answer = await world.send(ask(request, undefined, outsider));
      if (answer.status === 200) {
        const end = await ended(world, (JSON.parse(answer.body) as { jobId: string }).jobId);
        expect([end.status, JSON.stringify(end)]).toEqual(['FAILED_TOTAL', expect.stringContaining('_file_read')]);
      } else expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('_file_read')]);
    }
    expect(await rowsOf(world, 'file_use')).toHaveLength(3);
  });

  it('a row of another storage about the same bytes is no way around the right', async () => {
    const answer = await world.send(ask('POST /API/storage/file/VX-90/import', undefined, outsider));
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('_file_read')]);
    const own = await done<{ id: string }>(world, {
      ...ask('POST /API/import/placeholder', undefined, outsider),
      headers: json,
    });
    const sidecar = await world.send(ask(`POST /API/import/sidecar/${own.id}?sidecar=VX-90`, undefined, outsider));
    expect(sidecar.status).toBe(403);
  });
});
