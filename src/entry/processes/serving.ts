import process from 'node:process';
import type { Settings } from '../../composition/settings.ts';
import type { WorkStatus } from '../../core/work/status.ts';
import type { Processes } from '../../room/context.ts';
import { type Running, startServer } from '../serve.ts';
import { untilTold } from '../until-told.ts';
import { type Question, servingVariable, type ToPrimary, type ToServing } from './messages.ts';

const onDeno = 'Deno' in globalThis;

const tell = (message: ToPrimary): void => {
  if (process.connected) process.send?.(message);
};

/** Port that the primary gave this process. Undefined: no primary has started it. */
export function portOfPrimary(): number | undefined {
  const port = process.env[servingVariable];
  if (port === undefined || process.send === undefined) return undefined;
  // Processes that this one starts are not processes of the primary.
  delete process.env[servingVariable];
  return Number(port);
}

/** Serves requests beside other processes, and leaves the background work to the primary. */
export async function serveBesideOthers(settings: Settings, port: number): Promise<void> {
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
