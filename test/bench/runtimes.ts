import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { denoProgram } from '../support/deno.ts';

export type RuntimeName = 'node' | 'deno';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

const launcherOf = (runtime: RuntimeName): readonly string[] =>
  runtime === 'node' ? [process.execPath, '--import', tsx] : [denoProgram(), 'run', '-A'];

/** What was built needs no loader. */
const builtLauncherOf = (runtime: RuntimeName): readonly string[] =>
  runtime === 'node' ? [process.execPath] : launcherOf(runtime);

export interface Started {
  readonly process: ChildProcess;
  readonly port: number;
  /** Milliseconds from the start of the process to the line that says it listens. */
  readonly took: number;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** Starts a server of the project under a runtime and waits until it says where it listens. */
export const startUnder = (
  runtime: RuntimeName,
  script: string,
  words: readonly string[],
  environment: Environment = {},
): Promise<Started> => startServer([...launcherOf(runtime), `${root}${script}`, ...words], environment);

/** The same for a program in `dist`. */
export const startBuilt = (
  runtime: RuntimeName,
  program: string,
  words: readonly string[],
  environment: Environment = {},
): Promise<Started> => startServer([...builtLauncherOf(runtime), `${root}dist/${program}`, ...words], environment);

type Settings = Readonly<Record<string, string>>;

/** What the service goes by in a bench. */
export const settingsFor = (root: string, settings: Settings = {}): Record<string, string> => ({
  PORTICO_ROOT: root,
  PORTICO_PORT: '0',
  PORTICO_ADMIN_PASSWORD: 'bench',
  PORTICO_LOG_LEVEL: 'warn',
  ...settings,
});

/** The service, from its sources. */
export const startService = (runtime: RuntimeName, root: string, settings?: Settings): Promise<Started> =>
  startUnder(runtime, 'src/entry/cli.ts', ['serve'], settingsFor(root, settings));

/** A first start makes the database, so that a bench can fill it. */
export async function initialise(runtime: RuntimeName, root: string, settings?: Settings): Promise<void> {
  await (await startService(runtime, root, settings)).stop();
}

/** Milliseconds that a runtime needs for no program at all. */
export function runNothing(runtime: RuntimeName): Promise<number> {
  const began = performance.now();
  const words = runtime === 'node' ? ['-e', '0'] : ['eval', '0'];
  const child = spawn(builtLauncherOf(runtime)[0]!, words, { stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', () => resolve(performance.now() - began)));
}

function startServer(words: readonly string[], environment: Environment): Promise<Started> {
  const [command, ...rest] = words;
  const began = performance.now();
  const child = spawn(command!, rest, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout!.on('data', (chunk) => {
      said += chunk;
      const port = /listening on (?:http:\/\/127\.0\.0\.1:)?(\d+)/.exec(said)?.[1];
      if (port) resolve({ process: child, port: Number(port), took: performance.now() - began, stop });
    });
    void ended.then(() => reject(new Error(`Expected a server: ${words.join(' ')} ended: ${said}`)));
  });
}

/** Runs a script that prints one line of JSON. */
export function runUnder<T>(runtime: RuntimeName, script: string, words: readonly string[]): Promise<T> {
  const [command, ...first] = launcherOf(runtime);
  const child = spawn(command!, [...first, `${root}${script}`, ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    child.once('exit', (code) => {
      if (code === 0) resolve(JSON.parse(said.trim().split('\n').at(-1)!));
      else reject(new Error(`Expected ${script} to end well under ${runtime}: code ${code}`));
    });
  });
}
