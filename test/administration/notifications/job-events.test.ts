import { expect, it } from 'vitest';
import { alice, newUser } from '../../support/cast.ts';
import { testClock } from '../../support/clock.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { describeMatrix, type Entry, type Sent } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { fakeNet, within } from '../../support/receiver.ts';
import { type ExpectedEvent, itHolds, playScenario, prepare, type Scenario } from '../../support/scenario.ts';
import { admin, type ServiceOptions } from '../../support/service.ts';
import { newNotification, waiting } from './support.ts';

/** The deletion of a user for good is the one job that there is. */
const deletion = (query = ''): Pick<Scenario, 'as' | 'request' | 'headers'> => ({
  as: admin,
  request: `DELETE /API/user/alice?hard=true${query}`,
  headers: { accept: 'application/json' },
});

const job = { jobId: 'VX-1', type: 'DELETE_USER', user: 'admin', started: Date.UTC(2030, 0) };

const eventsWith = (says: object = {}): readonly ExpectedEvent[] => [
  ['job/create', 'VX-1', { ...job, status: 'READY', ...says }],
  ['user/delete', 'alice'],
  ['job/update', 'VX-1', { ...job, status: 'FINISHED', ...says }],
  ['job/stop', 'VX-1', { ...job, status: 'FINISHED', ...says }],
  ['job/finished', 'VX-1', { ...job, status: 'FINISHED', ...says }],
];

const jobNotification = (trigger: object) => newNotification({ job: trigger }, {}, '/job');
const placeholder = newNotification(undefined, {}, '');
const olderPlaceholder = jobNotification({ finished: '', placeholder: true });
const stillThere = { as: admin, request: 'GET /API/user/alice' };

const done: readonly Scenario[] = [
  {
    name: 'a job tells of its creation and its end in the commit of what it does, under the id that is answered',
    ...deletion(),
    status: 200,
    says: { jsonPart: { jobId: 'VX-1', type: 'DELETE_USER', user: 'admin', status: 'FINISHED' } },
    events: eventsWith(),
  },
  {
    name: 'tells the data that the job was started with, a key as often as it was given',
    ...deletion('&jobmetadata=origin%3Ddesk&jobmetadata=origin=gate=2&jobmetadata=empty='),
    status: 200,
    events: eventsWith({
      data: [
        ['origin', 'desk'],
        ['origin', 'gate=2'],
        ['empty', ''],
      ],
    }),
  },
  {
    name: 'takes a placeholder, and what is to be told there',
    given: [placeholder],
    ...deletion('&notification=VX-1&notificationData=ticket%3D4711&notificationData=url=http://a/?b'),
    status: 200,
    events: eventsWith({
      notification: 'VX-1',
      notificationData: [
        ['ticket', '4711'],
        ['url', 'http://a/?b'],
      ],
    }),
  },
  {
    name: 'takes a placeholder of the older kind, also written twice',
    given: [olderPlaceholder],
    ...deletion('&notification=%20VX-1&notification=VX-1&notification='),
    status: 200,
    events: eventsWith({ notification: 'VX-1' }),
  },
  {
    name: 'takes blank parameters for none',
    ...deletion('&notification=&notificationData='),
    status: 200,
    events: eventsWith(),
  },
  {
    name: 'says nothing of a placeholder where no job is started',
    as: admin,
    request: 'DELETE /API/user/alice?notification=VX-9&notificationData=x',
    status: 200,
    events: [['user/modify', 'alice']],
  },
];

const bad = (id: string, value: string) => ({ jsonPart: { invalidInput: { context: 'parameter', id, value } } });

