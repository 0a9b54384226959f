import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { runProgram } from '../../src/entry/program.ts';

/** Built before the tests. */
const built = fileURLToPath(new URL('../../dist/src/entry/cli.js', import.meta.url));

interface CliOptions {
  /** The instance root, where it also runs. */
  readonly root: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Written to its input, which then ends. */
  readonly input?: string;
  /** Hard limit of open files of the program: Node raises the soft one to it by itself. Not on Windows. */
  readonly openFiles?: number;
  /** Another program than the one that was built before the tests. */
  readonly program?: string;
}

interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Served {
  readonly port: number;
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** Resolves when the log so far includes the text. */
  logged(text: string): Promise<void>;
  readonly finished: Promise<Finished>;
}

/** `portico WORDS` to its end. */
export function runCli(words: readonly string[], options: CliOptions): Promise<Finished> {
  return start(words, options).finished;
}

/**
 * The same in this process, a hundred times as fast: for commands whose words are in question, and not the program.
 * One at a time, because they share its streams.
 */
export async function tryCli(words: readonly string[], { root, environment }: CliOptions): Promise<Finished> {
  const said = { out: '', err: '' };
  const keep = (name: 'out' | 'err') => (text: string | Uint8Array) => {
    said[name] += text;
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('err')),
  ];
  const { exitCode } = process;
  // A program listens for its end once; here many of them do.
  process.setMaxListeners(0);
  process.exitCode = undefined;
  try {
    await runProgram(words, { PORTICO_ROOT: root, ...environment });
    return { code: Number(process.exitCode ?? 0), ...said };
  } finally {
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}

/** The same with a reader of its output that is gone before anything is written. */
export function runUnread(words: readonly string[], options: CliOptions): Promise<Finished> {
  const { child, finished } = start(words, options);
  child.stdout.destroy();
  return finished;
}

/** `portico serve` on a free port, until it says that it is ready. It ends with the test. */
export function serveCli(options: CliOptions): Promise<Served> {
  return startCli(options, ({ child, finished }) =>
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await finished;
    }),
  );
}

/** `portico WORDS`, which ends with the test at the latest. */
export function launchCli(words: readonly string[], options: CliOptions): Started {
  const started = start(words, options);
  onTestFinished(async () => {
    started.child.kill('SIGKILL');
    await started.finished;
  });
  return started;
}

/** The same without an end: for tests that run side by side, which end it themselves. */
export async function startCli(options: CliOptions, begun: (started: Started) => void = () => {}): Promise<Served> {
  const started = start(['serve', '--port', '0'], options);
  const { child, watch, finished, out, err } = started;
  begun(started);
  const failed = finished.then(({ code }) => Promise.reject(new Error(`Ended with ${code}: ${err()}`)));
  failed.catch(() => undefined);
  await Promise.race([watch('out', /portico listening on .*\n/), failed]);
  const port = Number(/:(\d+)\n$/.exec(out())?.[1]);
  return { port, child, out, err, finished, logged: (text) => watch('err', text) };
}

type Started = ReturnType<typeof start>;

function start(words: readonly string[], { root, environment = {}, input, openFiles, program = built }: CliOptions) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PORTICO_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
  );
  const limited = openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh'];
  const [file, ...rest] = [...limited, process.execPath, program, ...words];
  const child = spawn(file!, rest, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), PORTICO_ROOT: root, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  const watchers: (() => void)[] = [];
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      said[name] += text;
      for (const watcher of watchers) watcher();
    });
  }
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const finished = new Promise<Finished>((resolve) => {
    child.once('close', (code) => resolve({ code, ...said }));
  });
  const watch = (name: 'out' | 'err', wanted: string | RegExp) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (typeof wanted === 'string' ? said[name].includes(wanted) : wanted.test(said[name])) resolve();
      };
      watchers.push(look);
      look();
    });
  return { child, finished, watch, out: () => said.out, err: () => said.err };
}
