import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/composition/settings.ts';
import { configureWithShipped } from '../../../src/composition/shipped.ts';
import { createMediaHost } from '../../../src/entry/media/child/host.ts';
import { checkingHost } from '../../../src/entry/plugins/checking-host.ts';
import { readSecurityInput } from '../../../src/entry/plugins/read-input.ts';
import type { Plugin, Prober } from '../../../src/spi/index.ts';
import { ended } from '../../support/files.ts';
import { openWorld } from '../../support/matrix.ts';
import { fileWith, shapeOf, shapeWith, shippedHere } from '../../support/media.ts';
import { ask, done, rowsOf, textAt } from '../../support/requests.ts';
import { temporaryDirectory } from '../../support/store.ts';
import { worldOf } from '../../support/world.ts';

const options = { maxBytes: 1_000_000, signal: new AbortController().signal };
const media = (text: string, name: string) => {
  const bytes = new TextEncoder().encode(text);
  return {
    size: bytes.byteLength,
    name,
    read: async ({ from, end }: { from: number; end: number }) => bytes.slice(from, end),
  };
};

const odd: Prober = {
  name: 'odd',
  accepts: (head) => (head[0] === 0x7b ? JSON.parse('') : 'maybe'),
  async probe({ size }) {
    if (size > 100) throw new TypeError('undefined is not a function');
    return {
      ...{ by: 'odd', format: 'odd', mimeType: 'video/x-odd', tracks: [] },
      ...{ isPartial: false, bytesRead: 0, warnings: [] },
    };
  },
};

const plugin: Plugin = {
  ...{ name: 'acme', version: '1', contract: 1 },
  probers: { 'acme.Prober': { says: 'Knows what nobody else knows.', create: () => odd } },
  transcoders: {
    'acme.Transcoder': {
      says: 'Turns media round.',
      create: () => ({
        name: 'turner',
        abilities: async () => ({
          ...{ version: '7', licence: 'MIT', containers: ['turned'] },
          video: [],
          audio: [],
          stills: [],
        }),
        unable: async ({ format }) => (format === 'turned' ? undefined : `format=${format}`),
        async run(source) {
          const made = new Blob([new Uint8Array(await source.read({ from: 0, end: source.size })).reverse()]);
          return { size: made.size, body: () => made.stream(), close: async () => undefined, warnings: [] };
        },
        stills: () => Promise.reject(new Error('Expected a transcoder that makes pictures')),
      }),
    },
    'acme.Silent': {
      says: 'Cannot say what it does.',
      create: () => ({
        name: 'silent',
        abilities: async () => JSON.parse('{"version":1}'),
        ...{ unable: async () => undefined, run: async () => JSON.parse(''), stills: async () => undefined },
      }),
    },
  },
};

it('probers and transcoders of a plugin in its folder take part, ahead of what ships', async () => {
  const world = await worldOf('transfers', {}, (given) =>
    openWorld('fetch', { ...given, plugins: [...(given?.plugins ?? []), plugin] }),
  );
  await world.service.store.commit(
    { changes: [{ sql: "INSERT INTO item (id, serial, created_at) VALUES ('VX-100', 100, 0)", args: [] }], events: [] },
    { user: 'test' },
  );
  const fileId = await fileWith(world, 'a.bin', new TextEncoder().encode('hello'));
  const shape = await shapeWith(world, { containerComponent: { file: [{ id: fileId }] } });
  const check = await done<{ jobId: string }>(world, ask(`POST /API/item/VX-100/shape/${shape}/update`));
  expect((await ended(world, check.jobId)).status).toBe('FINISHED');
  expect((await shapeOf(world, shape)).mimeType).toEqual(['video/x-odd']);

  await done(world, ask('PUT /API/shape-tag/turned', '{"format":"turned"}'));
  const job = await done<{ jobId: string }>(
    world,
    ask('POST /API/item/VX-100/transcode?tag=turned&createThumbnails=false'),
  );
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  const made = (await rowsOf(world, 'file')).find(({ id }) => id !== fileId)!;
  expect(textAt(made['storage_id'] === 'VX-1' ? world.from : world.to, String(made['path']))).toBe('olleh');

  const version = await done<{ component: { name: string; version: string }[] }>(world, ask('GET /API/version'));
  expect(version.component).toContainEqual({ name: 'turner', version: '7' });
  const test = (await world.send(ask('GET /API/selftest', undefined))).body;
  expect(test).toContain('Expected the transcoder silent to say what it can do: Expected texts as version and licence');
  expect(test).toContain('acme.Prober');
});

describe('a prober of a plugin folder', () => {
  const host = createMediaHost({ mediaChildren: 1, mediaChildMegabytes: 1024, probeSeconds: 30, ffprobe: 'none' });
  afterAll(() => host.close());

  it('is made once more in the media process, with its properties and without network', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory.path, 'plugins'));
    await writeFile(
      join(directory.path, 'plugins/acme.mjs'),
      `export default { name: 'acme', version: '1', contract: 1, probers: {
      'acme.Prober': { says: 'Tells.', properties: { format: { type: 'string', required: true, says: 'A format.' } },
        create: ({ format }, host) => ({ name: 'acme', accepts: () => 'yes', async probe() {
          const asked = await host.fetch('http://127.0.0.1/').catch((error) => error.message);
          return { by: 'acme', format, mimeType: 'video/x-acme', tracks: [], isPartial: false, bytesRead: 0,
            warnings: [asked, host.name, String(process.pid)] };
        } }) } } };`,
    );
    const settings = { ...readSettings({ PORTICO_ROOT: directory.path }), pluginFolders: [] };
    const input = await readSecurityInput(settings);
    const text = input.text.replace('\n[main]\n', '\n[main]\nacme = acme.Prober\nacme.format = acme1\n');
    const { parts, findings } = await configureWithShipped({ ...input, text }, (name) => ({ ...checkingHost, name }));
    expect(findings).toEqual([]);
    const found = await host.probe(media('{"any":"file"}', 'a.json'), options, parts!.probers);
    expect(found).toMatchObject({ by: 'acme', format: 'acme1', mimeType: 'video/x-acme' });
    const [asked, name, pid] = found.warnings;
    expect([asked, name]).toEqual(['Expected a prober that calls nobody', 'acme']);
    expect(pid).not.toBe(String(process.pid));
    // Without it the shipped probers say what they know.
    expect((await host.probe(media('{"any":"file"}', 'a.json'), options)).by).toBe('');
    await directory.remove();
  });

  it('that lies in no file is told', async () => {
    const configured = { name: 'acme', prober: odd, component: {}, properties: {} };
    await expect(host.probe(media('a', 'a.bin'), options, [configured])).rejects.toThrow(
      'Expected a prober of a plugin folder or a package: acme',
    );
  });
});

it('a prober that throws what has no kind fails the check with a sentence, and one that throws at a head is passed over', async () => {
  const configured = [{ name: 'acme', prober: odd, component: {}, properties: {} }];
  await expect(shippedHere().probe(media('x'.repeat(200), 'a.bin'), options, configured)).rejects.toMatchObject({
    kind: 'broken',
    message: 'Expected the prober odd to read the file: undefined is not a function',
  });
  expect(await shippedHere().probe(media('{"a":1}', 'a.json'), options, configured)).toMatchObject({ by: '' });
});
