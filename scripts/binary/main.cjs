/**
 * Main script of the executable. It unpacks the package into the cache folder of the user at the first start, and runs
 * its program from there. Threads, children and plugins then load files as they do in an installation.
 */
const { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { dirname, join, resolve, sep } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const { gunzipSync } = require('node:zlib');

const folder = `portico-${getAsset('digest', 'utf8')}`;
const [, , given = ''] = process.argv;

// In a root without /proc it is the word of the shell, and children have another folder.
process.execPath = resolve(process.execPath);
// A child is started with the path of an unpacked program, and without an environment that tells the cache folder.
if (given.endsWith('.js') && given.includes(`${sep}${folder}${sep}`)) process.argv.splice(1, 1);
else process.argv[1] = join(unpacked(), 'dist/src/entry/cli.js');

const [program] = process.argv.slice(1);
const root = program.slice(0, program.indexOf(folder) + folder.length);
createRequire(join(root, 'start.cjs'))('./start.cjs');

function unpacked() {
  const parent = cacheFolder();
  const root = join(parent, folder);
  if (existsSync(root)) return root;
  const partial = join(parent, `.${folder}.${process.pid}`);
  unpack(partial);
  try {
    renameSync(partial, root);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Two first starts at once: the other one was faster.
    if (!existsSync(root)) throw error;
  }
  return root;
}

/** Creates the cache folder, and refuses one that other users can write: they could replace the program. */
function cacheFolder() {
  const parent = join(cacheHome(), 'portico');
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(parent);
  if (uid !== process.getuid() || (mode & 0o022) !== 0) {
    console.error(`portico: Expected ${parent} to belong to this user alone. Set XDG_CACHE_HOME to another folder`);
    process.exit(1);
  }
  return parent;
}

/** A user without an entry in /etc/passwd, as containers have them, has no other home than `HOME`. */
function cacheHome() {
  const { XDG_CACHE_HOME: named, HOME: home } = process.env;
  if (named) return named;
  return home && existsSync(home) ? join(home, '.cache') : join(tmpdir(), `portico-${process.getuid()}`);
}

/** The archive: length of the index, the index as JSON, the bytes of the files in its order. */
function unpack(target) {
  const archive = gunzipSync(getRawAsset('package'));
  const start = 4 + archive.readUInt32BE(0);
  const index = JSON.parse(archive.toString('utf8', 4, start));
  const folders = new Set();
  let at = start;
  for (const [path, size, isProgram] of index) {
    const file = join(target, path);
    if (!folders.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    folders.add(dirname(file));
    writeFileSync(file, archive.subarray(at, at + size));
    if (isProgram) chmodSync(file, 0o755);
    at += size;
  }
}
