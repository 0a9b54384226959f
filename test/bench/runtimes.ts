import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setup as buildProgram } from '../support/built.ts';
import { denoProgram } from '../support/programs.ts';

export type RuntimeName = 'node' | 'deno';

const home = fileURLToPath(new URL('../..', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** `flags` are those of V8. */
const launcherOf = (runtime: RuntimeName, flags: readonly string[] = []): readonly string[] =>
  runtime === 'node'
    ? [process.execPath, ...flags, '--import', tsx]
    : [denoProgram(), 'run', '-A', ...(flags.length > 0 ? [`--v8-flags=${flags.join(',')}`] : [])];

/** Launcher of built code, which needs no loader. */
const builtLauncherOf = (runtime: RuntimeName, flags: readonly string[] = []): readonly string[] =>
  runtime === 'node' ? [process.execPath, ...flags] : launcherOf(runtime, flags);

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
): Promise<Started> => startServer([...launcherOf(runtime), `${home}${script}`, ...words], environment);

type Settings = Readonly<Record<string, string>>;

export const settingsFor = (root: string, settings: Settings = {}): Record<string, string> => ({
  PORTICO_ROOT: root,
  PORTICO_PORT: '0',
  PORTICO_ADMIN_PASSWORD: 'bench',
  PORTICO_LOG_LEVEL: 'warn',
  ...settings,
});

/** The service as it ships. From its sources it is slower: their loader names each function whenever it is made. */
export function startService(
  runtime: RuntimeName,
  root: string,
  settings?: Settings,
  flags: readonly string[] = [],
): Promise<Started> {
  buildProgram();
  return startServer(
    [...builtLauncherOf(runtime, flags), `${home}dist/src/entry/cli.js`, 'serve'],
    settingsFor(root, settings),
  );
}

/** A command of the service as it ships. */
export function startCommand(runtime: RuntimeName, words: readonly string[], environment: Environment): ChildProcess {
  const [command, ...first] = [...builtLauncherOf(runtime), `${home}dist/src/entry/cli.js`, ...words];
  return spawn(command!, first, { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The service from its sources. */
export const startSources = (runtime: RuntimeName, root: string, settings?: Settings): Promise<Started> =>
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

/** `log`: descriptor of a file for the error stream. */
export function startServer(
  words: readonly string[],
  environment: Environment,
  log: number | 'ignore' = 'ignore',
): Promise<Started> {
  const [command, ...rest] = words;
  const began = performance.now();
  const child = spawn(command!, rest, {
    cwd: home,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', log],
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
export function runUnder<T>(
  runtime: RuntimeName,
  script: string,
  words: readonly string[],
  flags: readonly string[] = [],
): Promise<T> {
  const [command, ...first] = launcherOf(runtime, flags);
  const child = spawn(command!, [...first, `${home}${script}`, ...words], {
    cwd: home,
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
