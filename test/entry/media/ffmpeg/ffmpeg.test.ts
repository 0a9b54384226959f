import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Gate } from '../../../../src/core/lib/gate.ts';
import { findProgram } from '../../../../src/entry/media/child/find-program.ts';
import { runStreaming } from '../../../../src/entry/media/child/run-program.ts';
import { readsHeic } from '../../../../src/entry/media/ffmpeg/heic.ts';
import { ffmpegTranscoder } from '../../../../src/entry/media/ffmpeg/transcoder.ts';
import { readPixels } from '../../../../src/extensions/pictures/pixels.ts';
import type { MediaSource, Still, TranscodeOrder, Transcoder } from '../../../../src/spi/index.ts';
import { mkv, png, wav } from '../../../production/checking/samples.ts';
import { heic } from '../../../production/transcoding/heic-samples.ts';

const program = await findProgram('ffmpeg');
const hasFfmpeg = program !== undefined;
/** Whether it is of a version that reads no HEIC. */
const isOld = hasFfmpeg && /^ffmpeg version [4-7]\./.test(execFileSync(program, ['-version'], { encoding: 'utf8' }));

const order: TranscodeOrder = {
  format: 'mp3',
  video: null,
  audio: { channels: [], streams: [], settings: [] },
  fastStart: true,
};
const options = { signal: new AbortController().signal, progress: () => undefined };

function opened(program = 'ffmpeg'): { readonly transcoder: Transcoder; readonly left: () => readonly string[] } {
  const scratch = mkdtempSync(join(tmpdir(), 'portico-ffmpeg-'));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  const transcoder = ffmpegTranscoder({ program, scratch, turns: new Gate({ width: 1 }), megabytes: 8192 });
  return { transcoder, left: () => readdirSync(scratch) };
}

const sourceOf = (bytes: Uint8Array, name = 'a'): MediaSource => ({
  size: bytes.byteLength,
  name,
  read: async ({ from, end }) => bytes.slice(from, end),
});

async function stillsOf(transcoder: Transcoder, source: MediaSource, seconds: readonly number[]) {
  const found: Still[] = [];
  const wanted = { seconds, width: 32, height: 32, type: 'image/png' } as const;
  await transcoder.stills(source, wanted, async (still) => void found.push(still), options);
  return found;
}

it('a server without ffmpeg says what to install', async () => {
  const { transcoder } = opened('no-such-ffmpeg');
  expect(await transcoder.abilities()).toEqual({ missing: expect.stringContaining('install ffmpeg') });
  await expect(transcoder.run(sourceOf(png(1, 1)), order, options)).rejects.toMatchObject({ kind: 'unsupported' });
});

it.skipIf(process.platform === 'win32')('a program that is silent, or says nothing new, is killed', async () => {
  const run = {
    limits: { megabytes: 512, cpuSeconds: 10, folder: tmpdir() },
    silence: 100,
    signal: new AbortController().signal,
    printed: () => false,
  };
  const sleeps = runStreaming({ ...run, program: '/bin/sleep', words: ['30'] });
  await expect(sleeps).rejects.toMatchObject({ kind: 'exhausted' });
  const repeats = runStreaming({
    ...run,
    program: '/bin/sh',
    words: ['-c', 'while :; do echo frame=1; sleep 0.02; done'],
  });
  await expect(repeats).rejects.toMatchObject({ kind: 'exhausted' });
});

