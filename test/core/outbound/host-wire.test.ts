import { createServer, type Server } from 'node:https';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readAnswerText } from '../../../src/core/outbound/outbound.ts';
import type { OutboundError, Wire, WireRequest } from '../../../src/core/outbound/wire.ts';
import { hostWire } from '../../../src/entry/wire.ts';
import { selfSigned } from '../../realms/ldap/certificate.ts';
import { openReceiver, type Receiver } from '../../support/receiver.ts';
import { listening, rawServer, written } from './support.ts';

const patient = new AbortController().signal;

const requestTo = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  url: new URL(url),
  method: 'GET',
  headers: {},
  body: undefined,
  ...more,
});

/** Status and text, or the kind of the error. */
async function ask(wire: Wire, address: string | undefined, url: string, more: Partial<WireRequest> = {}) {
  try {
    const answer = await wire.send(address, requestTo(url, more), new AbortController().signal);
    return `${answer.status} ${await readAnswerText(answer, { mostBytes: 10_000 } as never)}`;
  } catch (error) {
    return (error as OutboundError).kind ?? `answer that breaks off: ${error}`;
  }
}

async function receiver(): Promise<Receiver & { readonly port: string }> {
  const open = await openReceiver();
  onTestFinished(() => open.close());
  return { ...open, port: new URL(open.address).port };
}

describe('a request', () => {
  it('goes to the address that is given and tells the name', async () => {
    const { port, received } = await receiver();
    const more = { method: 'POST', headers: { 'x-name': 'a\tb' }, body: 'gr\u00fc\u00df' } as const;
    const answer = await hostWire().send('127.0.0.1', requestTo(`http://mam.internal:${port}/a/b?c=d`, more), patient);
    expect([answer.status, answer.address, await readAnswerText(answer, { mostBytes: 10 } as never)]).toEqual([
      200,
      '127.0.0.1',
      '',
    ]);
    const [{ method, target, headers, body }] = received as [(typeof received)[0]];
    expect([method, target, headers.host, headers['content-length'], body]).toEqual([
      'POST',
      '/a/b?c=d',
      `mam.internal:${port}`,
      '6',
      'gr\u00fc\u00df',
    ]);
    expect(headers['x-name']).toBe('a\tb');
  });

  it.each(['POST', 'PUT'] as const)('of method %s without a body says that there is none', async (method) => {
    const { port, received } = await receiver();
    await ask(hostWire(), '127.0.0.1', `http://mam.internal:${port}/`, { method });
    expect(received[0]!.headers).toMatchObject({ 'content-length': '0' });
    expect(received[0]!.headers['transfer-encoding']).toBeUndefined();
  });

  it('goes where the name leads when there is no address', async () => {
    const { port } = await receiver();
    expect(await ask(hostWire(), undefined, `http://localhost:${port}/`)).toBe('200 ');
    expect(await ask(hostWire(), undefined, 'http://nobody.invalid/')).toBe('dns');
  });
});

afterEach(() => vi.unstubAllEnvs());

