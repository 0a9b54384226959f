import { describe, expect, it } from 'vitest';
import { takeBackLanes } from '../../../../src/administration/notifications/outbox-sql.ts';
import { systemActor } from '../../../../src/core/store/contract.ts';
import { ann, cat, comment } from '../../../extensions/review/support.ts';
import { newUser } from '../../../support/cast.ts';
import { openMailServer } from '../../../support/mail-server.ts';
import { basic, openWorld, type Sent, type World } from '../../../support/matrix.ts';
import { by, done, jsonOf, rowsOf } from '../../../support/requests.ts';
import { prepare } from '../../../support/scenario.ts';
import { mailOf, mailSettings, openMail } from './support.ts';

const reviewer = newUser(['eve', 'p'], ['_item_read', '_item_shape_read', '_approval_write']);
const givesItem = (user: string) => by('POST /API/item/VX-1/access', { user, permission: 'READ' });

/** A session that begins at another device and address than the one before. */
async function logIn(world: World, device: string, address: string): Promise<void> {
  const headers = { authorization: basic(ann), 'user-agent': device };
  const request = new Request('https://portico.example/API/session', { method: 'POST', headers });
  await world.service.fetch(request, { address, secure: true });
}

interface Row {
  readonly given?: readonly Sent[];
  readonly happens: readonly Sent[] | ((world: World) => Promise<void>);
  readonly says: string;
  readonly page: string;
  readonly quote?: string;
}

const rows: Readonly<Record<string, Row>> = {
  'a mention': {
    happens: [comment({ text: 'Too dark, @cat' })],
    says: 'cat@example.com: ben mentioned you in a comment on VX-1.',
    page: '/item/VX-1',
  },
  'a comment to act on': {
    happens: [comment({ text: 'Too dark', assignedTo: 'ann' })],
    says: 'ann@example.com: ben gave you a comment on VX-1 to act on.',
    page: '/item/VX-1',
  },
  'an item that is shared': {
    happens: [givesItem('dan')],
    says: 'dan@example.com: Administrator shared VX-1 with you.',
    page: '/item/VX-1',
  },
  'a collection that is shared': {
    given: [by('PUT /API/group/_collection_read/user/dan'), by('POST /API/collection?name=Harbour')],
    happens: [by('POST /API/collection/VX-1/access', { user: 'dan', permission: 'READ' })],
    says: 'dan@example.com: Administrator shared Harbour with you.',
    page: '/collection/VX-1',
  },
  'a review that is asked for': {
    given: [
      reviewer,
      givesItem('eve'),
      mailOf('eve', { kind: ['review'] }),
      by('POST /API/item/VX-1/shape/create?tag=lowres', {}),
    ],
    happens: [by('PUT /API/item/VX-1/shape/version/0/approval', { state: 'in-review', comment: 'By noon' }, {}, ann)],
    quote: 'By noon',
    says: 'eve@example.com: ann asks for a review of VX-1.',
    page: '/item/VX-1',
  },
  'a quota that is nearly full': {
    happens: [by('POST /API/quota', { user: 'ann', resource: [{ name: 'item', limit: 2 }] })],
    says: 'ann@example.com: Your quota of items is nearly full: 2 of 2.',
    page: '/me',
  },
  'a quota that is exceeded': {
    happens: [by('POST /API/quota', { user: 'ann', resource: [{ name: 'item', limit: 1 }] })],
    says: 'ann@example.com: Your quota of items is exceeded: 2 of 1.',
    page: '/me',
  },
  'a login from another place': {
    happens: async (world) => {
      await logIn(world, 'curl/8.5.0', '198.51.100.7');
      await logIn(world, 'curl/8.5.0', '203.0.113.9');
    },
    says: 'ann@example.com: New login to your account: curl, 203.0.113.9, 2030-01-01 00:00 UTC. If this was not you, change your password.',
    page: '/me',
  },
};

