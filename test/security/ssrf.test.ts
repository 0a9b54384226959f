import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SecurityInput } from '../../src/config/security-input.ts';
import { hostWire } from '../../src/entry/wire.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { Wire } from '../../src/outbound/wire.ts';
import type { OutboundCall, Plugin } from '../../src/spi/index.ts';
import { rawServer, written } from '../outbound/servers.ts';
import { outcomeOf, refusalOf } from '../outbound/support.ts';
import { textOf } from '../realms/support.ts';
import { testClock } from '../support/clock.ts';
import { openWorld } from '../support/matrix.ts';
import { openReceiver } from '../support/receiver.ts';

/** Played by a server of this machine, so that the attacks run over real connections and nothing leaves. */
const publicAddress = '93.184.216.34';
const metadata = '169.254.169.254';

interface NetworkOptions {
  /** What the attacker's name server says, look by look. The last answer is repeated. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly allow?: readonly string[];
}

function network({ names = {}, allow = [] }: NetworkOptions = {}) {
  const real = hostWire();
  const clock = testClock();
  const connected: (string | undefined)[] = [];
  const looks = new Map<string, number>();
  const wire: Wire = {
    async resolve(host, signal) {
      const answers = names[host];
      if (!answers) return real.resolve!(host, signal);
      const look = looks.get(host) ?? 0;
      looks.set(host, look + 1);
      return answers[Math.min(look, answers.length - 1)]!;
    },
    send(address, request, signal) {
      connected.push(address);
      return real.send(address === publicAddress ? '127.0.0.1' : address, request, signal);
    },
  };
  const guarded = createOutbound({ wire, allow, clock });
  const call = (url: string, more: Partial<OutboundCall> = {}) =>
    guarded({ url, method: 'GET', timeout: 5_000, mostBytes: 1_000, ...more });
  return { call, clock, connected, looks };
}

async function receiver() {
  const open = await openReceiver();
  onTestFinished(() => open.close());
  return { ...open, port: new URL(open.address).port };
}

describe('DNS rebinding', () => {
  it('cannot slip in between the check and the connection: there is one look, and its answer is connected to', async () => {
    const { port, received } = await receiver();
    const world = network({ names: { 'rebind.example': [[publicAddress], ['127.0.0.1'], [metadata]] } });
    expect(await outcomeOf(world.call(`http://rebind.example:${port}/`))).toBe(200);
    expect([world.looks.get('rebind.example'), world.connected, received.length]).toEqual([1, [publicAddress], 1]);
  });

  it.each([
    ['metadata', metadata],
    ['this machine', '127.0.0.1'],
    ['a private address', '10.0.0.5'],
    ['this machine, mapped', '::ffff:127.0.0.1'],
    ['metadata behind NAT64', '64:ff9b::a9fe:a9fe'],
  ])('is refused as soon as the name leads to %s', async (_what, later) => {
    const { port } = await receiver();
    const world = network({ names: { 'rebind.example': [[publicAddress], [later]] } });
    const url = `http://rebind.example:${port}/`;
    expect(await outcomeOf(world.call(url))).toBe(200);
    await world.clock.advance(60_000);
    for (const _again of [1, 2, 3]) expect(await outcomeOf(world.call(url))).toBe('blocked');
    expect(world.connected).toEqual([publicAddress]);
  });

  it('is no use with several addresses: only the public ones are tried, also when they do not answer', async () => {
    const closed = await rawServer(() => undefined);
    const bad = [metadata, '10.0.0.5', '::1', 'fd00:ec2::254', '100.100.100.200'];
    const world = network({ names: { 'many.example': [[...bad, publicAddress, ...bad]] } });
    expect(await outcomeOf(world.call(`http://many.example:${closed.port === 9 ? 8 : 9}/`))).toBe('connect');
    expect(world.connected).toEqual([publicAddress]);
  });

  it('is no use with a connection that is kept for another name at that address', async () => {
    const server = await rawServer((socket) => socket.write(written('x')));
    const world = network({ names: { 'a.example': [[publicAddress]], 'b.example': [[publicAddress]] } });
    for (const name of ['a', 'b']) {
      expect(await outcomeOf(world.call(`http://${name}.example:${server.port}/`))).toBe(200);
    }
    expect(server.connections).toBe(2);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with status %d to metadata is an answer, and nobody follows it',
    async (status) => {
      const { port, received, script } = await receiver();
      script({ status, headers: { location: `http://${metadata}/latest/meta-data/` } });
      const world = network({ names: { 'a.example': [[publicAddress]] } });
      const answer = await world.call(`http://a.example:${port}/`, { method: 'POST', body: 'x' });
      expect([answer.status, received.length, world.connected]).toEqual([status, 1, [publicAddress]]);
    },
  );

  it('is not followed for the operator’s own addresses either', async () => {
    const { port, received, script } = await receiver();
    script({ status: 302, headers: { location: '/elsewhere' } });
    const answer = await network().call(`http://127.0.0.1:${port}/`, { trusted: true });
    expect([answer.status, received.length]).toEqual([302, 1]);
  });
});

describe('an address in disguise', () => {
  const spellings = (port: string): readonly string[] => [
    `http://127.0.0.1:${port}/`,
    `http://127.1:${port}/`,
    `http://127.0.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://0x7f.0.0.1:${port}/`,
    `http://0177.0.0.1:${port}/`,
    `http://017700000001:${port}/`,
    `http://127.0.0.1.:${port}/`,
    `http://127%2e0%2e0%2e1:${port}/`,
    `http://１２７.0.0.1:${port}/`,
    `http://①②⑦.0.0.1:${port}/`,
    `http://127。0。0。1:${port}/`,
    `http://0:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::]:${port}/`,
    `http://[0:0:0:0:0:0:0:1]:${port}/`,
    `http://[::ffff:7f00:1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://[::127.0.0.1]:${port}/`,
    `http://[64:ff9b::7f00:1]:${port}/`,
    `http://[2002:7f00:1::]:${port}/`,
    `http://localhost:${port}/`,
    `http://LOCALHOST:${port}/`,
    `http://example.com@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}\\@example.com/`,
    `http:127.0.0.1:${port}/`,
    `\thttp://127.0.0\n.1:${port}/`,
  ];

  it('of this machine is refused in every spelling', async () => {
    const { port, received } = await receiver();
    const world = network();
    for (const url of spellings(port)) expect([url, await outcomeOf(world.call(url))]).toEqual([url, 'blocked']);
    expect([world.connected, received]).toEqual([[], []]);
  });

  it('of metadata is refused in every spelling, whatever is allowed', async () => {
    const world = network({ allow: ['0.0.0.0/0', '::/0', 'meta.internal'], names: { 'meta.internal': [[metadata]] } });
    const hosts = [
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '169.254.43518',
      'meta.internal',
    ];
    const six = [
      '[::ffff:a9fe:a9fe]',
      '[64:ff9b::a9fe:a9fe]',
      '[2002:a9fe:a9fe::]',
      '[fd00:ec2::254]',
      '[::a9fe:a9fe]',
    ];
    for (const host of [...hosts, ...six, '100.100.100.200', '168.63.129.16']) {
      expect([host, await outcomeOf(world.call(`http://${host}/`))]).toEqual([host, 'blocked']);
    }
    expect(world.connected).toEqual([]);
  });

  it.each([
    'http://[fe80::1%25lo]/',
    'http://[::1',
    'http://127.0.0.1.256.1/',
    'http://256.1.1.1/',
    'http://1.2.3.4.5/',
  ])('%s is no address at all', async (url) => expect(await outcomeOf(network().call(url))).toBe('bad-url'));

  it.each(['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://a/', 'unix:/var/run/docker.sock', 'data:,x', 'ws://a/'])(
    '%s is no address for a call',
    async (url) => expect(await outcomeOf(network({ allow: ['127.0.0.1'] }).call(url))).toBe('bad-url'),
  );
});

describe('the allow list', () => {
  it('lets a range be reached, and metadata inside of it not', async () => {
    const { port, received } = await receiver();
    const world = network({ allow: ['127.0.0.0/8', '169.254.0.0/16'] });
    expect(await outcomeOf(world.call(`http://127.0.0.1:${port}/`))).toBe(200);
    expect(await refusalOf(world.call(`http://${metadata}/`))).toContain(
      'blocked: Expected an address of no metadata service',
    );
    expect([world.connected, received.length]).toEqual([['127.0.0.1'], 1]);
  });

  it('that has one host of this machine opens no other', async () => {
    const { port } = await receiver();
    const names = { 'hooks.internal': [['127.0.0.1']], 'evil.example': [['127.0.0.1']] };
    for (const [allow, open, shut] of [
      ['127.0.0.1', 'evil.example', '127.0.0.2'],
      ['hooks.internal', 'hooks.internal', 'evil.example'],
      ['hooks.internal', 'hooks.internal', '127.0.0.1'],
      ['hooks.internal', 'hooks.internal', 'localhost'],
      ['::1', 'a.example', '127.0.0.1'],
    ] as const) {
      const world = network({ allow: [allow], names: { ...names, 'a.example': [[publicAddress]] } });
      expect([open, await outcomeOf(world.call(`http://${open}:${port}/`))]).toEqual([open, 200]);
      expect([shut, await outcomeOf(world.call(`http://${shut}:${port}/`))]).toEqual([shut, 'blocked']);
    }
  });
});

describe('a name that cannot be resolved', () => {
  it('is not called: the check is never skipped', async () => {
    const world = network({ allow: ['0.0.0.0/0', '::/0', 'nobody.invalid'], names: { 'empty.example': [[]] } });
    for (const host of ['nobody.invalid', 'empty.example']) {
      expect(await outcomeOf(world.call(`http://${host}/`))).toBe('dns');
    }
    expect(world.connected).toEqual([]);
  });
});

describe('name and password in an address', () => {
  it('are not sent', async () => {
    const server = await rawServer((socket) => socket.write(written('x')));
    await network({ allow: ['127.0.0.1'] }).call(`http://somebody:canary@127.0.0.1:${server.port}/?a=b#canary`);
    expect(server.received).toMatch(/^GET \/\?a=b HTTP\/1\.1\r\n/);
    expect(server.received).not.toMatch(/canary|somebody|authorization/i);
  });

  it.each<readonly [kind: string, urlOf: (port: number) => string]>([
    ['blocked', () => 'http://somebody:canary@10.0.0.1/canary?canary'],
    ['dns', () => 'http://somebody:canary@nobody.invalid/canary?canary'],
    ['connect', () => 'http://somebody:canary@127.0.0.1:9/canary?canary'],
    ['tls', (port) => `https://somebody:canary@127.0.0.1:${port}/canary?canary`],
    ['answer', (port) => `http://somebody:canary@127.0.0.1:${port}/canary?canary`],
    ['bad-url', () => 'http://somebody:canary@a b/canary'],
    ['bad-url', () => 'somebody:canary@a/canary'],
  ])('are in no error of kind %s', async (kind, urlOf) => {
    const server = await rawServer((socket) => socket.end('junk\r\n'));
    const error = await network({ allow: ['127.0.0.1'] })
      .call(urlOf(server.port), { headers: { 'x-secret': 'canary' } })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind });
    expect(textOf(error)).not.toMatch(/canary|somebody/);
  });
});

describe('a server that', () => {
  const call = async (serve: (socket: Socket) => void, more: Partial<OutboundCall> = {}) => {
    const server = await rawServer(serve);
    const world = network({ allow: ['127.0.0.1'] });
    return { ...world, server, asked: outcomeOf(world.call(`http://127.0.0.1:${server.port}/`, more)) };
  };

  it.each(['Content-Length: 100000000', 'X-Length: none'])(
    'answers more than was asked for is left: %s',
    async (header) => {
      const { asked, server } = await call((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n${'x'.repeat(2_000)}`),
      );
      expect(await asked).toBe('too-large');
      await server.closed();
    },
  );

  it.each([
    ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'],
    ['its headers', 'HTTP/1.1 200 OK\r\nx-slow: '],
    ['nothing', ''],
    ['provisional answers', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('trickles %s is left when the time is over', async (_what, begun) => {
    let trickle = () => undefined as unknown;
    const { asked, server, clock } = await call((socket) => {
      socket.write(begun);
      trickle = () => socket.write(begun.includes('103') ? begun : begun === '' ? '' : 'x');
    });
    await server.until('GET /');
    for (let second = 0; second < 5; second++) {
      trickle();
      await clock.advance(1_000);
    }
    expect(await asked).toBe('timeout');
    await server.closed();
  });

  it('sends a bomb of headers is left', async () => {
    const { asked, server } = await call((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      for (let header = 0; header < 1_000 && !socket.destroyed; header++)
        socket.write(`x-${header}: ${'y'.repeat(500)}\r\n`);
    });
    expect(await asked).toBe('answer');
    await server.closed();
  });

  it('answers in a compressed form is read as it is: nothing grows here', async () => {
    const server = await rawServer((socket) => socket.end(written('tiny', 'Content-Encoding: gzip')));
    const answer = await network({ allow: ['127.0.0.1'] }).call(`http://127.0.0.1:${server.port}/`);
    expect(answer.text).toBe('tiny');
  });
});

describe('CR/LF', () => {
  it.each(['a\r\nHost: evil', 'a\nb', 'a\rb', 'a\0b', 'a\u010d\u010ab', 'a\u2028b', 'a\x7fb'])(
    'in a header is refused before anything is sent: %j',
    async (value) => {
      const server = await rawServer((socket) => socket.write(written('x')));
      const world = network({ allow: ['127.0.0.1'] });
      const url = `http://127.0.0.1:${server.port}/`;
      expect(await outcomeOf(world.call(url, { headers: { 'x-a': value } }))).toBe('bad-url');
      expect(await outcomeOf(world.call(url, { headers: { [`x${value}`]: 'a' } }))).toBe('bad-url');
      expect(server.connections).toBe(0);
    },
  );

  it('in an address splits no request', async () => {
    const server = await rawServer((socket) => socket.write(written('x')));
    const world = network({ allow: ['127.0.0.1'] });
    for (const path of [
      '/a\r\nHost: evil\r\n',
      '/a%0d%0aHost:%20evil',
      '/\u010d\u010aHost: evil',
      '/ HTTP/1.1\r\nHost: evil',
    ]) {
      await world.call(`http://127.0.0.1:${server.port}${path}`);
    }
    const lines = server.received.split('\r\n').filter((line) => /^host/i.test(line));
    expect(lines.map((line) => line.replace(/^host/i, 'Host'))).toEqual(
      Array(4).fill(`Host: 127.0.0.1:${server.port}`),
    );
  });

  it('in a body makes no second request: its length is told', async () => {
    const { port, received } = await receiver();
    const body = 'x\r\n\r\nGET /second HTTP/1.1\r\nHost: evil\r\n\r\n\u20ac';
    await network({ allow: ['127.0.0.1'] }).call(`http://127.0.0.1:${port}/first`, { method: 'POST', body });
    expect(received.map((each) => [each.target, each.body])).toEqual([['/first', body]]);
  });
});

describe('the service', () => {
  /** Calls what it is given as a password: somebody else's address, as notifications have them. */
  const plugin: Plugin = {
    name: 'caller',
    version: '1.0.0',
    contract: 1,
    realms: {
      'test.CallingRealm': {
        says: 'Calls an address that a caller sets.',
        create: (_given, host) => ({
          supports: ({ kind }) => kind === 'password',
          async authenticate(credentials) {
            if (credentials.kind !== 'password') return { answer: 'not-mine' };
            const url = credentials.password.reveal();
            const { text } = await host.call({ url, method: 'GET', timeout: 5_000, mostBytes: 100 });
            return { answer: 'account', account: { name: text } };
          },
        }),
      },
    },
  };
  const security: SecurityInput = {
    text: `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
calling = test.CallingRealm
securityManager.realms = $serviceRealm, $calling
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
    file: 'security.ini',
    plugins: [plugin],
  };

  it('lends its components the guard, with the list of the setting, and counts what came of it', async () => {
    const { address, script } = await receiver();
    script({ body: 'reached' });
    const world = await openWorld('fetch', { security, settings: { outboundAllow: ['127.0.0.1'] } });
    world.expectErrors('realm-failed');
    const login = (url: string) => world.send({ as: ['x', url], request: 'GET /API/whoami' });
    expect((await login(address)).body).toBe('reached');
    for (const url of ['http://127.0.0.2/', `http://${metadata}/`]) expect((await login(url)).status).toBe(401);
    const counted = world.service.metrics.render().match(/^portico_outbound_calls_total.*$/gm);
    expect(counted).toEqual([
      'portico_outbound_calls_total{outcome="answered"} 1',
      'portico_outbound_calls_total{outcome="blocked"} 2',
    ]);
  });

  it('opens nothing without the setting', async () => {
    const { address, received } = await receiver();
    const world = await openWorld('fetch', { security });
    world.expectErrors('realm-failed');
    expect((await world.send({ as: ['x', address], request: 'GET /API/whoami' })).status).toBe(401);
    expect(received).toEqual([]);
  });
});
