import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readSettings } from '../../../src/composition/settings.ts';
import { createMediaHost } from '../../../src/entry/media/child/host.ts';
import { readSecurityInput } from '../../../src/entry/plugins/read-input.ts';
import type { MediaHost, StorageScheme } from '../../../src/spi/index.ts';
import { ended } from '../../support/files.ts';
import { openBehind } from '../../support/matrix.ts';
import { ask, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/store.ts';
import { type RoomWorld, worldOf } from '../../support/world.ts';

/** Stands for media that damages what reads it: it spins for ever, or answers without end. */
const plugin = `export default { name: 'victim', version: '1', contract: 1, probers: {
  'victim.Prober': { says: 'Does what a file makes it do.', create: () => ({
    name: 'victim',
    accepts: () => 'yes',
    async probe(source) {
      const text = new TextDecoder().decode(await source.read({ from: 0, end: 4 }));
      while (text === 'spin');
      const tracks = text === 'many' ? new Array(10_000).fill({ kind: 'data', index: 0, codec: null }) : [];
      if (text === 'long') process.stdout.write('x'.repeat(5_000_000));
      return { by: 'victim', format: 'any', mimeType: 'video/any', tracks, isPartial: false, bytesRead: 4, warnings: [] };
    } }) } } };`;

let directory: TemporaryDirectory;
let host: MediaHost;
let world: RoomWorld;
const ends: (() => Promise<unknown>)[] = [];
/** How often the media process has read a file. */
let reads = 0;
beforeAll(async () => {
  directory = await temporaryDirectory();
  await mkdir(join(directory.path, 'plugins'));
  await writeFile(join(directory.path, 'plugins/victim.mjs'), plugin);
  // No deadline ends a check here: only its caller does.
  host = createMediaHost({ mediaChildren: 2, mediaChildMegabytes: 1024, probeSeconds: 3600, ffprobe: 'none' });
  const security = await readSecurityInput({
    ...readSettings({ PORTICO_ROOT: directory.path }),
    pluginFolders: [],
  });
  const scheme = (inner: StorageScheme): StorageScheme => ({
    ...inner,
    open(address) {
      const driver = inner.open(address);
      return { ...driver, read: (...asked) => driver.read(...asked).finally(() => reads++) };
    },
  });
  world = await worldOf('transfers', { scheme }, (given) =>
    openBehind('fetch', { ...given, media: host, security }, (end) => ends.push(end)),
  );
});
afterAll(async () => {
  for (const end of ends) await end();
  await host.close();
  await directory.remove();
});

const importOf = async (text: string) => {
  world.from.put(`${text}.mov`, `${text} and more`);
  return done<{ jobId: string }>(world, ask(`POST /API/import?uri=memory:///in/${text}.mov`));
};

it('a file whose check never ends holds up no other request, and its job can be aborted', async () => {
  const { jobId } = await importOf('spin');
  const answers: string[] = [];
  const working = world.service.tick().then(() => answers.push('check'));
  await vi.waitFor(() => expect(reads, 'the prober has its bytes').toBeGreaterThan(0), 60_000);
  for (let count = 0; count < 20; count++) {
    const { status } = await world.send({ as: admin, request: 'GET /API/whoami' });
    answers.push(`whoami ${status}`);
  }
  expect(answers).toEqual(new Array(20).fill('whoami 200'));
  await done(world, ask(`DELETE /API/job/${jobId}`));
  await world.clock.advance(30_000);
  await working;
  expect((await ended(world, jobId)).status).toBe('ABORTED');
});

it.each([
  ['many', 'Expected at most 200 tracks'],
  ['long', 'Expected messages of the media process'],
])('a file that makes its prober tell too much (%s) fails its job with a sentence', async (text, sentence) => {
  const { jobId } = await importOf(text);
  const end = await ended(world, jobId);
  expect(end.status).toBe('FAILED_TOTAL');
  expect(end.log!.task.at(-1)!.errorMessage).toContain(sentence);
});
