import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../../src/core/lib/clock.ts';
import { Gate } from '../../src/core/lib/gate.ts';
import { findProgram } from '../../src/entry/media/child/find-program.ts';
import { findMediaLibrary, libraryTranscoder } from '../../src/entry/media/library-transcoder.ts';
import type { MediaSource, Transcoder } from '../../src/spi/index.ts';
import { median, type Row } from './row.ts';

/** Cost of the library of `npm run test:media` against ffmpeg, where both are installed. */

const folder = resolve('test/storage/library');
const never = new AbortController().signal;
const seconds = 20;
const times = Array.from({ length: 20 }, (_, at) => at);

function ffmpeg(words: readonly string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Expected ffmpeg to end well: ${stderr.slice(-300)}`);
}

/** Milliseconds of processor time of processes that have ended. The system counts hundredths of a second. */
async function costOfChildren(work: () => unknown): Promise<number> {
  const spent = () => {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  };
  const before = spent();
  await work();
  // A killed process counts once the system has told of its end.
  await systemClock.sleep(500);
  return spent() - before;
}

async function compared(transcoder: Transcoder, film: string, root: string, rounds: number): Promise<Row[]> {
  const bytes = new Uint8Array(readFileSync(film));
  const source: MediaSource = {
    size: bytes.byteLength,
    name: 'film.mp4',
    read: async ({ from, end }) => bytes.slice(from, end),
  };
  const transcode = async () => {
    const video = { bitrate: 400_000, scaling: { width: 320, height: 180 }, presets: [], profiles: [], settings: [] };
    const audio = { bitrate: 64_000, channels: [], streams: [], settings: [] };
    const order = { format: 'mp4', video, audio, fastStart: true };
    await (await transcoder.run(source, order, { signal: never, progress: () => undefined })).close();
  };
  const stills = () =>
    transcoder.stills(source, { seconds: times, width: 320, height: 180, type: 'image/jpeg' }, async () => undefined, {
      signal: never,
    });
  const defaultValue = ['-vf', 'scale=320:180', '-b:v', '400k', '-b:a', '64k', '-movflags', '+faststart'];
  const pairs: { transcode: number; stills: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await costOfChildren(transcode);
    const theirs = await costOfChildren(() => ffmpeg(['-i', film, ...defaultValue, join(root, 'out.mp4')]));
    const our = await costOfChildren(stills);
    const their = await costOfChildren(() => {
      for (const time of times)
        ffmpeg(['-ss', String(time), '-i', film, '-frames:v', '1', '-vf', 'scale=320:180', join(root, 'out.jpg')]);
    });
    pairs.push({ transcode: theirs / ours, stills: their / our });
  }
  return [
    {
      name: 'processor time of ffmpeg as it is, against the library: 20 seconds in another size',
      ratio: median(pairs.map((pair) => pair.transcode)),
      floor: 0.4,
    },
    {
      name: 'processor time of 20 runs of ffmpeg, against the library: 20 stills of one film',
      ratio: median(pairs.map((pair) => pair.stills)),
      floor: 1.43,
    },
  ];
}

export async function benchTranscodes(rounds = 3): Promise<Row[]> {
  const lacking = [
    ...((await findProgram('ffmpeg')) === undefined ? ['no ffmpeg'] : []),
    ...((await findMediaLibrary(folder)) === undefined ? ['no @mediabunny/server: npm run test:media'] : []),
  ];
  if (lacking.length > 0) return [{ name: `transcodes and stills, left out: ${lacking.join(', ')}` }];
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const transcoder = libraryTranscoder({
    folder,
    scratch: root,
    turns: new Gate({ width: 1 }),
    megabytes: 4096,
    now: Date.now,
  });
  try {
    const film = join(root, 'film.mp4');
    const sources = [`testsrc2=size=640x360:rate=25:duration=${seconds}`, `sine=duration=${seconds}`];
    ffmpeg([...sources.flatMap((each) => ['-f', 'lavfi', '-i', each]), '-pix_fmt', 'yuv420p', film]);
    await transcoder.abilities();
    return await compared(transcoder, film, root, rounds);
  } finally {
    await transcoder.close?.();
    await rm(root, { recursive: true, force: true });
  }
}
