import { readFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';

/** Modules that workerd has not, or whose calls all throw there. */
const lacking = new Set(
  [
    ...['child_process', 'cluster', 'dgram', 'fs', 'fs/promises', 'inspector', 'repl', 'sqlite'],
    ...['test', 'trace_events', 'v8', 'vm', 'wasi', 'worker_threads'],
  ].flatMap((name) => [name, `node:${name}`]),
);

/** `fetch` of workerd knows "follow" and "manual", and throws for "error". */
const redirectError = /\bredirect\s*:\s*(['"`])error\1/;

type BundledInputs = Readonly<
  Record<string, { readonly imports?: readonly { readonly path: string; readonly external?: boolean }[] }>
>;

/** Sentences on what plugins use and an edge lacks, each with its file. */
export async function lackedByEdge(inputs: BundledInputs, edge: string): Promise<readonly string[]> {
  const own = ['src', 'realms', 'filters', 'plugins'].map((name) => resolve(dirname(edge), '../..', name) + sep);
  const lacks: string[] = [];
  for (const [path, { imports = [] }] of Object.entries(inputs)) {
    const whole = resolve(path);
    if (own.some((folder) => whole.startsWith(folder))) continue;
    for (const { path: name, external } of imports)
      if (external && lacking.has(name)) lacks.push(`${path}: Expected a module that workerd has: "${name}"`);
    if (/\bnode_modules\b/.test(path) || !/\.[cm]?[jt]s$/.test(path)) continue;
    const lines = (await readFile(whole, 'utf8')).split('\n');
    const at = lines.findIndex((line) => redirectError.test(line));
    if (at >= 0) lacks.push(`${path}:${at + 1}: Expected redirect: 'manual', because workerd has no "error"`);
  }
  return lacks;
}
