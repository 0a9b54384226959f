import { afterAll, beforeAll, expect, it } from 'vitest';
import { createService } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { tryCli } from '../support/cli.ts';
import { requestOf } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/store.ts';

let directory: TemporaryDirectory;
/** With one notification, to which nothing may be sent, and three events that were given up for that. */
beforeAll(async () => {
  directory = await temporaryDirectory();
  const settings = {
    ...readSettings({}),
    root: directory.path,
    adminPassword: new Secret(admin[1]),
    logLevel: 'error',
  } as const;
  const service = createService(settings, await hostPlatform(settings, () => undefined));
  await service.start();
  const send = async (request: string, body?: object) => {
    const { status } = await service.fetch(requestOf('http://x', { as: admin, request, body }));
    expect(status).toBe(200);
  };
  const action = { http: { url: 'http://127.0.0.1:9/hook' } };
  await send('POST /API/group/notification', { action, trigger: { group: { create: '' } } });
  for (const name of ['a', 'b', 'c']) await send(`PUT /API/group/${name}`);
  await service.tick();
  await service.close();
});
afterAll(() => directory.remove());

const portico = (...words: string[]) => tryCli(words, { root: directory.path });

it('deliveries shows how notifications are doing, and the attempts of one', async () => {
  const all = await portico('deliveries');
  expect([all.code, all.err]).toEqual([0, '']);
  expect(all.out).toMatch(
    /^notification +at +state +delivered +failed +parked +waits +reason\nVX-1 +\/group +active +0 +0 +3/,
  );
  const one = await portico('deliveries', 'VX-1');
  expect(one.out.match(/group\/create +[abc] +1 +parked +blocked/g)).toHaveLength(3);
});

it('replay counts first, and then sends again', async () => {
  const dry = await portico('replay', 'VX-1', '--since', '1h', '--dry-run');
  expect([dry.code, dry.err]).toEqual([0, '']);
  expect(dry.out).toMatch(/^3 events since .*Z would be sent again\n$/);
  expect((await portico('replay', 'VX-1', '--since', '2020-01-31T12:00:00Z', '--parked')).out).toMatch(
    /^3 events .* are sent again\n$/,
  );
  expect((await portico('deliveries')).out).toMatch(/VX-1 +\/group +active +0 +0 +0 +yes/);
});

it.each([
  [['deliveries', 'VX-9'], 'Expected the id of a notification: "VX-9"'],
  [['replay', 'VX-9', '--since', '1h'], 'Expected the id of a notification: "VX-9"'],
  [['replay', 'VX-1'], 'Expected a time such as 2030-01-31T12:00:00Z, or 90m, 6h, 2d, after --since: it is missing'],
  [
    ['replay', 'VX-1', '--since', 'now'],
    'Expected a time such as 2030-01-31T12:00:00Z, or 90m, 6h, 2d, after --since: "now"',
  ],
])('%j is told in one sentence', async (words, sentence) => {
  expect(await portico(...words)).toEqual({ code: 1, out: '', err: `portico: ${sentence}\n` });
});
