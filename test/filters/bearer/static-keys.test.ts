import { describe, expect, it } from 'vitest';
import { filterRequest } from '../../../src/kit/testing/index.ts';
import { startOfTime } from '../../support/clock.ts';
import { audience, certificateOf, claims, jwk, pair, pemOf, signed, spki } from '../../support/keys.ts';
import { bench, challengeOf, headersOf, trusting } from '../support.ts';

const kinds = ['RSA', 'P-256', 'P-384', 'P-521', 'Ed25519'];
const until = { from: new Date(startOfTime - 1000), until: new Date(startOfTime + 864e5) };
const algorithms: Readonly<Record<string, readonly string[]>> = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA'],
};
const everyAlgorithm = kinds.flatMap((kind) => algorithms[kind]!.map((algorithm) => [kind, algorithm] as const));

describe('a token that a configured key has signed', () => {
  it.each(everyAlgorithm)('logs its user in: %s, %s', async (kind, algorithm) => {
    const { told } = await bench({ api: trusting(pair(kind)) });
    expect(await told(signed(pair(kind), claims(), {}, algorithm))).toBe('accept alice');
  });

  const forms: readonly (readonly [string, (der: Buffer) => string])[] = [
    ['PEM', (der) => pemOf('PUBLIC KEY', der)],
    ['PEM in one line', (der) => pemOf('PUBLIC KEY', der).replaceAll('\n', '')],
    ['PEM with CRLF and blanks', (der) => ` \r\n${pemOf('PUBLIC KEY', der).replaceAll('\n', '\r\n')} `],
    ['Base64', (der) => der.toString('base64')],
    ['Base64 with line breaks', (der) => der.toString('base64').replace(/.{60}/g, '$&\n')],
    ['Base64 without padding', (der) => der.toString('base64').replace(/=+$/, '')],
    ['Base64 for addresses', (der) => der.toString('base64url')],
  ];
  it.each(forms.flatMap(([form, write]) => kinds.map((kind) => [form, kind, write] as const)))(
    'takes a public key as %s: %s',
    async (_form, kind, write) => {
      const { told } = await bench({ api: { ...trusting(), publicKey: [write(spki(pair(kind)))] } });
      expect(await told(signed(pair(kind), claims(), {}, algorithms[kind]![0]))).toBe('accept alice');
    },
  );

  it.each(['RSA', 'P-256', 'Ed25519'])('takes a certificate as PEM and as Base64: %s', async (kind) => {
    const der = certificateOf(pair(kind), until);
    for (const text of [pemOf('CERTIFICATE', der), der.toString('base64')]) {
      const { told } = await bench({ api: { ...trusting(), publicKey: [], x509Certificate: [text] } });
      expect(await told(signed(pair(kind), claims()))).toBe('accept alice');
    }
  });

  it.each(kinds)('takes a JSON Web Key: %s', async (kind) => {
    const text = JSON.stringify({ ...jwk(pair(kind)), use: 'sig', kid: 'a' });
    const { told } = await bench({ api: { ...trusting(), publicKey: [text] } });
    expect(await told(signed(pair(kind), claims(), {}, algorithms[kind]![0]))).toBe('accept alice');
  });

  it('keeps a JSON Web Key to the algorithm that it names', async () => {
    const text = JSON.stringify({ ...jwk(pair('RSA')), alg: 'PS256' });
    const { told } = await bench({ api: { ...trusting(), publicKey: [text] } });
    expect(await told(signed(pair('RSA'), claims(), {}, 'PS256'))).toBe('accept alice');
    expect(await told(signed(pair('RSA'), claims(), {}, 'RS256'))).toBe('401 signature-wrong');
  });

  it('is the same from security.ini', async () => {
    const { expectedAudience, publicKey } = trusting(pair('P-256'));
    const { told } = await bench({ ini: { expectedAudience, publicKey, tokenUser: 'user' } });
    expect(await told(signed(pair('P-256'), claims()))).toBe('accept alice');
  });
});

describe('several certificates and keys', () => {
  const certificate = certificateOf(pair('RSA'), until).toString('base64');
  const several = { ...trusting(pair('P-256'), pair('P-256 second'), pair('Ed25519')), x509Certificate: [certificate] };

  it.each(['RSA', 'P-256', 'P-256 second', 'Ed25519'])('are tried in turn: %s', async (name) => {
    for (const header of [{}, { kid: 'unknown' }, { kid: 7 }]) {
      const { told } = await bench({ api: several });
      expect(await told(signed(pair(name), claims(), header))).toBe('accept alice');
    }
  });

  it('may be blocks of one text', async () => {
    const text = pemOf('PUBLIC KEY', spki(pair('P-256'))) + pemOf('PUBLIC KEY', spki(pair('RSA')));
    const { told } = await bench({ api: { ...trusting(), publicKey: [text] } });
    for (const name of ['RSA', 'P-256']) expect(await told(signed(pair(name), claims()))).toBe('accept alice');
  });

  it('let in no token of another key', async () => {
    const { told } = await bench({ api: several });
    for (const name of ['RSA stranger', 'P-256 stranger', 'Ed25519 stranger', 'P-384']) {
      expect(await told(signed(pair(name), claims()))).toBe('401 signature-wrong');
    }
  });
});

