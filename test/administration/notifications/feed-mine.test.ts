import { beforeAll, describe, expect, it } from 'vitest';
import { ask, gives } from '../../assets/access/support.ts';
import { item, openSharedAssets } from '../../support/assets.ts';
import { newUser } from '../../support/cast.ts';
import { happened } from '../../support/declared.ts';
import { basic, openWorld, requestOf } from '../../support/matrix.ts';
import { send } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';

const vera: Credentials = ['vera', 'password of vera'];
const bare: Credentials = ['bare', 'password of bare'];
const nameless: Credentials = ['nameless', 'password of nameless'];

const job = (id: string, user: string) =>
  happened('job/update', id, { jobId: id, type: 'EXPORT', status: 'STARTED', user });

describe('GET /event?mine=true', () => {
  const world = openSharedAssets();

  beforeAll(async () => {
    for (const sent of [
      newUser(vera, ['_item_read', '_metadata_read', '_job_read', '_user_read', '_file_read']),
      newUser(nameless, ['_item_read']),
      newUser(bare),
      item({ title: 'zebra' }),
      item({ title: 'walrus' }),
      gives(admin, 'item/VX-1', { permission: 'READ', user: 'vera' }),
      gives(admin, 'item/VX-1', { permission: 'READ', user: 'nameless' }),
      gives(admin, 'item/VX-1', { permission: 'READ', user: 'bare' }),
    ])
      await send(world(), sent);
    const events = [job('VX-901', 'vera'), job('VX-902', 'admin')];
    await world().service.store.commit({ changes: [], events }, { user: 'test' });
  });

  const told = async (as: Credentials, query = '') =>
    (await send(world(), ask(as, `GET /API/event?mine=true&since=0&number=1000${query}`))).body;

  it('tells a caller without a role for events of the own jobs, and of items to read', async () => {
    expect((await world().send(ask(vera, 'GET /API/event'))).status).toBe(403);
    const body = await told(vera);
    expect(body).toMatch(/zebra/);
    expect(body).toMatch(/"entityType":"job","entityId":"VX-901"/);
  });

  it('reads what is closed: other items, other jobs, other users and files, also by roles for them', async () => {
    const body = await told(vera);
    expect(body).not.toMatch(/walrus|"(?:item)","entityId":"VX-2"|VX-902|"user":"bare"|"entityId":"nameless"/);
  });

  it('reads items without the role for items, and values without the role for metadata', async () => {
    expect(await told(bare)).not.toMatch(/"entityType":"item"/);
    const body = await told(nameless);
    expect(body).toMatch(/"entityType":"item","entityId":"VX-1"/);
    expect(body).not.toContain('zebra');
  });

  it('is narrow for administrators, too', async () => {
    const body = await told(admin);
    expect(body).toMatch(/zebra[\s\S]*walrus/);
    expect(body).toContain('VX-902');
    expect(body).not.toContain('VX-901');
  });

  it('is narrowed by name, kind and entity', async () => {
    const kinds = async (query: string) => {
      const { event = [] } = JSON.parse(await told(vera, query)) as { event?: { name: string; entityId: string }[] };
      return [...new Set(event.map(({ name, entityId }) => `${name} ${entityId}`))];
    };
    expect(await kinds('&name=job/update')).toEqual(['job/update VX-901']);
    expect(await kinds('&entityType=job&entity=VX-901')).toEqual(['job/update VX-901']);
    expect(await kinds('&entityType=job&entity=VX-1')).toEqual([]);
  });

  it('begins with the newest event unless the caller says since when', async () => {
    const { newest, event } = JSON.parse((await send(world(), ask(vera, 'GET /API/event?mine=true'))).body);
    expect([typeof newest, event ?? []]).toEqual(['number', []]);
  });
});

describe('progress of running jobs', () => {
  const far = (user: string, serial: number) => [
    `INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, total_steps, step, step_status, steps_begun, attempt, failures, instance, lease_until, fence, actor, notification_data)
      VALUES ('VX-${serial}', ${serial}, 'TRANSCODE', 'STARTED', 2, '${user}', '[]', '{}', 0, 3, 200, 'STARTED', 2, 0, 0, 'elsewhere', 9e15, 1, '{}', '[]')`,
    `INSERT INTO job_task (job_id, step, attempt, status, timestamp, description, progress, progress_total, unit, said)
      VALUES ('VX-${serial}', 200, 0, 'STARTED', 0, 'Transcoding', 22, 100, 'percent', '[]')`,
  ];

  async function open(query = '') {
    const world = await openWorld('fetch');
    await prepare(world, [newUser(bare)]);
    const sql = (...statements: string[]) =>
      world.service.store.commit(
        { changes: statements.map((text) => ({ sql: text, args: [] })), events: [] },
        { user: 'test' },
      );
    await sql(...far('bare', 901), ...far('admin', 902));
    const headers = { accept: 'text/event-stream', authorization: basic(bare) };
    const request = `GET /API/event?mine=true${query}`;
    const { body } = await world.service.fetch(requestOf('http://portico.test', { request, headers }));
    const reader = body!.getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    await next();
    return { world, sql, next, end: () => reader.cancel() };
  }

  it('is told once a second at most, of own jobs alone, when it changes, and is not kept', async () => {
    const { world, sql, next, end } = await open();
    const first = next();
    await world.clock.advance(1_000);
    expect(await first).toMatch(/^event: job\/progress\ndata: \{.*"entityId":"VX-901".*\}\n\n$/);
    expect(await first).toContain('{"key":"progress","value":"22"}');
    expect(await first).not.toMatch(/VX-902|^id:/m);
    const second = next();
    await world.clock.advance(3_000);
    await sql("UPDATE job_task SET progress = 23 WHERE job_id = 'VX-901'", 'UPDATE job_task SET progress = 24');
    await world.clock.advance(1_000);
    expect((await second).match(/^event: job/gm)).toHaveLength(1);
    expect(await second).toContain('{"key":"progress","value":"24"}');
    await end();
    const { body } = await world.send(ask(bare, 'GET /API/event?mine=true&since=0&name=job/progress'));
    expect(body).not.toContain('VX-901');
  });

  it('is left out by a name of other events', async () => {
    const { world, next, end } = await open('&name=job/update');
    const first = next();
    await world.clock.advance(16_000);
    expect(await first).toBe(':\n\n');
    await end();
  });
});