describe('a user hears by mail of', () => {
  it.each(Object.entries(rows))('%s', async (_name, { given = [], happens, says, page, quote = '' }) => {
    const { world, server, pass, subjects } = await openMail();
    await prepare(world, given);
    await pass();
    const before = server.received.length;
    if (typeof happens === 'function') await happens(world);
    else await prepare(world, happens);
    await world.service.tick();
    await pass();
    expect(subjects().slice(before)).toEqual([says]);
    const { text, html } = server.received.at(-1)!;
    const address = `https://media.example.com/ui${page}`;
    expect(text).toContain(`\r\n${address}\r\n`);
    expect(html).toContain(`<a href="${address}">`);
    expect([text, html]).toEqual([expect.stringContaining(quote), expect.stringContaining(quote)]);
  });

  it('nothing that the user did', async () => {
    const { world, server, pass } = await openMail();
    await prepare(world, [comment({ text: 'For me, @ben', assignedTo: 'ben' })]);
    await pass();
    expect(server.received).toEqual([]);
  });

  it('nothing that the user may not read any more', async () => {
    const { world, server, pass } = await openMail();
    await prepare(world, [comment({ text: 'Too dark, @cat' })]);
    const { access } = await jsonOf<{ access: { id: string }[] }>(world, 'GET /API/item/VX-1/access');
    const { id } = access.find((entry) => JSON.stringify(entry).includes('cat'))!;
    await prepare(world, [by(`DELETE /API/item/VX-1/access/${id}`)]);
    await pass();
    expect(server.received).toEqual([]);
    expect(await rowsOf(world, 'outbox')).toEqual([]);
  });

  it('what the user chose, and nothing after the end', async () => {
    const { world, pass, subjects } = await openMail();
    await prepare(world, [mailOf('cat', { kind: ['assignment'] }), comment({ text: '@cat @ann' })]);
    await pass();
    expect(subjects()).toEqual(['ann@example.com: ben mentioned you in a comment on VX-1.']);
    await prepare(world, [by('DELETE /API/user/ann/mail'), comment({ text: '@ann' })]);
    await pass();
    expect(subjects()).toHaveLength(1);
  });

  it('all that in the language of the user, as chosen for mail or for the web page', async () => {
    const { world, server, pass, subjects } = await openMail();
    await prepare(world, [
      mailOf('cat', { language: 'sv' }),
      by('PUT /API/user/ben/metadata/portico.ui.language', 'sv', {}),
      comment({ text: '@cat' }),
      comment({ text: '@ben' }, ann),
    ]);
    await pass();
    expect(subjects().toSorted()).toEqual([
      'ben@example.com: ann nämnde dig i en kommentar till VX-1.',
      'cat@example.com: ben nämnde dig i en kommentar till VX-1.',
    ]);
    expect(server.received[0]!.html).toContain('<html lang="sv">');
  });

  it('several things together, and of those of an hour at its end', async () => {
    const { world, server, pass, subjects } = await openMail();
    await prepare(world, [
      mailOf('cat', { digest: true }),
      comment({ text: '@cat @ann' }),
      comment({ text: '@ann again' }),
    ]);
    await pass();
    expect(subjects()).toEqual(['ann@example.com: 2 new messages']);
    await prepare(world, [comment({ text: '@cat at last' })]);
    await pass(3_580_000);
    expect(subjects()).toHaveLength(1);
    expect(await world.service.figures(), 'a digest is not late').toContain('portico_outbox_oldest_seconds 0\n');
    await pass();
    expect(subjects().slice(1)).toEqual(['cat@example.com: 2 new messages']);
    expect(server.received[1]!.text.match(/mentioned you/g)).toHaveLength(2);
    await prepare(world, [comment({ text: '@cat in the next hour' })]);
    await pass();
    expect(subjects()).toHaveLength(2);
  });

  it('what names the user, also under a new name', async () => {
    const { world, pass, subjects } = await openMail();
    await prepare(world, [
      by('PUT /API/user/cat', { userName: 'catherine' }),
      by('POST /API/item/VX-1/access', { user: 'catherine', permission: 'READ' }),
    ]);
    await pass();
    expect(subjects()).toEqual(['cat@example.com: Administrator shared VX-1 with you.']);
  });
});

