import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/composition/settings.ts';
import { sendfileNotices } from '../../../src/entry/host.ts';
import { sendfileHeader } from '../../../src/storage/public.ts';
import { usage } from '../../assets/usage/support.ts';
import { startOfTime } from '../../support/clock.ts';
import { ended } from '../../support/files.ts';
import { basic } from '../../support/matrix.ts';
import { sendRaw } from '../../support/raw.ts';
import { by, rowsOf, send, sqlIn } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { start } from '../../support/transfers.ts';
import { storageRows, stranger, uploader } from '../../support/world.ts';
import { openHandOver } from './handing-over.ts';

type Opened = Awaited<ReturnType<typeof openHandOver>>;

const hello = 'hello world';
const named = (answer: Response) => [answer.headers.get('x-accel-redirect'), answer.headers.get('x-sendfile')];
const none = [null, null];
/** Without those of the connection. */
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !['connection', 'keep-alive', 'date'].includes(name)));
const untouched = async ({ world }: Opened) => [await world.sequence(), await rowsOf(world, 'file')];

describe('a file that a proxy reaches', () => {
  it.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { range: 'bytes=0-3' }],
    ['GET', { range: 'bytes=0-1,-2' }],
    ['GET', { 'if-none-match': '"other"' }],
    ['GET', { 'if-range': '"other"' }],
  ] as const)('is named in place of its bytes, and nothing else happens: %s %j', async (method, headers) => {
    const opened = await openHandOver();
    const id = await opened.put('in/a b.mov', hello);
    const before = await untouched(opened);
    const answer = await opened.ask(`/API/file/${id}/data`, { method, headers });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    const direct = await opened.ask(`/API/file/${id}/data`, { headers: { 'if-match': '*' } });
    expect([await direct.text(), named(direct)]).toEqual([hello, none]);
    const { 'x-accel-redirect': target, ...said } = headersOf(answer);
    expect(target).toBe('/portico-media/in/a%20b.mov');
    const { 'accept-ranges': _, ...whole } = headersOf(direct);
    expect(said).toEqual({ ...whole, 'content-length': '0' });
    expect(await untouched(opened)).toEqual(before);
  });

  it('is named by its real path in X-Sendfile, unless a proxy that decodes the path would open another one', async () => {
    const { ask, put, media, other } = await openHandOver({ sendfile: 'x-sendfile', sendfileLocations: [] });
    for (const [name, storage, target] of [
      ['in/a-b_c.mov', 'VX-1', `${media}/in/a-b_c.mov`],
      ['a.mov', 'VX-2', `${other}/a.mov`],
      ['%41.mov', 'VX-1', null],
      ['a b.mov', 'VX-1', null],
      ['ä.mov', 'VX-1', null],
    ] as const) {
      const answer = await ask(`/API/file/${await put(name, hello, storage)}/data`);
      expect([name, named(answer), await answer.text()]).toEqual([name, [null, target], target === null ? hello : '']);
    }
  });

  it('is answered by the service where it has not changed, and where a range is outside of it', async () => {
    const { ask, put } = await openHandOver();
    const id = await put('a.mov', hello);
    const etag = (await ask(`/API/file/${id}/data`)).headers.get('etag')!;
    for (const [headers, status] of [
      [{ 'if-none-match': etag }, 304],
      [{ range: 'bytes=11-' }, 416],
      [{ 'if-match': '"other"' }, 412],
    ] as const) {
      const answer = await ask(`/API/file/${id}/data`, { headers });
      expect([answer.status, named(answer)]).toEqual([status, none]);
    }
  });

  it('is named in the version that the storage has, with the ETag of that one', async () => {
    const { ask, put, media } = await openHandOver();
    const id = await put('a.mov', hello);
    const etag = (await ask(`/API/file/${id}/data`)).headers.get('etag');
    await writeFile(join(media, 'new'), 'other bytes');
    await rename(join(media, 'new'), join(media, 'a.mov'));
    const answer = await ask(`/API/file/${id}/data`);
    expect(named(answer)).toEqual(['/portico-media/a.mov', null]);
    expect(answer.headers.get('etag')).not.toBe(etag);
  });
});

