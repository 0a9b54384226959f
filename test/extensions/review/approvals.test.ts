import { describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import type { JobSeen } from '../../support/files.ts';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { ask, bodyOf, by, done, json } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import { film, openShares } from '../shares/support.ts';
import { ann, ben, cat, dan, people } from './support.ts';

const path = '/API/item/VX-1/shape/version/0/approval';
const reviewer = newUser(['eve', 'p'], ['_item_read', '_item_shape_read', '_approval_write']);
const given = [
  ...people,
  reviewer,
  by('POST /API/item/VX-1/access', { user: 'eve', permission: 'READ' }),
  by('POST /API/item/VX-1/shape/create?tag=lowres', {}, json, admin),
];
const eve = ['eve', 'p'] as const;
const set = (body: object, as: readonly [string, string] = eve) => by(`PUT ${path}`, body, json, as);
const bad = { 'portico-error': 'bad-value' };

const rows: readonly Scenario[] = [
  {
    name: 'a version that nobody reviewed has no state',
    as: cat,
    request: `GET ${path}`,
    headers: json,
    status: 200,
    says: { json: { item: 'VX-1', version: 0, isNeeded: false, history: [] } },
  },
  {
    name: 'a reviewer asks for a review of a version that is read by READ alone, and others hear of it',
    ...set({ state: 'in-review' }),
    status: 200,
    says: { jsonPart: { item: 'VX-1', version: 0, state: 'in-review', user: 'eve' } },
    events: [['approval/request', 'VX-1', { itemId: 'VX-1', version: 0, state: 'in-review', reviewer: 'eve' }]],
  },
  {
    name: 'a reviewer rejects a version with a reason',
    ...set({ state: 'rejected', comment: ' Too dark ' }),
    status: 200,
    says: { jsonPart: { state: 'rejected', comment: 'Too dark' } },
    events: [
      [
        'approval/reject',
        'VX-1',
        { itemId: 'VX-1', version: 0, state: 'rejected', reviewer: 'eve', comment: 'Too dark' },
      ],
    ],
  },
  {
    name: 'a reviewer approves a version',
    ...set({ state: 'approved' }),
    status: 200,
    says: { jsonPart: { state: 'approved' } },
    events: [['approval/approve', 'VX-1', { itemId: 'VX-1', version: 0, state: 'approved', reviewer: 'eve' }]],
  },
  {
    name: 'an editor asks for a review of what the editor may write',
    ...set({ state: 'in-review' }, ann),
    status: 200,
    says: { jsonPart: { state: 'in-review', user: 'ann' } },
    events: [['approval/request', 'VX-1', { itemId: 'VX-1', version: 0, state: 'in-review', reviewer: 'ann' }]],
  },
  ...[
    ['an editor approves nothing', { state: 'approved' }, ann],
    ['an editor rejects nothing', { state: 'rejected' }, ann],
    ['who may only read the item asks for no review', { state: 'in-review' }, ben],
  ].map(
    ([name, body, as]): Scenario => ({
      name: name as string,
      ...set(body as object, as as typeof ann),
      status: 403,
    }),
  ),
  ...[
    ['nothing', {}, 'Expected in-review, approved or rejected'],
    ['another state', { state: 'fine' }, 'in-review'],
    [
      'a reason of 4,001 characters',
      { state: 'approved', comment: 'x'.repeat(4001) },
      'Expected at most 4000 characters',
    ],
  ].map(
    ([what, body, says]): Scenario => ({
      name: `a version does not get ${what}`,
      ...set(body as object),
      status: 400,
      answers: what === 'another state' ? { 'portico-error': 'bad-document' } : bad,
      says: { contains: [says as string] },
    }),
  ),
  {
    name: 'a version that is not there is not reviewed',
    ...by('PUT /API/item/VX-1/shape/version/7/approval', { state: 'approved' }, json, eve),
    status: 404,
  },
  { name: 'who comments gives no approval', ...set({ state: 'approved' }, ben), status: 403 },
  { name: 'who may not read the item learns no state', as: dan, request: `GET ${path}`, headers: json, status: 403 },
];

/** The only shape of the version is closed to the reviewer. */
const closed = [
  by('DELETE /API/item/VX-1/shape/VX-1', undefined, json, admin),
  by('POST /API/item/VX-1/access', {
    ...{ user: 'eve', permission: 'NONE', priority: 1 },
    operation: { shape: { tag: 'lowres' } },
  }),
];
const attacks: readonly Scenario[] = [
  {
    name: 'who may read no shape of a version learns no state',
    as: eve,
    request: `GET ${path}`,
    headers: json,
    status: 404,
  },
  {
    name: 'who may read no shape of a version gives it no state',
    ...set({ state: 'approved' }),
    status: 404,
    events: [],
  },
];

describeMatrix('the approval of a version', (entry) => {
  itHolds(
    entry,
    rows.map((row) => ({ ...row, given })),
  );
  itHolds(
    entry,
    attacks.map((row) => ({ ...row, given: [...given, ...closed] })),
  );

  it('lets no editor take an approval back by asking again', async () => {
    const world = await entry.open();
    for (const request of given) await done(world, request);
    await done(world, set({ state: 'approved' }));
    expect((await world.send(set({ state: 'in-review' }, ann))).status).toBe(403);
    await done(world, set({ state: 'rejected' }));
    await done(world, set({ state: 'in-review' }, ann));
  });

  it('keeps all states, newest first, until the last shape of the version goes', async () => {
    const world = await entry.open();
    for (const request of given) await done(world, request);
    for (const body of [{ state: 'in-review' }, { state: 'rejected', comment: 'Too dark' }, { state: 'approved' }])
      await done(world, set(body));
    const { history } = await done<{ history: { state: string; comment?: string; user: string }[] }>(
      world,
      ask(`GET ${path}`),
    );
    expect(history.map(({ state, comment, user }) => [state, comment, user])).toEqual([
      ['approved', undefined, 'eve'],
      ['rejected', 'Too dark', 'eve'],
      ['in-review', undefined, 'eve'],
    ]);
    await done(world, ask('DELETE /API/item/VX-1/shape/version/0'));
    expect(await world.service.store.read('SELECT * FROM approval')).toEqual([]);
  });
});

const rule = (tags: string) => ask('PUT /API/configuration/properties', { key: 'approvedShapeTags', value: tags });
const approve = (item: string, state = 'approved', version = 0) =>
  ask(`PUT /API/item/${item}/shape/version/${version}/approval`, { state });

describe('the rule that shapes leave in an approved version alone', () => {
  it('is refused where it names no tags', async () => {
    const world = await openWorld('fetch');
    const { status, body } = await world.send(rule('low res,'));
    expect([status, body]).toEqual([400, expect.stringContaining('Expected up to 100 shape tags')]);
  });

  it('refuses exports of items and shapes at once, and lets go what has no such tag or is approved', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const to = '/export?uri=memory%3A%2F%2F%2Fout%2F';
    const order = (at: string) => world.send(ask(`POST /API${at}`));
    await done(world, ask('PUT /API/shape-tag/lowres', {}));
    await itemWith(world, 'in/a.mp4', { item, tag: 'lowres' });
    await done(world, rule('original, other'));
    const [original] = (await done<{ uri: string[] }>(world, ask(`GET /API/item/${item}/shape?tag=original`))).uri;
    for (const at of [`/item/${item}${to}`, `/item/${item}/shape/${original}${to}`]) {
      const { status, headers, body } = await order(at);
      expect([at, status, headers.get('portico-error')]).toEqual([at, 403, 'not-approved']);
      expect(body).toContain('Expected an approved version of the item: version 0 was not reviewed');
    }
    expect(urisOf(await exported(world, `/item/${item}${to}&tag=lowres`))).toHaveLength(1);
    for (const [state, words] of [
      ['in-review', 'is in review'],
      ['rejected', 'is rejected'],
    ] as const) {
      await done(world, approve(item, state));
      expect((await order(`/item/${item}${to}`)).body).toContain(`version 0 ${words}`);
    }
    await done(world, approve(item));
    expect(urisOf(await exported(world, `/item/${item}${to}`))).toHaveLength(1);
    await done(world, ask(`POST /API/item/${item}/shape/version`));
    expect((await order(`/item/${item}${to}`)).body).toContain('version 1 was not reviewed');
  });

  it('fails an export of a collection, or passes over what waits where the caller says so', async () => {
    const world = await openExports();
    const [good, waiting] = [await itemWith(world, 'in/a.mov'), await itemWith(world, 'in/b.mov')];
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=Both'));
    for (const item of [good, waiting]) await done(world, ask(`PUT /API/collection/${id}/${item}`));
    await done(world, rule('*'));
    await done(world, approve(good));
    const at = `/collection/${id}/export?uri=memory%3A%2F%2F%2Fout%2F`;
    const failed: JobSeen = await exported(world, at);
    expect([failed.status, whyOf(failed)]).toEqual([
      'FAILED_TOTAL',
      `${waiting}: Expected an approved version of the item: version 0 was not reviewed`,
    ]);
    const passed = await exported(world, `${at}&all=false`);
    expect(urisOf(passed)).toHaveLength(1);
    expect(JSON.stringify(passed.log)).toContain('Passed over 1 shapes whose version is not approved');
  });

  it('lets a guest of a share neither see nor fetch what is not approved', async () => {
    const at = await openShares((options) => openWorld('fetch', options));
    const item = await at.item('First');
    const [low, web] = [await at.shape(item, 'lowres'), await at.shape(item, 'web')];
    await at.told('PUT /configuration/properties', { key: 'approvedShapeTags', value: 'lowres' }, admin);
    await at.told(`PUT /item/${item}/shape/${low}/external-id/theirs`, undefined, admin);
    const { token } = await at.share(`item/${item}`, { play: ['lowres', 'web'] });
    const guest = await at.guest(token);
    const shown = async () => {
      const { shape, waits } = bodyOf<{ shape: { id: string }[]; waits?: boolean }>(
        await at.get(guest, `/item/${item}`),
      );
      return [shape.map(({ id }) => id), waits];
    };
    const fetched = async (shape: string) => at.get(guest, `/item/${item}/shape/${shape}`);
    expect(await shown()).toEqual([[web], true]);
    const { status, body } = await fetched(low);
    expect([status, body]).toEqual([403, expect.stringContaining('version 0 was not reviewed')]);
    // A name that the guest was not told.
    expect((await fetched('theirs')).status).toBe(404);
    expect((await fetched(web)).body).toBe(film);
    await at.told(`PUT /item/${item}/shape/version/0/approval`, { state: 'approved' }, admin);
    expect(await shown()).toEqual([[low, web], undefined]);
    expect((await fetched(low)).body).toBe(film);
  });

  it('asks again where another original came after the approval', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    await done(world, rule('original'));
    await done(world, approve(item));
    world.clock.advance(1000);
    await itemWith(world, 'in/b.mov', { item });
    const { status, body } = await world.send(ask(`POST /API/item/${item}/export?uri=memory%3A%2F%2F%2Fout%2F`));
    expect([status, body]).toEqual([403, expect.stringContaining('has another original since it was approved')]);
  });
});
