import { describe, expect, it } from 'vitest';
import { outcomeOf, rawServer, refusalOf, written } from '../../core/outbound/support.ts';
import { formNames, metadata, network as networkOf, publicAddress, receiver } from './network.ts';

describe.each(formNames)('over %s', (form) => {
  const network: typeof networkOf = (options) => networkOf({ ...options, form });

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
      const world = network({
        allow: ['0.0.0.0/0', '::/0', 'meta.internal'],
        names: { 'meta.internal': [[metadata]] },
      });
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

    it.each([
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'ftp://a/',
      'unix:/var/run/docker.sock',
      'data:,x',
      'ws://a/',
    ])('%s is no address for a call', async (url) =>
      expect(await outcomeOf(network({ allow: ['127.0.0.1'] }).call(url))).toBe('bad-url'),
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
});
