import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpRealm } from '../../realms/http.ts';
import { openReceiver, type Receiver, type ScriptedAnswer } from '../support/receiver.ts';
import { answerOf, canary, loginHost, make, secret, testHost, textOf, withPassword } from './support.ts';

let endpoint: Receiver;
beforeEach(async () => {
  endpoint = await openReceiver();
});
afterEach(() => endpoint.close());

const realmAt = (more: Record<string, unknown> = {}, host = testHost()) =>
  make(httpRealm, { url: `${endpoint.address}/login`, ...more }, host);

describe('what is asked', () => {
  it('as JSON, with the shared secret', async () => {
    endpoint.script({ body: '{}' });
    await answerOf(await realmAt({ sharedSecret: secret('between-us') }), 'alice', canary);
    const [{ method, target, body, headers }] = endpoint.received as [(typeof endpoint.received)[0]];
    expect([method, target, JSON.parse(body)]).toEqual(['POST', '/login', { user: 'alice', password: canary }]);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-portico-secret': 'between-us' });
  });

  it('as basic authentication, in UTF-8', async () => {
    const realm = await realmAt({ form: 'basic', sharedSecret: secret('s'), sharedSecretHeader: 'x-who' });
    endpoint.script({ body: '{}' });
    await answerOf(realm, 'zoë', 'pä:ss');
    const { method, headers, body } = endpoint.received[0]!;
    expect([method, body, headers['x-who']]).toEqual(['GET', '', 's']);
    expect(Buffer.from(headers.authorization!.slice(6), 'base64').toString()).toBe('zoë:pä:ss');
  });

  it('never a name that basic authentication would cut', async () => {
    expect(await answerOf(await realmAt({ form: 'basic' }), 'a:b', 'x')).toBe('bad-user-name');
    expect(endpoint.received).toEqual([]);
  });

  it('not for other credentials', async () => {
    const realm = await realmAt();
    const token = { kind: 'token', token: secret(canary) } as const;
    expect(realm.supports(token)).toBe(false);
    expect(await realm.authenticate(token, loginHost())).toEqual({ answer: 'not-mine' });
    expect(endpoint.received).toEqual([]);
  });
});

const json = (value: unknown): string => JSON.stringify(value);

describe('what is answered', () => {
  it.each<[string, ScriptedAnswer, string]>([
    ['200 with an empty object', { body: '{}' }, 'account alice'],
    ['200 with another name', { body: json({ name: 'Alice.L' }) }, 'account Alice.L'],
    ['401', { status: 401, body: canary }, 'endpoint-refused'],
    ['403', { status: 403 }, 'endpoint-refused'],
  ])('%s', async (_what, answer, expected) => {
    endpoint.script(answer);
    expect(await answerOf(await realmAt(), 'alice', 'x')).toBe(expected);
  });

  it('with what is known of the user', async () => {
    const attributes = { department: 'news', phones: ['1', '2'], address: 'Street\nTown' };
    endpoint.script({ body: json({ realName: 'Alice Liddell', groups: ['editors'], attributes, more: 1 }) });
    const answer = await (await realmAt()).authenticate(withPassword('alice', 'x'), loginHost());
    expect(answer).toEqual({
      answer: 'account',
      account: { name: 'alice', attributes: { ...attributes, realName: 'Alice Liddell', groups: ['editors'] } },
    });
  });

  it('with the end of the login, in seconds as in a token', async () => {
    endpoint.script({ body: json({ exp: 1_900_000_000.5 }) });
    const answer = await (await realmAt()).authenticate(withPassword('alice', 'x'), loginHost());
    expect(answer).toMatchObject({ account: { ends: 1_900_000_000_500 } });
  });

  it.each<[string, ScriptedAnswer]>([
    ['an end that is no number', { body: json({ exp: canary }) }],
    ['a redirect', { status: 302, headers: { location: '/other' } }],
    ['204', { status: 204 }],
    ['500', { status: 500, body: canary }],
    ['404', { status: 404 }],
    ['nothing at all', {}],
    ['no JSON', { body: `<html>${canary}` }],
    ['a list', { body: '[]' }],
    ['null', { body: 'null' }],
    ['an empty name', { body: json({ name: '' }) }],
    ['a name that is no text', { body: json({ name: { toString: canary } }) }],
    ['a name with a line break', { body: json({ name: 'a\nb' }) }],
    ['groups that are no texts', { body: json({ groups: [canary, 1] }) }],
    ['an attribute that is no text', { body: json({ attributes: { a: { canary } } }) }],
    ['an attribute that would be a prototype', { body: '{"attributes":{"__proto__":["admin"]}}' }],
    ['more than anybody needs', { body: json({ realName: canary.repeat(10_000) }) }],
    ['bytes that are no text', { body: `"${canary}`, headers: { 'content-encoding': 'gzip' } }],
    ['a broken connection', { breaks: true }],
  ])('%s counts as a failure, and is not repeated', async (_what, answer) => {
    endpoint.script(answer, answer);
    const host = testHost();
    const error = await answerOf(await realmAt({}, host), 'alice', canary).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(textOf(error) + host.logged.join()).not.toContain('canary');
    // Deno's fetch itself sends once more what a connection broke under.
    expect(endpoint.received).toHaveLength(answer.breaks && 'Deno' in globalThis ? 2 : 1);
  });

  it('too late counts as a failure', async () => {
    endpoint.script({ after: new Promise(() => {}) });
    await expect(answerOf(await realmAt({ timeout: 100 }), 'alice', 'x')).rejects.toThrow('within 100 ms');
  });

  it('does not matter once the login has given up', async () => {
    endpoint.script({ after: new Promise(() => {}) });
    const caller = new AbortController();
    const answer = answerOf(await realmAt(), 'alice', 'x', loginHost(caller.signal));
    await endpoint.until(1);
    caller.abort(new Error('given up'));
    await expect(answer).rejects.toThrow('given up');
  });
});

describe('what cannot work is said at start', () => {
  it.each([
    [{ url: 'http://users.example.org/' }, 'Expected an https address'],
    [{ url: 'ftp://users.example.org/', allowPlainText: true }, 'Expected an https address'],
    [{ url: `https://me:${canary}@users.example.org/` }, 'Expected url to be an address'],
    [{ url: 'https://me:canary@users.example.org/' }, 'without a name and password'],
    [{ sharedSecret: secret(`${canary}\n`) }, 'Expected sharedSecret to be ASCII'],
  ])('%#', async (given, sentence) => {
    const error = await realmAt(given).catch((thrown: unknown) => thrown);
    expect(textOf(error)).toContain(sentence);
    expect(textOf(error)).not.toContain('canary');
  });

  it('allows plain text where the operator says so', async () => {
    await expect(realmAt({ url: 'http://users.internal/', allowPlainText: true })).resolves.toBeDefined();
  });
});
