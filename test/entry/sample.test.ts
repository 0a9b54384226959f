import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, startServer } from '../../src/entry/start-server.ts';
import type { Sample } from '../../src/room/sample.ts';
import type { AnnotationType, ItemDocument } from '../../src/types.ts';
import { launchCli, tryCli } from '../support/cli.ts';
import { admin, testSettings } from '../support/service.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/store.ts';

const files = 'src/entry/sample/files';

let directory: TemporaryDirectory;
let running: Running;

beforeAll(async () => {
  directory = await temporaryDirectory();
  const settings = { ...testSettings, root: directory.path, database: '', ffmpeg: '/nowhere/ffmpeg' };
  running = await startServer({ ...settings, port: 0, logLevel: 'error' }, () => undefined);
});
afterAll(async () => {
  await running.stop();
  await directory.remove();
});

async function send(method: string, path: string, body?: unknown, [user, password] = admin as readonly string[]) {
  const headers = {
    authorization: `Basic ${btoa(`${user}:${password}`)}`,
    ...{ accept: 'application/json', 'content-type': 'application/json' },
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${running.address}${path}`, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, document: isJson && text !== '' ? JSON.parse(text) : text };
}
/** Uploads a text as a new item. */
async function upload(name: string): Promise<void> {
  const headers = { authorization: `Basic ${btoa(admin.join(':'))}`, accept: 'application/json' };
  const path = `${running.address}/API/import/raw?filename=${name}`;
  const { jobId } = (await (await fetch(path, { method: 'POST', headers, body: 'own' })).json()) as { jobId: string };
  await expect.poll(async () => (await get(`/API/job/${jobId}`)).status).toMatch(/^FINISHED/);
}
const get = async (path: string) => (await send('GET', path)).document;

/** All that a sample could leave behind. */
async function inventory() {
  const lists = ['collection', 'user', 'storage', 'metadata-field', 'share?everyone=true'];
  const rows: [string, unknown][] = [['item', (await send('PUT', '/API/item', {})).document.hits]];
  for (const list of lists) {
    const document = await get(`/API/${list}`);
    const names = JSON.stringify(document).match(/"(?:id|name|userName|groupName|uri)":(?:"[^"]*"|\[[^\]]*\])/g);
    rows.push([list, names]);
  }
  return [...rows, ['properties', await get('/API/configuration/properties')]];
}

describe('the sample library', () => {
  let before: unknown;
  let made: Sample;
  let film = '';

  beforeAll(async () => {
    before = await inventory();
    const { status, document } = await send('POST', '/APIinit/sample');
    expect([status, document]).toEqual([200, expect.anything()]);
    made = document;
  });

  it('comes with less than 1.3 MB of media', async () => {
    const sizes = await Promise.all((await readdir(files)).map(async (name) => (await stat(join(files, name))).size));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1_300_000);
  });

  it('has films, pictures in both directions, sound and a document, with pictures and forms for browsers, without ffmpeg', async () => {
    const { document } = await send('PUT', '/API/item?content=metadata,shape,thumbnail&field=title,asset_keywords', {
      sort: [{ field: 'title', order: 'ascending' }],
    });
    expect(document.hits).toBe(made.item);
    const textsOf = ({ metadata }: ItemDocument, name: string) =>
      metadata?.timespan?.[0]?.field?.find((field) => field.name === name)?.value?.map(({ value }) => value) ?? [];
    const rows = document.item.map((item: ItemDocument) => [
      textsOf(item, 'title')[0],
      textsOf(item, 'asset_keywords').length > 0,
      (item.shape ?? [])
        .map(({ tag = [] }) => tag.join())
        .toSorted()
        .join(' '),
      item.thumbnails?.uri?.length ?? 0,
    ]);
    expect(rows).toEqual([
      ['Bells of the pier', true, 'original', 0],
      ['Call sheet, day 2', true, 'original', 1],
      ['City at night', true, 'original', 1],
      ['Forest, tall', true, 'original', 1],
      ['Harbour film', true, '__mp4 original', 4],
      ['Lake with a boat', true, 'original', 1],
      ['Lighthouse, poster', true, 'original', 1],
      ['Morning over the hills', true, '__mp4 original', 3],
    ]);
    film = document.item.find((item: ItemDocument) => textsOf(item, 'title')[0] === 'Harbour film').id;
    const { document: bars } = await send('GET', `/API/item/${film}/waveform/values?tag=original`);
    expect(JSON.stringify(bars).length).toBeGreaterThan(500);
  });

  it('has a rejected and an approved version, comments and a drawing', async () => {
    const states = [0, 1].map(async (version) => get(`/API/item/${film}/shape/version/${version}/approval`));
    expect((await Promise.all(states)).map(({ state, user }) => [state, user])).toEqual([
      ['rejected', 'sample-reviewer'],
      ['approved', 'sample-reviewer'],
    ]);
    const { annotation } = await get(`/API/item/${film}/annotation`);
    expect(
      annotation.map((each: AnnotationType) => [each.user, each.version, each.state, Boolean(each.drawing)]),
    ).toEqual([
      ['sample-reviewer', 0, 'done', true],
      ['sample-editor', 0, 'open', false],
      ['sample-reviewer', 1, 'open', false],
      ['sample-editor', 1, 'open', false],
    ]);
  });

  it('has people who log in and see it, each with the rights of a ready-made group', async () => {
    for (const { userName, group } of made.user) {
      const seen = await send('PUT', '/API/item', {}, [userName, made.password]);
      expect([group, seen.status, seen.document.hits]).toEqual([group, 200, made.item]);
    }
    const vera = ['sample-viewer', made.password];
    expect((await send('POST', `/API/item/${film}/annotation`, { text: 'x' }, vera)).status).toBe(403);
  });

  it('has a link to look and one to send files', async () => {
    const enter = async (path: string) =>
      (await send('POST', '/APInoauth/share', { token: path.split('#')[1] })).document;
    expect(await enter(made.share)).toMatchObject({ title: 'Harbour film, for the client', look: true, comment: true });
    expect(await enter(made.upload)).toMatchObject({ look: false, upload: { files: 100 } });
  });

  it('is made once: a database with items is refused, and says how many', async () => {
    const { status, document } = await send('POST', '/APIinit/sample');
    expect([status, JSON.stringify(document)]).toEqual([409, expect.stringContaining('8 items are there')]);
  });

  it('is for administrators alone', async () => {
    const editor = ['sample-editor', made.password];
    expect((await send('POST', '/APIinit/sample', undefined, editor)).status).toBe(403);
    expect((await send('DELETE', '/APIinit/sample', undefined, editor)).status).toBe(403);
  });

  it('goes by one command beside the server, with all that it brought and nothing else', async () => {
    const { code, out } = await tryCli(['sample', 'remove'], { root: directory.path });
    expect([code, out]).toEqual([0, expect.stringMatching(/^Removed \d+ entities\n$/)]);
    expect(await inventory()).toEqual(before);
    expect(existsSync(join(directory.path, 'media/sample'))).toBe(false);
    expect((await send('DELETE', '/APIinit/sample')).status).toBe(404);
    const again = await tryCli(['sample', 'remove'], { root: directory.path });
    expect([again.code, again.out]).toEqual([0, 'The sample is removed already, or was never made\n']);
  });

  it('leaves behind what others have begun to use', async () => {
    expect((await send('POST', '/APIinit/sample')).status).toBe(200);
    await send('POST', '/API/user', { userName: 'ann', password: 'the pass phrase of ann' });
    await send('PUT', '/API/group/editor/user/ann');
    const own = (await send('POST', '/API/import/placeholder')).document.id;
    const [{ id: storage }] = (await get('/API/storage')).storage;
    await upload('own.txt');
    const { status, document } = await send('DELETE', '/APIinit/sample');
    expect(status).toBe(200);
    expect(document.kept).toContain('/API/metadata-field/asset_rating');
    expect(document.kept).toContain(`/API/storage/${storage}?safe=true`);
    expect(document.kept.join()).not.toMatch(/item|user|share|collection/);
    const { document: left } = await send('PUT', '/API/item', {});
    expect([left.hits, left.item.map(({ id }: ItemDocument) => id)]).toEqual([2, expect.arrayContaining([own])]);
    // The storage has the own file, and takes no more: the set-up is offered.
    expect(await get(`/API/storage/${storage}`)).toMatchObject({ type: 'SHARED', method: [{ read: true }] });
    const refused = await send('POST', `/API/storage/${storage}/file/data?path=new.txt`);
    expect([refused.status, JSON.stringify(refused.document)]).toEqual([400, expect.stringContaining('SHARED')]);
    // The bytes of the sample go all the same: those of the own file alone are left.
    const bytesLeft = async () =>
      (await readdir(join(directory.path, 'media/sample'))).filter((name) => !name.startsWith('.'));
    await expect.poll(bytesLeft).toHaveLength(1);
    expect(await get(`/API/storage/${storage}/metadata/name`)).not.toContain('Sample');
    expect((await get('/API/session')).lacks).toContain('storage');
    // The folder that the set-up proposes beside it is made with its storage.
    const folder = join(directory.path, 'media/files-1');
    await send('POST', '/API/storage', { type: 'LOCAL', method: [{ uri: `${pathToFileURL(folder)}/`, write: true }] });
    expect(existsSync(folder)).toBe(true);
    // The group `editor` has rights from `viewer`: both are still there.
    expect(await send('PUT', '/API/item', {}, ['ann', 'the pass phrase of ann'])).toMatchObject({ status: 200 });
    expect((await send('POST', '/APIinit/sample')).status).toBe(409);
  });
});

it('serve --sample ends with one block on how to log in, where guests go and how to remove it, and logs none of its requests', async () => {
  const { path, remove } = await temporaryDirectory();
  const environment = { PORTICO_FFMPEG: '/nowhere/ffmpeg' };
  const guests = 'http:\\S+:\\d+/ui/s#\\S+\n';
  const block = new RegExp(
    [
      ...[
        '^The user admin was created. Its password, shown only now: \\S+\n',
        'web page, .*: http:\\S+:\\d+/ui/first#link=\\S+\n',
      ],
      ...['\nsample library: 8 items\n', '  log in at http:\\S+:\\d+/ui/ with the password \\w{16}, shown only now:\n'],
      ...['    sample-editor {4}Eddie Editor, in the group editor\n', '(?:    sample-.*\n){2}'],
      ...[
        `  guests look: +${guests}`,
        `  guests send files: +${guests}`,
        `  to remove it: +\\S.* sample remove --root ${path}\n`,
      ],
      '\nportico listening on http:\\S+\n$',
    ].join(''),
  );
  try {
    for (const said of [
      block,
      /^web page at .*\n\nsample library: there already.* sample remove --root \S+\n\nportico listening on .*\n$/,
    ]) {
      const { out, err, watch, child, finished } = launchCli(['serve', '--port', '0', '--sample'], {
        root: path,
        environment,
      });
      await watch('out', /portico listening on .*\n/);
      expect(out()).toMatch(said);
      expect(err()).not.toContain('"event":"request"');
      child.kill('SIGTERM');
      await finished;
    }
  } finally {
    await remove();
  }
  const { code, err } = await launchCli(['serve', '--port', '0', '--sample'], {
    root: directory.path,
    environment,
  }).finished;
  expect([code, err]).toEqual([1, expect.stringContaining('Expected a database without items: 2 items are there')]);
});
