import { describe, expect, it } from 'vitest';
import type { LocalFile } from '../../../src/room/command.ts';
import { folderOf, localFile as local, runImport } from '../../support/import-command.ts';
import { asking, done, rowsOf, sqlIn } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { itemOf } from '../../support/transfers.ts';
import { importer, type RoomWorld, worldOf } from '../../support/world.ts';
import { png, tiff, wav } from '../checking/samples.ts';
import { fakeTranscoder } from '../transcoding/fake-transcoder.ts';

const ask = asking(importer);

const tone = new Uint8Array(await wav());
const picture = new Uint8Array(tiff(640, 480, 8));

/** Runs the command beside a server that does a part of the work whenever the command rests. */
const run = (
  { service, clock }: RoomWorld,
  words: readonly string[],
  files: readonly LocalFile[],
  options: Readonly<Record<string, readonly string[]>> = {},
  more: Partial<Parameters<typeof runImport>[0]> & { meanwhile?(said: readonly string[]): void } = {},
) => {
  const rest = async (said: readonly string[]) => {
    more.meanwhile?.(said);
    await service.tick();
    await clock.advance(1_000);
  };
  return runImport({ service, clock, rest, ...more }, words, files, options);
};

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
  const { said, ended } = await run(world, ['folder'], folderOf('a.txt', 'b\u001b[31m.txt'));
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
  const file = local('tone.wav', tone);
  const waits = 'tone.wav\twaits\tTranscoding waits: NoTranscoder: install ffmpeg';
  const install = (said: readonly string[]) => {
    if (said.includes(waits)) fake.missing = undefined;
  };
  const { said, ended } = await run(world, ['tone.wav'], [file], { '--tag': ['web'] }, { meanwhile: install });
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
  const file = local('page.tif', picture);
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

