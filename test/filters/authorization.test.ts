import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../filters/index.ts';
import type { Credentials } from '../../src/spi/index.ts';
import { type Asked, ask, headersOf, make, onlyAlice, told } from './support.ts';

const b64 = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64');
const good = `Basic ${b64('alice:p')}`;
const filterOf = (name: string, given = {}) => make(filterComponents[`portico.${name}Filter`]!, given);
const sent = (authorization: string | undefined, more: Asked = {}): Asked => ({
  login: onlyAlice,
  headers: authorization === undefined ? {} : { authorization },
  ...more,
});

/** Filter, header, and what comes of it. */
const plain: readonly (readonly [string, string | undefined, string])[] = [
  ['Basic', undefined, '401 credentials-missing'],
  ['Basic', '', '401 scheme-unknown'],
  ['Basic', good, 'accept alice'],
  ['Basic', good.replace('Basic', 'bAsIc'), 'accept alice'],
  ['Basic', good.replace(/=+$/, ''), 'accept alice'],
  ['Basic', `Basic ${b64('alice:q')}`, '401 wrong-password'],
  ['Basic', 'Basic', '401 credentials-malformed'],
  ['Basic', 'Basic !', '401 credentials-malformed'],
  ['Basic', 'Basic A', '401 credentials-malformed'],
  ['Basic', `Basic ${b64('alice')}`, '401 credentials-malformed'],
  ['Basic', `Basic ${b64(Uint8Array.of(0x61, 0x3a, 0xff))}`, '401 credentials-malformed'],
  ['Basic', `Basic  ${b64('alice:p')}`, '401 credentials-malformed'],
  ['Basic', `Basic\t${b64('alice:p')}`, '401 scheme-unknown'],
  ['Basic', `Basic${b64('alice:p')}`, '401 scheme-unknown'],
  ['Basic', `Basicfoo ${b64('alice:p')}`, '401 scheme-unknown'],
  ['Basic', `Basic ${b64('alice:p')} trailing`, '401 credentials-malformed'],
  ['Basic', 'Bearer good', '401 scheme-unknown'],
  ['Bearer', undefined, '401 credentials-missing'],
  ['Bearer', 'Bearer good', 'accept alice'],
  ['Bearer', 'bearer good', 'accept alice'],
  ['Bearer', 'Bearer bad', '401 wrong-password'],
  ['Bearer', 'Bearer', '401 credentials-malformed'],
  ['Bearer', 'Bearer good good', '401 credentials-malformed'],
  ['Bearer', 'Bearer good,good', '401 credentials-malformed'],
  ['Bearer', 'bearerish good', '401 scheme-unknown'],
  ['Bearer', good, '401 scheme-unknown'],
  ['Token', 'token good', 'accept alice'],
  ['Token', 'TOKEN good', 'accept alice'],
  ['Token', 'token bad', '401 wrong-password'],
  ['Token', 'tokenized good', '401 scheme-unknown'],
  ['OAuth2', 'Bearer good', 'accept alice'],
  ['OAuth2', 'Bearer bad', '401 wrong-password'],
];

describe('credentials in the header', () => {
  it.each(plain)('%s: %s', async (name, header, expected) => {
    expect(told(await ask(await filterOf(name), undefined, sent(header)))).toBe(expected);
  });

  it('reach the realms exactly as sent, and no log', async () => {
    const seen: Credentials[] = [];
    const login = (credentials: Credentials) => {
      seen.push(credentials);
      return onlyAlice(credentials);
    };
    await ask(await filterOf('Basic'), undefined, sent(`Basic ${b64(' Al\u00efce :p:\u00e9 ')}`, { login }));
    await ask(await filterOf('Token'), undefined, sent('token a.b-c_~+/==', { login }));
    await ask(await filterOf('Bearer'), undefined, sent('Bearer a.b', { login }));
    const texts = seen.map((each) => (each.kind === 'password' ? each.password : each.token).reveal());
    expect(seen).toMatchObject([{ kind: 'password', user: ' Al\u00efce ' }, { kind: 'token' }, { kind: 'bearer' }]);
    expect(texts).toEqual(['p:\u00e9 ', 'a.b-c_~+/==', 'a.b']);
    expect(JSON.stringify(seen)).not.toContain('p:');
  });

  it('are waited for when a realm takes its time', async () => {
    const login = async (credentials: Credentials) => onlyAlice(credentials);
    expect(told(await ask(await filterOf('Basic'), undefined, sent(good, { login })))).toBe('accept alice');
  });
});

/** S5: brackets, method, header, and what comes of it. */
const bracketed: readonly (readonly [readonly string[], string, string | undefined, string])[] = [
  [['permissive'], 'GET', undefined, 'pass'],
  [['permissive'], 'GET', 'Bearer x', 'pass'],
  [['permissive'], 'GET', 'Basicfoo x', 'pass'],
  [['permissive'], 'GET', good, 'accept alice'],
  [['permissive'], 'GET', 'Basic !', '401 credentials-malformed'],
  [['permissive'], 'GET', `Basic ${b64('alice:q')}`, '401 wrong-password'],
  [['POST'], 'GET', undefined, 'pass'],
  [['POST'], 'GET', 'Basic !', 'pass'],
  [['POST'], 'HEAD', undefined, 'pass'],
  [['POST'], 'POST', undefined, '401 credentials-missing'],
  [['post'], 'POST', undefined, '401 credentials-missing'],
  [['PATCH'], 'patch', undefined, '401 credentials-missing'],
  [['permissive', 'POST', 'PUT'], 'POST', undefined, 'pass'],
  [['POST', 'permissive', 'PUT'], 'PUT', undefined, 'pass'],
  [['permissive', 'POST', 'PUT'], 'PUT', 'Basic !', '401 credentials-malformed'],
  [['permissive', 'POST', 'PUT'], 'GET', 'Basic !', 'pass'],
  [[], 'GET', undefined, '401 credentials-missing'],
];

