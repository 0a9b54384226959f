import { createService } from '../../../../src/composition/service.ts';
import { readSettings } from '../../../../src/composition/settings.ts';
import { hostPlatform } from '../../../../src/entry/host.ts';
import { comment, people } from '../../../extensions/review/support.ts';
import { testClock } from '../../../support/clock.ts';
import type { Said } from '../../../support/instance.ts';
import { requestOf } from '../../../support/matrix.ts';
import { admin } from '../../../support/service.ts';
import { mailOf, mailSettings } from './support.ts';

/** Instance on a database of its own that sends mail, in the time of the test, until it is killed. */

export type Order = { readonly kind: 'mention' } | { readonly kind: 'deliver' };
export type Report = { readonly kind: 'mentioned' } | { readonly kind: 'delivered'; readonly left: number };

const [root, port, begin] = process.argv.slice(2) as [string, string, string];
const report = (sent: Report | Said): void => void process.send!(sent);

const settings = {
  ...readSettings({ PORTICO_ROOT: root, PORTICO_ADMIN_PASSWORD: admin[1], PORTICO_LOG_LEVEL: 'warn' }),
  ...mailSettings(Number(port)),
};
const clock = testClock(Number(begin));
const print = (line: string): void => {
  if (line.includes('"level":"error"')) report({ kind: 'complains', says: line });
};
const service = createService(settings, { ...(await hostPlatform(settings, print)), clock });
await service.start();

async function carryOut(order: Order): Promise<void> {
  if (order.kind === 'mention') {
    for (const sent of [...people, mailOf('cat'), comment({ text: '@cat' })]) {
      const { status } = await service.fetch(requestOf('http://x', sent));
      if (status >= 300) report({ kind: 'complains', says: `${sent.request}: ${status}` });
    }
    return report({ kind: 'mentioned' });
  }
  for (let minute = 0; minute < 5; minute++) {
    await clock.advance(60_000);
    await service.tick();
  }
  report({ kind: 'delivered', left: (await service.store.read('SELECT 1 FROM outbox')).length });
}

process.on('message', (order: Order) => {
  carryOut(order).catch((error) => report({ kind: 'complains', says: String(error?.stack ?? error) }));
});
report({ kind: 'ready' });
