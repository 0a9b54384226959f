import { describe, expect, it } from 'vitest';
import { quotaCommands } from '../../../src/administration/quota/commands.ts';
import type { CommandContext } from '../../../src/room/command.ts';
import { newGroup, newUser } from '../../support/cast.ts';
import { describeMatrix, type Entry, openWorld, type Sent, type World } from '../../support/matrix.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';

const keeper: Credentials = ['keeper', 'p'];
const json = { accept: 'application/json' };
const limits = (...pairs: readonly (readonly [string, number])[]) => pairs.map(([name, limit]) => ({ name, limit }));

const ask = (request: string, body?: Sent['body'], as = keeper): Sent => ({
  as,
  request,
  headers: json,
  ...(body !== undefined && { body }),
});
const make = (rule: object) => ask('POST /API/quota/', rule);
const placeholder = (as: Credentials = admin) => ask('POST /API/import/placeholder', undefined, as);

interface Rule {
  readonly id: string;
  readonly resource: readonly { readonly name: string; readonly limit: number; readonly usage: number }[];
  readonly [name: string]: unknown;
}

async function open(entry?: Entry): Promise<World> {
  const world = await (entry ? entry.open() : openWorld('fetch'));
  await fill(world);
  return world;
}

async function fill(world: World): Promise<void> {
  await prepare(world, [
    newUser(keeper, ['_quota_read', '_quota_write', '_quota_notification_read', '_quota_notification_write']),
    newUser(['anna', 'p'], ['_import', '_item_read', '_item_write']),
    newGroup('crew', { userList: { user: [{ userName: 'anna' }] } }),
  ]);
  await storageRows(world);
}

async function got<T = Rule>(world: World, request: string): Promise<T> {
  const answer = await world.send(ask(request));
  expect(answer.status, answer.body).toBe(200);
  return JSON.parse(answer.body) as T;
}

const names = async (world: World, after: number) =>
  (await world.events(after))
    .filter(({ name }) => name.startsWith('quota/'))
    .map(({ name, entity }) => `${name} ${entity}`);