describe('brackets', () => {
  it.each(bracketed)('%j %s %s', async (words, method, header, expected) => {
    expect(told(await ask(await filterOf('Basic'), words, sent(header, { method })))).toBe(expected);
  });

  it.each([
    ['PERMISSIVE', 'Expected "permissive" in lower case, found "PERMISSIVE"'],
    ['Permissive', 'Expected "permissive" in lower case, found "Permissive"'],
    ['permisive', 'Expected "permissive" or a method of HTTP such as POST, found "permisive"'],
    ['POTS', 'Expected "permissive" or a method of HTTP such as POST, found "POTS"'],
    ['', 'Expected "permissive" or a method of HTTP such as POST, found ""'],
    ['constructor', 'Expected "permissive" or a method of HTTP such as POST, found "constructor"'],
  ])('refuse %j at start', async (word, sentence) => {
    for (const name of ['Basic', 'Bearer', 'Token', 'OAuth2']) {
      const filter = await filterOf(name);
      expect(() => filter.options?.(['GET', word])).toThrow(sentence);
    }
  });

  it.each([
    [undefined, false],
    [[], false],
    [['permissive'], true],
    [['POST'], true],
  ])('%j may let somebody pass who is not known: %s', async (words, expected) => {
    const filter = await filterOf('Basic');
    expect(filter.authenticates).toBe(true);
    expect(filter.isPermissive?.(words && filter.options?.(words))).toBe(expected);
  });
});

describe('the challenge', () => {
  it.each([
    ['Basic', {}, 'BASIC realm="application"'],
    ['Basic', { applicationName: 'serviceRealm' }, 'BASIC realm="serviceRealm"'],
    ['Basic', { applicationName: 'a "b" \\ c' }, 'BASIC realm="a \\"b\\" \\\\ c"'],
    ['Basic', { authcScheme: 'Basic' }, 'Basic realm="application"'],
    ['Bearer', {}, 'Bearer realm="application"'],
    ['Token', {}, 'token realm="application"'],
    ['OAuth2', {}, 'Bearer realm="application"'],
  ])('of %s with %j', async (name, given, challenge) => {
    const verdict = await ask(await filterOf(name, given), undefined);
    expect(headersOf(verdict)).toEqual({ 'www-authenticate': challenge });
    expect(() => new Headers(headersOf(verdict))).not.toThrow();
  });

  it('may ask for another scheme than usual', async () => {
    const filter = await filterOf('Basic', { authzScheme: 'XBasic' });
    expect(told(await ask(filter, undefined, sent(good.replace('Basic', 'xbasic'))))).toBe('accept alice');
    expect(told(await ask(filter, undefined, sent(good)))).toBe('401 scheme-unknown');
  });

  it.each([
    ['Basic', { applicationName: 'a\nb' }, 'Latin-1'],
    ['Basic', { applicationName: '\u20ac' }, 'Latin-1'],
    ['Basic', { authzScheme: 'a b' }, 'Expected one word'],
    ['Basic', { authcScheme: '' }, 'Expected one word'],
    ['Basic', { allowPreFlightRequests: false }, 'Expected true: preflights carry no credentials'],
    ['Token', { enabled: false }, 'Expected true: the token filter stays on'],
    ['Basic', { aplicationName: 'x' }, 'unknown property'],
  ])('%s refuses %j', async (name, given, sentence) => {
    await expect(filterOf(name, given)).rejects.toThrow(sentence);
  });
});

it('the default chain asks each filter about its own scheme only', async () => {
  const chain = await Promise.all(['Token', 'OAuth2', 'Basic'].map((name) => filterOf(name)));
  const walk = async (authorization: string | undefined): Promise<[string, string | undefined]> => {
    for (const [index, filter] of chain.entries()) {
      const verdict = await ask(filter, index < 2 ? ['permissive'] : undefined, sent(authorization));
      if (verdict.verdict !== 'pass') return [told(verdict), headersOf(verdict)['www-authenticate']];
    }
    return ['pass', undefined];
  };
  expect(await walk(undefined)).toEqual(['401 credentials-missing', 'BASIC realm="application"']);
  expect(await walk(good)).toEqual(['accept alice', undefined]);
  expect(await walk('token bad')).toEqual(['401 wrong-password', 'token realm="application"']);
  expect(await walk('Bearer bad')).toEqual(['401 wrong-password', 'Bearer realm="application"']);
  expect(await walk('token')).toEqual(['401 credentials-malformed', 'token realm="application"']);
  expect(await walk('tokenized x')).toEqual(['401 scheme-unknown', 'BASIC realm="application"']);
});
