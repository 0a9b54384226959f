import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { transcodersOf } from '../../../src/composition/media.ts';
import { builtInSecurity, checkConfiguration } from '../../../src/composition/shipped.ts';
import { Gate } from '../../../src/core/lib/gate.ts';
import { findProgram, rememberFound } from '../../../src/entry/media/child/find-program.ts';
import { drawingPlugin, pdfDrawer } from '../../../src/entry/media/pdf-drawer.ts';
import { checkingHost } from '../../../src/entry/plugins/checking-host.ts';
import { readPixels } from '../../../src/extensions/pictures/pixels.ts';
import type { MediaSource, Still, StillOrder } from '../../../src/spi/index.ts';
import { png } from '../../production/checking/samples.ts';
import { fakeTranscoder } from '../../production/transcoding/fake-transcoder.ts';
import { importedThumbnails } from '../../support/media.ts';
import { worldOf } from '../../support/world.ts';

const options = { signal: new AbortController().signal };
const order: StillOrder = { seconds: [0], width: 320, height: 180, type: 'image/png', draws: 'application/pdf' };

/** PDF with one blank page of 200 by 100 points. */
const document = [
  '%PDF-1.4',
  '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj',
  'trailer<</Root 1 0 R>>',
  '%%EOF',
].join('\n');