describe('claims that a token must have', () => {
  it('a token without an end lets its user in only where the file says so', async () => {
    const endless = signed(pair('P-256'), claims({ exp: undefined }));
    const defaultValue = await bench({ api: trusting(pair('P-256')) });
    expect(await defaultValue.told(endless)).toBe('401 expiry-missing');
    const lenient = await bench({ ini: { allowNoExpiry: true }, api: trusting(pair('P-256')) });
    for (let times = 0; times < 2; times++) expect(await lenient.told(endless)).toBe('accept alice');
    const ended = signed(pair('P-256'), claims({ exp: startOfTime / 1000 - 600 }));
    expect(await lenient.told(ended)).toBe('401 token-expired');
    expect(await lenient.told(signed(pair('P-256'), claims({ exp: null })))).toBe('401 claims-malformed');
  });

  const seconds = startOfTime / 1000;
  const skew = 60;
  const rows: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['the audience as a text', { aud: audience }, 'accept alice'],
    ['the audience among others', { aud: ['account', audience, 7] }, 'accept alice'],
    ['no audience', { aud: undefined }, '401 audience-wrong'],
    ['another audience', { aud: 'porticos' }, '401 audience-wrong'],
    ['the audience in another case', { aud: 'Portico' }, '401 audience-wrong'],
    ['the audience as a part of a text', { aud: `account ${audience}` }, '401 audience-wrong'],
    ['the audience inside another list', { aud: [[audience]] }, '401 audience-wrong'],
    ['the audience as a name', { aud: { [audience]: audience } }, '401 audience-wrong'],
    ['no subject', { sub: undefined }, '401 subject-missing'],
    ['a subject that is null', { sub: null }, '401 subject-missing'],
    ['an empty subject', { sub: '' }, '401 subject-missing'],
    ['no expiry', { exp: undefined }, '401 expiry-missing'],
    ['an expiry that is a text', { exp: `${seconds + 60}` }, '401 claims-malformed'],
    ['an expiry that is null', { exp: null }, '401 claims-malformed'],
    ['an expiry beyond all numbers', { exp: Number.MAX_VALUE }, '401 claims-malformed'],
    ['an expiry just now', { exp: seconds }, 'accept alice'],
    ['an expiry within the skew', { exp: seconds - skew + 1 }, 'accept alice'],
    ['an expiry beyond the skew', { exp: seconds - skew }, '401 token-expired'],
    ['a beginning within the skew', { nbf: seconds + skew }, 'accept alice'],
    ['a beginning beyond the skew', { nbf: seconds + skew + 1 }, '401 token-not-yet-valid'],
    ['a beginning that is a text', { nbf: 'now' }, '401 claims-malformed'],
    ['a time of issue in the future', { iat: seconds + skew + 1 }, '401 token-not-yet-valid'],
    ['no time of issue', { iat: undefined }, 'accept alice'],
    ['a list with one user', { user: ['alice'] }, 'accept alice'],
    ['a list with two users', { user: ['alice', 'bob'] }, '401 user-claim-wrong'],
    ['an empty list of users', { user: [] }, '401 user-claim-wrong'],
    ['no user', { user: undefined }, '401 user-claim-wrong'],
    ['an empty user', { user: '' }, '401 user-claim-wrong'],
    ['a user that is a number', { user: 7 }, '401 user-claim-wrong'],
    ['a user that is an object', { user: { name: 'alice' } }, '401 user-claim-wrong'],
    ['a user who is not there', { user: 'carol' }, '401 user-unknown'],
    ['a user in another case', { user: 'Alice' }, '401 user-unknown'],
    ['a user who is disabled', { user: 'bob' }, '401 user-disabled'],
  ];

  it.each(rows)('%s', async (_what, changes, expected) => {
    const { told } = await bench({ api: trusting(pair('P-256')) });
    const token = signed(pair('P-256'), claims(changes));
    expect(await told(token)).toBe(expected);
    expect(await told(token), 'the second time').toBe(expected);
  });

  it('names the user in unique_name where nothing else is configured', async () => {
    const { told } = await bench({ api: { ...trusting(pair('P-256')), tokenUser: undefined } });
    expect(await told(signed(pair('P-256'), claims({ user: 'bob', unique_name: 'alice' })))).toBe('accept alice');
    expect(await told(signed(pair('P-256'), claims()))).toBe('401 user-claim-wrong');
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'has no user in what every object inherits: %s',
    async (tokenUser) => {
      const { told } = await bench({ api: { ...trusting(pair('P-256')), tokenUser } });
      expect(await told(signed(pair('P-256'), claims()))).toBe('401 user-claim-wrong');
      const named = JSON.stringify(claims()).replace('"user"', JSON.stringify(tokenUser));
      expect(await told(signed(pair('P-256'), named))).toBe('accept alice');
    },
  );

  it('may be on another clock by as much as security.ini says', async () => {
    const late = signed(pair('P-256'), claims({ exp: seconds - 200 }));
    const api = trusting(pair('P-256'));
    expect(await (await bench({ api, ini: { clockSkew: 300_000 } })).told(late)).toBe('accept alice');
    expect(
      await (await bench({ api, ini: { clockSkew: 0 } })).told(signed(pair('P-256'), claims({ exp: seconds }))),
    ).toBe('401 token-expired');
    await expect(bench({ ini: { clockSkew: 300_001 } })).rejects.toThrow('Expected at most 5m');
  });

  const types: readonly (readonly [unknown, string])[] = [
    ['JWT', 'accept alice'],
    ['at+jwt', 'accept alice'],
    ['application/at+JWT', 'accept alice'],
    [undefined, 'accept alice'],
    ['logout+jwt', '401 token-type-wrong'],
    ['dpop+jwt', '401 token-type-wrong'],
    ['', '401 token-type-wrong'],
    [null, '401 token-type-wrong'],
    [['JWT'], '401 token-type-wrong'],
  ];
  it.each(types)('of which type it is: %j', async (typ, expected) => {
    const { told } = await bench({ api: trusting(pair('P-256')) });
    expect(await told(signed(pair('P-256'), claims(), typ === undefined ? {} : { typ }))).toBe(expected);
  });

  it('that it is an access token, where only those are taken', async () => {
    const { told } = await bench({ api: trusting(pair('P-256')), ini: { tokenTypes: ['application/AT+jwt'] } });
    expect(await told(signed(pair('P-256'), claims(), { typ: 'at+jwt' }))).toBe('accept alice');
    expect(await told(signed(pair('P-256'), claims(), { typ: 'JWT' }))).toBe('401 token-type-wrong');
    expect(await told(signed(pair('P-256'), claims()))).toBe('401 token-type-wrong');
  });
});

