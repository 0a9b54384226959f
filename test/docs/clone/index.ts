import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { type Block, blocksOf, outputPattern } from '../pages.ts';
import { hasFfmpeg, makeFilm } from '../reader.ts';
import { type Clone, cloneHere, type Runtime } from './clone.ts';

/**
 * `npm run test:readme [-- node|deno]`: follows README to its end in a fresh clone, and looks at the thumbnail again.
 * Does the same with each example as instance root: its film has a thumbnail, and is found.
 */
const runtimes: readonly Runtime[] = ['node', 'deno'];

async function follow(clone: Clone, { line, text, output }: Block): Promise<void> {
  const said = (await clone.shell(text)).replaceAll('\r', '').trim();
  if (!outputPattern(output).test(said)) throw new Error(`README.md, line ${line}: expected ${output}, found ${said}`);
}

/** Follows blocks, with a server beside all that do not stop it. */
async function followAll(clone: Clone, runtime: Runtime, blocks: readonly Block[]): Promise<void> {
  let server: Awaited<ReturnType<Clone['serve']>> | undefined;
  try {
    for (const block of blocks) {
      if (block.mark === 'test: stopped') {
        await server?.stop();
        server = undefined;
      } else server ??= await clone.serve(runtime);
      await follow(clone, block);
    }
  } finally {
    await server?.stop();
  }
}

async function main(): Promise<void> {
  if (!hasFfmpeg) return console.log('Left out: ffmpeg is not on the path');
  const wanted = runtimes.filter((runtime) => process.argv.length < 3 || process.argv.includes(runtime));
  const clone = await cloneHere();
  try {
    await makeFilm(join(clone.path, 'film.mp4'));
    const data = join(clone.path, 'portico-data');
    const examples = (await readdir('examples', { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const blocks = blocksOf({ path: 'README.md', text: await readFile(join(clone.path, 'README.md'), 'utf8') });
    const film = blocks.filter(({ mark }) => mark === 'test: ffmpeg');
    const thumbnail = film.filter(({ output }) => output.includes('image/jpeg'));
    for (const runtime of wanted) {
      const roots = [undefined, ...examples.map(({ name }) => name)];
      for (const example of roots) {
        const started = Date.now();
        await rm(data, { recursive: true, force: true });
        if (example !== undefined) await cp(join(clone.path, 'examples', example), data, { recursive: true });
        await followAll(clone, runtime, example === undefined ? [...blocks, ...thumbnail] : film);
        console.log(`${runtime}: ${example ?? 'README.md'} in ${Math.round((Date.now() - started) / 1000)} s`);
      }
    }
  } finally {
    await clone.remove();
  }
}

await main();
