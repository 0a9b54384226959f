import { beforeAll, describe, expect, it } from 'vitest';
import { ann, ask, ben, gives, people } from '../assets/access/support.ts';
import { by, newCollection, send } from '../assets/asset-support.ts';
import { item, openSharedAssets } from '../search/search-support.ts';
import { newUser } from '../support/cast.ts';
import { basic, requestOf } from '../support/matrix.ts';
import { admin, type Credentials } from '../support/service.ts';

const all: Credentials = ['all', 'password of all'];

/** VX-1 is open to ben but for its title, VX-2 is closed; of the collections VX-1 is open. */
describe('the feed of events', () => {
  const world = openSharedAssets();

  beforeAll(async () => {
    for (const sent of [
      ...people,
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
  }, 60_000);

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

  it('says how far a page looked, so that nobody waits behind events that are not told', async () => {
    const { newest } = JSON.parse(await told(all)) as { newest: number };
    const page = JSON.parse(await told(ann)) as { until: number; event?: { entityType: string }[] };
    expect(page.until).toBe(newest);
    expect(page.event!.some(({ entityType }) => entityType === 'item')).toBe(false);
    const first = JSON.parse(await told(ben, '?number=1')) as { until: number; event: { sequence: number }[] };
    expect(first.until).toBe(first.event[0]!.sequence);
  });
});
