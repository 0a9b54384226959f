import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receiving } from '../../support/receiver.ts';
import { ask, done } from '../../support/requests.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import { storageRows } from '../../support/world.ts';

interface Folders {
  readonly base: string;
  readonly exports: string;
  readonly outside: string;
}

/** The folder of the operator for exports, and one beside it. */
async function folders(): Promise<Folders> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'portico-exports-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const [exports, outside] = [join(base, 'exports'), join(base, 'exports-of-others')];
  for (const folder of [exports, outside, join(base, 'media')]) await mkdir(folder);
  return { base, exports, outside };
}

const roots = ({ base, exports }: Folders) => ({ storageRoots: [join(base, 'media')], exportRoots: [exports] });
const uriOf = (folder: string): string => encodeURIComponent(`${pathToFileURL(folder).href}/`);
const below = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name !== '.portico').sort();

describe('an export to a folder of this machine', () => {
  it('writes below PORTICO_EXPORT_ROOTS, also into folders that are not there yet, and over no file', async () => {
    const at = await folders();
    const world = await openExports(roots(at));
    const item = await itemWith(world, 'in/a.mov');
    await mkdir(join(at.exports, 'web'));
    await writeFile(join(at.exports, 'web', 'a.mov'), 'of somebody else');
    const job = await exported(world, `/item/${item}/export?uri=${uriOf(join(at.exports, 'web'))}&metadata=true`);
    expect(urisOf(job), JSON.stringify(job.log)).toEqual([`${pathToFileURL(at.exports).href}/web/a_1.mov`]);
    expect(await readFile(join(at.exports, 'web', 'a.mov'), 'utf8')).toBe('of somebody else');
    expect(await readFile(join(at.exports, 'web', 'a_1.mov'), 'utf8')).toBe('bytes of in/a.mov');
    expect(await below(join(at.exports, 'web'))).toEqual(['a.mov', 'a_1.mov', 'a_1.xml']);
    await exported(world, `/item/${item}/export?uri=${uriOf(join(at.exports, 'new', 'deep'))}`);
    expect(await below(join(at.exports, 'new', 'deep'))).toEqual(['a.mov']);
    // As a client writes it.
    const plain = encodeURIComponent(`file:${at.exports}/plain.mov`);
    expect(urisOf(await exported(world, `/item/${item}/export?uri=${plain}`))).toHaveLength(1);
  });

  it('fails outside of them with a sentence that names the setting, and tells nothing of what is there', async () => {
    const at = await folders();
    const world = await openExports(roots(at));
    const item = await itemWith(world, 'in/a.mov');
    const sentence = 'Expected an address below a folder of PORTICO_EXPORT_ROOTS or PORTICO_STORAGE_ROOTS';
    for (const uri of ['file:///etc/', 'file:///etc/passwd', 'file:///', 'FILE:///etc/passwd', 'file:/etc/passwd']) {
      const job = await exported(world, `/item/${item}/export?uri=${encodeURIComponent(uri)}`);
      expect([job.status, whyOf(job)], uri).toEqual(['FAILED_TOTAL', sentence]);
    }
    const beside = await exported(world, `/item/${item}/export?uri=${uriOf(at.outside)}`);
    expect([beside.status, whyOf(beside)]).toEqual(['FAILED_TOTAL', sentence]);
    expect(await readdir(at.outside)).toEqual([]);
  });

  it('follows no link that leads out, and writes through none that has the name', async () => {
    const at = await folders();
    const world = await openExports(roots(at));
    const item = await itemWith(world, 'in/a.mov');
    await symlink(at.outside, join(at.exports, 'link'));
    await symlink(join(at.outside, 'target.mov'), join(at.exports, 'a.mov'));
    const through = await exported(world, `/item/${item}/export?uri=${uriOf(join(at.exports, 'link'))}`);
    expect([through.status, whyOf(through)]).toEqual([
      'FAILED_TOTAL',
      'Expected folders without symbolic links: "link"',
    ]);
    const onto = await exported(world, `/item/${item}/export?uri=${uriOf(at.exports)}`);
    expect([onto.status, whyOf(onto)]).toEqual(['FAILED_TOTAL', 'Expected a file at "a.mov": a symbolic link']);
    expect(await readdir(at.outside)).toEqual([]);
  });
});

