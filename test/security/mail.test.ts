import { describe, expect, it } from 'vitest';
import { mailOf, openMail } from '../administration/notifications/mail/support.ts';
import { ben, cat, comment } from '../extensions/review/support.ts';
import { by, json, rowsOf } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';

const own = (body: object, as = cat) => by('PUT /API/user/cat/mail', body, json, as);

describe('attack: by the mail of the service somebody', () => {
  it('floods a stranger whose address is no account of theirs', async () => {
    const { world, server, pass } = await openMail();
    await world.clock.advance(600_000);
    await prepare(world, [own({ address: 'victim@example.org' })]);
    await prepare(
      world,
      Array.from({ length: 5 }, () => comment({ text: '@cat' })),
    );
    await pass();
    const again = await world.send(own({ address: 'other@example.org' }));
    expect([again.status, again.body]).toEqual([403, expect.stringContaining('Expected 10 minutes since the last')]);
    // The end of the mail is no way around.
    await prepare(world, [by('DELETE /API/user/cat/mail', undefined, json, cat)]);
    expect((await world.send(own({ address: 'other@example.org' }))).status).toBe(403);
    await pass();
    expect(server.received.map(({ to }) => String(to))).toEqual(['victim@example.org']);
    expect(server.received[0]!.text).not.toContain('mentioned you');
  });

  it('confirms an address by the code of another one', async () => {
    const { world, server, pass } = await openMail();
    await world.clock.advance(600_000);
    await prepare(world, [own({ address: 'mine@example.org' })]);
    await pass();
    const code = /code (\w{16})/.exec(server.received[0]!.text)![1]!;
    await world.clock.advance(600_000);
    const answer = await world.send(own({ address: 'victim@example.org', code }));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, 'bad-value']);
  });

  it('reads or writes the address of another user', async () => {
    const { world } = await openMail();
    for (const request of ['GET', 'PUT', 'DELETE']) {
      const sent = by(
        `${request} /API/user/cat/mail`,
        request === 'PUT' ? { address: 'b@c.example' } : undefined,
        json,
        ben,
      );
      expect((await world.send(sent)).status).toBe(403);
    }
  });

  it('sends headers, HTML or another message in names', async () => {
    const { world, server, pass } = await openMail();
    const evil = 'x\r\nBcc: eve@example.org\r\n\r\n<script>alert(1)</script>"\'&{what}';
    await prepare(world, [
      by('PUT /API/user/ben', { userName: 'ben', realName: evil.replace(/[\r\n]+/g, ' ') }),
      by('PUT /API/item/VX-1/metadata', {
        timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: evil }] }] }],
      }),
      comment({ text: '@cat' }),
    ]);
    await pass();
    const [mail, ...more] = server.received;
    expect([more, mail!.to, mail!.headers.has('bcc')]).toEqual([[], ['cat@example.com'], false]);
    expect(mail!.html).not.toMatch(/<script|"'&/);
    expect(mail!.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;{what}');
  });

  it('fills a mailbox: many events are one message of a hundred lines at most', async () => {
    const { world, server, pass } = await openMail();
    await prepare(
      world,
      Array.from({ length: 120 }, () => comment({ text: '@cat' })),
    );
    await pass();
    const [mail, ...more] = server.received;
    expect([more, mail!.headers.get('subject')]).toEqual([[], '120 new messages']);
    expect(mail!.text.match(/mentioned you/g)).toHaveLength(100);
    expect(mail!.text).toContain('And 20 more.');
    expect(await rowsOf(world, 'outbox')).toEqual([]);
  });

  it.each([
    'a@example.com\r\nRCPT TO:<eve@example.org>',
    'a@example.com>',
    'a,b@example.com',
    '"a b"@example.com',
    'a@b@example.com',
    'a@',
    '@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(250)}.com`,
    'a@exa mple.com',
    'a\0@example.com',
  ])('gets another receiver by the address %j', async (address) => {
    const { world } = await openMail();
    const answer = await world.send(mailOf('cat', { address }));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, expect.stringMatching(/^bad-/)]);
  });
});