describe('bytes that a proxy may not send', () => {
  const far = 'a'.repeat(200);
  const rows: readonly (readonly [string, (opened: Opened) => Promise<readonly [string, RequestInit?]>])[] = [
    [
      'to a program that calls directly',
      async ({ put }) => [await put('a.mov', hello), { headers: { 'x-forwarded-for': '' } }],
    ],
    ['with If-Match', async ({ put }) => [await put('a.mov', hello), { headers: { 'if-match': '*' } }]],
    [
      'with a range that means the whole',
      async ({ put }) => [await put('a.mov', hello), { headers: { range: 'bytes=x' } }],
    ],
    ['of a folder without a location', async ({ put }) => [await put('a.mov', hello, 'VX-2')]],
    ['by a path that no header holds', async ({ put }) => [await put(Array(8).fill(far).join('/'), hello)]],
    [
      'of a file that grows',
      async ({ put, world }) => {
        const id = await put('a.mov', hello);
        await sqlIn(world, `UPDATE file SET state = 'OPEN' WHERE id = '${id}'`);
        return [id];
      },
    ],
    [
      'of media whose rights end',
      async ({ world, media }) => {
        await writeFile(join(media, 'a.txt'), hello);
        const job = await start(world, by(`POST /API/import?uri=file://${media}/a.txt`));
        expect((await ended(world, job.jobId)).status).toBe('FINISHED');
        const [file] = await rowsOf(world, 'file');
        const [item] = await rowsOf(world, 'item');
        const usableUntil = new Date(startOfTime + 3_600_000_000).toISOString();
        await send(world, usage(`item/${item!['id']}`, { usableUntil }, admin));
        return [String(file!['id'])];
      },
    ],
  ];

  it.each(rows)('%s are sent by the service', async (_, prepared) => {
    const opened = await openHandOver();
    const [id, init] = await prepared(opened);
    const headers = Object.entries(init?.headers ?? {});
    const direct = headers.some(([name]) => name === 'x-forwarded-for');
    const answer = direct
      ? await fetch(`http://127.0.0.1:${opened.port}/API/file/${id}/data`, {
          headers: { authorization: basic(uploader) },
        })
      : await opened.ask(`/API/file/${id}/data`, init);
    expect([answer.status, await answer.text(), named(answer)]).toEqual([200, hello, none]);
  });

  it.each([
    ['the setting is off', { sendfile: 'off' }],
    ['the sender is no proxy of the list', { trustedProxies: ['10.0.0.0/8'] }],
  ] as const)('are sent by the service where %s, whatever a caller asks', async (_, settings) => {
    const { ask, put } = await openHandOver(settings);
    const id = await put('a.mov', hello);
    const headers = {
      'x-accel-redirect': '/portico-media/a.mov',
      'x-sendfile': '/etc/passwd',
      'x-sendfile-type': 'X-Accel-Redirect',
      'x-accel-mapping': '/srv/=/portico-media/',
    };
    const answer = await ask(`/API/file/${id}/data`, { headers });
    expect([answer.status, await answer.text(), named(answer)]).toEqual([200, hello, none]);
  });
});