describe('the issuer of a token', () => {
  const rows: readonly (readonly [string, unknown, string])[] = [
    ['the one of security.ini', 'https://idp.example', 'accept alice'],
    ['the second one of security.ini', 'https://old.example', 'accept alice'],
    ['a foreign one with the same key', 'https://idp.example/other', '401 issuer-wrong'],
    ['one that only begins like it', 'https://idp.example.evil', '401 issuer-wrong'],
    ['none', undefined, '401 issuer-wrong'],
    ['a list with it', ['https://idp.example'], '401 issuer-wrong'],
  ];
  it.each(rows)('is checked where security.ini names it: %s', async (_what, iss, expected) => {
    const ini = { issuer: ['https://idp.example', 'https://old.example'] };
    const { told } = await bench({ api: trusting(pair('P-256')), ini });
    const token = signed(pair('P-256'), claims({ iss }));
    expect(await told(token)).toBe(expected);
    expect(await told(token), 'the second time').toBe(expected);
  });
});

describe('the answer to a token that is refused', () => {
  const api = trusting(pair('P-256'));

  it('tells the caller in fixed words what is wrong with it', async () => {
    const { ask } = await bench({ api, ini: { applicationName: 'serviceRealm' } });
    const verdict = await ask(signed(pair('P-256'), claims({ exp: 1 })));
    expect(headersOf(verdict)).toEqual({
      'www-authenticate':
        'Bearer realm="serviceRealm", error="invalid_token", error_description="The token has expired"',
    });
  });

  it('tells only the realm to a caller without a token', async () => {
    const { filter } = await bench({ api, ini: { applicationName: 'serviceRealm' } });
    expect(challengeOf(await filter.check(filterRequest()))).toBe('Bearer realm="serviceRealm"');
  });

  const names: readonly (readonly [string, string])[] = [
    ['carol', 'carol'],
    ['Carol C.', 'Carol C.'],
    ['jürgen', 'j%C3%BCrgen'],
    ['a\r\nSet-Cookie: b=c', 'a%0D%0ASet-Cookie: b=c'],
    ['\ud800x', '%EF%BF%BDx'],
    ['x'.repeat(5000), 'x'.repeat(200)],
  ];
  it.each(names)('names the user who is not there: %j', async (user, told) => {
    const { ask } = await bench({ api });
    const verdict = await ask(signed(pair('P-256'), claims({ user })));
    expect(headersOf(verdict)['reason']).toBe(`User was not found: ${told}`);
    expect(() => new Headers(headersOf(verdict))).not.toThrow();
  });

  it('is the name of the service user, where the token has an alias', async () => {
    const { filter, setup } = await bench({ api });
    const headers = { authorization: `Bearer ${signed(pair('P-256'), claims({ user: 'ally' }))}` };
    const request = {
      ...filterRequest({ headers, oauth2: setup }),
      findUser: () => ({ name: 'alice', enabled: true }),
    };
    expect(await filter.check(request)).toMatchObject({ verdict: 'accept', account: { name: 'alice' } });
  });
});