const refused: readonly Scenario[] = [
  {
    name: 'refuses a placeholder that is not there',
    ...deletion('&notification=VX-9'),
    status: 404,
    answers: { 'portico-error': 'no-such-entity' },
    says: {
      jsonPart: { notFound: { type: 'Notification', id: 'VX-9', context: 'parameter notification' } },
    },
  },
  {
    name: 'refuses a placeholder that was deleted while something waited for it',
    given: [
      placeholder,
      newUser(['bob', 'p']),
      { as: admin, request: 'DELETE /API/user/bob?hard=true&notification=VX-1' },
      { as: admin, request: 'DELETE /API/notification/VX-1' },
    ],
    ...deletion('&notification=VX-1'),
    status: 404,
  },
  {
    name: 'refuses a list of placeholders: there is one for a job',
    given: [placeholder, placeholder],
    ...deletion('&notification=VX-1&notification=VX-2'),
    status: 400,
    says: bad('notification', 'VX-2'),
  },
  ...[
    ['a job notification that fires by itself', jobNotification({ stop: '' })] as const,
    ['a notification of a group', newNotification({ group: { create: '' } })] as const,
    ['what is told of notifications themselves', newNotification({ notification: { paused: '' } }, {}, '')] as const,
  ].map(([what, given]) => ({
    name: `refuses what is no placeholder: ${what}`,
    given: [given],
    ...deletion('&notification=VX-1'),
    status: 400,
    answers: { 'portico-error': 'bad-parameter' },
    says: bad('notification', 'VX-1'),
  })),
  ...['ticket', '=4711'].map((text) => ({
    name: `refuses data that is no pair: ${text}`,
    ...deletion(`&notificationData=${encodeURIComponent(text)}`),
    status: 400,
    answers: { 'portico-error': 'bad-parameter' },
    says: bad('notificationData', text),
  })),
];

const type = (name: string) => ({ filter: { type: [name] } });
const jobdata = (pair: object) => ({ filter: { jobdata: pair } });

/** Triggers, and the job events that wait for the notification after alice was deleted. */
const fires: readonly (readonly [what: string, trigger: object, query: string, told: readonly string[]])[] = [
  ['create', { create: '' }, '', ['job/create']],
  ['update', { update: '' }, '', ['job/update']],
  ['stop', { stop: '' }, '', ['job/stop']],
  ['finished', { finished: '' }, '', ['job/finished']],
  ['fail', { fail: '' }, '', []],
  ['a type', { stop: '', ...type('DELETE_USER') }, '', ['job/stop']],
  ['one of several types', { stop: '', ...type('IMPORT,DELETE_USER') }, '', ['job/stop']],
  ['another type', { stop: '', ...type('IMPORT') }, '', []],
  ['a step, of which this job has none', { stop: '', filter: { step: '1' } }, '', []],
  ['data', { stop: '', ...jobdata({ key: 'origin', value: 'desk' }) }, '&jobmetadata=origin=desk', ['job/stop']],
  ['other data', { stop: '', ...jobdata({ key: 'origin', value: 'desk' }) }, '&jobmetadata=origin=gate', []],
  [
    'data by pattern',
    { stop: '', ...jobdata({ 'key-regex': 'o.*', 'value-regex': 'desk-\\d' }) },
    '&jobmetadata=origin=desk-7',
    ['job/stop'],
  ],
  ['data, but not of the notification', { stop: '', ...jobdata({ key: 'k' }) }, '&notificationData=k=v', []],
  ['a placeholder whose id was not named', { stop: '', placeholder: true }, '', []],
  ['a placeholder whose id was named', { stop: '', placeholder: true }, '&notification=VX-1', ['job/stop']],
  ['another one', { stop: '', placeholder: true }, '&notification=VX-2', []],
];

/** A service whose network and time belong to the test, and with alice. */
async function open(entry: Entry, more: ServiceOptions = {}) {
  const clock = testClock();
  const net = fakeNet(clock);
  const world = await entry.open({ ...more, clock, wire: net.wire });
  await prepare(world, [newUser(alice)]);
  return { ...world, net };
}

/** Deletes alice, and gives what left for receivers. */
async function sentBy(entry: Entry, given: readonly Sent[], query: string) {
  const world = await open(entry);
  await prepare(world, [...given, deletion(query)]);
  await within(world, 60_000);
  return world.net.sent.map(({ body }) => JSON.parse(body));
}

const field = (pairs: Readonly<Record<string, string>>) => ({
  field: Object.entries(pairs).map(([key, value]) => ({ key, value })),
});
const started = '2030-01-01T00:00:00.000Z';
const general = { jobId: 'VX-1', status: 'FINISHED', type: 'DELETE_USER', user: 'admin', started };

