import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { xmpProperties } from '../../../plugins/embedded/xmp.ts';
import { Gate } from '../../../src/core/lib/gate.ts';
import { xmpWriter } from '../../../src/entry/media/child/xmp-writer.ts';
import type { MediaSource } from '../../../src/spi/index.ts';
import { pngWith, xmp } from '../../production/checking/embedded-samples.ts';
import { jpeg } from '../../production/checking/samples.ts';

const options = { signal: new AbortController().signal };

const sourceOf = (bytes: Uint8Array): MediaSource => ({
  size: bytes.byteLength,
  read: async ({ from, end }) => bytes.slice(from, end),
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'portico-xmp-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** A writer whose program is a script of the shell. It writes down how it was called beside itself. */
function opened(script: string) {
  const [place, scratch] = [folder(), folder()];
  const program = join(place, 'exiftool');
  const head = `#!/bin/sh\nhere=\${0%/*}\nif [ "$3" = -ver ]; then echo 12.57; exit; fi\n`;
  writeFileSync(program, `${head}printf '[%s]' "$@" > $here/called; env > $here/env; ls > $here/folder\n${script}\n`);
  chmodSync(program, 0o755);
  const writer = xmpWriter(program, { scratch, turns: new Gate({ width: 1 }), megabytes: 512 });
  return { writer, left: () => readdirSync(scratch), said: (name: string) => readFileSync(join(place, name), 'utf8') };
}

const textOf = (copy: { body(): ReadableStream<Uint8Array> }) => new Response(copy.body()).text();

it('runs the program on a copy in a folder of its own, without a word of a caller among its arguments', async () => {
  const { writer, left, said } = opened('cat in.jpg meta.xmp > out.jpg');
  expect(await writer.tool()).toEqual({ name: 'exiftool', version: '12.57' });
  const copy = await writer.embed(sourceOf(jpeg(3, 4)), { mimeType: 'image/jpeg', xmp: 'packet $(reboot)' }, options);
  expect(await textOf(copy)).toMatch(/packet \$\(reboot\)$/);
  expect(said('called')).toBe('[-config][][-q][-q][-m][-tagsfromfile][meta.xmp][-xmp:all][-o][out.jpg][in.jpg]');
  expect(said('folder')).toBe('in.jpg\nmeta.xmp\n');
  expect(said('env')).not.toMatch(/^(?!PWD|OLDPWD|SHLVL|_)\w+=/m);
  await copy.close();
  expect(left()).toEqual([]);
});

it('attack: a file that is no picture of its type does not reach the program', async () => {
  const { writer, left, said } = opened('cp in.jpg out.jpg');
  const djvu = new TextEncoder().encode('AT&TFORM of another make');
  for (const [mimeType, bytes] of [
    ['image/jpeg', djvu],
    ['image/x-djvu', djvu],
    ['image/png', jpeg(3, 4)],
    ['constructor', jpeg(3, 4)],
  ] as const)
    await expect(writer.embed(sourceOf(bytes), { mimeType, xmp: '' }, options)).rejects.toMatchObject({
      kind: 'unsupported',
    });
  expect(() => said('called')).toThrow('ENOENT');
  expect(left()).toEqual([]);
});

it.each(['echo "Error: Corrupted JPEG" >&2; exit 1', 'exit 0', 'kill -9 $$'])(
  'leaves nothing where the program makes no file: %s',
  async (script) => {
    const { writer, left } = opened(script);
    const order = { mimeType: 'image/jpeg', xmp: 'packet' };
    await expect(writer.embed(sourceOf(jpeg(3, 4)), order, options)).rejects.toMatchObject({ kind: 'broken' });
    expect(left()).toEqual([]);
  },
);

it('ends the program with its caller', async () => {
  const { writer, left, said } = opened('sleep 600');
  const leaves = new AbortController();
  const order = { mimeType: 'image/jpeg', xmp: 'packet' };
  const answer = writer.embed(sourceOf(jpeg(3, 4)), order, { signal: leaves.signal });
  const ended = expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  await vi.waitFor(() => said('folder'), 20_000);
  leaves.abort();
  await ended;
  expect(left()).toEqual([]);
});

it('says what to install', async () => {
  const limits = { scratch: folder(), turns: new Gate({ width: 1 }), megabytes: 64 };
  expect((await xmpWriter('no-such-exiftool', limits).tool()).missing).toMatch(/"no-such-exiftool": install exiftool/);
  expect((await xmpWriter('', limits).tool()).missing).toBe('Switched off (exiftool)');
});

const installed = spawnSync('exiftool', ['-ver']).status === 0;
it.skipIf(!installed)('writes into a picture by exiftool itself, and keeps its other properties', async () => {
  const writer = xmpWriter('exiftool', { scratch: folder(), turns: new Gate({ width: 1 }), megabytes: 512 });
  const copy = await writer.embed(sourceOf(pngWith()), { mimeType: 'image/png', xmp: xmp('New') }, options);
  const text = await textOf(copy);
  await copy.close();
  expect(xmpProperties(/<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(text)![0]).get('xmp:dc:title')).toEqual(['New']);
});