describe('a connection', () => {
  it('is used again for the same name at the same address, and for no other', async () => {
    const server = await rawServer((socket) => socket.write(written('x')));
    const wire = hostWire();
    for (const [name, connections] of [
      ['a', 1],
      ['a', 1],
      ['b', 2],
      ['a', 2],
      ['b', 2],
    ] as const) {
      expect(await ask(wire, '127.0.0.1', `http://${name}.internal:${server.port}/`)).toBe('200 x');
      expect(server.connections).toBe(connections);
    }
    expect(await ask(wire, undefined, `http://localhost:${server.port}/`)).toBe('200 x');
    expect(server.connections).toBe(3);
  });

  it('is kept for as many calls as are made at once: lanes wait together for a commit, and go on together', async () => {
    const server = await rawServer((socket) => socket.write(written('x')));
    const wire = hostWire();
    const url = `http://a.internal:${server.port}/`;
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask(wire, '127.0.0.1', url)));
      expect(new Set(answers)).toEqual(new Set(['200 x']));
      expect(server.connections).toBe(100);
    }
  });

  it('is not kept for any number of names', async () => {
    const server = await rawServer((socket) => socket.write(written('x')));
    const wire = hostWire();
    for (let name = 0; name < 300; name++) await ask(wire, '127.0.0.1', `http://a${name}.internal:${server.port}/`);
    expect(server.connections).toBe(300);
    await server.closed(256);
  });

  it('that was closed while it was idle costs nobody an answer', async () => {
    const server = await rawServer((socket, received) => {
      if (received.split('\r\n\r\n').length > 2) socket.resetAndDestroy();
      else socket.write(written('x'));
    });
    const wire = hostWire();
    const more = { method: 'POST', body: 'hello' } as const;
    for (const connections of [1, 2]) {
      expect(await ask(wire, '127.0.0.1', `http://a.internal:${server.port}/`, more)).toBe('200 x');
      expect(server.connections).toBe(connections);
    }
  });

  it('that was closed while it was idle does not bring a request twice to a receiver that must see it once', async () => {
    const server = await rawServer((socket, received) => {
      if (received.split('\r\n\r\n').length > 2) socket.resetAndDestroy();
      else socket.write(written('x'));
    });
    const wire = hostWire();
    const url = `http://a.internal:${server.port}/`;
    const more = { method: 'POST', body: 'hello', once: true } as const;
    expect(await ask(wire, '127.0.0.1', url, more)).toBe('200 x');
    expect(await ask(wire, '127.0.0.1', url, more)).toBe('answer');
    expect(server.connections).toBe(1);
  });

  it('that is new and closed is not tried again', async () => {
    const server = await rawServer((socket) => socket.destroy());
    expect(await ask(hostWire(), '127.0.0.1', `http://a.internal:${server.port}/`, { method: 'POST' })).toBe('answer');
    expect(server.connections).toBe(1);
  });

  it('is closed when the call is given up, before the answer and within it', async () => {
    for (const [sent, seen] of [
      ['', 'GET /'],
      ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', 'GET /'],
    ] as const) {
      const server = await rawServer((socket) => socket.write(sent));
      const stop = new AbortController();
      const asked = hostWire().send('127.0.0.1', requestTo(`http://a.internal:${server.port}/`), stop.signal);
      await server.until(seen);
      if (sent !== '') await asked;
      stop.abort(new Error('over'));
      if (sent === '') await expect(asked).rejects.toThrow();
      await server.closed();
    }
  });

  it('is closed when the reader has enough', async () => {
    const server = await rawServer((socket) => socket.write(written('x'.repeat(1_000_000))));
    const answer = await hostWire().send('127.0.0.1', requestTo(`http://a.internal:${server.port}/`), patient);
    expect(await readAnswerText(answer, { mostBytes: 3, longer: 'cut' } as never)).toBe('xxx');
    await server.closed();
  });
});

