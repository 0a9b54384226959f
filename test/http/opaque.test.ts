import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/core/documents/index.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { addressOf } from '../../src/http/address.ts';
import { createApp } from '../../src/http/app.ts';
import { unread } from '../../src/http/body.ts';
import type { Call } from '../../src/http/call.ts';
import { createRefuser } from '../../src/http/handler.ts';
import { declaresOpaque, escapedPattern, unmarked } from '../../src/http/opaque.ts';
import { createRender, plain } from '../../src/http/reply.ts';
import { anybody, type Route } from '../../src/http/route.ts';
import { tableOf } from '../../src/http/route-table.ts';
import { specificFirst } from '../../src/http/routing.ts';
import { changeAsCaller } from '../../src/security/caller.ts';
import { noParameters } from '../../src/security/parameters.ts';
import { testClock } from '../support/clock.ts';
import { noStore } from '../support/listeners.ts';

const refuse = createRefuser(
  createLog(() => undefined, testClock(), 'error'),
  'urn:x',
);

const saying = (method: 'GET' | 'PUT', path: string): Route => ({
  method,
  path,
  says: 'A test.',
  access: anybody,
  acting: 'allowed',
  produces: ['text/plain'],
  handle: (_call, params) => plain(`${path} ${JSON.stringify(Object.entries(params).sort())}`),
});

const app = createApp(
  tableOf([
    saying('GET', '/file/:path{opaque}/of/:other'),
    saying('GET', '/file/:id/of/fixed'),
    saying('PUT', '/file/:path{opaque}/of/:other'),
    saying('GET', '/file/:path{opaque}/key/:key{.+}'),
    saying('GET', '/:any'),
  ]),
  refuse,
);

const callOf = (method: string, path: string): Call => ({
  trace: { id: 'x', came: 0, headers: {} },
  ...{ method, path, request: new Request('http://portico.test/', { method }), authority: undefined, root: '' },
  ...{
    parameters: noParameters,
    query: {},
    sent: unread,
    body: undefined,
    address: undefined,
    secure: false,
    subject: undefined,
  },
  ...{ type: 'text/plain', limits: defaultLimits, render: createRender('urn:x') },
  ...{ came: 0, actor: () => ({ user: 'system' }), commit: async () => undefined, change: changeAsCaller },
  reader: noStore.reader(''),
});

async function send(method: string, path: string) {
  const answer = await app.dispatch(callOf(method, path));
  return { status: answer.status, body: await answer.text(), allow: answer.headers.get('allow') };
}

describe('a path with an escape', () => {
  it('meets no route whose parameter is not opaque, however specific that is', async () => {
    expect((await send('GET', '/file/a/of/fixed')).body).toBe('/file/:id/of/fixed [["id","a"]]');
    const { body } = await send('GET', '/file/a%2Fb/of/fixed');
    expect(body).toBe('/file/:path{opaque}/of/:other [["other","fixed"],["path","a/b"]]');
  });

  it('is decoded once', async () => {
    const { body } = await send('GET', '/file/%252F%253B%5C/of/x');
    expect(body).toContain(JSON.stringify(['path', '%2F%3B\\']));
    expect((await send('GET', '/file/a%2Fb/key/c/d')).body).toContain('[["key","c/d"],["path","a/b"]]');
  });

  it.each(['/file/a/of/b%2Fc', '/file/a%2Fb/of/c%2Fd', '/file/a/key/b%2Fc', '/a%2Fb', '/file%2Fa/of/b', '/file/a%2Fb'])(
    '%s has no route, and Allow names none',
    async (path) => {
      expect(app.takesOpaque(path)).toBe(false);
      for (const method of ['GET', 'OPTIONS'])
        expect(await send(method, path)).toMatchObject({ status: 404, allow: null });
    },
  );

  it('has the methods of the routes that take it', async () => {
    expect(app.takesOpaque('/file/a%2Fb/of/c')).toBe(true);
    expect(await send('DELETE', '/file/a%2Fb/of/fixed')).toMatchObject({
      status: 405,
      allow: 'GET, HEAD, OPTIONS, PUT',
    });
    expect((await send('OPTIONS', '/file/a%2Fb/key/c')).allow).toBe('GET, HEAD, OPTIONS');
    expect((await send('HEAD', '/file/a%2Fb/of/c')).status).toBe(200);
  });
});

it('an address in an answer escapes an opaque segment as the caller did', () => {
  expect(addressOf(callOf('GET', '/file/a%2Fb%25/of/\u00e9'))).toBe('http://portico.test/file/a%2Fb%25/of/%C3%A9');
});

describe('the mark of an opaque segment', () => {
  it('makes a route neither more nor less specific', () => {
    const paths = ['/a/:b{.+}', '/a/:b{opaque}', '/a/:c', '/a/b'].map((path) => ({ path }));
    expect(specificFirst(paths).map(({ path }) => path)).toEqual(['/a/b', '/a/:b{opaque}', '/a/:c', '/a/:b{.+}']);
  });

  it('is told from other patterns', () => {
    expect(['/a/:b{.+}', '/a/:b', '/a/b', '/:opaque/b'].filter(declaresOpaque)).toEqual([]);
    expect(unmarked('/a/:b{opaque}/:c{.+}')).toBe('/a/:b/:c{.+}');
    expect(escapedPattern('/a/:b{opaque}/:c/:d{.+}')).toBe('/a/:b/:c{[^/%]+}/:d{[^%]+}');
    expect(() => escapedPattern('/a/:b{[0-9]+}')).toThrow('Expected {opaque} or {.+} after the name of a parameter');
  });
});
