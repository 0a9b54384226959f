import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { unread } from '../../src/http/body.ts';
import type { Call } from '../../src/http/call.ts';
import { createRefuser } from '../../src/http/handler.ts';
import { flag, whole } from '../../src/http/parameters/index.ts';
import { typed } from '../../src/http/reply.ts';
import { anybody, type Route, route } from '../../src/http/route.ts';
import { tableOf } from '../../src/http/route-table.ts';
import { createLog } from '../../src/lib/log.ts';
import { noParameters, Parameters } from '../../src/security/parameters.ts';
import { testClock } from '../support/clock.ts';

const refuse = createRefuser(
  createLog(() => undefined, testClock(), 'error'),
  'urn:x',
);
const shared = { says: 'A test.', access: anybody, acting: 'allowed' } as const;
const routes: readonly Route[] = [
  route({
    ...shared,
    method: 'PATCH',
    path: '/file/:id',
    query: { first: whole('The first row', { usual: 1 }), deep: flag('All below', false) },
    reads: 'bytes',
    answers: 'bytes',
    produces: ['video/mp4', 'model/gltf+json'],
    handle: ({ query: { first, deep } }, type) => typed(type, `${first + 1} ${deep ? 'deep' : 'flat'}`),
  }),
];

async function send(method: string, accept: string | null, pairs: readonly (readonly [string, string])[] = []) {
  const request = new Request('http://portico.test/file/1', { method, headers: accept === null ? {} : { accept } });
  const call: Call = {
    trace: { id: 'x', came: 0, headers: {} },
    method,
    path: '/file/1',
    authority: undefined,
    root: '',
    request,
    parameters: pairs.length > 0 ? new Parameters(pairs) : noParameters,
    query: {},
    body: unread,
    address: undefined,
    secure: false,
    subject: undefined,
    came: 0,
    actor: () => ({ user: 'system' }),
    commit: async () => undefined,
  };
  const answer = await createApp(tableOf(routes), refuse).dispatch(call);
  const header = (name: string) => answer.headers.get(name);
  return { status: answer.status, body: await answer.text(), header };
}

describe('a route that describes itself', () => {
  it('gives its handler the parameters, with types and defaults', async () => {
    expect((await send('PATCH', null)).body).toBe('2 flat');
    const sent = await send('PATCH', null, [
      ['first', '4'],
      ['deep', 'Yes'],
      ['depp', '1'],
    ]);
    expect([sent.body, sent.header('portico-ignored')]).toEqual(['5 deep', 'depp']);
  });

  it('is refused before its handler runs where a parameter cannot be read', async () => {
    const { status, body, header } = await send('PATCH', 'application/json, */*;q=0.1', [['deep', 'maybe']]);
    expect([status, header('portico-error')]).toEqual([400, 'bad-parameter']);
    expect(JSON.parse(body).invalidInput).toMatchObject({ id: 'deep', value: 'maybe' });
  });

  it('answers in any media type, the one that the caller takes', async () => {
    expect((await send('PATCH', '*')).header('content-type')).toBe('video/mp4');
    expect((await send('PATCH', 'model/*')).header('content-type')).toBe('model/gltf+json');
    expect((await send('PATCH', 'text/html')).status).toBe(406);
  });

  it('is named in Allow for other methods', async () => {
    const { status, header } = await send('GET', null);
    expect([status, header('allow')]).toEqual([405, 'OPTIONS, PATCH']);
    expect((await send('OPTIONS', null)).header('allow')).toBe('OPTIONS, PATCH');
  });
});
