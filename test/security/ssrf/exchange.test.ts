import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { outcomeOf, rawServer, written } from '../../core/outbound/support.ts';
import { textOf } from '../../realms/support.ts';
import { formNames, network as networkOf, receiver } from './network.ts';

describe.each(formNames)('over %s', (form) => {
  const network: typeof networkOf = (options) => networkOf({ ...options, form });

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
    const call = async (serve: (socket: Socket) => void) => {
      const server = await rawServer(serve);
      const world = network({ allow: ['127.0.0.1'] });
      return { ...world, server, asked: outcomeOf(world.call(`http://127.0.0.1:${server.port}/`)) };
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

    it.each<readonly [what: string, begun: string]>([
      // A streamed answer may take as long as bytes move.
      ...(form === 'call' ? [['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'] as const] : []),
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
});
