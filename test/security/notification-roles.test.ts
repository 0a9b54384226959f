import { describe, expect, it } from 'vitest';
import { logAttempt } from '../../src/administration/notifications/attempts/store.ts';
import { places } from '../../src/administration/notifications/place.ts';
import { notificationRoutes } from '../../src/administration/notifications/routes.ts';
import { unmarked } from '../../src/http/opaque.ts';
import { newNotification, notificationDocument, onCreate } from '../administration/notifications/support.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { releaseRoles } from '../support/declared.ts';
import { describeMatrix, type Sent } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { nobody } from '../support/store.ts';
import { filled } from './roles/routes.ts';

/** A route below a place: whether it is for readers, and what a request to it says. */
interface Rule {
  readonly needs: 'read' | 'write';
  readonly target?: string;
  readonly body?: object;
}

const reads = { needs: 'read' } as const;
const writes = { needs: 'write' } as const;

const rules: Readonly<Record<string, Rule>> = {
  'GET ': reads,
  'POST ': { ...writes, body: {} },
  'DELETE ': writes,
  'GET /:notification': reads,
  'PUT /:notification': { ...writes, body: {} },
  'DELETE /:notification': writes,
  'GET /:notification/external-id': reads,
  'DELETE /:notification/external-id': writes,
  'PUT /:notification/external-id/:externalId': writes,
  'DELETE /:notification/external-id/:externalId': writes,
  'GET /:notification/secret': reads,
  'POST /:notification/secret': writes,
  'GET /:notification/health': reads,
  'POST /:notification/pause': writes,
  'POST /:notification/resume': writes,
  'GET /:notification/delivery': reads,
  'GET /:notification/delivery/:delivery': reads,
  'POST /:notification/delivery/:delivery/retry': writes,
  'GET /:notification/parked': reads,
  'DELETE /:notification/parked': writes,
  'DELETE /:notification/parked/:sequence': writes,
  'POST /:notification/parked/:sequence/retry': writes,
  'GET /:notification/replay': reads,
  'POST /:notification/replay': { ...writes, target: '?since=2030-01-01T00:00:00Z' },
  'DELETE /:notification/replay': writes,
  'POST /:notification/test': writes,
};

/** Middle part of the roles of each resource. The description gives the pattern. */
const roleOf: Readonly<Record<string, string>> = {
  '/item': 'item',
  '/collection': 'collection',
  '/job': 'job',
  '/storage/file': 'file',
  '/storage': 'storage',
  '/quota': 'quota',
  '/group': 'group',
  '/document': 'document',
  '/deletion-lock': 'deletion_lock',
  '/session': 'session',
  '/share': 'share',
  '/notification': 'placeholder',
};

const all = notificationRoutes({ settings: {}, entities: {} } as never)
  .flatMap((group) => group.make())
  .map((route) => ({ ...route, path: unmarked(route.path) }));

describe('the table of notification routes', () => {
  it('has every route, at every place', () => {
    const found = all.map(({ method, path }) => `${method} ${path}`);
    const known = places.flatMap(({ path }) => Object.keys(rules).map((route) => route.replace(' ', ` ${path}`)));
    expect(found.toSorted()).toEqual(known.toSorted());
    expect(new Set(found).size).toBe(found.length);
  });

  it('asks for what each route declares', () => {
    const declared = all.map(({ method, path, access }) => [`${method} ${path}`, access.needs.role]);
    const asked = places.flatMap(({ path, resource }) =>
      Object.entries(rules).map(([route, { needs }]) => [
        route.replace(' ', ` ${path}`),
        `_${roleOf[resource]}_notification_${needs}`,
      ]),
    );
    expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(declared));
  });

  it('asks for roles that the release has', () => {
    const roles = Object.values(roleOf).flatMap((role) => [
      `_${role}_notification_read`,
      `_${role}_notification_write`,
    ]);
    expect(roles.filter((role) => !releaseRoles.includes(role))).toEqual([]);
    expect([...new Set(places.map(({ resource }) => resource))].toSorted()).toEqual(Object.keys(roleOf).toSorted());
  });
});

