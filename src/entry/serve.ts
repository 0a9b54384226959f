import { availableParallelism } from 'node:os';
import process from 'node:process';
import type { Service } from '../composition/service.ts';
import { SettingError, type Settings, settingTable } from '../composition/settings.ts';
import type { WorkStatus } from '../core/work/status.ts';
import type { Processes } from '../room/context.ts';
import type { Command } from './commands/command.ts';
import { typedProgram } from './host.ts';
import { printLine } from './output.ts';
import { ProcessPool, type Question, servingVariable, type ToPrimary, type ToServing } from './process-pool.ts';
import { addressOf, alone, type Part, type Running, startServer, tellAddress } from './start-server.ts';
import { untilTold } from './stop-signals.ts';

type Furnish = Pick<Part, 'furnish'>;

/**
 * Serves by processes that this one starts. This one has the port, the migrations and the background work, and answers
 * no requests: whatever ends a serving process does not end the work.
 */
async function serveByOthers(settings: Settings, count: number, furnish: Furnish): Promise<void> {
  if ('Deno' in globalThis && process.platform !== 'linux')
    throw new SettingError('Expected one process in PORTICO_PROCESSES: Deno shares a port on Linux only');
  const running = await startServer(settings, printLine, {
    listens: false,
    works: true,
    processes: { metrics: () => pool.metrics() },
    ...furnish,
    reloaded: () => pool.reload(),
  });
  const { service } = running;
  const pool: ProcessPool = new ProcessPool({
    count,
    port: settings.port,
    log: service.log,
    figures: service.figures,
    work: service.workStatus,
    changed: service.wake,
  });
  try {
    const port = await pool.start();
    service.log.write('info', 'listening', { address: addressOf(settings.host, port), processes: count });
    tellAddress(running, settings.host, port, printLine);
  } catch (error) {
    await pool.stop();
    await running.stop();
    throw error;
  }
  // Serving processes end themselves when their own limit is over.
  await untilTold(running, settings.stopTimeout + 1).ended;
  service.quiet();
  await pool.stop();
  await running.stop();
}

const onDeno = 'Deno' in globalThis;

const tell = (message: ToPrimary): void => {
  if (process.connected) process.send?.(message);
};

/** Port that the primary gave this process. Undefined: no primary has started it. */
function portOfPrimary(): number | undefined {
  const port = process.env[servingVariable];
  if (port === undefined || process.send === undefined) return undefined;
  // Processes that this one starts are not processes of the primary.
  delete process.env[servingVariable];
  return Number(port);
}

/** Serves requests beside other processes, and leaves the background work to the primary. */
async function serveInPool(settings: Settings, port: number): Promise<void> {
  const answers = new Map<number, (value: unknown) => void>();
  let questionCount = 0;
  const ask = <T>(question: Question) =>
    new Promise<T>((resolve) => {
      answers.set(++questionCount, resolve as (value: unknown) => void);
      tell({ kind: 'ask', id: questionCount, question });
    });
  const processes: Processes = {
    metrics: () => ask<string>('metrics'),
    working: {
      changed: gathered((kinds) => tell({ kind: 'changed', kinds })),
      list: () => ask<readonly WorkStatus[]>('work'),
    },
  };

  let running: Running | undefined;
  let stop: (by: string) => void = () => process.exit();
  process.on('message', (message: ToServing) => {
    if (message.kind === 'stop') stop('primary');
    else if (message.kind === 'reload') void running?.reload();
    else if (message.kind === 'tell-figures')
      tell({ kind: 'figures', id: message.id, text: running?.service.metrics.render() ?? '' });
    else {
      answers.get(message.id)?.(message.value);
      answers.delete(message.id);
    }
  });
  // The primary holds the port: without it nothing arrives.
  process.on('disconnect', () => process.exit());

  try {
    const own = { ...settings, port: onDeno ? port : settings.port, watch: false };
    running = await startServer(own, undefined, { listens: true, works: false, processes });
    tell({ kind: 'listening', port: running.port });
    const stopping = untilTold(running, settings.stopTimeout);
    stop = stopping.tell;
    await stopping.ended;
    await running.stop();
  } finally {
    // The channel keeps the process alive. An error is told first.
    setImmediate(() => process.connected && process.disconnect());
  }
}

/** Wakings of one turn of the loop are one message. */
function gathered(send: (kinds: readonly string[]) => void): (kind: string) => void {
  const waiting = new Set<string>();
  return (kind) => {
    if (waiting.size === 0)
      setImmediate(() => {
        send([...waiting]);
        waiting.clear();
      });
    waiting.add(kind);
  };
}

/** Serves until the process is told to stop, by this process or by several. */
export async function serve(settings: Settings, furnish: Furnish = {}): Promise<void> {
  const port = portOfPrimary();
  if (port !== undefined) return serveInPool(settings, port);
  const { processes, database } = settings;
  const count = processes === 'auto' ? availableParallelism() : processes;
  if (count > 1 && database === 'memory:')
    throw new SettingError('Expected one process in PORTICO_PROCESSES: several share no database in memory');
  if (count > 1) return serveByOthers(settings, count, furnish);
  const running = await startServer(settings, printLine, { ...alone, ...furnish });
  await untilTold(running, settings.stopTimeout).ended;
  await running.stop();
}

/** A sample that is there stays: the same command starts the server again. */
const makeSample =
  (settings: Settings) =>
  async ({ rooms: { operations } }: Service, page: string) => {
    const { program, options } = typedProgram(settings);
    const remove = [program, 'sample remove', options].filter(Boolean).join(' ');
    if (await operations.sample.isThere()) return `sample library: there already. To remove it: ${remove}`;
    const { item, user, password, share, upload } = await operations.sample.make();
    const width = Math.max(...user.map(({ userName }) => userName.length));
    return [
      `sample library: ${item} items`,
      `  log in at ${page} with the password ${password}, shown only now:`,
      ...user.map(
        ({ userName, realName, group }) => `    ${userName.padEnd(width)}  ${realName}, in the group ${group}`,
      ),
      `  guests look:        ${new URL(share, page).href}`,
      `  guests send files:  ${new URL(upload, page).href}`,
      `  to remove it:       ${remove}`,
    ].join('\n');
  };

/** Sentence on a setting that many servers have their own value of. */
const sentenceOn = (name: 'port' | 'host' | 'root') => {
  const { says, fallback } = settingTable[name];
  return `${says} Without it: ${fallback}.`;
};

export const serveCommand: Command = {
  usage: 'serve [--port PORT] [--host ADDRESS] [--root FOLDER] [--sample]',
  says: 'Serves the API until told to stop.',
  flags: ['--sample'],
  about: {
    ...{ '--port': sentenceOn('port'), '--host': sentenceOn('host'), '--root': sentenceOn('root') },
    '--sample': 'Makes the sample library first, in a database without items, and prints how to log in.',
  },
  run: ({ settings, has }) => serve(settings(), has('--sample') ? { furnish: makeSample(settings()) } : {}),
};