describeMatrix('jobs and their notifications', (entry) => {
  itHolds(entry, done, { given: [newUser(alice)] });

  for (const row of refused) {
    it(`${row.name}, and deletes nobody`, async () => {
      const world = await entry.open();
      await prepare(world, [newUser(alice)]);
      await playScenario(world, row);
      expect((await world.send(stillThere)).status).toBe(200);
    });
  }

  it.each(fires)('%s', async (_what, trigger, query, expected) => {
    const world = await entry.open();
    await prepare(world, [newUser(alice), jobNotification(trigger), olderPlaceholder, deletion(query)]);
    const ours = (await waiting(world)).filter((row) => row.startsWith('VX-1 '));
    expect(ours).toEqual(expected.map((event) => `VX-1 ${event} VX-1`));
  });

  it('tells receivers one after the other, with what is known of the job, and no key that could pass for ours', async () => {
    const every = jobNotification({ create: '', update: '', stop: '', finished: '', fail: '' });
    expect(await sentBy(entry, [every], '&jobmetadata=origin=desk')).toEqual([
      field({ action: 'CREATE', ...general, status: 'READY', origin: 'desk', sequenceNumber: '0' }),
      field({ action: 'UPDATE', ...general, origin: 'desk', sequenceNumber: '0' }),
      field({ action: 'STOP', ...general, origin: 'desk', sequenceNumber: '0' }),
      field({ action: 'FINISHED', ...general, origin: 'desk', sequenceNumber: '0' }),
    ]);
  });

  it('tells a placeholder of the end of each job that names it, and what was given for it', async () => {
    const others = [newUser(['bob', 'p']), newUser(['carl', 'p'])];
    const bob = { as: admin, request: 'DELETE /API/user/bob?hard=true&notification=VX-1' };
    const carl = { as: admin, request: 'DELETE /API/user/carl?hard=true' };
    const given = [placeholder, ...others, bob, carl];
    expect(await sentBy(entry, given, '&notification=VX-1&notificationData=ticket=4711')).toEqual([
      field({ action: 'STOP', ...general, sequenceNumber: '0' }),
      field({ action: 'STOP', ...general, jobId: 'VX-3', ticket: '4711', sequenceNumber: '0' }),
    ]);
  });

  it('leaves out what the content filters do not name', async () => {
    const filtered = jobNotification({ stop: '', contentFilters: { contentFilter: ['jobId', 'jobState'] } });
    expect(await sentBy(entry, [filtered], '&jobmetadata=origin=desk&notificationData=ticket=4711')).toEqual([
      field({ action: 'STOP', jobId: 'VX-1', status: 'FINISHED', ticket: '4711', sequenceNumber: '0' }),
    ]);
  });

  it('asks the receivers that are told of its creation before the commit, and deletes nobody when it is refused', async () => {
    const world = await open(entry);
    await prepare(world, [newNotification({ job: { create: '' } }, { synchronous: true }, '/job')]);
    world.net.answer = () => 403;
    await playScenario(world, {
      name: 'a veto',
      ...deletion(),
      status: 400,
      answers: { 'portico-error': 'vetoed' },
    });
    expect((await world.send(stillThere)).status).toBe(200);
    world.net.answer = () => 200;
    expect((await world.send(deletion())).status).toBe(200);
  });

  it.each([
    ['is deleted', { as: admin, request: 'DELETE /API/job/notification/VX-1' }, 404],
    ['becomes an ordinary one', { ...jobNotification({ stop: '' }), request: 'PUT /API/job/notification/VX-1' }, 400],
    [
      'is changed and stays one',
      { ...jobNotification({ stop: '', placeholder: true }), request: 'PUT /API/job/notification/VX-1' },
      200,
    ],
  ])('decides again when the placeholder %s by another instance meanwhile', async (_what, meanwhile, expected) => {
    const database = faultyDatabase(await migratedDatabase());
    const world = await open(entry, { database });
    // The first job takes a block of serials, so that the next write is the commit.
    await prepare(world, [olderPlaceholder, newUser(['bob', 'p'])]);
    await prepare(world, [{ as: admin, request: 'DELETE /API/user/bob?hard=true&notification=VX-1' }]);
    database.beforeNextWrite(() => prepare(world, [meanwhile]));
    expect((await world.send(deletion('&notification=VX-1'))).status).toBe(expected);
    expect((await world.send(stillThere)).status).toBe(expected === 200 ? 404 : 200);
    const events = (await world.events()).filter(({ entity }) => entity === 'VX-2').map(({ name }) => name);
    expect(events).toEqual(expected === 200 ? ['job/create', 'job/update', 'job/stop', 'job/finished'] : []);
  });
});
