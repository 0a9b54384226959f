import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import process from 'node:process';
import { sourcesIn } from '../test/architecture/sources.ts';

/** Modules that import every room. A path through them says nothing about what a test tries. */
const everywhere = /^(?:src\/(?:composition|entry\/[^/]+\.ts|kit\/testing|index\.ts)|test\/support\/)/;
/** A change on the main branch has no base there: commits of this time before the last one belong to it. */
const hoursOfChange = 6;

const git = (...words) => execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const gitOr = (missing, ...words) => {
  try {
    return git(...words);
  } catch {
    return missing;
  }
};

/**
 * The commit before the change: `PORTICO_BASE`, where the branch left `origin/main`, or, on that branch, the last commit
 * that is some hours older. Undefined in a clone without that history.
 */
export function baseOfChange() {
  const named = process.env.PORTICO_BASE;
  if (named) return gitOr(undefined, 'rev-parse', '--verify', '--quiet', `${named}^{commit}`);
  const head = git('rev-parse', 'HEAD');
  const branchedAt = gitOr(head, 'merge-base', 'HEAD', 'origin/main');
  if (branchedAt !== head) return branchedAt;
  const since = Number(git('log', '-1', '--format=%ct')) - hoursOfChange * 3600;
  return git('rev-list', '-1', `--before=${since}`, 'HEAD') || undefined;
}

/** Files that differ from a commit, with those that git does not track yet. Removed files are left out. */
export function filesChangedSince(base) {
  const changed = git('diff', '--name-only', '--relative', base).split('\n');
  const added = git('ls-files', '--others', '--exclude-standard').split('\n');
  return [...new Set([...changed, ...added])].filter((path) => path !== '' && existsSync(path));
}

export const allSources = () =>
  sourcesIn('src', 'realms', 'filters', 'plugins', 'test', 'bench', 'web/src', 'web/test', 'examples');

/** Files that import one of these, without a step between. */
export function importersOf(paths, sources = allSources()) {
  const wanted = new Set(paths);
  return sources.filter(({ imports }) => imports.some(({ from }) => wanted.has(from))).map(({ path }) => path);
}

/**
 * Test files that a change can reach, the nearest first: they changed, they lie in the folder of `test` that belongs to a
 * changed room, or they import what changed. The composition root imports every room, so paths through it do not count.
 */
export function reachedTests(changed, sources = allSources()) {
  const folders = changed.filter((path) => /^(?:src|realms|filters|plugins)\//.test(path)).map(testsOfRoom);
  const importedBy = new Map();
  for (const { path, imports } of sources)
    for (const { from, internal } of imports)
      if (internal && !everywhere.test(from)) importedBy.set(from, [...(importedBy.get(from) ?? []), path]);
  const tests = everyTest(sources);
  const ofRooms = tests.filter((path) => folders.some((isOfRoom) => isOfRoom(path)));
  // A set keeps the order in which paths came, and is walked to its end while it grows.
  const reached = new Set(changed);
  for (const path of reached) for (const importer of importedBy.get(path) ?? []) reached.add(importer);
  const isTest = new Set(tests);
  return [...new Set([...changed, ...importersOf(changed, sources), ...ofRooms, ...reached])].filter((path) =>
    isTest.has(path),
  );
}

/** Test files that run on Node. */
export const everyTest = (sources = allSources()) =>
  sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts') && !path.startsWith('web/'));

/** Says which tests lie beside a source: those of its room, and of a wing without rooms those of the wing itself. */
function testsOfRoom(source) {
  const [wing, room] = source.replace(/^src\//, '').split('/');
  const folder = source.startsWith('src/') ? `test/${wing}` : `test/${source.split('/')[0]}`;
  if (room && !room.endsWith('.ts') && existsSync(`${folder}/${room}`))
    return (path) => path.startsWith(`${folder}/${room}/`);
  return (path) => posix.dirname(path) === folder;
}
