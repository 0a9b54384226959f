import { describe, expect, it } from 'vitest';
import { document, element, integer, list, string } from '../../src/core/documents/describe.ts';
import { defaultLimits } from '../../src/core/documents/index.ts';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { createLog } from '../../src/core/lib/log.ts';
import type { CommitPlan } from '../../src/core/store/contract.ts';
import { answer, uris } from '../../src/http/answers.ts';
import { createApp } from '../../src/http/app.ts';
import { unread } from '../../src/http/body.ts';
import type { Call } from '../../src/http/call.ts';
import { raw } from '../../src/http/forms.ts';
import { createRefuser } from '../../src/http/handler.ts';
import { operation } from '../../src/http/openapi/operation.ts';
import { flag, whole } from '../../src/http/parameters/index.ts';
import type { PathEntity } from '../../src/http/path-entity.ts';
import { kept, optional, textOf, textOr } from '../../src/http/reads.ts';
import { createRender, typed } from '../../src/http/reply.ts';
import { access, anybody, type Route, route } from '../../src/http/route.ts';
import { tableOf } from '../../src/http/route-table.ts';
import { changeAsCaller } from '../../src/security/caller.ts';
import { noParameters, Parameters } from '../../src/security/parameters.ts';
import { testClock } from '../support/clock.ts';
import { noStore } from '../support/listeners.ts';

const refuse = createRefuser(
  createLog(() => undefined, testClock(), 'error'),
  'urn:x',
);
const shared = { says: 'A test.', access: anybody, acting: 'allowed' } as const;
const noteDocument = document('NoteDocument', { text: element(string).required, size: element(integer) });
const noteListDocument = document('NoteListDocument', { note: list(string) });

/** Entities of a test: a note by its name. The commit of a change begins with the guard. */
const note = (level: 'READ' | 'WRITE'): PathEntity<{ readonly id: string; readonly size: number }> => ({
  kind: 'note',
  level,
  find(name) {
    if (name === 'none') throw new ServiceError('no-such-entity', { type: 'Note', id: name });
    if (name === 'closed') throw new ServiceError('not-allowed', { id: name });
    return { id: `id of ${name}`, size: name.length };
  },
  stays: ({ id }) => ({ sql: 'guard', args: [id] }),
});

/** Lines of a note are found below it. */
const line: PathEntity<string, { readonly note: { readonly id: string } }> = {
  kind: 'line',
  find: (name, _call, { note: { id } }) => `${name} of ${id}`,
};