describe.skipIf(!hasFfmpeg)('ffmpeg, where it is installed', () => {
  it('makes another form of a sound, and leaves nothing behind', async () => {
    const { transcoder, left } = opened();
    expect(await transcoder.abilities()).toMatchObject({
      version: expect.any(String),
      stills: ['image/jpeg', 'image/png'],
    });
    expect(await transcoder.unable({ ...order, audio: { ...order.audio!, codec: 'nothing' } })).toBe(
      'audio.codec=nothing',
    );
    const told: number[] = [];
    const made = await transcoder.run(
      sourceOf(await wav({ seconds: 2 })),
      { ...order, format: 'flac', seconds: 2 },
      {
        ...options,
        progress: (done) => void told.push(done),
      },
    );
    const bytes = new Uint8Array(await new Response(made.body()).arrayBuffer());
    expect([bytes.byteLength, new TextDecoder().decode(bytes.slice(0, 4))]).toEqual([made.size, 'fLaC']);
    expect([made.warnings, told.at(-1)]).toEqual([[], 1]);
    await made.close();
    expect(left()).toEqual([]);
  });

  const lack = /^Expected ffmpeg 8\.1 or later to read HEIC: found \S+$/;
  const insteadOf = /^Expected ffmpeg 8\.1 or later to read HEIC: found \S+\. The preview inside the file takes/;
  it.skipIf(!isOld)('says which program reads a HEIC, and not that the picture is damaged', async () => {
    const { transcoder, left } = opened();
    expect(await transcoder.lacks!()).toEqual(['HEIC needs ffmpeg 8.1 or later']);
    for (const bytes of [heic(), heic({ isTiled: true }), heic({ brands: ['mif1', 'heix'] }), heic().slice(0, 90)])
      await expect(stillsOf(transcoder, sourceOf(bytes, 'a.heic'), [0])).rejects.toMatchObject({
        ...{ kind: 'unsupported', message: expect.stringMatching(lack) },
      });
    expect(left()).toEqual([]);
  });

  it.skipIf(!isOld).each([
    ['a JPEG beside it', { preview: 'jpeg' }, [32, 16], 'red left of blue'],
    ['a JPEG with a media type', { preview: 'image/jpeg' }, [32, 16], 'red left of blue'],
    ['the thumbnail of EXIF', { preview: 'Exif' }, [32, 16], 'red left of blue'],
    ['the same upside down', { preview: 'Exif', orientation: 3 }, [32, 16], 'blue left of red'],
    ['the same on its side', { preview: 'Exif', orientation: 6 }, [16, 32], 'red above blue'],
  ] as const)('takes the preview for a HEIC that it does not read: %s', async (_title, sample, size, wanted) => {
    const { transcoder, left } = opened();
    const source = sourceOf(heic({ ...sample, isTiled: true }), 'a.heic');
    const [still] = await stillsOf(transcoder, source, [0]);
    const { width, height, data } = (await readPixels(still!.bytes))!;
    const at = (x: number, y: number) => (data[(y * width + x) * 4]! > 128 ? 'red' : 'blue');
    const [first, last] = [at(2, 2), at(width - 3, height - 3)];
    expect([[width, height], `${first} ${width > height ? 'left of' : 'above'} ${last}`]).toEqual([size, wanted]);
    expect(still!.warning).toMatch(insteadOf);
    const toPicture = { ...order, format: 'jpg', audio: null, video: { presets: [], profiles: [], settings: [] } };
    const file = await transcoder.run(source, toPicture, options);
    expect(file.warnings).toEqual([expect.stringMatching(insteadOf)]);
    await file.close();
    expect(left()).toEqual([]);
  });

  it('cuts a part out of a sound, in the form that it has', async () => {
    const { transcoder, left } = opened();
    const part = await transcoder.cut!(sourceOf(await wav({ seconds: 3 })), { format: 'wav', from: 1, to: 2 }, options);
    // Size of one second: 48,000 samples of two channels, and headers.
    expect(part.size).toBeGreaterThan(180_000);
    expect(part.size).toBeLessThan(204_000);
    await part.close();
    expect(left()).toEqual([]);
  });

  it('a file that is shorter than its source says is told of', async () => {
    const { transcoder } = opened();
    const made = await transcoder.run(
      sourceOf(await wav({ seconds: 1 })),
      { ...order, format: 'wav', seconds: 9 },
      options,
    );
    expect(made.warnings).toEqual([expect.stringMatching(/^Expected 9 seconds: found 1/)]);
    await made.close();
  });

  it('draws the waveform of a sound as one picture of the size of its box', async () => {
    const { transcoder, left } = opened();
    const loud = sourceOf(await wav({ seconds: 2 }));
    const order = { seconds: [0], width: 64, height: 36, draws: 'audio' } as const;
    for (const type of ['image/png', 'image/jpeg'] as const) {
      const drawings: Still[] = [];
      await transcoder.stills(loud, { ...order, type }, async (still) => void drawings.push(still), options);
      const pixels = (await readPixels(drawings[0]!.bytes))!;
      expect([drawings.length, drawings[0]!.seconds, pixels.width, pixels.height]).toEqual([1, 0, 64, 36]);
      const blueAt = (x: number, y: number) => pixels.data[(y * pixels.width + x) * 4 + 2]!;
      // The paper is dark, and the wave is light.
      expect([blueAt(2, 1) < 120, blueAt(32, 18) > 150]).toEqual([true, true]);
    }
    const broken = transcoder.stills(
      sourceOf(png(64, 16)),
      { ...order, type: 'image/png' },
      async () => undefined,
      options,
    );
    await expect(broken).rejects.toMatchObject({ kind: 'broken' });
    expect(left()).toEqual([]);
  });

  it('takes stills of a picture at any time, within the box', async () => {
    const { transcoder, left } = opened();
    const [first, later] = await stillsOf(transcoder, sourceOf(png(64, 16), 'a.png'), [0, 7]);
    const size = (bytes: Uint8Array) => [
      new DataView(bytes.buffer).getUint32(16),
      new DataView(bytes.buffer).getUint32(20),
    ];
    expect([size(first!.bytes), size(later!.bytes)]).toEqual([
      [32, 8],
      [32, 8],
    ]);
    expect(left()).toEqual([]);
  });

  it('takes stills while other forms are being made', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'portico-ffmpeg-'));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const [turns, stillTurns] = [new Gate({ width: 1 }), new Gate({ width: 1 })];
    void turns.run(() => new Promise<never>(() => undefined));
    const transcoder = ffmpegTranscoder({ program: 'ffmpeg', scratch, turns, stillTurns, megabytes: 8192 });
    expect(await stillsOf(transcoder, sourceOf(png(64, 16), 'a.png'), [0])).toHaveLength(1);
  });

  it('an endless source ends by its signal, and one that fails says why', async () => {
    const { transcoder, left } = opened();
    const stop = new AbortController();
    const endless = {
      size: 10 ** 12,
      name: 'a.wav',
      read: () => new Promise<never>(() => stop.abort(new Error('stopped'))),
    };
    await expect(transcoder.run(endless, order, { ...options, signal: stop.signal })).rejects.toThrow('stopped');
    const failing = { size: 1000, name: 'a.wav', read: () => Promise.reject(new Error('storage away')) };
    await expect(transcoder.run(failing, order, options)).rejects.toThrow('storage away');
    expect(left()).toEqual([]);
  });

  it('media that poses as media reaches no other file or host: playlists, scripts, lists of files', async () => {
    const { transcoder, left } = opened();
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      response.end('secret');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const targets = [`http://127.0.0.1:${port}/a.ts`, 'file:///etc/passwd', '/etc/passwd'];
    const forms = [
      (at: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${at}\n#EXT-X-ENDLIST\n`,
      (at: string) => `ffconcat version 1.0\nfile ${at}\n`,
      (at: string) =>
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${at}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      (at: string) => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video ${port} RTP/AVP 96\na=${at}\n`,
      (at: string) =>
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${at}"/></svg>`,
    ];
    for (const form of forms) {
      for (const at of targets) {
        const hostile = sourceOf(new TextEncoder().encode(form(at)), 'clip.mp4');
        await expect(transcoder.run(hostile, order, options), form(at)).rejects.toMatchObject({ kind: 'broken' });
      }
    }
    expect([asked, left()]).toEqual([0, []]);
  });

  it('truncated and damaged media is a sentence, without the address of the source', async () => {
    const { transcoder } = opened();
    const film = await mkv();
    for (const bytes of [new Uint8Array(), film.slice(0, 40), new Uint8Array(5000).fill(7)]) {
      const end = await transcoder.run(sourceOf(bytes), order, options).catch((error: Error) => error);
      expect(end).toMatchObject({ kind: 'broken' });
      expect((end as Error).message).not.toMatch(/127\.0\.0\.1/);
    }
  });
});

it('reads HEIC from a version on: one picture of 7.0, and one of several tiles of 8.1', () => {
  const decoders = new Set(['hevc']);
  const reads = (version: string) => [false, true].map((isTiled) => readsHeic({ version, decoders }, isTiled));
  expect(['5.1.9-0+deb12u1', '7.0', 'n8.0', '8.1.2', '10.0', 'N-118-gabc', '2027-01-01-git-abc'].map(reads)).toEqual([
    ...[
      [false, false],
      [true, false],
      [true, false],
      [true, true],
      [true, true],
      [true, true],
      [true, true],
    ],
  ]);
  expect(readsHeic({ version: '8.1', decoders: new Set() }, false)).toBe(false);
});