describe('the files of a folder', () => {
  const names = Array.from({ length: 12 }, (_, number) => `${number}.txt`);
  const itemNames = async (world: RoomWorld) => {
    const items = await rowsOf(world, 'item');
    const fields = await Promise.all(items.map(async ({ id }) => (await itemOf(world, String(id))).fields));
    return fields.map(({ originalFilename }) => originalFilename).toSorted();
  };

  it.each([
    [{}, 4],
    [{ '--at-once': ['1'] }, 1],
    [{ '--at-once': ['3'] }, 3],
  ])('are copied several at once, and no more: %j', async (options, most) => {
    const world = await worldOf('imports');
    const open = { now: 0, most: 0 };
    let begin: () => void = () => undefined;
    // No file is read before as many are open as may be.
    const isFull = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const files = folderOf(...names).map((file) => ({
      ...file,
      open() {
        open.most = Math.max(open.most, ++open.now);
        if (open.now === most) begin();
        const reader = file.open().getReader();
        return new ReadableStream<Uint8Array>({
          async pull(stream) {
            await isFull;
            const { value } = await reader.read();
            if (value) return stream.enqueue(value);
            open.now--;
            stream.close();
          },
        });
      },
    }));
    const { said, ended } = await run(world, ['folder'], files, options);
    expect(ended, said.join('\n')).toBeUndefined();
    expect([open, said.at(-1)]).toEqual([
      { now: 0, most },
      expect.stringMatching(/^12 of 12 files imported in \d+ s$/),
    ]);
    expect(await itemNames(world)).toEqual(names.toSorted());
  });

  it('are imported once by all runs: a later one brings those that are new, have changed, failed or lost their item', async () => {
    const world = await worldOf('imports');
    const folder = folderOf('a.txt', 'b.txt', 'c.txt');
    const imported = async (files: readonly LocalFile[], options = {}) => {
      const { said, ended } = await run(world, ['folder'], files, options);
      return [said.at(-1)!.replace(/ in \d+ s/, ''), ended, (await rowsOf(world, 'item')).length];
    };
    expect(await imported(folder)).toEqual(['3 of 3 files imported', undefined, 3]);
    expect(await imported(folder)).toEqual(['0 of 3 files imported, 3 by an earlier run', undefined, 3]);
    const changed = folder.map((file, index) => (index === 1 ? { ...file, modified: file.modified + 1 } : file));
    const more = [...changed, ...folderOf('d.txt')];
    expect(await imported(more)).toEqual(['2 of 4 files imported, 2 by an earlier run', undefined, 5]);
    await sqlIn(world, "UPDATE job SET status = 'FAILED_TOTAL' WHERE id = (SELECT job_id FROM import_source LIMIT 1)");
    expect(await imported(more)).toEqual(['1 of 4 files imported, 3 by an earlier run', undefined, 6]);
    const [item] = await rowsOf(world, 'import_source');
    await done(world, ask(`DELETE /API/item/${item!['itemId'] ?? item!['item_id']}`, undefined, admin));
    expect(await imported(more)).toEqual(['1 of 4 files imported, 3 by an earlier run', undefined, 6]);
    // A job that was deleted since takes nothing back.
    await sqlIn(world, 'DELETE FROM job');
    expect(await imported(more)).toEqual(['0 of 4 files imported, 4 by an earlier run', undefined, 6]);
    expect(await imported(more, { '--again': [] })).toEqual(['4 of 4 files imported', undefined, 10]);
    expect(await rowsOf(world, 'import_source')).toHaveLength(4);
  });

  it('that cannot be read, and those whose job fails, are named at the end and stop no other', async () => {
    const world = await worldOf('imports');
    const broken = local('c.png', png(1, 1).slice(0, 20) as Uint8Array<ArrayBuffer>, 'deep/c.png');
    const gone = {
      ...local('b.txt', 'b', 'b\u001b.txt'),
      open: () => new ReadableStream({ start: (stream) => stream.error(new Error('ENOENT: no such file')) }),
    };
    const { said, ended } = await run(world, ['folder'], [gone, broken, ...folderOf('a.txt')]);
    expect(String(ended)).toContain('Expected all imports to end well');
    expect(said.join('\n')).toMatch(/b\\u\{1b\}\.txt\tfailed\t.*no such file/);
    expect(await itemNames(world)).toContain('a.txt');
    expect(await rowsOf(world, 'file')).toHaveLength((await rowsOf(world, 'item')).length);
    // The one that is there now is all that a second run brings.
    const items = (await rowsOf(world, 'item')).length;
    const again = await run(world, ['folder'], [local('b.txt', 'b', 'b\u001b.txt'), ...folderOf('a.txt')]);
    expect([again.ended, (await rowsOf(world, 'item')).length]).toEqual([undefined, items + 1]);
  });

  it('are imported by one of two commands at the same time', async () => {
    const world = await worldOf('imports');
    const runs = await Promise.all([0, 1].map(() => run(world, ['folder'], folderOf(...names))));
    expect(await itemNames(world)).toEqual(names.toSorted());
    expect(runs.flatMap(({ said }) => said).join('\n')).not.toMatch(/Expected (?!a file that no other)/);
    expect(await rowsOf(world, 'file')).toHaveLength(12);
  });

  it('stop at Ctrl+C in the middle: nothing is left over, and the same command imports the others', async () => {
    const world = await worldOf('imports');
    const stopping = new AbortController();
    const files = folderOf(...names).map((file, index) => ({
      ...file,
      open(signal?: AbortSignal) {
        if (index !== 6) return file.open();
        return new ReadableStream<Uint8Array>({
          start(stream) {
            signal!.addEventListener('abort', () => stream.error(signal!.reason));
            stopping.abort(new Error('Stopped'));
          },
        });
      },
    }));
    const stopped = await run(world, ['folder'], files, { '--at-once': ['2'] }, { signal: stopping.signal });
    expect(String(stopped.ended)).toContain('the same command goes on with the others');
    expect((await rowsOf(world, 'item')).length).toBeLessThan(12);
    const { said, ended } = await run(world, ['folder'], folderOf(...names));
    expect([ended, said.at(-1)]).toEqual([undefined, expect.stringContaining('by an earlier run')]);
    expect(await itemNames(world)).toEqual(names.toSorted());
  });

  it('tell their speed and the time that is left: in the last line of a terminal, or every ten seconds', async () => {
    const world = await worldOf('imports');
    const screen: string[] = [];
    const first = await run(world, ['folder'], folderOf(...names), { '--at-once': ['1'] }, { screen });
    const progress = /^\d+ of \d+( or more)? files, \d+ B of \d+ B, \d+\.\d files\/s, \d+ B\/s(, \d+ s left)?$/;
    expect(screen.filter((text) => text !== '' && !progress.test(text))).toEqual([]);
    expect(screen.some((text) => text.endsWith('left'))).toBe(true);
    expect([screen.at(-1), first.said]).toEqual(['', [expect.stringContaining('12 of 12')]]);
    // No server runs the jobs, so the command waits until it is stopped.
    const other = await worldOf('imports');
    const stopping = new AbortController();
    let rests = 0;
    const rest = async () => {
      // Time passes when the file is copied.
      const isCopied = (await rowsOf(other, 'job')).length > 0;
      if (isCopied && ++rests === 25) stopping.abort(new Error('Stopped'));
      await other.clock.advance(isCopied ? 1_000 : 0);
    };
    const { said } = await run(other, ['folder'], folderOf('a.txt'), {}, { rest, signal: stopping.signal });
    expect(said).toEqual([
      expect.stringMatching(/^0 of 1 files/),
      '1 job: The job waits for a server on this database: portico serve',
      expect.stringMatching(/^0 of 1 files/),
      expect.stringMatching(/^0 of 0 files imported in \d+ s, 1 go on$/),
    ]);
  });

  it.each(['0', '65', '1.5', 'many'])('are not copied %s at once', async (number) => {
    const world = await worldOf('imports');
    const { ended } = await run(world, ['folder'], folderOf('a.txt'), { '--at-once': [number] });
    expect(String(ended)).toContain(`Expected a whole number from 1 to 64 in --at-once: "${number}"`);
    expect(await rowsOf(world, 'file')).toEqual([]);
  });
});