const routes: readonly Route[] = [
  route({
    ...shared,
    method: 'PATCH',
    path: '/file/:id',
    query: { first: whole('The first row', { defaultValue: 1 }), deep: flag('All below', false) },
    reads: raw('bytes'),
    answers: raw('bytes', ['video/mp4', 'model/gltf+json']),
    handle: ({ query: { first, deep }, type }) => typed(type, `${first + 1} ${deep ? 'deep' : 'flat'}`),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/note/:note/part/:part',
    entities: { note: note('READ') },
    answers: answer(noteDocument, { text: ({ text }) => `only ${text}` }),
    handle: (_call, { note: { id, size }, part }) => ({ text: `${part} of ${id}`, size }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/note/:note',
    entities: { note: note('WRITE') },
    reads: noteDocument,
    handle: (call, { note: { id } }) =>
      call.commit({ changes: [{ sql: 'change', args: [id, call.body.text] }], events: [] }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/note/:note/line/:line',
    entities: { note: note('READ'), line },
    answers: 'text',
    handle: (_call, { line }) => line,
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/note',
    reads: optional(noteDocument),
    answers: noteDocument,
    location: ({ text }) => ['note', text],
    noStore: true,
    handle: ({ body }) => body ?? { text: 'empty' },
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/note/:note',
    status: 204,
    handle: (call, { note }) => call.commit({ changes: [{ sql: 'delete', args: [note] }], events: [] }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/note',
    answers: answer(noteListDocument, { list: 'note' }),
    handle: () => ({ note: Array.from({ length: 250 }, (_, at) => `note ${at}`) }),
  }),
  route({ ...shared, method: 'GET', path: '/uri', answers: uris, handle: async () => ['a', 'b'] }),
  route({ ...shared, method: 'PUT', path: '/text', reads: 'text', answers: 'text', handle: ({ body }) => `<${body}>` }),
  route({ ...shared, method: 'PUT', path: '/short', reads: textOf(4), answers: 'text', handle: ({ body }) => body }),
  route({
    ...shared,
    method: 'PUT',
    path: '/either',
    reads: textOr(noteDocument),
    answers: 'text',
    handle: ({ body }) => (typeof body === 'string' ? `text ${body}` : `document ${body.text}`),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/kept',
    reads: kept(noteDocument),
    answers: 'text',
    handle: ({ body: { form, text, value } }) => `${form} ${text.length} ${value.text}`,
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/refused/:note',
    access: access({ role: 'nothing' }, () => {
      throw new ServiceError('role-missing', { id: 'x' });
    }),
    entities: { note: note('WRITE') },
    handle: () => undefined,
  }),
];

interface Ask {
  readonly accept?: string | null;
  readonly pairs?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly type?: string;
}

async function send(method: string, path: string, { accept = null, pairs = [], body, type }: Ask = {}) {
  const headers = { ...(accept !== null && { accept }), ...(type !== undefined && { 'content-type': type }) };
  const sized = body === undefined ? headers : { ...headers, 'content-length': String(body.length) };
  const request = new Request(`http://portico.test${path}`, { method, headers: sized, body: body ?? null });
  const commits: CommitPlan[] = [];
  const call: Call = {
    trace: { id: 'x', came: 0, headers: {} },
    method,
    path,
    authority: undefined,
    root: '',
    request,
    parameters: pairs.length > 0 ? new Parameters(pairs) : noParameters,
    query: {},
    sent: unread,
    body: undefined,
    type: '',
    limits: defaultLimits,
    render: createRender('urn:x'),
    address: undefined,
    secure: false,
    subject: undefined,
    came: 0,
    actor: () => ({ user: 'system' }),
    commit: async (plan) => void commits.push(plan),
    change: changeAsCaller,
    reader: noStore.reader(''),
  };
  const answered = await createApp(tableOf(routes), refuse).dispatch(call);
  const header = (name: string) => answered.headers.get(name);
  const statements = commits.flatMap(({ changes }) => changes.map(({ sql, args }) => `${sql} ${args.join(' ')}`));
  return { status: answered.status, body: await answered.text(), header, statements };
}

const patch = (ask: Ask = {}) => send('PATCH', '/file/1', ask);
const json = 'application/json';

describe('a route that describes itself', () => {
  it('gives its handler the parameters, with types and defaults', async () => {
    expect((await patch()).body).toBe('2 flat');
    const pairs = [
      ['first', '4'],
      ['deep', 'Yes'],
      ['depp', '1'],
    ] as const;
    const sent = await patch({ pairs });
    expect([sent.body, sent.header('portico-ignored')]).toEqual(['5 deep', 'depp']);
  });

  it('is refused before its handler runs where a parameter cannot be read', async () => {
    const { status, body, header } = await patch({ accept: `${json}, */*;q=0.1`, pairs: [['deep', 'maybe']] });
    expect([status, header('portico-error')]).toEqual([400, 'bad-parameter']);
    expect(JSON.parse(body).invalidInput).toMatchObject({ id: 'deep', value: 'maybe' });
  });

  it('answers in any media type, the one that the caller takes', async () => {
    expect((await patch({ accept: '*' })).header('content-type')).toBe('video/mp4');
    expect((await patch({ accept: 'model/*' })).header('content-type')).toBe('model/gltf+json');
    expect((await patch({ accept: 'text/html' })).status).toBe(406);
  });

  it('is named in Allow for other methods', async () => {
    const { status, header } = await send('GET', '/file/1');
    expect([status, header('allow')]).toEqual([405, 'OPTIONS, PATCH']);
    expect((await send('OPTIONS', '/file/1')).header('allow')).toBe('OPTIONS, PATCH');
  });
});

describe('a route that declares its answer', () => {
  it('sends what its handler returns in the negotiated form', async () => {
    const path = '/note/ab/part/one';
    expect((await send('GET', path, { accept: json })).body).toBe('{"text":"one of id of ab","size":2}');
    expect((await send('GET', path)).body).toContain('<text>one of id of ab</text>');
    expect((await send('GET', path, { accept: 'text/plain' })).body).toBe('only one of id of ab');
  });

  it('writes long lists in slices, and addresses one per line', async () => {
    const { note } = JSON.parse((await send('GET', '/note', { accept: json })).body);
    expect([note.length, note[249]]).toEqual([250, 'note 249']);
    expect((await send('GET', '/uri', { accept: 'text/plain' })).body).toBe('a\r\nb\r\n');
    expect((await send('GET', '/uri', { accept: json })).body).toBe('{"uri":["a","b"]}');
  });

  it('adds the address of what was made, and keeps credentials out of caches', async () => {
    const { body, header } = await send('POST', '/note', { accept: json });
    expect(body).toBe('{"text":"empty"}');
    expect([header('location'), header('cache-control')]).toEqual(['http://portico.test/note/empty', 'no-store']);
  });

  it('has no body where it declares none', async () => {
    const { status, body, statements } = await send('DELETE', '/note/a');
    expect([status, body, statements]).toEqual([204, '', ['delete a']]);
  });

  it('names the status of an answer without a body in the OpenAPI document', () => {
    const remove = operation(routes.find(({ method }) => method === 'DELETE')!);
    expect(Object.keys(remove['responses'] as object)).toEqual(['204', 'default']);
  });
});

describe('a route that declares its body', () => {
  const put = (path: string, body: string, type?: string) =>
    send('PUT', path, { body, accept: `${json}, */*;q=0.1`, ...(type !== undefined && { type }) });

  it('gets a document as a value, and refuses an empty body', async () => {
    expect((await put('/note/a', '{"text":"x"}', json)).statements).toEqual(['guard id of a', 'change id of a x']);
    expect(JSON.parse((await put('/note/a', '', json)).body).invalidInput.explanation).toBe('Expected a NoteDocument');
    expect((await put('/note/a', '{"txt":"x"}', json)).status).toBe(400);
    expect((await put('/note/a', 'x', 'image/png')).status).toBe(415);
  });

  it('gets a text, with a limit of its own', async () => {
    expect((await put('/text', 'a b')).body).toBe('<a b>');
    expect((await put('/short', 'abcd')).body).toBe('abcd');
    expect((await put('/short', 'abcde')).status).toBe(413);
  });

  it('gets a document or a text by the type of the body', async () => {
    expect((await put('/either', '{"text":"x"}', json)).body).toBe('document x');
    expect((await put('/either', 'x', 'text/plain')).body).toBe('text x');
    expect((await put('/either', '', json)).body).toBe('text ');
  });

  it('gets a document beside its text', async () => {
    expect((await put('/kept', '{"text":"x"}', json)).body).toBe('json 12 x');
  });
});

describe('a route that declares the entities of its path', () => {
  it('refuses a body that it cannot read, then unknown and closed ones, and writes nothing', async () => {
    const refused = async (path: string, body = '{"text":"x"}') => {
      const { status, header, statements } = await send('PUT', path, { body, type: json });
      return [status, header('portico-error'), statements];
    };
    expect(await refused('/note/none')).toEqual([404, 'no-such-entity', []]);
    expect(await refused('/note/closed')).toEqual([403, 'not-allowed', []]);
    expect(await refused('/note/none', '{')).toEqual([400, 'bad-document', []]);
    expect(await refused('/refused/none')).toEqual([403, 'role-missing', []]);
  });

  it('finds one below another', async () => {
    expect((await send('GET', '/note/a/line/7')).body).toBe('7 of id of a');
    expect((await send('GET', '/note/none/line/7')).status).toBe(404);
  });

  it('names the level on each in the OpenAPI document', () => {
    const level = (at: number) => operation(routes[at]!)['x-level'];
    expect([level(0), level(1), level(2)]).toEqual([undefined, { note: 'READ' }, { note: 'WRITE' }]);
  });
});
