import type { Said } from '../support/instance.ts';
import { turn } from './deeds.ts';
import { openFor } from './jobs-service.ts';

/** Instance on a database with a second one: it orders jobs and carries out those of both, until it is killed. */

export type Order = { readonly kind: 'go'; readonly life: string; readonly turns: number };

export type Report =
  | { readonly kind: 'ordered'; readonly type: string; readonly jobId: string }
  | { readonly kind: 'went' };

const [url, media, origin] = process.argv.slice(2) as [string, string, string];
const report = (sent: Report | Said): void => void process.send!(sent);
const complain = (says: string): void => report({ kind: 'complains', says });

const service = await openFor(url, media, Number(origin), (line) => {
  if (line.includes('"level":"error"')) complain(line);
});
void service.work().catch((error) => complain(String(error?.stack ?? error)));

async function go({ life, turns }: Order): Promise<void> {
  const ordered = (type: string, jobId: string) => report({ kind: 'ordered', type, jobId });
  for (let at = 0; at < turns; at++) await turn({ service, media, name: `${life}.${at}`, ordered, complain });
  report({ kind: 'went' });
}

process.on('message', (order: Order) => {
  go(order).catch((error) => complain(String(error?.stack ?? error)));
});
report({ kind: 'ready' });