const sourceOf = (text: string, size = text.length): MediaSource => ({
  size,
  name: 'a.pdf',
  read: async ({ from, end }) => new TextEncoder().encode(text.slice(from, end)),
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'portico-pdf-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** A drawer whose program is a script of the shell, which finds a picture beside itself. */
function opened(script: string, { name = 'pdftoppm', megabytes = 512, deadline = 20_000 } = {}) {
  const [place, scratch] = [folder(), folder()];
  const program = join(place, name);
  writeFileSync(join(place, 'page.png'), png(3, 4));
  writeFileSync(
    program,
    `#!/bin/sh\nhere=\${0%/*}\nif [ "$1" = -v ]; then echo "${name} version 9.1" >&2; exit; fi\n${script}\n`,
  );
  chmodSync(program, 0o755);
  const drawer = pdfDrawer({ program, scratch, turns: new Gate({ width: 1 }), megabytes, deadline });
  async function draw(source = sourceOf(document), more: Partial<StillOrder> = {}) {
    const stills: Still[] = [];
    await drawer.stills(source, { ...order, ...more }, async (still) => void stills.push(still), options);
    return stills;
  }
  return { drawer, draw, program, left: () => readdirSync(scratch), written: join(place, 'written') };
}

it('a server without the program says what to install, and draws nothing', async () => {
  const drawer = pdfDrawer({
    program: 'no-such-pdftoppm',
    scratch: folder(),
    turns: new Gate({ width: 1 }),
    megabytes: 64,
  });
  expect(await drawer.abilities()).toEqual({ missing: expect.stringContaining('install pdftoppm') });
  await expect(drawer.stills(sourceOf(document), order, async () => undefined, options)).rejects.toMatchObject({
    kind: 'unsupported',
  });
});

it('a missing program is looked for once in 30 seconds by all imports together, and is found once it is installed', async () => {
  let [looks, time] = [0, 1_000_000];
  let program: string | undefined;
  const find = rememberFound(
    async () => {
      looks++;
      if (looks === 2) throw new Error('Expected a shell');
      return program;
    },
    () => time,
  );
  const import20 = async () => new Set(await Promise.all(Array.from({ length: 20 }, find)));
  expect([await import20(), await import20(), looks]).toEqual([new Set([undefined]), new Set([undefined]), 1]);
  time += 29_999;
  expect([await find(), looks]).toEqual([undefined, 1]);
  time += 1;
  expect([await find(), await find(), looks]).toEqual([undefined, undefined, 2]);
  program = '/usr/bin/pdftoppm';
  // A clock that was set back makes no miss last.
  time -= 3_600_000;
  expect([await import20(), looks]).toEqual([new Set([program]), 3]);
  time += 3_600_000;
  expect([await find(), looks]).toEqual([program, 3]);
});

it('a security.ini has the drawer by its name, and a wrong property is found', async () => {
  const plugins = [drawingPlugin({ scratch: '/nowhere', turns: new Gate({ width: 1 }), megabytes: 64 })];
  const findingsOf = async (lines: string) => {
    const input = { ...builtInSecurity, text: builtInSecurity.text.replace(/^\[main\]$/m, `[main]\n${lines}`) };
    const { findings } = await checkConfiguration(input, checkingHost, plugins);
    return findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  };
  expect(await findingsOf('pdf = portico.PdfDrawer\npdf.program = mutool')).toEqual([]);
  expect(await findingsOf('pdf = portico.PdfDrawer\npdf.programme = mutool')).toEqual([
    expect.stringContaining('programme'),
  ]);
});

describe.skipIf(process.platform === 'win32')('the first page of a PDF', () => {
  it('is what the program prints: it reads a copy, has no environment, and leaves nothing behind', async () => {
    const { drawer, draw, left, written } = opened(
      'echo "$@" >"$here/written"; env >>"$here/written"; for file; do :; done; cat "$file" >>"$here/written"; cat "$here/page.png"',
    );
    expect(await drawer.abilities()).toMatchObject({ version: 'pdftoppm 9.1', containers: [], stills: [] });
    const secret = 'PORTICO_SECRET_KEY';
    process.env[secret] = 'hidden';
    onTestFinished(() => void delete process.env[secret]);
    expect(await draw()).toEqual([{ seconds: 0, bytes: new Uint8Array(png(3, 4)) }]);
    const [words, ...rest] = readFileSync(written, 'utf8').split('\n');
    expect(words).toMatch(
      /^-f 1 -l 1 -singlefile -png -scale-to-x -1 -scale-to-y 180 -x 0 -y 0 -W 320 -H 180 \/.*\/in\.pdf$/,
    );
    expect(rest.join('\n')).toContain(document);
    expect(rest.join('\n')).not.toContain('hidden');
    expect(left()).toEqual([]);
  });

  it('is drawn by mutool, too', async () => {
    const { draw, written } = opened('echo "$@" >"$here/written"; cat "$here/page.png"', { name: 'mutool' });
    expect(await draw(sourceOf(document), { type: 'image/jpeg' })).toHaveLength(1);
    expect(readFileSync(written, 'utf8')).toMatch(/^draw -q -F png -o - -w 320 -h 180 \/.*\/in\.pdf 1\n$/);
  });

  it.each([
    ['that keeps the program busy ends at its deadline', 'while :; do :; done', { deadline: 500 }, 'exhausted'],
    [
      'that makes it print for ever ends at its deadline',
      'while :; do echo x; sleep 0.01; done',
      { deadline: 500 },
      'exhausted',
    ],
    ['that makes it wait for another process ends at its deadline', 'sleep 60 & wait', { deadline: 500 }, 'exhausted'],
    ['that makes it print gigabytes is cut off', 'while :; do head -c 5000000 /dev/zero; done', {}, 'exhausted'],
    ['that fills the memory ends at its limit', 'a=xxxxxxxx; while :; do a=$a$a; done', { megabytes: 32 }, 'broken'],
    ['that makes it crash fails', 'kill -SEGV $$', {}, 'broken'],
    ['that the program refuses fails', 'echo "Syntax Error: no pages" >&2; exit 1', {}, 'broken'],
    ['of which no picture comes fails', 'echo "<svg onload=alert(1)>"', {}, 'broken'],
  ] as const)('a document %s', async (_what, script, more, kind) => {
    const { draw, left } = opened(script, more);
    await expect(draw()).rejects.toMatchObject({ kind });
    expect(left()).toEqual([]);
  });

  it('a file that is no PDF, or is too large, does not reach the program', async () => {
    const { draw, left, written } = opened('echo ran >"$here/written"; cat "$here/page.png"');
    await expect(draw(sourceOf('#!/bin/sh\nrm -rf /'))).rejects.toMatchObject({ kind: 'broken' });
    await expect(draw(sourceOf(''))).rejects.toMatchObject({ kind: 'broken' });
    await expect(draw(sourceOf(document, 2 ** 40))).rejects.toMatchObject({ kind: 'exhausted' });
    expect([existsSync(written), left()]).toEqual([false, []]);
  });

  it('becomes the thumbnail of an import; a document that cannot be drawn is imported with a warning', async () => {
    const { drawer } = opened('grep -q broken in.pdf && exit 1; cat "$here/page.png"');
    const world = await worldOf('placement', { transcoders: transcodersOf([drawer], [fakeTranscoder()]) });
    const importOf = async (name: string, text: string) => {
      world.from.put(name, new TextEncoder().encode(text));
      return importedThumbnails(world, name);
    };
    expect(await importOf('a.pdf', document)).toEqual(['FINISHED', 1]);
    expect(await importOf('b.pdf', `${document}\nbroken`)).toEqual(['FINISHED_WARNING', 0]);
    expect(await importOf('c.txt', document)).toEqual(['FINISHED', 0]);
  });
});

/** Programs of this machine, beside the scripts that stand for them above. */
describe.each(['pdftoppm', 'mutool'])('%s, where it is installed', (program) => {
  it('draws a page within its box', async () => {
    if ((await findProgram(program)) === undefined) {
      console.log(`${program} is not installed: its test did not run`);
      return;
    }
    const drawer = pdfDrawer({ program, scratch: folder(), turns: new Gate({ width: 1 }), megabytes: 512 });
    const stills: Still[] = [];
    await drawer.stills(sourceOf(document), order, async (still) => void stills.push(still), options);
    const pixels = (await readPixels(stills[0]!.bytes))!;
    expect([pixels.width <= 320, pixels.height <= 180, pixels.width > pixels.height]).toEqual([true, true, true]);
  });
});
