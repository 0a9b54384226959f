import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { type Block, blocksOf, outputPattern } from '../pages.ts';
import { hasFfmpeg, makeFilm } from '../reader.ts';
import { besideImage, type Clone, cloneHere, emptyFolder, type Runtime, starts } from './clone.ts';

/**
 * `npm run test:readme [-- node|deno|image|binary] [-- from-vidispine]`: follows README to its end in a fresh clone, and
 * looks at the thumbnail again. Follows the guide from Vidispine, and then each example as instance root: its film has a
 * thumbnail, and is found. With the executable it follows what needs no other program of ours, in an empty folder without
 * Node on the path. The image is built of what deploy/Containerfile copies.
 */
const guide = 'docs/guide/from-vidispine.md';
const onlyGuide = process.argv.includes('from-vidispine');
const runtimes: readonly Runtime[] = ['node', 'deno', 'image', 'binary'];

async function follow(clone: Clone, { line, text, output }: Block): Promise<void> {
  const said = (await clone.shell(text)).replaceAll('\r', '').trim();
  if (!outputPattern(output).test(said)) throw new Error(`Line ${line}: expected ${output}, found ${said}`);
}

/** Follows blocks, with a server beside all that do not stop it. */
async function followAll(clone: Clone, runtime: Runtime, blocks: readonly Block[]): Promise<void> {
  let server: Awaited<ReturnType<Clone['serve']>> | undefined;
  try {
    for (const block of blocks) {
      if (block.mark === 'test: stopped') {
        await server?.stop();
        server = undefined;
      } else server ??= await clone.serve(starts[runtime]);
      await follow(clone, block);
    }
  } finally {
    await server?.stop();
  }
}

/** The blocks of README with an installed program in place of the checkout. Beside the executable there is no Node. */
const installed = (blocks: readonly Block[], runtime: Runtime): readonly Block[] =>
  blocks
    .filter(({ text }) => runtime === 'image' || !text.startsWith('node '))
    .map((block) => ({ ...block, text: block.text.replaceAll('npm run -s portico --', 'portico') }));

async function followThrough(clone: Clone, runtime: Runtime, examples: readonly string[]): Promise<void> {
  await makeFilm(join(clone.path, 'film.mp4'));
  const data = join(clone.path, 'portico-data');
  const read = async (path: string) => blocksOf({ path, text: await readFile(path, 'utf8') });
  const pages = await read('README.md');
  const blocks = runtime === 'binary' || runtime === 'image' ? installed(pages, runtime) : pages;
  const roots = [undefined, guide, ...examples];
  const film = blocks.filter(({ mark }) => mark === 'test: ffmpeg');
  const thumbnail = film.filter(({ output }) => output.includes('image/jpeg'));
  for (const example of onlyGuide ? [guide] : roots) {
    const started = Date.now();
    await rm(data, { recursive: true, force: true });
    if (example === guide) await followAll(clone, runtime, await read(guide));
    else if (example === undefined) await followAll(clone, runtime, [...blocks, ...thumbnail]);
    else {
      await cp(join('examples', example), data, { recursive: true });
      await followAll(clone, runtime, film);
    }
    console.log(`${runtime}: ${example ?? 'README.md'} in ${Math.round((Date.now() - started) / 1000)} s`);
  }
}

async function main(): Promise<void> {
  if (!hasFfmpeg) return console.log('Left out: ffmpeg is not on the path');
  const wanted = runtimes.filter(
    (runtime) => !runtimes.some((name) => process.argv.includes(name)) || process.argv.includes(runtime),
  );
  const folders = (await readdir('examples', { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const examples = folders.map(({ name }) => name);
  let clone: Clone | undefined;
  try {
    for (const runtime of wanted.filter((name) => name === 'node' || name === 'deno')) {
      clone ??= await cloneHere();
      await followThrough(clone, runtime, examples);
    }
  } finally {
    await clone?.remove();
  }
  if (wanted.includes('image')) await inFolder(await besideImage(), 'image');
  if (!wanted.includes('binary')) return;
  if (process.platform !== 'linux') return console.log('Left out: the executable is made on Linux alone');
  await inFolder(await emptyFolder(), 'binary');
}

async function inFolder(folder: Clone, runtime: Runtime): Promise<void> {
  try {
    await followThrough(folder, runtime, ['two-realms']);
  } finally {
    await folder.remove();
  }
}

await main();
