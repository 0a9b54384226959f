import { expect, it } from 'vitest';
import { importCommands } from '../../../src/production/ingest/commands.ts';
import type { LocalFile } from '../../../src/room/command.ts';
import { asking, done, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { itemOf } from '../../support/transfers.ts';
import { importer, type RoomWorld, worldOf } from '../../support/world.ts';
import { tiff, wav } from '../checking/samples.ts';
import { fakeTranscoder } from '../transcoding/fake-transcoder.ts';

const ask = asking(importer);

const tone = new Uint8Array(await wav());
const picture = new Uint8Array(tiff(640, 480, 8));

const local = (name: string, text: string): LocalFile => ({
  name,
  size: text.length,
  open: () => new Blob([text]).stream(),
});

/** Runs the command beside a server that does a part of the work whenever the command rests. */
async function run(
  world: RoomWorld,
  words: readonly string[],
  files: readonly LocalFile[],
  more: object = {},
  meanwhile: (said: readonly string[]) => void = () => undefined,
) {
  const said: string[] = [];
  const options = more as Readonly<Record<string, readonly string[]>>;
  const line = {
    words,
    has: (flag: string) => options[flag] !== undefined,
    option: (name: string) => options[name] ?? [],
  };
  const desk = {
    store: world.service.store,
    provides: world.service.rooms.ingest,
    settings: undefined,
    random: undefined,
    now: () => world.clock.now(),
    tell: (text: string) => said.push(text),
    sleep: async () => {
      meanwhile(said);
      await world.service.tick();
      await world.clock.advance(1_000);
    },
    readPassword: async () => '',
    async *localFiles() {
      yield* files;
    },
  };
  const ended = await importCommands['import']!.run(line, desk as never).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { said, ended };
}

it('a file of the machine becomes an item, and each change of its job is a line', async () => {
  const world = await worldOf('imports');
  const { said, ended } = await run(world, ['clip.txt'], [local('clip.txt', 'hello')]);
  expect(ended, said.join('\n')).toBeUndefined();
  expect(said[0]).toContain('100 % copied');
  expect(said.at(-1)).toBe('clip.txt\tdone');
  expect(said.join('\n')).not.toMatch(/VX-|READY|STARTED/);
  const percents = said.flatMap((text) => /(\d+) %/.exec(text)?.[1] ?? []).map(Number);
  expect(percents).toEqual(percents.toSorted((one, other) => one - other));
  const [row] = await rowsOf(world, 'item');
  const item = await itemOf(world, String(row!['id']));
  expect(item.fields).toMatchObject({ originalFilename: 'clip.txt', user: 'admin' });
});

it('the files of a folder become an item each, and a failure ends the command with a sentence', async () => {
  const world = await worldOf('imports');
  const { said, ended } = await run(world, ['folder'], [local('a.txt', 'a'), local('b\u001b[31m.txt', 'b')]);
  expect(ended, said.join('\n')).toBeUndefined();
  expect(await rowsOf(world, 'item')).toHaveLength(2);
  expect(said.join('\n')).not.toContain('\u001b');
  const wrong = await run(world, ['http://127.0.0.1/a.mov'], []);
  expect(String(wrong.ended)).toContain('Expected all imports to end well: 1 failed');
  expect(wrong.said.at(-1)).toContain('failed');
});

it.each([
  [{ '--user': ['nobody'] }, 'Expected the name of a user'],
  [{ '--tag': ['nowhere'] }, 'Expected a shape tag'],
])('what nobody knows is told before anything is copied: %j', async (options, sentence) => {
  const world = await worldOf('imports');
  const { ended } = await run(world, ['clip.txt'], [local('clip.txt', 'hello')], options);
  expect(String(ended)).toContain(sentence);
  expect(await rowsOf(world, 'file')).toEqual([]);
});

it('a job that waits for a transcoder says at once what to install', async () => {
  const fake = fakeTranscoder();
  fake.missing = 'install ffmpeg';
  const world = await worldOf('imports', { transcoders: [fake] });
  await done(world, ask('PUT /API/shape-tag/web', { format: 'wav' }, admin));
  const file = { ...local('tone.wav', ''), size: tone.length, open: () => new Blob([tone]).stream() };
  const waits = 'tone.wav\twaits\tTranscoding waits: NoTranscoder: install ffmpeg';
  const install = (said: readonly string[]) => {
    if (said.includes(waits)) fake.missing = undefined;
  };
  const { said, ended } = await run(world, ['tone.wav'], [file], { '--tag': ['web'] }, install);
  expect(said[0]).toBe('web waits for a transcoder, and there is none on this machine: install ffmpeg');
  expect(said).toContain(waits);
  const again = await run(world, ['tone.wav'], [file], { '--tag': ['web'] });
  expect(again.said.join('\n')).not.toContain('there is none on this machine');
  expect([ended, said.at(-1)], said.join('\n')).toEqual([undefined, expect.stringContaining('done')]);
});

it('an import that goes on without stills says what to install for them', async () => {
  const fake = fakeTranscoder();
  fake.missing = 'install ffmpeg';
  const world = await worldOf('imports', { transcoders: [fake] });
  const file = { ...local('page.tif', ''), size: picture.length, open: () => new Blob([picture]).stream() };
  const { said } = await run(world, ['page.tif'], [file]);
  expect(said.join('\n')).not.toContain('there is none on this machine');
  expect(said).toContain('page.tif\tNo stills: install ffmpeg');
});

it('without a server the command says what the job waits for', async () => {
  const world = await worldOf('imports');
  const { said } = await run(world, ['clip.txt'], [local('clip.txt', 'hello')], { '--no-wait': [] });
  expect(said.at(-1)).toContain('item VX-');
  expect((await rowsOf(world, 'job')).map(({ status }) => status)).toEqual(['READY']);
});
