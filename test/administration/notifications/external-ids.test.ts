import { expect, it } from 'vitest';
import { describeMatrix, type Sent } from '../../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { newNotification, onCreate } from './support.ts';

const json = { accept: 'application/json' };
const base = '/API/group/notification';
const ask = (request: string): Sent => ({ as: admin, request, headers: json });
const name = (id: string, external: string): Sent =>
  ask(`PUT ${base}/${id}/external-id/${encodeURIComponent(external)}`);
const listed = (...names: string[]) => ({
  id: names.map((externalId) => ({ entityId: 'VX-1', entityType: 'notification', externalId })),
});

const rows: readonly Scenario[] = [
  { name: 'lists none at first', ...ask(`GET ${base}/VX-1/external-id`), status: 200, says: { json: { id: [] } } },
  { name: 'gives one that a path can carry', ...name('VX-1', 'desk mam:1'), status: 200, says: { exact: '' } },
  {
    name: 'lists what was given, each once',
    given: [name('VX-1', 'b'), name('VX-1', 'a'), name('VX-1', 'b')],
    ...ask(`GET ${base}/VX-1/external-id`),
    status: 200,
    says: { json: listed('a', 'b') },
  },
  {
    name: 'refuses one that another notification has, also elsewhere',
    given: [newNotification({ job: { stop: '' } }, {}, '/job'), name('VX-1', 'mine')],
    ...ask('PUT /API/job/notification/VX-3/external-id/mine'),
    status: 409,
    answers: { 'portico-error': 'already-exists' },
  },
  { name: 'takes an id of another site', ...name('VX-1', 'KP-7'), status: 200 },
  { name: 'refuses one that is the id of another one', ...name('VX-1', 'VX-2'), status: 400 },
  { name: 'takes a uuid', ...name('VX-1', '0e3c0b2a-1f6f-4c1e-9c57-0a1b2c3d4e5f'), status: 200 },
  { name: 'refuses one that is too long', ...name('VX-1', 'x'.repeat(256)), status: 400 },
  { name: 'takes one away', given: [name('VX-1', 'a')], ...ask(`DELETE ${base}/VX-1/external-id/a`), status: 200 },
  { name: 'does not take away what is not there', ...ask(`DELETE ${base}/VX-1/external-id/a`), status: 404 },
  {
    name: 'does not take away what another one has',
    given: [name('VX-2', 'a')],
    ...ask(`DELETE ${base}/VX-1/external-id/a`),
    status: 404,
  },
  {
    name: 'finds a notification by it',
    given: [name('VX-1', 'mine')],
    ...ask(`GET ${base}/mine`),
    status: 200,
    says: { jsonPart: { trigger: onCreate } },
  },
  {
    name: 'finds it only where it is registered',
    given: [name('VX-1', 'mine')],
    ...ask('GET /API/job/notification/mine'),
    status: 404,
  },
  { name: 'knows none of what is not there', ...ask(`GET ${base}/VX-9/external-id`), status: 404 },
];

describeMatrix('external ids of notifications', (entry) => {
  itHolds(entry, rows, { given: [newNotification(onCreate), newNotification(onCreate)] });

  it('takes all away at once, and with the notification', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate), newNotification(onCreate)]);
    await prepare(world, [
      name('VX-1', 'a'),
      name('VX-1', 'b'),
      ask(`DELETE ${base}/VX-1/external-id`),
      name('VX-2', 'a'),
    ]);
    expect((await world.send(ask(`GET ${base}/VX-1/external-id`))).body).toBe('{"id":[]}');
    await prepare(world, [ask(`DELETE ${base}/VX-2`), name('VX-1', 'a')]);
    expect(JSON.parse((await world.send(ask(`GET ${base}/VX-1/external-id`))).body)).toEqual(listed('a'));
  });

  it('has room for a hundred', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    await prepare(
      world,
      Array.from({ length: 100 }, (_, index) => name('VX-1', `n${index}`)),
    );
    expect((await world.send(name('VX-1', 'one more'))).status).toBe(403);
    expect((await world.send(name('VX-1', 'n5'))).status).toBe(403);
  });
});
