import { beforeAll, describe, expect, it } from 'vitest';
import { ask, gives } from '../../assets/access/support.ts';
import { item, newCollection, openSharedAssets } from '../../support/assets.ts';
import { newUser } from '../../support/cast.ts';
import { type EventName, events, type Happening, happened } from '../../support/declared.ts';
import { useFile } from '../../support/files.ts';
import { basic, requestOf } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, givenTo, storageRows } from '../../support/world.ts';

const all: Credentials = ['all', 'password of all'];

/** VX-1 is open to ben but for its title, VX-2 is closed; of the collections VX-1 is open. */
describe('the feed of events', () => {
  const world = openSharedAssets();

  beforeAll(async () => {
    for (const sent of [
      ...givenTo('access'),
      newUser(all, ['_event_read', '_event_read_all']),
      by('PUT /API/group/_event_read/user/ben'),
      by('PUT /API/group/_event_read/user/ann'),
      by('PUT /API/metadata-field/x_note', { type: 'string' }),
      item({ title: 'zebra', x_note: 'open' }),
      item({ title: 'walrus', x_note: 'quartz' }),
      newCollection('?name=meadow'),
      newCollection('?name=lantern'),
      gives(admin, 'item/VX-1', { permission: 'READ', user: 'ben' }),
      gives(admin, 'item/VX-1', { permission: 'NONE', user: 'ben', operation: { metadata: { field: 'title' } } }),
      gives(admin, 'collection/VX-1', { permission: 'READ', user: 'ben' }),
      by('POST /API/item/VX-2/deletion-lock', { expiryTime: '2031-01-01T00:00:00Z' }),
    ])
      await send(world(), sent);
  });

  const told = async (as: Credentials, query = '?number=1000') =>
    (await send(world(), ask(as, `GET /API/event${query}`))).body;

  it('tells nothing of items and collections that the caller may not read', async () => {
    const body = await told(ben);
    expect(body).not.toMatch(/walrus|quartz|lantern|"(?:item|collection)","entityId":"VX-2"/);
    expect(body).not.toContain('deletionLock');
    expect(body).toMatch(/"entityId":"VX-1"/);
    expect(body).toContain('open');
  });

  it('tells no value of a field that is closed on an item, in a page and in a stream', async () => {
    expect(await told(ben)).not.toContain('zebra');
    const headers = { accept: 'text/event-stream', authorization: basic(ben) };
    const { body } = await world().service.fetch(
      requestOf('http://portico.test', { request: 'GET /API/event', headers }),
    );
    const reader = body!.getReader();
    let text = '';
    while (!text.includes('"open')) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    expect(text).not.toMatch(/zebra|walrus|lantern/);
  });

  it('tells everything to administrators and to holders of the role for that', async () => {
    for (const as of [admin, all]) expect(await told(as)).toMatch(/zebra[\s\S]*walrus/);
  });

  it('tells names of items where asked, and only those that the caller may read', async () => {
    for (const as of [admin, all, ben]) expect(await told(as)).not.toContain('itemName');
    const named = '?number=1000&itemName=true';
    expect(await told(admin, named)).toMatch(/"itemName","value":"zebra"[\s\S]*"itemName","value":"walrus"/);
    for (const as of [all, ben]) expect(await told(as, named)).not.toContain('itemName');
    await send(world(), by('PUT /API/metadata-field/x_note', { type: 'string' }));
    await send(world(), by('PUT /API/configuration/properties', { key: 'displayNameFields', value: 'title,x_note' }));
    expect(await told(ben, named)).toContain('"itemName","value":"open"');
    expect(await told(ben, named)).not.toMatch(/zebra|walrus|quartz/);
  });

  it('says how far a page looked, so that nobody waits behind events that are not told', async () => {
    const { newest } = JSON.parse(await told(all)) as { newest: number };
    const page = JSON.parse(await told(ann)) as { until: number; event?: { entityType: string }[] };
    expect(page.until).toBe(newest);
    expect(page.event!.some(({ entityType }) => entityType === 'item')).toBe(false);
    const first = JSON.parse(await told(ben, '?number=1')) as { until: number; event: { sequence: number }[] };
    expect(first.until).toBe(first.event[0]!.sequence);
  });
});

/** Events of what has no access entries, and the role of those who read it. */
const byRole: readonly (readonly [role: string, event: Happening])[] = [
  ['_user_read', happened('user/modify', 'cat', { user: 'cat', changed: ['realName'] })],
  ['_group_read', happened('group/modify', 'crew', { group: 'crew', mode: 'ADD', affectedUser: 'cat' })],
  ['_job_read', happened('job/update', 'VX-901', { jobId: 'VX-901', type: 'EXPORT', status: 'STARTED', user: 'cat' })],
  ['_storage_read', happened('storage/create', 'VX-91', { storageId: 'VX-91' })],
  ['_file_read', happened('file/new', 'VX-92', { fileId: 'VX-92', storageId: 'VX-91' })],
  ['_document_read', happened('document/create', 'paper', { document: 'paper' })],
  ['_quota_read', happened('quota/created', 'VX-93', { ruleId: 'VX-93' })],
  ['_configuration_read', happened('configuration/modify', 'cors', { name: 'cors' })],
  ['_job_notification_read', happened('notification/recovered', 'VX-1', { notificationId: 'VX-1' })],
];

/** Events that no role tells: those of another user's logins and links, and of machines. */
const hidden: readonly Happening[] = [
  happened('login/new', 'cat', { user: 'cat' } as never),
  happened('share/create', 'VX-94', { share: 'VX-94', targetType: 'library', targetId: 'VX-95' }),
  happened('runner/create', 'VX-96', { runner: 'VX-96', name: 'box' }),
  happened('access/grant', 'VX-97', { type: 'collection', id: 'VX-97', permission: 'READ', user: 'cat' }),
  happened('mail/confirm', 'VX-98', { user: 'cat' }),
];

