import { createService } from '../../../src/composition/service.ts';
import { readSettings } from '../../../src/composition/settings.ts';
import { hostPlatform } from '../../../src/entry/host.ts';
import type { Said } from '../../support/instance.ts';
import { requestOf } from '../../support/matrix.ts';
import { type Dice, dice } from '../../support/random.ts';
import { admin } from '../../support/service.ts';
import { type Cast, one, randomChanges, randomRules, ruleDocument } from './changes.ts';
import { judge } from './recount.ts';

/** Instance on a database with a second one: it changes what counts, each commit with its judge, until it is killed. */

export type Order =
  | { readonly kind: 'change'; readonly seed: number; readonly turns: number }
  | { readonly kind: 'tell' };

export type Report =
  | { readonly kind: 'began' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'told'; readonly body: string };

/** Commits of one instance that are on their way at once. */
const writers = 3;
const maxRules = 30;

const [url, instance, cast] = process.argv.slice(2) as [string, string, string];
const { users, groups } = JSON.parse(cast) as Cast;
const report = (sent: Report | Said): void => void process.send!(sent);

const settings = readSettings({
  PORTICO_DATABASE: url,
  PORTICO_ADMIN_PASSWORD: admin[1],
  PORTICO_LOG_LEVEL: 'warn',
});
const print = (line: string): void => {
  if (/"level":"error"|quota-drift/.test(line)) report({ kind: 'complains', says: line });
};
const service = createService(settings, await hostPlatform(settings, print));
await service.start();

async function ask(request: string, body?: object): Promise<string> {
  const headers = { accept: 'application/json' };
  const sent = requestOf('http://x', { as: admin, request, headers, ...(body && { body }) });
  const answer = await service.fetch(sent);
  const text = await answer.text();
  // The other instance may have deleted the rule.
  if (answer.status !== 200 && answer.status !== 404) {
    report({ kind: 'complains', says: `${request}: ${answer.status} ${text}` });
  }
  return text;
}

const ruleIds = async (): Promise<string[]> =>
  (await service.store.read('SELECT id FROM quota_rule ORDER BY serial')).map(([id]) => String(id));

/** Rules come and go while all else changes, and are read and counted. */
async function askSomething(roll: Dice): Promise<void> {
  const ids = await ruleIds();
  const id = one(roll, ids);
  const kind = roll(8);
  if (kind < 2 && ids.length < maxRules) await ask('POST /API/quota/', ruleDocument(one(roll, randomRules(roll))));
  else if (kind === 2 && ids.length > maxRules / 2) await ask(`DELETE /API/quota/${id}`);
  else if (kind === 3) await ask(`PUT /API/quota/${id}/evaluate`);
  else await ask('GET /API/quota');
}

async function change(seed: number, writer: number, turns: number): Promise<void> {
  const roll = dice(seed * writers + writer);
  for (let turn = 0; turn < turns; turn++) {
    const picked = Array.from({ length: 1 + roll(2) }, () => one(roll, randomChanges)(roll, { users, groups }));
    const changes = [
      ...picked.map(([sql, ...args]) => ({ sql, args })),
      ...judge(`${instance} ${seed}`, turn * writers + writer),
    ];
    await service.store.commit({ changes, events: [] }, { user: 'test' });
    if (turn === 0) report({ kind: 'began' });
    if (roll(20) === 0) await askSomething(roll);
  }
}

async function carryOut(order: Order): Promise<void> {
  if (order.kind === 'tell') return report({ kind: 'told', body: await ask('GET /API/quota') });
  const each = Math.ceil(order.turns / writers);
  await Promise.all(Array.from({ length: writers }, (_, writer) => change(order.seed, writer, each)));
  report({ kind: 'changed' });
}

process.on('message', (order: Order) => {
  carryOut(order).catch((error) => report({ kind: 'complains', says: String(error?.stack ?? error) }));
});
report({ kind: 'ready' });