describeMatrix('quota rules', (entry) => {
  const shared = entry.shared(fill);
  it('are made with their usage, and told with all that they say', async () => {
    const world = await open(entry);
    await prepare(world, [placeholder(['anna', 'p']), placeholder()]);
    const rule = { user: 'anna', resource: limits(['item', 5], ['storage', 1000]), description: 'desk A' };
    await playScenario(world, {
      name: 'a rule',
      ...make(rule),
      status: 200,
      answers: { location: /\/API\/quota\/VX-1$/ },
      says: {
        json: {
          id: 'VX-1',
          description: 'desk A',
          user: 'anna',
          resource: [
            { name: 'item', limit: 5, usage: 1 },
            { name: 'storage', limit: 1000, usage: 0 },
          ],
          updateFrequency: 3600,
          lastUpdate: '2030-01-01T00:00:00.000+0000',
        },
      },
      events: [
        ['quota/created', 'VX-1', { ruleId: 'VX-1', itemLimit: 5, storageLimit: 1000, itemUsage: 1, storageUsage: 0 }],
      ],
    });
    expect(await got(world, 'GET /API/quota/VX-1')).toMatchObject(rule.user ? { user: 'anna' } : {});
  });

  it('are listed by their criteria and by excess, evaluated, and deleted with all that is kept of them', async () => {
    const world = await open(entry);
    await prepare(world, [
      placeholder(['anna', 'p']),
      make({ user: 'anna', resource: limits(['item', 0]) }),
      make({ group: 'crew', storage: 'VX-1', resource: limits(['storage', 10]) }),
      make({ resource: limits(['item', 1]) }),
      { ...ask('PUT /API/external-id/desks', { pattern: 'desk', priority: 1 }), as: admin },
      ask('PUT /API/quota/VX-2/external-id/desk'),
    ]);
    await playScenario(world, {
      name: 'an external id that no namespace matches',
      ...ask('PUT /API/quota/VX-2/external-id/shelf'),
      status: 400,
      answers: { 'portico-error': 'bad-value' },
    });
    const ids = async (query: string) =>
      ((await got<{ rule?: readonly Rule[] }>(world, `GET /API/quota/${query}`)).rule ?? []).map(({ id }) => id);
    expect(await ids('')).toEqual(['VX-1', 'VX-2', 'VX-3']);
    expect(await ids('?exceeded=true')).toEqual(['VX-1']);
    expect(await ids('?filter=user=anna')).toEqual(['VX-1']);
    expect(await ids('?filter=group=crew,storage=VX-1')).toEqual(['VX-2']);
    expect(await ids('?filter=group=crew,storage=VX-9')).toEqual([]);
    expect(await ids('?first=2&number=1')).toEqual(['VX-2']);
    expect(await got(world, 'GET /API/quota/desk?content=external')).toMatchObject({
      externalId: [{ entityId: 'VX-2', externalId: 'desk', namespace: 'desks' }],
    });
    expect(await got(world, 'GET /API/quota/VX-2/external-id')).toMatchObject({
      id: [{ externalId: 'desk', namespace: 'desks' }],
    });
    expect(await got(world, 'GET /API/quota/VX-2')).not.toHaveProperty('externalId');
    await world.clock.advance(60_000);
    await playScenario(world, { name: 'evaluate', ...ask('PUT /API/quota/VX-3/evaluate'), status: 200 });
    await playScenario(world, { name: 'its older word', ...ask('PUT /API/quota/VX-2'), status: 200 });
    expect((await got(world, 'GET /API/quota/VX-3'))['lastUpdate']).toBe('2030-01-01T00:01:00.000+0000');
    await playScenario(world, {
      name: 'delete',
      ...ask('DELETE /API/quota/VX-1'),
      status: 200,
      events: [['quota/delete', 'VX-1', { ruleId: 'VX-1', itemLimit: 0, itemUsage: 1 }]],
    });
    await playScenario(world, {
      name: 'gone',
      ...ask('GET /API/quota/VX-1'),
      status: 404,
      says: { contains: ['quota-rule'] },
    });
  });

  it.each([
    ['without a resource', { user: 'anna' }, 400, 'at least one resource'],
    ['with a resource twice', { resource: limits(['item', 1], ['item', 2]) }, 400, 'each resource once'],
    ['with another resource', { resource: limits(['bytes', 1]) }, 400, 'bytes'],
    ['with a limit below zero', { resource: limits(['item', -1]) }, 400, 'a whole number from 0'],
    ['evaluated all the time', { resource: limits(['item', 1]), updateFrequency: 9 }, 400, 'at least 10 seconds'],
    ...['user', 'group', 'collection', 'library', 'storage', 'storageGroup', 'tag'].map(
      (name) =>
        [`of a ${name} that is not there`, { [name]: 'nobody', resource: limits(['item', 1]) }, 404, 'nobody'] as const,
    ),
  ] as const)('a rule %s is refused', async (_what, rule, status, says) => {
    const world = shared();
    await playScenario(world, { name: 'refused', ...make(rule), status, says: { contains: [says] } });
    expect(await got(world, 'GET /API/quota')).toEqual({});
  });

  it('count nothing in a collection or library that is closed to the caller', async () => {
    const world = await open(entry);
    const as = (request: string, body?: object) => ask(request, body, admin);
    const resource = limits(['item', 5]);
    await prepare(world, [as('POST /API/collection?name=box'), as('POST /API/library', { item: [] })]);
    const other = await world.send(make({ resource }));
    const { id } = JSON.parse(other.body) as Rule;
    for (const [kind, name] of [
      ['collection', 'VX-1'],
      ['library', 'VX*1'],
    ] as const) {
      const named = { resource, [kind]: name };
      for (const request of ['POST /API/quota', `PUT /API/quota/${id}`]) {
        const { status, body } = await world.send(ask(request, named));
        expect([request, status, body.includes('usage')]).toEqual([request, 403, false]);
      }
      await prepare(world, [as(`POST /API/${kind}/${name}/access`, { permission: 'READ', user: 'keeper' })]);
      expect((await world.send(ask('POST /API/quota', named))).status).toBe(200);
    }
  });

  it.each([
    ['a pair without a value', '?filter=user', 'filter'],
    ['a key that is none', '?filter=owner=anna', 'owner'],
    ['content that is none', '?content=all', 'content'],
  ])('a list with %s is refused', async (_what, query, says) => {
    const world = shared();
    await playScenario(world, {
      name: 'refused',
      ...ask(`GET /API/quota${query}`),
      status: 400,
      says: { contains: [says] },
    });
  });
});