describe('an error', () => {
  it('of a port where nobody listens is one of the connection', async () => {
    const server = await rawServer(() => undefined);
    const { port } = server;
    expect(await ask(hostWire(), '127.0.0.1', `http://a.internal:${port === 1 ? 2 : 1}/`)).toBe('connect');
  });

  it.each([
    ['junk', 'answer', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a bomb of headers', 'answer', `HTTP/1.1 200 OK\r\n${'x-a: '.padEnd(1_000, 'y').concat('\r\n').repeat(40)}\r\n`],
    ['one endless header', 'answer', `HTTP/1.1 200 OK\r\nx-a: ${'y'.repeat(40_000)}`],
    [
      'a change of the protocol',
      'answer',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ],
    ['two lengths', 'answer', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ])('of %s is one of the answer', async (_what, kind, text) => {
    const server = await rawServer((socket) => socket.end(text, 'latin1'));
    expect(await ask(hostWire(), '127.0.0.1', `http://a.internal:${server.port}/`)).toBe(kind);
  });

  it('of an answer that is shorter than it says is told to the reader', async () => {
    const server = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'));
    const answer = await hostWire().send('127.0.0.1', requestTo(`http://a.internal:${server.port}/`), patient);
    await expect(readAnswerText(answer, { mostBytes: 100 } as never)).rejects.toThrow();
  });

  it('is none of a header that is odd but whole', async () => {
    const server = await rawServer((socket) =>
      socket.end(Buffer.from(written('x', 'x-odd: caf\u00e9 \u0080', 'x-odd: second', 'x-empty:'), 'latin1')),
    );
    const answer = await hostWire().send('127.0.0.1', requestTo(`http://a.internal:${server.port}/`), patient);
    expect([answer.headers.get('x-odd'), answer.headers.get('x-empty')]).toEqual(['caf\u00e9 \u0080, second', '']);
  });
});

describe('TLS', () => {
  const named = selfSigned('mam.internal');
  const numbered = selfSigned();

  async function secure(certificate: { key: string; cert: string }) {
    const names: unknown[] = [];
    const server: Server = createServer(certificate, (request, response) => {
      names.push(Reflect.get(request.socket, 'servername'));
      response.end(request.headers.host);
    });
    onTestFinished(() => server.closeAllConnections());
    return { port: await listening(server), names };
  }

  it('verifies the certificate for the name, at the address that is given', async () => {
    const { port, names } = await secure(named);
    const wire = hostWire({ ca: named.cert });
    expect(await ask(wire, '127.0.0.1', `https://mam.internal:${port}/`)).toBe(`200 mam.internal:${port}`);
    expect(await ask(wire, '127.0.0.1', `https://mam.internal.:${port}/`)).toBe(`200 mam.internal.:${port}`);
    expect(names).toEqual(['mam.internal', 'mam.internal']);
    expect(await ask(wire, '127.0.0.1', `https://other.internal:${port}/`)).toBe('tls');
    expect(await ask(wire, '127.0.0.1', `https://127.0.0.1:${port}/`)).toBe('tls');
    expect(names).toHaveLength(2);
  });

  it('verifies it for an address, where the address is the name', async () => {
    const { port } = await secure(numbered);
    const wire = hostWire({ ca: numbered.cert });
    expect(await ask(wire, '127.0.0.1', `https://127.0.0.1:${port}/`)).toBe(`200 127.0.0.1:${port}`);
    expect(await ask(wire, '127.0.0.1', `https://mam.internal:${port}/`)).toBe('tls');
  });

  it('trusts nobody whom the runtime does not trust, whatever the environment says', async () => {
    const { port, names } = await secure(named);
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect(await ask(hostWire(), '127.0.0.1', `https://mam.internal:${port}/`)).toBe('tls');
    expect(names).toEqual([]);
  });

  it('is not spoken where plain HTTP is', async () => {
    const { port } = await receiver();
    expect(await ask(hostWire(), '127.0.0.1', `https://mam.internal:${port}/`)).toBe('tls');
  });

  it('counts as connecting: a handshake that hangs is given up', async () => {
    const server = await rawServer(() => undefined);
    const more = { connectLimit: 50 };
    expect(await ask(hostWire(), '127.0.0.1', `https://mam.internal:${server.port}/`, more)).toBe('connect');
    await server.closed();
  });

  it('that is there already needs no time', async () => {
    const server = await rawServer((socket, received) => {
      setTimeout(() => socket.write(written('x')), received.length > 100 ? 150 : 0);
    });
    const wire = hostWire();
    for (const connectLimit of [1_000, 50]) {
      expect(await ask(wire, '127.0.0.1', `http://mam.internal:${server.port}/`, { connectLimit })).toBe('200 x');
    }
    expect(server.connections).toBe(1);
  });

  it('that was spoken is not given up: the limit is over with the connection', async () => {
    let answered = false;
    const server = createServer(named, (_request, response) => {
      setTimeout(() => {
        answered = true;
        response.end('late');
      }, 150);
    });
    onTestFinished(() => server.closeAllConnections());
    const url = `https://mam.internal:${await listening(server)}/`;
    expect(await ask(hostWire({ ca: named.cert }), '127.0.0.1', url, { connectLimit: 100 })).toBe('200 late');
    expect(answered).toBe(true);
  });
});

it('finds all addresses of a name, and none of one that nobody knows', async () => {
  const { resolve } = hostWire();
  expect(await resolve!('localhost', patient)).toContain('127.0.0.1');
  await expect(resolve!('nobody.invalid', patient)).rejects.toThrow();
});
