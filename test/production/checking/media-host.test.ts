import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureWithShipped, probeWithShipped } from '../../../src/composition/shipped-probers.ts';
import { createMediaHost } from '../../../src/entry/media/child/host.ts';
import type { MediaHost, MediaSource } from '../../../src/spi/index.ts';
import { mkv, mp4, png, wav } from './samples.ts';

const endless = new AbortController().signal;
const options = { maxBytes: 8 * 1024 * 1024, signal: endless };

const sourceOf = (name: string, bytes: Uint8Array): MediaSource => ({
  size: bytes.byteLength,
  name,
  read: async ({ from, end }) => bytes.slice(from, end),
});

const settings = { mediaChildren: 1, mediaChildMegabytes: 512, probeSeconds: 20, ffprobe: '' };

/** Says of everything what FFmpeg says of a small film in MXF, and keeps how it was called. */
const fakeProbe = (folder: string): string => `#!/bin/sh
if [ "$1" = "-version" ]; then echo "ffprobe version 9.9-test Copyright"; exit 0; fi
echo "$@" > ${folder}/called
case "$*" in *refused*) echo "Invalid data" >&2; exit 1;; esac
cat <<'END'
{"streams":[{"index":0,"codec_name":"mpeg2video","codec_type":"video","width":720,"height":576,"pix_fmt":"yuv422p",
"sample_aspect_ratio":"16:11","avg_frame_rate":"25/1","time_base":"1/25","duration":"2.000000",
"side_data_list":[{"rotation":-90}]},
{"index":1,"codec_name":"pcm_s16le","codec_type":"audio","sample_rate":"48000","channels":2,"time_base":"1/48000"},
{"index":2,"codec_type":"data"}],
"format":{"format_name":"mxf","duration":"2.000000","bit_rate":"50000000","tags":{"timecode":"10:00:00:12"}}}
END
`;

const hasFfmpeg = ['ffmpeg', 'ffprobe'].every((name) => spawnSync(name, ['-version']).status === 0);

