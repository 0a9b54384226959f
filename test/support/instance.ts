import { type ChildProcess, fork } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { bundled } from './bundled.ts';

/** What every instance can say. What it complains of is what a wait for it ends with. */
export type Said = { readonly kind: 'ready' } | { readonly kind: 'complains'; readonly says: string };

/** One of several instances on one database, as a process of its own. */
export interface Instance<Order, Report extends { readonly kind: string }> {
  order(order: Order): void;
  until<K extends Report['kind']>(kind: K): Promise<Extract<Report, { kind: K }>>;
  kill(): Promise<void>;
}

/** Starts the module as a process, and waits until it is ready. The end of the test kills it. */
export async function startInstance<Order extends object, Report extends { readonly kind: string }>(
  module: URL,
  name: string,
  args: readonly string[],
  complaints: string[],
): Promise<Instance<Order, Report | Said>> {
  const program = await bundled(module);
  const child: ChildProcess = fork(program, [...args], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const came: (Report | Said)[] = [];
  let heard = (): void => undefined;
  child.on('message', (report: Report | Said) => {
    if (report.kind === 'complains') complaints.push(`${name}: ${(report as Extract<Said, { says: string }>).says}`);
    else came.push(report);
    heard();
  });
  child.once('exit', () => heard());
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(kill);
  const made: Instance<Order, Report | Said> = {
    kill,
    order: (order) => void child.send(order),
    async until(kind) {
      for (;;) {
        const at = came.findIndex((report) => report.kind === kind);
        if (at >= 0) return came.splice(at, 1)[0] as never;
        expect(complaints).toEqual([]);
        const end = child.exitCode ?? child.signalCode;
        if (end !== null) throw new Error(`${name} ended with ${end} before it was ${kind}`);
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    },
  };
  await (made as Instance<Order, Said>).until('ready');
  return made;
}
