import { describe, expect, it } from 'vitest';
import { bench, trusting } from '../filters/support.ts';
import { newUser } from '../support/cast.ts';
import { startOfTime } from '../support/clock.ts';
import {
  audience,
  certificateOf,
  claims,
  coded,
  jwk,
  type Pair,
  pair,
  pemOf,
  signed,
  spki,
  unsigned,
} from '../support/keys.ts';
import { describeMatrix, type Entry, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { costSince, cpuTime } from '../support/turns.ts';
import { bearerIni, storeOAuth2, toldOf } from '../support/ways.ts';

const dates = { from: new Date(startOfTime - 1000), until: new Date(startOfTime + 864e5) };
const kinds = ['RSA', 'P-256', 'P-384', 'P-521', 'Ed25519'];
const certified = ['RSA', 'P-256', 'Ed25519'];
const certificate = (key: Pair): Buffer => certificateOf(key, dates);

/** Opens a world with one key of each configurable kind, all at once. */
async function open(entry: Entry): Promise<World> {
  const world = await entry.open();
  await prepare(world, [newUser(['alice', 'p'])]);
  await storeOAuth2(world, {
    publicKey: kinds.map((kind) => spki(pair(kind)).toString('base64')),
    x509Certificate: certified.map((kind) => certificate(pair(kind)).toString('base64')),
    expectedAudience: audience,
    tokenUser: 'user',
  });
  return world;
}

/** All that is public about a key, in every form in which somebody may hold it. */
function publicBytes(key: Pair): readonly (readonly [string, Buffer | string])[] {
  const der = spki(key);
  const pem = pemOf('PUBLIC KEY', der);
  const members = jwk(key);
  const forms: [string, Buffer | string][] = [
    ['DER', der],
    ['Base64 of DER', der.toString('base64')],
    ['PEM', pem],
    ['PEM without its last line end', pem.trimEnd()],
    ['PEM with CRLF', pem.replaceAll('\n', '\r\n')],
    ['PEM in one line', pem.replaceAll('\n', '')],
    ['JWK', JSON.stringify(members)],
    ['the members of the JWK in the order of a thumbprint', JSON.stringify(members, Object.keys(members).sort())],
    ...Object.entries(members).flatMap(([name, value]): [string, Buffer | string][] => [
      [`${name} of the JWK`, `${value}`],
      [`the bytes of ${name}`, Buffer.from(`${value}`, 'base64url')],
    ]),
  ];
  if (!['rsa', 'ed25519'].includes(key.publicKey.asymmetricKeyType ?? '') && key !== pair('P-256')) return forms;
  const whole = certificate(key);
  return [
    ...forms,
    ['the certificate in DER', whole],
    ['the certificate in Base64', whole.toString('base64')],
    ['the certificate in PEM', pemOf('CERTIFICATE', whole)],
    ['the certificate in PEM without its last line end', pemOf('CERTIFICATE', whole).trimEnd()],
  ];
}

describeMatrix('a token that somebody made who knows only what is public', (entry) => {
  it('the world is in order: each key lets its own token in', async () => {
    const world = await open(entry);
    for (const kind of kinds) {
      const algorithm = { 'P-384': 'ES384', 'P-521': 'ES512' }[kind];
      expect(await toldOf(world, signed(pair(kind), claims(), {}, algorithm))).toBe('200 alice');
    }
  });

  it('with a code under a public key or a certificate: HS256, HS384, HS512', async () => {
    const world = await open(entry);
    for (const kind of kinds) {
      for (const [form, bytes] of publicBytes(pair(kind))) {
        for (const alg of ['HS256', 'hs256', 'RS256', 'ES256', 'EdDSA', 'PS256']) {
          const expected = alg.toUpperCase() === 'HS256' ? '401 algorithm-refused' : '401 signature-wrong';
          expect([kind, form, alg, await toldOf(world, coded(bytes, claims(), { alg }))]).toEqual([
            kind,
            form,
            alg,
            expected,
          ]);
        }
      }
    }
    for (const alg of ['HS384', 'HS512']) {
      expect(await toldOf(world, coded(spki(pair('RSA')), claims(), { alg }))).toBe('401 algorithm-refused');
    }
  });

  it('with an algorithm of none, in any case and in any form', async () => {
    const world = await open(entry);
    const odd = [
      'none',
      'None',
      'NONE',
      'nOnE',
      'none ',
      ' none',
      'none\0',
      '',
      'null',
      'unsecured',
      null,
      true,
      0,
      256,
    ];
    for (const alg of [
      ...odd,
      ['none'],
      ['RS256'],
      ['RS256', 'none'],
      { alg: 'RS256' },
      'RS256 ',
      'rs256',
      'RS1',
      'RS2048',
      'dir',
      'A256GCMKW',
      '__proto__',
      'constructor',
    ]) {
      for (const header of [{ alg }, { alg, typ: 'JWT' }]) {
        expect([alg, await toldOf(world, unsigned(header, claims(), 'AAAA'))]).toEqual([alg, '401 algorithm-refused']);
        // No signature at all is not even three parts.
        expect([alg, await toldOf(world, unsigned(header, claims()))]).toEqual([alg, '401 token-malformed']);
        const good = signed(pair('RSA'), claims(), header, 'RS256');
        expect([alg, await toldOf(world, good)]).toEqual([alg, '401 algorithm-refused']);
      }
    }
    expect(await toldOf(world, signed(pair('RSA'), claims(), '{"typ":"JWT"}', 'RS256'))).toBe('401 algorithm-refused');
  });

  it('with a good signature of one algorithm under the name of another', async () => {
    const world = await open(entry);
    for (const alg of ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']) {
      const renamed = signed(pair('RSA'), claims(), { alg }, 'RS256');
      expect([alg, await toldOf(world, renamed)]).toEqual([alg, '401 signature-wrong']);
    }
    // Zeros were once a good signature for everybody, in a library of another language (CVE-2022-21449).
    for (const alg of ['ES256', 'ES384', 'ES512']) {
      const length = { ES256: 64, ES384: 96, ES512: 132 }[alg]!;
      const zeros = unsigned({ alg }, claims(), Buffer.alloc(length).toString('base64url'));
      expect(await toldOf(world, zeros)).toBe('401 signature-wrong');
    }
  });

  it('with another body under a signature that was good', async () => {
    const world = await open(entry);
    const good = signed(pair('P-256'), claims());
    const [header, payload, signature] = good.split('.');
    const other = Buffer.from(JSON.stringify(claims({ user: 'admin' }))).toString('base64url');
    expect(await toldOf(world, good)).toBe('200 alice');
    expect(await toldOf(world, `${header}.${other}.${signature}`)).toBe('401 signature-wrong');
    expect(await toldOf(world, `${header}.${payload}.${signature!.slice(0, -2)}`)).toBe('401 signature-wrong');
    const typed = Buffer.from('{"alg":"ES256","typ":"JWT"}').toString('base64url');
    expect(await toldOf(world, `${typed}.${payload}.${signature}`)).toBe('401 signature-wrong');
  });

  it('with an extension that we must understand', async () => {
    const world = await open(entry);
    for (const crit of [['exp'], ['b64'], ['x'], [], null, 'exp', { exp: 1 }]) {
      for (const more of [{}, { b64: false }, { x: 1 }]) {
        const token = signed(pair('P-256'), claims(), { ...more, crit });
        expect([crit, await toldOf(world, token)]).toEqual([crit, '401 extension-refused']);
      }
    }
  });

  it('with a name twice in the header or in the body', async () => {
    const world = await open(entry);
    const body = JSON.stringify(claims());
    for (const header of [
      '{"alg":"none","alg":"ES256"}',
      '{"alg":"ES256","alg":"none"}',
      '{"alg":"ES256","\\u0061lg":"ES256"}',
    ]) {
      expect([header, await toldOf(world, signed(pair('P-256'), body, header))]).toEqual([
        header,
        '401 token-malformed',
      ]);
    }
    for (const twice of ['"user":"admin"', '"us\\u0065r":"admin"', '"deep":{"a":1,"a":2}', '"deep":[{"a":1,"a":2}]']) {
      const token = signed(pair('P-256'), body.replace('{', `{${twice},`));
      expect([twice, await toldOf(world, token)]).toEqual([twice, '401 claims-malformed']);
    }
    // The same name at two places is no name twice.
    const twoPlaces = body.replace('{', '{"a":{"x":1,"y":[{"x":"{\\"x\\":1"}]},"b":{"x":2},');
    expect(await toldOf(world, signed(pair('P-256'), twoPlaces))).toBe('200 alice');
  });

  it('that is no token at all', async () => {
    const world = await open(entry);
    const good = signed(pair('P-256'), claims());
    const [header, payload, signature] = good.split('.');
    const malformed = [
      ...[
        'a',
        'a.b',
        'a.b.c',
        '..',
        '...',
        `${good}.`,
        `.${good}`,
        `${good}.${signature}`,
        `${good}.a.b`,
        `${header}..${signature}`,
      ],
      ...[
        `${header}.${payload}.${signature}=`,
        `${header}~.${payload}.${signature}`,
        `${header}+.${payload}.${signature}`,
      ],
      ...['[]', '"x"', 'null', '7', '{', '\xff', ''].map((text) => signed(pair('P-256'), claims(), text || ' ')),
    ];
    for (const token of malformed) expect([token, await toldOf(world, token)]).toEqual([token, '401 token-malformed']);
    for (const text of ['[]', '"x"', 'null', '7', '{', ' ', '[{"user":"alice"}]', '\ufeff{}x']) {
      expect([text, await toldOf(world, signed(pair('P-256'), text))]).toEqual([text, '401 claims-malformed']);
    }
    const bytes = Buffer.concat([Buffer.from('{"user":"alice'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(await toldOf(world, signed(pair('P-256'), bytes.toString('latin1')))).toMatch(/^401 /);
  });
});

describe('a token that is huge', () => {
  it('is refused before anything is computed, and no text of it makes its reader hang', async () => {
    const { told } = await bench({ api: trusting(pair('P-256')) });
    expect(await told('a'.repeat(16_385))).toBe('401 token-too-long');
    const began = cpuTime();
    const shapes = ['.', 'a.', '-', '"', '{', '['].map((text) => text.repeat(5000));
    for (const text of shapes) {
      for (const token of [signed(pair('P-256'), text), signed(pair('P-256'), claims(), text)]) {
        expect(await told(token)).toMatch(/^401 (?:token-malformed|claims-malformed)$/);
      }
    }
    const nested = `{"a":${'['.repeat(4000)}${']'.repeat(4000)},"b":"${'\\"'.repeat(1500)}"}`;
    expect(await told(signed(pair('P-256'), nested))).toBe('401 expiry-missing');
    expect(costSince(began)).toBeLessThan(15_000);
  });
});

describeMatrix('keys of security.ini', (entry) => {
  it('decide alone which algorithms there are', async () => {
    const statements = [
      `oauth2Auth.publicKey = ${spki(pair('RSA')).toString('base64')}`,
      `oauth2Auth.expectedAudience = ${audience}`,
      'oauth2Auth.tokenUser = user',
    ];
    const world = await entry.open({ security: bearerIni(statements) });
    await prepare(world, [newUser(['alice', 'p'])]);
    expect(await toldOf(world, signed(pair('RSA'), claims(), {}, 'PS512'))).toBe('200 alice');
    for (const [, bytes] of publicBytes(pair('RSA'))) {
      expect(await toldOf(world, coded(bytes, claims()))).toBe('401 algorithm-refused');
    }
    expect(await toldOf(world, signed(pair('P-256'), claims()))).toBe('401 signature-wrong');
  });
});