/** ben may read item VX-1, which has file VX-1, and not item VX-2, which has file VX-2. No item has file VX-3. */
describe('the feed of events: what has no access entries', () => {
  const world = openSharedAssets();
  const told = async (as: Credentials) =>
    (JSON.parse((await send(world(), ask(as, 'GET /API/event?number=1000'))).body) as { event?: FeedEvent[] }).event ??
    [];
  const commit = (...happenings: readonly Happening[]) =>
    world().service.store.commit({ changes: [], events: happenings }, { user: 'test' });
  const named = (
    events: readonly FeedEvent[],
    { name, entityId }: { readonly name: string; readonly entityId: string },
  ) => events.filter((each) => each.name === name && each.entityId === entityId);
  const fileEvent = (id: string) => happened('file/change', id, { fileId: id, storageId: 'VX-1' });

  beforeAll(async () => {
    const hook = { action: { http: { url: 'http://hooks.example/in' } }, trigger: { job: { stop: '' } } };
    for (const sent of [
      ...givenTo('access'),
      newUser(all, ['_event_read', '_event_read_all']),
      by('PUT /API/group/_event_read/user/ben'),
      item({ title: 'zebra' }),
      item({ title: 'walrus' }),
      gives(admin, 'item/VX-1', { permission: 'READ', user: 'ben' }),
      by('POST /API/job/notification', hook),
    ])
      await send(world(), sent);
    await storageRows(world());
    for (const name of ['a', 'b', 'c'])
      await send(world(), by(`POST /API/storage/VX-1/file?path=${name}.mov&state=CLOSED`));
    await useFile(world(), 'VX-1', 'VX-1 VX-7 VX-8');
    await useFile(world(), 'VX-2', 'VX-2 VX-9 VX-10');
    for (const id of ['VX-1', 'VX-2', 'VX-3'])
      await send(world(), by(`POST /API/file/${id}/deletion-lock`, { expiryTime: '2031-01-01T00:00:00Z' }));
    await commit(...byRole.map(([, event]) => event), ...['VX-1', 'VX-2', 'VX-3'].map(fileEvent));
  });

  it('has a rule for the events of each kind of entity', () => {
    const tried = new Set([
      ...['item', 'collection', 'deletion-lock', ...byRole.map(([, { entityType }]) => entityType)],
      ...hidden.map(({ entityType }) => entityType),
    ]);
    const kinds = Object.keys(events).map((name) => happened(name as EventName, 'VX-1', {} as never).entityType);
    expect([...new Set(kinds)].filter((kind) => !tried.has(kind))).toEqual([]);
  });

  it.each(hidden)('tells nobody by a role of entities of $entityType', async (event) => {
    const reader: Credentials = [`reader-of-${event.entityType}`, 'p'];
    const roles = ['_event_read', '_share_read', '_share_write', '_runner', ...byRole.map(([role]) => role)];
    await send(world(), newUser(reader, roles));
    await commit(event);
    expect(named(await told(reader), event)).toEqual([]);
    expect(named(await told(all), event).length).toBeGreaterThan(0);
  });

  it.each(byRole)('tells nobody without the role %s of them', async (role, event) => {
    const reader: Credentials = [`reader-${role}`, 'p'];
    const others = byRole.map(([each]) => each).filter((each) => each !== role);
    await send(world(), newUser(reader, ['_event_read', ...others]));
    expect(named(await told(reader), event)).toEqual([]);
    await send(world(), by(`PUT /API/group/${role}/user/${reader[0]}`));
    expect(named(await told(reader), event).length).toBeGreaterThan(0);
    expect(named(await told(all), event).length).toBeGreaterThan(0);
  });

  it('tells everybody of their own jobs and of their own account', async () => {
    const job = { jobId: 'VX-902', type: 'EXPORT', status: 'STARTED', user: 'ben' };
    const [own, account] = [
      happened('job/update', 'VX-902', job),
      happened('user/modify', 'ben', { user: 'ben', changed: ['realName'] }),
    ];
    await commit(own, account);
    const events = await told(ben);
    expect([named(events, own).length, named(events, account).length]).toEqual([1, 1]);
  });

  it('tells of files as far as the caller may read an item that uses them', async () => {
    const seen = (events: readonly FeedEvent[]) =>
      ['VX-1', 'VX-2', 'VX-3'].filter((id) => named(events, fileEvent(id)).length > 0);
    expect([seen(await told(ben)), seen(await told(all))]).toEqual([['VX-1'], ['VX-1', 'VX-2', 'VX-3']]);
  });

  it('tells of locks on files by the same rule, with the role for locks', async () => {
    const seen = async (as: Credentials) =>
      (await told(as))
        .filter(({ name }) => name === 'deletionLock/create')
        .map(({ data }) => data.find(({ key }) => key === 'entityId')!.value);
    expect(await seen(ben)).toEqual([]);
    await send(world(), by('PUT /API/group/_deletion_lock_read/user/ben'));
    expect(await seen(ben)).toEqual(['VX-1']);
    const keeper: Credentials = ['keeper', 'p'];
    await send(world(), newUser(keeper, ['_event_read', '_deletion_lock_read', '_file_read']));
    expect(await seen(keeper)).toEqual(['VX-1', 'VX-2', 'VX-3']);
  });
});

interface FeedEvent {
  readonly name: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly data: readonly { readonly key: string; readonly value: string }[];
}
