import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMailer } from '../../../../src/administration/notifications/mail/mailer.ts';
import type { Clock } from '../../../../src/core/lib/clock.ts';
import { systemClock } from '../../../../src/core/lib/clock.ts';
import { Secret } from '../../../../src/core/lib/secret.ts';
import { createOutbound } from '../../../../src/core/outbound/outbound.ts';
import type { Wire } from '../../../../src/core/outbound/wire.ts';
import { hostWire } from '../../../../src/entry/wire.ts';
import { selfSigned } from '../../../realms/ldap/certificate.ts';
import { testClock } from '../../../support/clock.ts';
import { type MailServerOptions, openMailServer } from '../../../support/mail-server.ts';

const certificate = selfSigned('mail.internal');
const patient = new AbortController().signal;

interface MailerOptions {
  readonly url: string;
  readonly from?: string;
  readonly clock?: Clock;
  readonly allow?: readonly string[];
  readonly smtpTls?: 'require' | 'optional';
}

/** Names of hosts lead to this machine, as its resolver would say. */
function mailerTo({ url, from = 'Portico <portico@example.com>', ...more }: MailerOptions) {
  const { clock = systemClock, allow = [], smtpTls = 'require' } = more;
  const host = hostWire({ ca: certificate.cert });
  const wire: Wire = {
    ...host,
    resolve: async () => ['127.0.0.1'],
    connect: (address, target, signal) => host.connect!(address ?? '127.0.0.1', target, signal),
  };
  const { connect } = createOutbound({ wire, allow, clock });
  const secrets = { open: async (alias: string, key: string) => (alias === 'mail' ? `the ${key}` : undefined) };
  const settings = { smtpUrl: new Secret(url), smtpTls, mailFrom: from };
  return createMailer({ clock, connect, services: { secrets }, settings, longest: 5_000 });
}

const letter = { id: 'VX-1_2', to: 'ann@example.com', subject: 'Hello', text: 'a text' };

/** Outcome of a letter at a server, with the server. */
async function sentTo(options: MailServerOptions, address: (port: number) => string, more: object = {}) {
  const server = await openMailServer(options);
  const mailer = mailerTo({ url: address(server.port), ...more });
  return { server, outcome: await mailer.send(letter, patient) };
}

describe('a letter', () => {
  it('goes to a server on this machine as it is', async () => {
    const { server, outcome } = await sentTo({}, (port) => `smtp://127.0.0.1:${port}`);
    expect(outcome).toMatchObject({ verdict: 'delivered', status: 250, address: '127.0.0.1' });
    const [mail] = server.received;
    expect([mail!.from, mail!.to, mail!.secure, mail!.text]).toEqual([
      'portico@example.com',
      ['ann@example.com'],
      false,
      'a text',
    ]);
    expect(Object.fromEntries(mail!.headers)).toMatchObject({
      from: 'Portico <portico@example.com>',
      to: '<ann@example.com>',
      subject: 'Hello',
      'message-id': '<VX-1_2@example.com>',
      'auto-submitted': 'auto-generated',
    });
  });

  it.each([
    ['by STARTTLS', { tls: certificate }, 'smtp'],
    ['from the beginning', { tls: certificate, secure: true }, 'smtps'],
  ] as const)('goes under TLS %s to another machine', async (_how, options, scheme) => {
    const { server, outcome } = await sentTo(options, (port) => `${scheme}://mail.internal:${port}`);
    expect(outcome).toMatchObject({ verdict: 'delivered' });
    expect(server.received[0]!.secure).toBe(true);
  });

  it.each([['PLAIN'], ['LOGIN']])('logs in by %s, with signs that an address encodes', async (mechanism) => {
    const login = ['a:n@n', 'p/w %'] as const;
    const user = login.map(encodeURIComponent).join(':');
    const options = { tls: certificate, login, mechanisms: [mechanism] };
    const { server } = await sentTo(options, (port) => `smtp://${user}@mail.internal:${port}`);
    expect(server.received[0]!.user).toBe('a:n@n');
  });

  it('takes name and password from a secret', async () => {
    const options = { tls: certificate, login: ['the username', 'the password'] as const };
    const { server } = await sentTo(options, (port) => `smtp://secret:mail@mail.internal:${port}`);
    expect(server.received[0]!.user).toBe('the username');
  });

  it('is kept until a server is there again, and no receiver is to blame', async () => {
    const { port, close } = await openMailServer();
    await close();
    const outcome = await mailerTo({ url: `smtp://127.0.0.1:${port}` }).send(letter, patient);
    expect(outcome).toMatchObject({ verdict: 'again', error: 'connect', localFault: true });
  });

  it.each([
    [450, 'again'],
    [550, 'refused'],
  ] as const)('whose receiver is answered %i is tried %s', async (code, verdict) => {
    const { outcome } = await sentTo({ refuse: () => ({ code }) }, (port) => `smtp://127.0.0.1:${port}`);
    expect(outcome).toMatchObject({ verdict, status: code, error: 'smtp' });
    expect(outcome.localFault).toBeUndefined();
  });

  it('waits where the server refuses the login of this side', async () => {
    const options = { tls: certificate, login: ['ann', 'right'] as const };
    const { outcome } = await sentTo(options, (port) => `smtp://ann:wrong1@mail.internal:${port}`);
    expect(outcome).toMatchObject({ verdict: 'again', status: 535, localFault: true });
    expect(outcome.says, 'A server that repeats the password').not.toContain('wrong1');
  });
});

