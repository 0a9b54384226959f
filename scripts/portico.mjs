import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * `npm start` and `npm run portico`: run a program of this checkout. To load the sources takes seconds, so the first start
 * after a change builds them, and the others run what was built.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/portico-programs');
const running = join(cache, 'running');
/** Milliseconds for which programs are kept after they were built: one that starts now may not be in `running` yet. */
const settled = 600_000;

/** Names the state of all that the programs are built from. */
function versionOfSources() {
  const hash = createHash('sha256').update(root);
  const add = (name) => {
    const { size, mtimeMs } = statSync(join(root, name), { throwIfNoEntry: false }) ?? {};
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  };
  // The recursive form of `readdirSync` takes ten times as long.
  const addAll = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) addAll(name);
      else add(name);
    }
  };
  for (const folder of ['src', 'realms', 'filters', 'plugins']) addAll(folder);
  const others = ['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'];
  for (const name of [...others, 'scripts/inside.mjs', 'scripts/portico.mjs', 'scripts/programs.mjs']) add(name);
  return hash.digest('hex').slice(0, 16);
}

/** Builds beside and renames: several starts may build at once. */
async function build(folder) {
  const beside = `${folder}.${process.pid}`;
  const { buildPrograms } = await import('./programs.mjs');
  await buildPrograms(root, join(beside, 'dist'), {
    define: { porticoCheckout: JSON.stringify(pathToFileURL(root).href) },
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    sourcesContent: false,
  });
  writeFileSync(join(beside, 'package.json'), '{ "type": "module" }\n');
  try {
    renameSync(beside, folder);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Says that this process runs these programs, so that a later build keeps them. */
function hold(version) {
  const mark = join(running, String(process.pid));
  mkdirSync(running, { recursive: true });
  writeFileSync(mark, version);
  process.once('exit', () => rmSync(mark, { force: true }));
}

/** Removes programs of earlier sources which no process runs. */
function removeOthers() {
  const held = new Set();
  for (const pid of readdirSync(running)) {
    const mark = join(running, pid);
    if (isRunning(Number(pid))) held.add(readFileSync(mark, 'utf8'));
    else rmSync(mark, { force: true });
  }
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (name === 'running' || held.has(name) || Date.now() - statSync(folder).mtimeMs < settled) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Path of the program. Undefined: it cannot be built here. */
async function builtProgram() {
  const version = versionOfSources();
  const folder = join(cache, version);
  const program = join(folder, 'dist/src/entry/cli.js');
  try {
    hold(version);
    if (!existsSync(folder)) {
      await build(folder);
      removeOthers();
    }
  } catch (error) {
    if (!existsSync(program)) {
      process.stderr.write(`portico: runs from its sources, since they cannot be built: ${error.message}\n`);
      return undefined;
    }
  }
  module.enableCompileCache?.(join(folder, 'compiled'));
  return program;
}

/** Path of the sources, behind the loader of TypeScript. Further processes of this program get the loader, too. */
async function sources() {
  process.execArgv.push('--import', import.meta.resolve('tsx'));
  await import('tsx');
  return join(root, 'src/entry/cli.ts');
}

const program = (await builtProgram()) ?? (await sources());
// Processes that serve beside this one start the same program.
process.argv[1] = program;
await import(pathToFileURL(program).href);