describe('a server of mail', () => {
  it('that is dead loses nothing, and nothing comes twice', async () => {
    const { world, server, pass } = await openMail();
    await server.close();
    await prepare(world, [comment({ text: '@cat' }), comment({ text: '@ann' })]);
    for (let hour = 0; hour < 20; hour++) await pass(3_600_000);
    const { reason, state } = (await rowsOf(world, 'queue')).at(-1) as { reason: unknown; state: unknown };
    expect([state, reason]).toEqual(['active', null]);
    const again = await openMailServer({ port: server.port });
    await pass(3_600_000);
    await pass(3_600_000);
    expect(again.received.map(({ to }) => String(to)).toSorted()).toEqual(['ann@example.com', 'cat@example.com']);
    expect(await rowsOf(world, 'outbox')).toEqual([]);
  });

  it('that took a message from an instance that was killed then gets it again with the same id', async () => {
    let taken = 0;
    const { world, server, pass } = await openMail({
      async taken() {
        // The lease ends, and somebody else decides: what the first instance would store is refused.
        if (taken++ === 0) await takeBackLanes(world.service.store, { now: world.clock.now() }, systemActor);
        return undefined;
      },
    });
    await prepare(world, [comment({ text: '@cat' })]);
    await pass();
    await pass();
    const ids = server.received.map(({ headers, text }) => [headers.get('message-id'), text]);
    expect(ids).toHaveLength(2);
    expect(ids[1]).toEqual(ids[0]);
    await pass(60_000);
    expect(server.received).toHaveLength(2);
  });

  it('that knows no such receiver parks what is for that user, and delivers to others', async () => {
    const refuse = (address: string) => (address.startsWith('cat') ? { code: 550 } : undefined);
    const { world, pass, subjects } = await openMail({ refuse });
    await prepare(world, [comment({ text: '@cat @ann' }), comment({ text: '@cat' })]);
    await pass();
    expect(subjects()).toEqual(['ann@example.com: ben mentioned you in a comment on VX-1.']);
    expect(await rowsOf(world, 'parked')).toHaveLength(2);
    expect(await rowsOf(world, 'attempt')).toHaveLength(2);
  });
});

describe('the address of a user', () => {
  const own = (body: object, as = cat) => by('PUT /API/user/cat/mail', body, { accept: 'application/json' }, as);

  it('that the user writes is confirmed by a code in a mail to it', async () => {
    const { world, server, pass, subjects } = await openMail();
    await world.clock.advance(600_000);
    expect(await done(world, own({ address: 'Cat@new.example', digest: true }))).toMatchObject({
      address: 'Cat@new.example',
      confirmed: false,
    });
    await prepare(world, [comment({ text: '@cat' })]);
    await pass();
    expect(server.received.map(({ to }) => String(to))).toEqual(['Cat@new.example']);
    const code = /code (\w{16})/.exec(server.received[0]!.text)![1]!;
    const wrong = await world.send(own({ code: `${code}x` }));
    expect([wrong.status, wrong.headers.get('portico-error')]).toEqual([400, 'bad-value']);
    expect(await done(world, own({ code }))).toMatchObject({
      confirmed: true,
      kind: expect.arrayContaining(['mention']),
    });
    await prepare(world, [comment({ text: '@cat' })]);
    await pass();
    expect(subjects().slice(1)).toEqual(['Cat@new.example: ben mentioned you in a comment on VX-1.']);
  });

  it('ends with the user', async () => {
    const { world, server, pass } = await openMail();
    await prepare(world, [comment({ text: '@cat' }), by('DELETE /API/user/cat?hard=true')]);
    await pass();
    expect(server.received).toEqual([]);
    expect((await rowsOf(world, 'mailbox')).length).toBe(3);
  });

  it.each([
    ['without a server of mail', {}, 'Expected a sender of mail (setting mailFrom)'],
    ['without a server', { mailFrom: 'a@example.com' }, 'Expected a mail server (setting smtpUrl)'],
  ])('is refused %s', async (_what, settings, says) => {
    const world = await openWorld('fetch', { settings });
    const answer = await world.send(mailOf('admin'));
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining(says)]);
  });

  it('is refused on an edge, which opens no connections', async () => {
    const { resolve, send } = (await import('../../../../src/entry/wire.ts')).hostWire();
    const world = await openWorld('fetch', { wire: { resolve, send }, settings: mailSettings(1) });
    const answer = await world.send(mailOf('admin'));
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('on an edge, an action http calls')]);
  });
});