describe('usage of quota rules', () => {
  it('is right in the next answer: items that come and go, and their owners', async () => {
    const world = await open();
    await prepare(world, [make({ group: 'crew', resource: limits(['item', 5]) }), placeholder(['anna', 'p'])]);
    const usage = async () => (await got(world, 'GET /API/quota/VX-1')).resource[0]!.usage;
    expect(await usage()).toBe(1);
    await prepare(world, [ask('DELETE /API/group/crew/user/anna', undefined, admin)]);
    expect(await usage()).toBe(0);
    await prepare(world, [ask('PUT /API/group/crew/user/anna', undefined, admin)]);
    expect(await usage()).toBe(1);
    await prepare(world, [ask('DELETE /API/item/VX-1', undefined, admin)]);
    expect(await usage()).toBe(0);
  });

  it('a rule tells once that a limit is nearly used and once that it is exceeded, and again only after it was less', async () => {
    const world = await open();
    await prepare(world, [make({ resource: limits(['item', 1]) })]);
    const before = await world.sequence();
    const step = async (...sent: readonly Sent[]) => {
      await prepare(world, sent);
      await world.service.tick();
      return names(world, before);
    };
    expect(await step(placeholder()), 'the limit itself').toEqual(['quota/near VX-1']);
    expect(await step(placeholder()), 'above').toEqual(['quota/near VX-1', 'quota/warning VX-1']);
    expect(await step(placeholder()), 'further above').toEqual(['quota/near VX-1', 'quota/warning VX-1']);
    await step(ask('DELETE /API/item/VX-1', undefined, admin), ask('DELETE /API/item/VX-2', undefined, admin));
    expect(await step(placeholder())).toEqual(['quota/near VX-1', 'quota/warning VX-1', 'quota/warning VX-1']);
    const [first] = (await world.events(before)).filter(({ name }) => name === 'quota/warning');
    expect(first!.payload).toEqual({ ruleId: 'VX-1', itemLimit: 1, itemUsage: 2 });
  });

  it('a rule that is above from the beginning warns, too', async () => {
    const world = await open();
    await prepare(world, [placeholder()]);
    const before = await world.sequence();
    await prepare(world, [make({ resource: limits(['item', 0]) })]);
    await world.service.tick();
    expect(await names(world, before)).toEqual(['quota/created VX-1', 'quota/warning VX-1']);
  });

  it('a rule is counted anew by itself, and keeps a point for each day', async () => {
    const world = await open();
    await prepare(world, [make({ resource: limits(['item', 9]), updateFrequency: 600 }), placeholder()]);
    for (let hour = 0; hour < 30; hour++) {
      await world.clock.advance(3_600_000);
      await world.service.tick();
    }
    await prepare(world, [placeholder()]);
    const { day } = await got<{ day: readonly object[] }>(world, 'GET /API/quota/VX-1/history');
    expect(day).toEqual([
      { date: '2030-01-01T00:00:00.000+0000', item: 1 },
      { date: '2030-01-02T00:00:00.000+0000', item: 1 },
    ]);
    expect((await got(world, 'GET /API/quota/VX-1'))['lastUpdate']).toBe('2030-01-02T06:00:00.000+0000');
  });

  it('a rule is replaced by a document, and counts what that says from then on', async () => {
    const world = await open();
    await prepare(world, [placeholder(), placeholder(['anna', 'p']), make({ resource: limits(['item', 9]) })]);
    await prepare(world, [ask('PUT /API/quota/VX-1', { user: 'anna', resource: limits(['item', 3]) })]);
    expect((await got(world, 'GET /API/quota/VX-1')).resource).toEqual([{ name: 'item', limit: 3, usage: 1 }]);
    await prepare(world, [placeholder(['anna', 'p'])]);
    expect((await got(world, 'GET /API/quota/VX-1')).resource).toEqual([{ name: 'item', limit: 3, usage: 2 }]);
  });

  it('`quota verify` finds a usage that is wrong, and the next count mends it', async () => {
    const world = await open();
    await prepare(world, [make({ resource: limits(['item', 9]) }), placeholder()]);
    const lines: string[] = [];
    const desk = { store: world.service.store, tell: (line: string) => lines.push(line) } as unknown as CommandContext;
    const verify = () => quotaCommands['quota verify']!.run({} as never, desk);
    await verify();
    await world.service.store.commit(
      { changes: [{ sql: 'UPDATE quota_rule SET items = items + 3', args: [] }], events: [] },
      { user: 'test' },
    );
    await expect(verify()).rejects.toThrow('1 of 1 differ');
    expect(lines).toEqual(['Counted 1 rules: all are as they should be', 'VX-1\t-3 items\t0 bytes']);
    await prepare(world, [ask('PUT /API/quota/VX-1/evaluate')]);
    await verify();
    expect(world.lines.find(({ event }) => event === 'quota-drift')).toMatchObject({ rule: 'VX-1', items: -3 });
  });
});