const reader: Credentials = ['reader', 'p'];
const writer: Credentials = ['writer', 'p'];
const other: Credentials = ['other', 'p'];

describeMatrix('who may do what with notifications', (entry) => {
  it.each(places.map((at) => [at.path, at] as const))('%s', async (path, { resource }) => {
    const world = await entry.open();
    const own = roleOf[resource]!;
    const others = releaseRoles.filter(
      (role) => role !== '_administrator' && role !== '_runas' && !role.startsWith(`_${own}_notification_`),
    );
    await prepare(world, [
      newUser(reader, [`_${own}_notification_read`]),
      newUser(writer, [`_${own}_notification_write`]),
      newUser(other, others),
    ]);
    for (const [route, { needs, target = '', body }] of Object.entries(rules)) {
      const [method, rest] = route.split(' ') as [string, string];
      const request = `${method} /API${filled(`${path}${rest}`)}${target}`;
      const sent: Sent = { request, headers: { accept: 'application/json' }, ...(body && { body }) };
      const statuses: number[] = [];
      for (const as of [undefined, other, reader, writer, admin])
        statuses.push((await world.send({ ...sent, as })).status);
      const [stranger, wrong, read, write, all] = statuses;
      expect([request, stranger, wrong]).toEqual([request, 401, 403]);
      // Callers who may are told that the thing is missing, or that the document says nothing.
      expect([request, read === 403, write === 403, all === 403]).toEqual([
        request,
        needs === 'write',
        needs === 'read',
        false,
      ]);
    }
  });

  it('a caller who may read and not write is not told what an address answered, which that caller cannot choose either', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(reader, ['_group_notification_read']), newNotification(onCreate)]);
    const attempt = {
      notificationId: 'VX-1',
      sequence: 1,
      event: 'group/create',
      entityId: 'x',
      number: 1,
      started: 1,
      ended: 2,
    };
    const told = {
      state: 'failed',
      status: 403,
      error: 'http',
      address: 'http://10.0.0.1/',
      answer: 'of an inner service',
      says: 'Expected an address that PORTICO_OUTBOUND_ALLOW lists: "10.0.0.1"',
    } as const;
    await world.service.store.commit({ changes: [logAttempt({ ...attempt, ...told })], events: [] }, nobody);
    const ask = (as: Credentials) => world.send({ as, request: 'GET /API/group/notification/VX-1/delivery/1' });
    expect((await ask(admin)).body).toContain('of an inner service');
    const { status, body } = await ask(reader);
    expect([status, body]).toEqual([200, expect.not.stringContaining('of an inner service')]);
    expect(body).not.toContain('PORTICO_OUTBOUND_ALLOW');
    const health = { sql: `UPDATE queue SET state = 'disabled', reason = 'of an inner service'`, args: [] };
    await world.service.store.commit({ changes: [health], events: [] }, nobody);
    const healthFor = async (as: Credentials) =>
      (await world.send({ as, request: 'GET /API/group/notification/VX-1/health' })).body;
    expect(await healthFor(admin)).toContain('of an inner service');
    expect(await healthFor(reader)).not.toContain('of an inner service');
    const list = await world.send({ as: admin, request: 'GET /API/group/notification/VX-1/delivery' });
    expect(list.body).not.toContain('of an inner service');
    expect(list.body).not.toContain('PORTICO_OUTBOUND_ALLOW');
  });

  it('a caller who may write and not read cannot read what it wrote', async () => {
    const world = await entry.open();
    await prepare(world, [newGroup('crew'), newUser(writer, ['_group_notification_write']), newNotification(onCreate)]);
    const changed = await world.send({
      as: writer,
      request: 'PUT /API/group/notification/VX-1',
      body: notificationDocument(onCreate),
    });
    expect(changed.status).toBe(200);
    expect((await world.send({ as: writer, request: 'GET /API/group/notification/VX-1' })).status).toBe(403);
  });
});