describe('the media host', () => {
  let host: MediaHost;
  let whole: MediaHost;
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-probe-'));
    program = join(folder, 'ffprobe');
    await writeFile(program, fakeProbe(folder));
    await chmod(program, 0o755);
    host = createMediaHost(settings);
    whole = createMediaHost({ ...settings, ffprobe: 'ffprobe' });
  });
  afterAll(async () => {
    await host.close();
    await whole.close();
    await rm(folder, { recursive: true });
  });

  it('says of media in its process what the probers say', async () => {
    const samples: readonly (readonly [string, Uint8Array])[] = [
      ['a.wav', await wav()],
      ['a.mkv', await mkv()],
      ['a.mp4', await mp4()],
      ['a.png', png(3, 4)],
      ['a.txt', new TextEncoder().encode('text')],
      ['empty.mp4', new Uint8Array()],
    ];
    for (const [name, bytes] of samples) {
      const source = sourceOf(name, bytes);
      expect(await host.probe(source, options)).toEqual(await probeWithShipped(source, options));
    }
  });

  it('tells media by its name, with a warning, for a service that leaves out the probers', async () => {
    const sparing = createMediaHost({ ...settings, without: ['probers'] });
    const warnings = ['Expected the extension "probers", which this service leaves out'];
    const found = { by: '', tracks: [], isPartial: true, warnings };
    try {
      expect((await sparing.tools())[0]).toEqual({ name: 'probers', missing: warnings[0] });
      const film = await sparing.probe(sourceOf('a.mkv', await mkv()), options);
      expect(film).toMatchObject({ ...found, mimeType: 'video/x-matroska' });
      expect(await sparing.probe(sourceOf('a.png', png(3, 4)), options)).toMatchObject({
        ...found,
        mimeType: 'image/png',
      });
      const text = await sparing.probe(sourceOf('a.txt', new TextEncoder().encode('text')), options);
      expect(text).toMatchObject({ mimeType: 'text/plain', isPartial: false, warnings: [] });
    } finally {
      await sparing.close();
    }
  });

  it.skipIf(process.platform === 'win32')(
    'says that a film is cut, also where a program takes it for whole',
    async () => {
      const film = await mp4({ seconds: 4 });
      const asking = createMediaHost({ ...settings, ffprobe: program });
      try {
        const found = await asking.probe(sourceOf('cut.mp4', film.subarray(0, film.length - 100)), options);
        expect(found).toMatchObject({ by: 'ffprobe', missingBytes: 100 });
      } finally {
        await asking.close();
      }
    },
  );

  it('measures sound in its process as the service would', async () => {
    const source = sourceOf('a.wav', await wav({ seconds: 0.5 }));
    expect(await host.sound(source, { signal: endless })).toEqual(
      await measureWithShipped(source, { signal: endless }),
    );
    await expect(host.sound(sourceOf('a.png', png(3, 4)), { signal: endless })).rejects.toMatchObject({
      kind: 'unsupported',
    });
  });

  it('outlives damaged films, whatever becomes of their probes', async () => {
    const film = await mkv({ sound: false, seconds: 4 });
    const strict = createMediaHost({ ...settings, probeSeconds: 5 });
    try {
      for (let seed = 1; seed <= 4; seed++) {
        const bytes = film.slice();
        let state = seed;
        for (let at = 0; at < 12; at++) {
          state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
          bytes[40 + (state % (bytes.length - 40))] = state >>> 8;
        }
        await strict.probe(sourceOf('a.mkv', bytes), options).catch(({ kind }) => {
          expect(['broken', 'exhausted']).toContain(kind);
        });
      }
      expect(await strict.probe(sourceOf('a.mkv', film), options)).toMatchObject({ format: 'matroska,webm' });
    } finally {
      await strict.close();
    }
  });

  it('says what is missing, and what to install', async () => {
    expect(await host.tools()).toMatchObject([
      { name: 'image-size' },
      { name: 'mediabunny' },
      { name: 'ffprobe', missing: expect.stringMatching(/^Switched off/) },
    ]);
    const other = createMediaHost({ ...settings, ffprobe: join(folder, 'none') });
    const missing = expect.stringMatching(/^Expected the program ".*none": install FFmpeg/);
    expect((await other.tools()).at(-1)).toMatchObject({ missing });
    await other.close();
  });

  it.skipIf(process.platform === 'win32')('asks ffprobe for what no shipped prober knows', async () => {
    const asking = createMediaHost({ ...settings, ffprobe: program });
    try {
      expect((await asking.tools()).at(-1)).toEqual({ name: 'ffprobe', version: '9.9-test' });
      expect(await asking.probe(sourceOf('a.mxf', new Uint8Array(100)), options)).toEqual({
        by: 'ffprobe',
        format: 'mxf',
        mimeType: 'application/mxf',
        duration: 2,
        bitrate: 50_000_000,
        timeCode: '10:00:00:12',
        metadata: { timecode: '10:00:00:12' },
        bytesRead: 0,
        isPartial: false,
        warnings: [],
        tracks: [
          {
            kind: 'video',
            index: 0,
            codec: 'mpeg2video',
            timeScale: 25,
            duration: 2,
            width: 720,
            height: 576,
            frameRate: { numerator: 25, denominator: 1 },
            pixelAspect: { numerator: 16, denominator: 11 },
            pixelFormat: 'yuv422p',
            rotation: 90,
          },
          { kind: 'audio', index: 1, codec: 'pcm_s16le', timeScale: 48_000, sampleRate: 48_000, channels: 2 },
          { kind: 'data', index: 2, codec: null },
        ],
      });
      const called = await readFile(join(folder, 'called'), 'utf8');
      expect(called).toMatch(
        /-protocol_whitelist http,tcp -format_whitelist mov,\S+ .*http:\/\/127\.0\.0\.1:\d+\/\w{48}/,
      );
      expect(called).not.toMatch(/hls|dash|concat|sdp/);
      // The program is not asked about documents, nor about what is known already.
      expect((await asking.probe(sourceOf('a.txt', new Uint8Array(9)), options)).by).toBe('');
      expect((await asking.probe(sourceOf('a.wav', await wav()), options)).by).toBe('mediabunny');
    } finally {
      await asking.close();
    }
  });

  describe.skipIf(!hasFfmpeg)(
    `with FFmpeg itself${hasFfmpeg ? '' : ' (skipped: ffmpeg and ffprobe are not installed)'}`,
    () => {
      it('reads films that Portico itself does not know', async () => {
        const path = join(folder, 'film.avi');
        const film = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=25:duration=1', '-c:v', 'mpeg4', path];
        expect(spawnSync('ffmpeg', ['-v', 'error', '-nostdin', ...film]).status).toBe(0);
        const found = await whole.probe(sourceOf('film.avi', await readFile(path)), options);
        expect(found).toMatchObject({ by: 'ffprobe', format: 'avi', mimeType: 'video/x-msvideo', duration: 1 });
        expect(found.tracks).toMatchObject([{ kind: 'video', codec: 'mpeg4', width: 64, height: 48 }]);
      });

      it('follows no playlist that poses as a film: neither to another host nor to a file', async () => {
        const asked: unknown[] = [];
        const trap = createServer(({ url }, response) => {
          asked.push(url);
          response.end();
        });
        await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
        const there = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/secret`;
        for (const target of [there, `file://${join(folder, 'ffprobe')}`, '/etc/passwd']) {
          for (const text of [
            `#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:10,\n${target}\n`,
            `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${target}"\n#EXTINF:1,\n${target}\n`,
            `ffconcat version 1.0\nfile ${target}\n`,
            `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>${target}</BaseURL></MPD>`,
          ]) {
            const found = await whole.probe(sourceOf('film.avi', new TextEncoder().encode(text)), options);
            expect(found).toMatchObject({ format: '', tracks: [] });
          }
        }
        await new Promise((resolve) => trap.close(resolve));
        expect(asked).toEqual([]);
      });
    },
  );
});