describe('an attack by', () => {
  it('a caller without the right gets the refusal that everybody gets, and no name of a file', async () => {
    const { ask, put } = await openHandOver();
    const id = await put('a.mov', hello);
    for (const [as, path, status] of [
      [stranger, `/API/file/${id}/data`, 403],
      [['nobody', 'x'], `/API/file/${id}/data`, 401],
      [stranger, `/APInoauth/file/${id}/data?expires=9999999999&signature=AAAA`, 403],
      [uploader, '/API/file/VX-999/data', 404],
    ] as const) {
      const forwarded = await ask(path, {}, as);
      const direct = await ask(path, { headers: { 'if-match': '*' } }, as);
      expect([path, forwarded.status, named(forwarded)]).toEqual([path, status, none]);
      const withoutId = async (answer: Response) =>
        (await answer.text()).replace(/"id":"[^"]*"|[0-9a-z]+-[0-9a-z]+/g, '');
      expect(await withoutId(forwarded)).toBe(await withoutId(direct));
    }
  });

  it('headers of a request, which name a file to a proxy, changes nothing of the answer', async () => {
    const { ask, put } = await openHandOver();
    const id = await put('a.mov', hello);
    await put('secret.mov', 'secret');
    const headers = { 'x-accel-redirect': '/portico-media/secret.mov', 'x-sendfile': '/etc/passwd' };
    expect(named(await ask(`/API/file/${id}/data`, { headers }))).toEqual(['/portico-media/a.mov', null]);
    expect(named(await ask('/API/version', { headers }))).toEqual(none);
  });

  it.each([
    [
      'a\r\nX-Accel-Redirect: /portico-media/secret.mov',
      '/portico-media/a%0D%0AX-Accel-Redirect%3A%20/portico-media/secret.mov',
    ],
    ['a.mov?b#c', '/portico-media/a.mov%3Fb%23c'],
    ['%2e%2e%2fsecret.mov', '/portico-media/%252e%252e%252fsecret.mov'],
    ['..%2f..;/a', '/portico-media/..%252f..%3B/a'],
    ['\\..\\secret.mov', '/portico-media/%5C..%5Csecret.mov'],
    ['@named', '/portico-media/%40named'],
  ])('a name of a file is encoded as a part of the path: %j', async (path, target) => {
    const { ask, world, media, port } = await openHandOver();
    const id = 'VX-1';
    const [folder, name] = [path.split('/').slice(0, -1).join('/'), path.split('/').at(-1)!];
    await mkdir(join(media, folder), { recursive: true });
    await writeFile(join(media, path), hello);
    const columns = 'id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version';
    await sqlIn(
      world,
      `INSERT INTO file (${columns}) VALUES (?, 1, 'VX-1', ?, ?, ?, '', 'CLOSED', 0, 0, 1)`,
      id,
      path,
      folder,
      name,
    );
    expect(named(await ask(`/API/file/${id}/data`))).toEqual([target, null]);
    const headers = [`Authorization: ${basic(uploader)}`, 'X-Forwarded-For: 203.0.113.7'];
    const raw = await sendRaw(port, { target: `/API/file/${id}/data`, headers });
    // A second line of that name would be joined to the first.
    expect([raw.headers.get('x-accel-redirect'), raw.body]).toEqual([target, '']);
  });

  it.each([
    ['two dots', '../secret.txt'],
    ['an empty part', 'in//a.mov'],
    ['an absolute path', '/etc/passwd'],
    ['a link in place of a file', 'link.txt'],
    ['a link in place of a folder', 'linked/secret.txt'],
    ['a link to a folder of the storage', 'same/a.mov'],
    ['the folder of the service', '.portico/x'],
  ])('a path of a row leads nowhere else: %s', async (_, path) => {
    const { ask, put, world, root, media, other } = await openHandOver();
    const id = await put('in/a.mov', hello);
    await writeFile(join(root, 'secret.txt'), 'secret');
    await writeFile(join(other, 'secret.txt'), 'secret');
    await symlink(join(root, 'secret.txt'), join(media, 'link.txt'));
    await symlink(other, join(media, 'linked'));
    await symlink('in', join(media, 'same'));
    await sqlIn(world, 'UPDATE file SET path = ?', path);
    const answer = await ask(`/API/file/${id}/data`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect([answer.status < 500, named(answer)]).toEqual([true, none]);
    expect(await answer.text()).not.toContain('secret\n');
  });

  it('a folder that becomes a link between two requests names no file behind the link', async () => {
    const { ask, put, media, other } = await openHandOver();
    const id = await put('in/a.mov', hello);
    await ask(`/API/file/${id}/data`);
    await rename(join(media, 'in'), join(media, 'away'));
    await writeFile(join(other, 'a.mov'), 'secret');
    await symlink(other, join(media, 'in'));
    const answer = await ask(`/API/file/${id}/data`);
    expect([answer.status, named(answer)]).toEqual([400, none]);
    expect(await readFile(join(media, 'in/a.mov'), 'utf8')).toBe('secret');
  });

  it('a web server that is a storage cannot name a file by its answer', async () => {
    const headers = {
      'x-accel-redirect': '/portico-media/secret.mov',
      'x-sendfile': '/etc/passwd',
      'content-length': '11',
    };
    const wire = {
      resolve: async () => ['93.184.216.34'],
      send: async () => ({
        status: 200,
        headers: new Headers(headers),
        address: undefined,
        body: new Blob([hello]).stream(),
      }),
    };
    const { ask, world } = await openHandOver({}, { wire: wire as never });
    await storageRows(world, { id: 'VX-3', uri: 'http://nas.test/media/' });
    const columns = 'id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version';
    await sqlIn(
      world,
      `INSERT INTO file (${columns}) VALUES ('VX-9', 9, 'VX-3', 'a.mov', '', 'a.mov', 'mov', 'CLOSED', 0, 0, 1)`,
    );
    const answer = await ask('/API/file/VX-9/data');
    expect([answer.status, named(answer)]).toEqual([200, none]);
    await answer.text();
  });
});

describe('settings of the hand-over', () => {
  const set = (more: Record<string, string>) =>
    readSettings({ PORTICO_TRUSTED_PROXIES: '127.0.0.1', PORTICO_SENDFILE: 'x-accel-redirect', ...more });

  it.each([
    [{ PORTICO_SENDFILE_LOCATIONS: '' }, 'Expected PORTICO_SENDFILE_LOCATIONS'],
    [{ PORTICO_SENDFILE_LOCATIONS: '/a=/m/', PORTICO_TRUSTED_PROXIES: '' }, 'Expected PORTICO_TRUSTED_PROXIES'],
    [
      { PORTICO_SENDFILE_LOCATIONS: '/a=/m/,/b=/m/' },
      'locations outside of each other in PORTICO_SENDFILE_LOCATIONS: "/m/"',
    ],
    [
      { PORTICO_SENDFILE_LOCATIONS: '/a=/m/,/b=/m/sub/' },
      'outside of each other in PORTICO_SENDFILE_LOCATIONS: "/m/sub/"',
    ],
    [{ PORTICO_SENDFILE_LOCATIONS: '/a=/m' }, 'with a slash at both ends of the location'],
    [{ PORTICO_SENDFIL_LOCATIONS: '/a=/m/' }, 'The nearest is PORTICO_SENDFILE_LOCATIONS'],
    [
      { PORTICO_SENDFILE: 'x-accel' },
      'Expected one of off, x-accel-redirect, x-sendfile in PORTICO_SENDFILE: "x-accel"',
    ],
  ])('stop the start where they give another file or none: %j', (settings, message) => {
    expect(() => set(settings)).toThrow(message);
  });

  it('name a file by the nearest folder, and none beside a folder', () => {
    const settings = { sendfile: 'x-accel-redirect', sendfileLocations: ['/srv=/m/', '/srv/a=/n/'] } as const;
    const targets = ['/srv/b.mov', '/srv/a/b.mov', '/srv/ab.mov', '/srvx/b.mov', '/b.mov'];
    expect(targets.map((path) => sendfileHeader(settings, path)?.['x-accel-redirect'])).toEqual([
      '/m/b.mov',
      '/n/b.mov',
      '/m/ab.mov',
      undefined,
      undefined,
    ]);
  });

  it('are noticed at the start where a folder has no files, or is not its real path', async () => {
    const { root, media } = await openHandOver();
    await symlink(media, join(root, 'link'));
    const noticed = (folder: string) =>
      sendfileNotices(set({ PORTICO_STORAGE_ROOTS: media, PORTICO_SENDFILE_LOCATIONS: `${folder}=/m/` }));
    expect([await noticed(media), await noticed(root)]).toEqual([[], []]);
    expect(await noticed(join(root, 'link'))).toEqual([expect.stringContaining(`without links: "${media}"`)]);
    expect(await noticed(join(root, 'other'))).toEqual([expect.stringContaining('see PORTICO_STORAGE_ROOTS')]);
    expect(await noticed(join(root, 'none'))).toEqual([expect.stringContaining('a folder that this process can read')]);
  });
});