it('refuses at once an address that means two things, or that holds a secret', async () => {
  const world = await openExports();
  const item = await itemWith(world, 'in/a.mov');
  const attacks = [
    ['climbs', 'file:///srv/exports/../../etc/'],
    ['climbs in code', 'file:///srv/exports/%2e%2e/%2e%2e/etc/'],
    ['has an encoded slash', 'file:///srv/exports/a%2Fb.mov'],
    ['has an encoded backslash', 'file:///srv/exports/a%5Cb.mov'],
    ['has a backslash', 'file:///srv\\exports/'],
    ['has a NUL', 'file:///srv/exports/a%00.mov'],
    ['has an empty part', 'file:///srv//exports/'],
    ['names a machine', 'file://server/share/'],
    ['holds a password', 'ftp://user:password@10.2.23.25/export/'],
    ['holds a key', 's3://KEY:SECRET@bucket/folder/'],
    ['has a query', 'https://example.com/in/?key=secret'],
    ['has no scheme', '/srv/exports/'],
    ['is a word', 'exports'],
  ] as const;
  for (const [attack, uri] of attacks) {
    const { status, body } = await world.send(ask(`POST /API/item/${item}/export?uri=${encodeURIComponent(uri)}`));
    expect([attack, status]).toEqual([attack, 400]);
    expect(body).not.toMatch(/SECRET|password@|key=secret/);
  }
});

describe('an export to another machine', () => {
  it('PUTs the file under the address policy, and never over one that the server has', async () => {
    const receiver = await receiving();
    const world = await openExports({ outboundAllow: ['127.0.0.1'] });
    const item = await itemWith(world, 'in/a.mov');
    receiver.script({ status: 200 }, { status: 404 }, { status: 201 });
    const job = await exported(world, `/item/${item}/export?uri=${encodeURIComponent(`${receiver.address}/in/`)}`);
    expect(urisOf(job), JSON.stringify(job.log)).toEqual([`${receiver.address}/in/a_1.mov`]);
    expect(receiver.received.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'HEAD /in/a.mov',
      'HEAD /in/a_1.mov',
      'PUT /in/a_1.mov',
    ]);
    expect(receiver.received.at(-1)!.headers['if-none-match']).toBe('*');
    expect(String(receiver.received.at(-1)!.body)).toBe('bytes of in/a.mov');
  });

  it('reaches no inner machine, and follows no redirect', async () => {
    const closed = await openExports();
    const item = await itemWith(closed, 'in/a.mov');
    for (const uri of ['http://127.0.0.1/', 'http://169.254.169.254/latest/', 'http://[::1]/', 'http://localhost/']) {
      const job = await exported(closed, `/item/${item}/export?uri=${encodeURIComponent(uri)}`);
      expect([uri, job.status]).toEqual([uri, 'FAILED_TOTAL']);
    }
    const receiver = await receiving();
    const open = await openExports({ outboundAllow: ['127.0.0.1'] });
    const other = await itemWith(open, 'in/a.mov');
    const away = { status: 302, headers: { location: 'http://169.254.169.254/' } };
    receiver.script(away, away);
    const job = await exported(open, `/item/${other}/export?uri=${encodeURIComponent(`${receiver.address}/`)}`);
    expect([job.status, whyOf(job)]).toEqual(['FAILED_TOTAL', 'Expected a server that takes the file: 302']);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('an export to a storage', () => {
  it('goes to none that nobody may write to, even where its folder is open to exports', async () => {
    const at = await folders();
    const world = await openExports(roots(at));
    const item = await itemWith(world, 'in/a.mov');
    /** Storage that nobody writes to, below a folder that is open to exports. */
    const storageOnDisk = async (into: typeof world) => {
      const folder = join(at.exports, 'in');
      await mkdir(folder);
      await storageRows(into, { id: 'VX-3', uri: `${pathToFileURL(folder).href}/` });
      await done(into, ask('PUT /API/storage/VX-3/type/SHARED'));
      return { folder, uri: `${pathToFileURL(folder).href}/` };
    };
    await done(world, ask('PUT /API/storage/VX-2/type/SHARED'));
    const job = await exported(world, `/item/${item}/export?uri=${encodeURIComponent('memory:///out/')}`);
    expect([job.status, whyOf(job)]).toEqual([
      'FAILED_TOTAL',
      expect.stringContaining('Expected a storage that this service writes to: SHARED'),
    ]);
    const inner = await storageOnDisk(world);
    for (const uri of [inner.uri, inner.uri.replace('file:', 'FILE:'), inner.uri.replace('/in/', '/%69n/')]) {
      const around = await exported(world, `/item/${item}/export?uri=${encodeURIComponent(uri)}`);
      expect([uri, around.status, await readdir(inner.folder)]).toEqual([uri, 'FAILED_TOTAL', []]);
    }
    const nowhere = await exported(world, `/item/${item}/export?uri=${encodeURIComponent('s3://bucket/folder/')}`);
    expect([nowhere.status, whyOf(nowhere)]).toEqual([
      'FAILED_TOTAL',
      'Expected an address below a method of a storage that writes: "s3:" has no other place',
    ]);
  });
});
