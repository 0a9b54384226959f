import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('./engine/', import.meta.url));
/** Milliseconds until the program has opened its port. */
const startLimit = 180_000;
const resolveLimit = 15 * 60_000;

/** An OpenSearch that this machine can run. */
export interface Distribution {
  readonly version: string;
  readonly java: string;
}

/** Versions by the oldest Java that they run on, the newest first. */
const versions = [
  [21, '3.8.0'],
  [17, '2.19.6'],
] as const;

async function majorOf(java: string): Promise<number> {
  const { stderr, stdout } = await run(java, ['-version']).catch(() => ({ stderr: '', stdout: '' }));
  return Number(/version "(\d+)/.exec(stderr + stdout)?.[1] ?? 0);
}

const folderOf = (version: string): string => join(sources, 'build', version);
/** File that stands in a folder with all jars. */
const markOf = (version: string): string => join(folderOf(version), 'complete');

/** Distribution for each version that a Java of this machine runs, or what is missing. */
export async function distributions(): Promise<readonly Distribution[] | string> {
  const isMaven = await run('mvn', ['-v']).then(
    () => true,
    () => false,
  );
  const obtainable = versions.filter(([, version]) => isMaven || existsSync(markOf(version)));
  if (obtainable.length === 0) return 'Left out: there is no Maven to resolve the jars of OpenSearch';
  const home = process.env['JAVA_HOME'];
  const installed = await readdir('/usr/lib/jvm').catch(() => []);
  const candidates = [...(home ? [home] : []), ...installed.map((name) => join('/usr/lib/jvm', name))];
  const javas = ['java', ...candidates.map((folder) => join(folder, 'bin', 'java')).filter((path) => existsSync(path))];
  const byVersion = new Map<string, string>();
  for (const java of javas) {
    const major = await majorOf(java);
    const version = obtainable.find(([least]) => major >= least)?.[1];
    if (version !== undefined && !byVersion.has(version)) byVersion.set(version, java);
  }
  if (byVersion.size === 0) return 'Left out: there is no Java of version 17 or later to run OpenSearch';
  return [...byVersion]
    .map(([version, java]) => ({ version, java }))
    .toSorted((one, other) => (one.version < other.version ? -1 : 1));
}

/** Folder with the jars of a version, which Maven resolves once. */
export async function jarsOf({ version }: Distribution): Promise<string> {
  const [folder, mark] = [folderOf(version), markOf(version)];
  if (existsSync(mark)) return folder;
  const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
  const words = ['-B', '-q', plugin, `-DoutputDirectory=${folder}`, `-Dopensearch.version=${version}`];
  await run('mvn', words, { cwd: sources, timeout: resolveLimit });
  await writeFile(mark, '');
  return folder;
}

export interface RunningEngine {
  readonly url: string;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it as a loss of power does to a process. */
  kill(): Promise<void>;
}

export interface StartOptions {
  /** In megabytes. */
  readonly heap?: number;
  /** Default: one of the system's choice. */
  readonly port?: string;
}

/** Starts OpenSearch, and waits until it is ready. */
export async function startEngine(
  distribution: Distribution,
  folder: string,
  { heap = 512, port = '0' }: StartOptions = {},
): Promise<RunningEngine> {
  const jars = await jarsOf(distribution);
  await mkdir(join(folder, 'config'), { recursive: true });
  const words = [`-Xms${heap}m`, `-Xmx${heap}m`, '-cp', join(jars, '*'), join(sources, 'Main.java'), folder, port];
  const child = spawn(distribution.java, words, { stdio: ['pipe', 'pipe', 'pipe'] });
  const url = await portOf(child).catch(async (error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const ended = once(child, 'exit');
  const health = await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=60s`);
  if (health.status !== 200) {
    child.kill('SIGKILL');
    throw new Error(`Expected a healthy OpenSearch: ${health.status}`);
  }
  return {
    url,
    async stop() {
      child.stdin!.end();
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function portOf(child: ChildProcess): Promise<string> {
  const errors: string[] = [];
  child.stderr!.on('data', (bytes: Buffer) => {
    if (errors.length < 100) errors.push(String(bytes));
  });
  const lines = createInterface({ input: child.stdout! });
  const port = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const digits = /^PORT (\d+)$/.exec(line)?.[1];
      if (digits !== undefined) resolve(digits);
    });
    child.once('exit', () => reject(new Error(`Expected OpenSearch to start: ${errors.join('').slice(0, 2_000)}`)));
    child.once('error', reject);
    setTimeout(() => reject(new Error('Expected OpenSearch to start in time')), startLimit).unref();
  });
  return `http://127.0.0.1:${await port}`;
}
