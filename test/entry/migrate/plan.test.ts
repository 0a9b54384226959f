import { expect, it } from 'vitest';
import { makePlan, planLines, planPage } from '../../../src/entry/migrate/plan.ts';
import { reportPage } from '../../../src/entry/migrate/report-page.ts';
import { openMigration, reachOriginal } from '../../../src/entry/migrate/run.ts';
import { newItem } from '../../support/assets.ts';
import { by, send } from '../../support/requests.ts';
import { furnish } from './house.ts';
import { type Given, type Houses, openHouses, requestOf, run } from './support.ts';

async function planOf(houses: Houses, given: Given = {}) {
  const request = requestOf(houses, given);
  const migration = await openMigration(request, await reachOriginal(request));
  const plan = await makePlan(migration, 'http://new/API', request.rate);
  return { plan, migration };
}

it('counts what comes, says what does not, and changes nothing', async () => {
  const houses = await openHouses();
  await furnish(houses.from, houses.storage);
  const before = await houses.to.sequence();
  const { plan, migration } = await planOf(houses);
  expect(Object.fromEntries(plan.count.map(({ kind, count }) => [kind, count]))).toMatchObject({
    ...{ users: 3, groups: 2, items: 3, collections: 2, libraries: 2, files: 4, storages: 1, notifications: 1 },
    ...{ 'groups of fields': 2, 'shape tags': 2, 'quota rules': 1, 'scheduled requests': 0 },
  });
  expect(plan.problem).toEqual([]);
  expect([migration.target.figures.writes, await houses.to.sequence()]).toEqual([0, before]);
  expect(planLines(plan)).toMatch(/^From http:\/\/old\/API \(\S+\) to http:\/\/new\/API\n {10}3 {2}users\n/);
});

it('says how long it takes at the rate that it may have', async () => {
  const houses = await openHouses();
  await furnish(houses.from, houses.storage);
  const slow = await planOf(houses, { rate: 0.5 });
  const { requests, rate, seconds } = slow.plan.estimate;
  expect([rate, seconds]).toEqual([0.5, 2 * requests]);
  const without = new Set(['history', 'thumbnails']);
  expect((await planOf(houses, { options: { without } })).plan.estimate.requests).toBeLessThan(requests);
  const storages = new Map([['VX-1', { to: 'memory:///out/', copies: true }]]);
  expect((await planOf(houses, { options: { storages } })).plan.estimate.bytesToCopy).toBe(58);
});

it('says what has to be done first', async () => {
  const houses = await openHouses({ to: { settings: {} } });
  await furnish(houses.from, houses.storage);
  for (const sent of [newItem(), by('POST /API/storage', { type: 'LOCAL', capacity: 1 })]) await send(houses.to, sent);
  const storages = new Map([['VX-7', { to: 'memory:///out/', copies: false }]]);
  const { plan } = await planOf(houses, { options: { storages } });
  expect(plan.problem).toEqual([
    'Storage VX-1 has no line in the table of storages: its files do not come',
    'The original has no storage VX-7 of the table',
    'There are 1 items here already: old ids that they have cannot be given to others',
    'A storage here has the id VX-1 of one at the original: set PORTICO_SITE before the first start',
  ]);
});

it('needs an administrator of the original', async () => {
  const houses = await openHouses();
  const request = requestOf(houses);
  const nobody = { ...request.from, ask: async () => new Response(null, { status: 401 }) };
  await expect(reachOriginal({ ...request, from: nobody })).rejects.toThrow(
    'Expected a login of an administrator of http://old/API',
  );
});

it('a name with markup stays a text on the pages', async () => {
  const houses = await openHouses();
  await send(houses.from, by('POST /API/user', { userName: '<script>alert(1)' }));
  const report = reportPage(await run(requestOf(houses)));
  expect(report).toContain('&lt;script&gt;');
  for (const page of [report, planPage((await planOf(houses)).plan)]) {
    expect(page).not.toContain('<script');
    expect(page).toContain("default-src 'none'");
  }
});
