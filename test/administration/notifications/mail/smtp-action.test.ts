import { describe, expect, it } from 'vitest';
import { newUser } from '../../../support/cast.ts';
import { openMailServer } from '../../../support/mail-server.ts';
import { describeMatrix, openWorld, type World } from '../../../support/matrix.ts';
import { by, json, jsonOf, rowsOf } from '../../../support/requests.ts';
import { itHolds, prepare, type Scenario } from '../../../support/scenario.ts';
import { mailSettings } from './support.ts';

const path = '/API/group/notification';
const mails = (smtp: object, trigger: object = { group: { create: '' } }) => ({
  action: { smtp: { to: 'desk@example.com', ...smtp } },
  trigger,
});
const register = (smtp: object, more: object = {}) => ({ ...by(`POST ${path}`, mails(smtp)), ...more });
const newGroup = by('PUT /API/group/crew', {});

async function openWith(port: number, settings: object = {}): Promise<World> {
  return openWorld('fetch', { settings: { ...mailSettings(port), ...settings } });
}

const keeper = newUser(['keeper', 'p'], ['_group_notification_read', '_group_notification_write']);
const refused = (name: string, smtp: object, says: string): Scenario => ({
  name,
  ...register(smtp),
  status: 400,
  says: { contains: [says] },
});

describeMatrix('a notification by mail', (entry) => {
  const rows: readonly Scenario[] = [
    {
      name: 'is stored with its server, whose password is masked',
      given: [register({ subject: 'New group', url: 'smtp://ann:secret@mail.example.com:2525' })],
      ...by(`GET ${path}/VX-1`),
      status: 200,
      says: {
        jsonPart: { action: { smtp: { to: 'desk@example.com', url: 'smtp://***:***@mail.example.com:2525' } } },
        lacks: ['secret'],
      },
    },
    {
      name: 'is for administrators to set',
      given: [keeper],
      ...register({}, { as: ['keeper', 'p'] }),
      status: 403,
      says: { contains: ['Expected an administrator: nobody else sets receivers of mail'] },
    },
    refused('goes to an address', { to: 'desk' }, 'Expected an address of mail such as ann@example.com'),
    refused('has a subject of one line at most', { subject: 'x'.repeat(201) }, 'Expected at most 200 characters'),
    refused('refuses no change', { synchronous: true }, 'a mail refuses no change'),
    refused('names a server of mail', { url: 'http://mail.example.com' }, 'begins with smtp:// or smtps://'),
    refused('calls no private server', { url: 'smtp://10.1.2.3' }, 'PORTICO_OUTBOUND_ALLOW lists'),
    refused('calls no private server in another spelling', { url: 'smtp://0xa.1' }, 'PORTICO_OUTBOUND_ALLOW lists'),
    refused('attack: an address with a command', { to: 'a@b.example>\r\nRCPT TO:<c@d.example' }, 'an address of mail'),
  ];
  itHolds(entry, rows, { settings: mailSettings(1) });
});

describe('an event', () => {
  it('comes as a text in the form that the action asks for, with the event as its subject', async () => {
    const server = await openMailServer();
    const world = await openWith(server.port);
    await prepare(world, [register({ contentType: 'application/json' }), register({ subject: 'Grüße' }), newGroup]);
    await world.service.tick();
    const mail = server.received.map(({ to, headers, text }) => [to, headers.get('subject'), text]);
    expect(mail.toSorted()).toEqual([
      [['desk@example.com'], 'Grüße', expect.stringContaining('group=[crew]')],
      [['desk@example.com'], 'group/create', expect.stringContaining('"key":"group"')],
    ]);
    expect((await rowsOf(world, 'attempt')).map(({ state, status }) => [state, status])).toEqual([
      ['delivered', 250],
      ['delivered', 250],
    ]);
  });

  it('goes to the server of its action with the credentials of a secret', async () => {
    const server = await openMailServer({ login: ['ann', 'of the secret'] });
    const world = await openWith(1, { outboundAllow: ['127.0.0.1'] });
    await prepare(world, [
      by('PUT /API/secret/desk'),
      by('PUT /API/secret/desk/username', 'ann', {}),
      by('PUT /API/secret/desk/password', 'of the secret', {}),
      register({ url: `smtp://secret:desk@127.0.0.1:${server.port}` }),
      newGroup,
    ]);
    await world.service.tick();
    expect(server.received.map(({ user }) => user)).toEqual(['ann']);
  });

  it('waits for a server that is down, and comes once', async () => {
    const server = await openMailServer();
    await server.close();
    const world = await openWith(server.port);
    await prepare(world, [register({}), newGroup]);
    await world.service.tick();
    expect(await jsonOf(world, `GET ${path}/VX-1/health`)).toMatchObject({ state: 'active', waiting: 1, failures: 0 });
    const again = await openMailServer({ port: server.port });
    for (let minute = 0; minute < 5; minute++) {
      await world.clock.advance(60_000);
      await world.service.tick();
    }
    expect(again.received).toHaveLength(1);
  });

  it('of a service without a server of mail says in its health what is missing', async () => {
    const world = await openWith(1);
    await prepare(world, [register({})]);
    const without = await openWorld('fetch');
    const answer = await without.send(register({}));
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('Expected a sender of mail')]);
    expect(await jsonOf(world, `GET ${path}/VX-1/health`)).not.toHaveProperty('missing');
  });

  it('attack: a mail about a mail that fails goes round no more than eight times', async () => {
    const server = await openMailServer({ refuse: () => ({ code: 550 }) });
    const world = await openWith(server.port);
    const onParked = mails({}, { notification: { parked: '' } });
    await prepare(world, [register({}), by('POST /API/notification', onParked, json), newGroup]);
    for (let minute = 0; minute < 30; minute++) {
      await world.clock.advance(60_000);
      await world.service.tick();
    }
    expect(await rowsOf(world, 'outbox')).toEqual([]);
    expect((await rowsOf(world, 'attempt')).length).toBeLessThan(10);
  });
});