/** A server that says what the test says, whatever it is told. */
async function fakeServer(converse: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    converse(socket);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('attack: a server of mail that', () => {
  it('offers no TLS gets no password', async () => {
    const options = { login: ['ann', 'secret'] as const };
    const { server, outcome } = await sentTo(options, (port) => `smtp://ann:secret@mail.internal:${port}`);
    expect(outcome).toMatchObject({ verdict: 'again', error: 'tls' });
    expect(server.received).toEqual([]);
  });

  it.each([
    ['of the settings', undefined],
    ['of a notification', 'own'],
  ])(
    'offers no STARTTLS, or somebody on the way took it out: the server %s gets no letter in clear',
    async (_whose, own) => {
      const server = await openMailServer();
      const url = `smtp://mail.internal:${server.port}`;
      const mailer = mailerTo({ url, allow: ['127.0.0.1'] });
      const outcome = await mailer.send(letter, patient, own && url);
      const says = 'Expected STARTTLS from "mail.internal", or PORTICO_SMTP_TLS=optional: mail waits';
      expect(outcome).toMatchObject({ verdict: 'again', error: 'tls', says });
      expect(server.received).toEqual([]);
      const open = mailerTo({ url, allow: ['127.0.0.1'], smtpTls: 'optional' });
      expect(await open.send(letter, patient, own && url)).toMatchObject({ verdict: 'delivered' });
    },
  );

  it('has the certificate of another name gets nothing', async () => {
    const { server, outcome } = await sentTo({ tls: certificate }, (port) => `smtp://other.internal:${port}`);
    expect(outcome).toMatchObject({ verdict: 'again', error: 'tls' });
    expect(server.received).toEqual([]);
  });

  it('puts answers before TLS is not believed', async () => {
    const port = await fakeServer((socket) => {
      socket.write('220 hello\r\n');
      socket.on('data', (data) => {
        if (/^EHLO/.test(String(data))) socket.write('250-me\r\n250 STARTTLS\r\n');
        else socket.write('220 go on\r\n250-me\r\n250 AUTH PLAIN\r\n');
      });
    });
    const outcome = await mailerTo({ url: `smtp://ann:secret@mail.internal:${port}` }).send(letter, patient);
    expect(outcome).toMatchObject({ verdict: 'again', error: 'tls' });
  });

  it.each([
    ['one line', () => 'x'.repeat(100_000)],
    ['one answer', () => '250-more\r\n'.repeat(10_000)],
  ])('never ends %s is left', async (_what, flood) => {
    const port = await fakeServer((socket) => void socket.write(flood()));
    const outcome = await mailerTo({ url: `smtp://127.0.0.1:${port}` }).send(letter, patient);
    expect(outcome).toMatchObject({ verdict: 'again', error: 'answer' });
  });

  it('says nothing is left after a while', async () => {
    const clock = testClock();
    const port = await fakeServer((socket) => void socket.write('220 hello\r\n'));
    const sending = mailerTo({ url: `smtp://127.0.0.1:${port}`, clock }).send(letter, patient);
    let outcome: unknown;
    void sending.then((result) => {
      outcome = result;
    });
    while (outcome === undefined) await clock.advance(1_000);
    expect(outcome).toMatchObject({ verdict: 'again', error: 'timeout' });
  });

  it('is not public is reached by nobody who lacks the list of the operator', async () => {
    const server = await openMailServer();
    const url = `smtp://inside.example:${server.port}`;
    const blocked = mailerTo({ url: 'smtp://unused.example' });
    expect(await blocked.send(letter, patient, url)).toMatchObject({ verdict: 'blocked', error: 'blocked' });
    const allowed = mailerTo({ url: 'smtp://unused.example', allow: ['127.0.0.1'], smtpTls: 'optional' });
    expect(await allowed.send(letter, patient, url)).toMatchObject({ verdict: 'delivered' });
    expect(server.received).toHaveLength(1);
  });
});

describe('attack: a text with ends of lines', () => {
  it('makes no further header and no further message', async () => {
    const server = await openMailServer();
    const mailer = mailerTo({ url: `smtp://127.0.0.1:${server.port}`, from: 'Port<i>co@example.com' });
    expect(mailer.lack()).toBe('Expected a sender of mail (setting mailFrom)');
    const sound = mailerTo({ url: `smtp://127.0.0.1:${server.port}` });
    const evil = 'a\r\nBcc: eve@example.com\r\n\r\n.\r\nMAIL FROM:<eve@example.com>\r\n';
    await sound.send({ ...letter, subject: `Grüße ${evil}`, text: evil, html: evil }, patient);
    const [mail, ...more] = server.received;
    expect(more).toEqual([]);
    expect(mail!.headers.has('bcc')).toBe(false);
    expect(mail!.headers.get('subject')).toBe('Grüße a Bcc: eve@example.com . MAIL FROM:<eve@example.com>');
    expect([mail!.text, mail!.html, mail!.to]).toEqual([evil, evil, ['ann@example.com']]);
    expect(Math.max(...mail!.raw.split('\r\n').map(({ length }) => length))).toBeLessThan(80);
  });
});
