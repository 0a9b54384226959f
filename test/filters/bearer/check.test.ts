import { describe, expect, it } from 'vitest';
import { oauth2Problems } from '../../../filters/bearer/login.ts';
import type { OAuth2Configuration } from '../../../src/spi/index.ts';
import { startOfTime } from '../../support/clock.ts';
import { audience, certificateOf, jwk, pair, pemOf, spki } from '../../support/keys.ts';
import { bench } from '../support.ts';

const key = spki(pair('P-256')).toString('base64');
const certificate = certificateOf(pair('P-256'), {
  from: new Date(startOfTime - 1000),
  until: new Date(startOfTime + 864e5),
}).toString('base64');
const url = 'https://idp.example/x';
const base = { expectedAudience: audience, tokenUser: 'user' };
const problems = (configuration: OAuth2Configuration) => oauth2Problems(configuration, startOfTime);
const told = async (configuration: OAuth2Configuration) =>
  (await problems(configuration)).map(({ element, explanation }) => `${element}: ${explanation}`);

const good: readonly (readonly [string, OAuth2Configuration])[] = [
  ['a key', { ...base, publicKey: [key] }],
  ['a certificate', { ...base, x509Certificate: [certificate] }],
  ['both', { ...base, publicKey: [key, key], x509Certificate: [certificate] }],
  ['an empty list beside another way', { ...base, publicKey: [], x509Certificate: [], federationMetadataURI: url }],
  ['metadata', { ...base, federationMetadataURI: url, federationMetadataInterval: 86_400 }],
  ['metadata without an interval', { ...base, federationMetadataURI: url }],
  ['an endpoint', { validationEndpoint: url, tokenUser: 'email' }],
  ['an endpoint alone', { validationEndpoint: url }],
  ['an endpoint with an audience', { ...base, validationEndpoint: url }],
  ['an endpoint on this machine', { validationEndpoint: 'http://127.0.0.1:8080/userinfo' }],
];

it.each(good)('nothing is wrong with %s', async (_what, configuration) => {
  expect(await problems(configuration)).toEqual([]);
});

const mixtures: readonly (readonly [OAuth2Configuration, readonly string[]])[] = [
  [{ ...base, publicKey: [key], validationEndpoint: url }, ['publicKey', 'validationEndpoint']],
  [
    { ...base, x509Certificate: [certificate], federationMetadataURI: url },
    ['x509Certificate', 'federationMetadataURI'],
  ],
  [{ ...base, publicKey: [key], federationMetadataInterval: 7 }, ['publicKey', 'federationMetadataInterval']],
  [{ ...base, federationMetadataURI: url, validationEndpoint: url }, ['federationMetadataURI', 'validationEndpoint']],
  [
    { ...base, publicKey: [key], x509Certificate: [certificate], federationMetadataURI: url, validationEndpoint: url },
    ['x509Certificate', 'publicKey', 'federationMetadataURI', 'validationEndpoint'],
  ],
];

it.each(mixtures)('a mixture is refused, naming its elements: %#', async (configuration, elements) => {
  const explanation = `Expected the elements of one way to validate tokens: ${elements.join(', ')}`;
  expect(await problems(configuration)).toEqual([{ element: elements[0], explanation }]);
});

describe('errors of a configuration name the element', () => {
  const rows: readonly (readonly [string, OAuth2Configuration, string])[] = [
    [
      'nothing',
      {},
      'x509Certificate: Expected x509Certificate or publicKey, federationMetadataURI, or validationEndpoint: none of them',
    ],
    [
      'no way at all',
      base,
      'x509Certificate: Expected x509Certificate or publicKey, federationMetadataURI, or validationEndpoint: none of them',
    ],
    [
      'keys without an audience',
      { publicKey: [key] },
      'expectedAudience: Expected expectedAudience beside publicKey: it is missing',
    ],
    [
      'metadata without an audience',
      { federationMetadataURI: url },
      'expectedAudience: Expected expectedAudience beside federationMetadataURI: it is missing',
    ],
    [
      'an empty audience',
      { publicKey: [key], expectedAudience: ' ' },
      'expectedAudience: Expected a text in expectedAudience: it is empty',
    ],
    [
      'an empty claim',
      { ...base, publicKey: [key], tokenUser: '' },
      'tokenUser: Expected a text in tokenUser: it is empty',
    ],
    [
      'a long claim',
      { ...base, publicKey: [key], tokenUser: 'x'.repeat(2049) },
      'tokenUser: Expected at most 2048 characters in tokenUser: 2049',
    ],
    [
      'an interval without metadata',
      { ...base, federationMetadataInterval: 60 },
      'federationMetadataURI: Expected federationMetadataURI beside federationMetadataInterval: it is missing',
    ],
    [
      'an interval of nothing',
      { ...base, federationMetadataURI: url, federationMetadataInterval: 0 },
      'federationMetadataInterval: Expected 1 to 31536000 seconds in federationMetadataInterval: 0',
    ],
    [
      'a negative interval',
      { ...base, federationMetadataURI: url, federationMetadataInterval: -1 },
      'federationMetadataInterval: Expected 1 to 31536000 seconds in federationMetadataInterval: -1',
    ],
    [
      'an endless interval',
      { ...base, federationMetadataURI: url, federationMetadataInterval: 31_536_001 },
      'federationMetadataInterval: Expected 1 to 31536000 seconds in federationMetadataInterval: 31536001',
    ],
    [
      'no address',
      { validationEndpoint: 'userinfo' },
      'validationEndpoint: Expected an address that begins with https:// (validationEndpoint)',
    ],
    [
      'plain text',
      { validationEndpoint: 'http://idp.example/' },
      'validationEndpoint: Expected an address that begins with https://: "http:" (validationEndpoint)',
    ],
    [
      'another scheme',
      { ...base, federationMetadataURI: 'file:///etc/passwd' },
      'federationMetadataURI: Expected an address that begins with https://: "file:" (federationMetadataURI)',
    ],
    [
      'a password in an address',
      { validationEndpoint: 'https://a:b@idp.example/' },
      'validationEndpoint: Expected an address without a name and password (validationEndpoint)',
    ],
  ];
  it.each(rows)('%s', async (_what, configuration, expected) => {
    expect(await told(configuration)).toEqual([expected]);
  });

  const small = 'Expected a public key (SubjectPublicKeyInfo in PEM or as Base64, or a JSON Web Key)';
  const { privateKey } = pair('P-256');
  const rsa = jwk(pair('RSA'));
  const keys: readonly (readonly [string, string, string])[] = [
    ['no Base64', 'not a key!', `${small}: it is not Base64`],
    ['an empty text', '', `${small}: it is not Base64`],
    ['some bytes', 'AAAA', `${small}: something else`],
    ['half a key', key.slice(0, 40), `${small}: something else`],
    [
      'a key and more',
      Buffer.concat([spki(pair('P-256')), Buffer.from([0x30, 0])]).toString('base64'),
      `${small}: something else`,
    ],
    ['a certificate', certificate, `${small}: one that belongs into x509Certificate`],
    ['a certificate in PEM', pemOf('CERTIFICATE', Buffer.from(certificate, 'base64')), `${small}: "BEGIN CERTIFICATE"`],
    [
      'a private key',
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      `${small}: a private key, which should be nowhere but with its owner`,
    ],
    [
      'a private key in bytes',
      privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      `${small}: something else`,
    ],
    [
      'a private JSON Web Key',
      JSON.stringify(privateKey.export({ format: 'jwk' })),
      'Expected a public key: a private one, which should be nowhere but with its owner',
    ],
    [
      'PEM without its end',
      pemOf('PUBLIC KEY', spki(pair('P-256'))).slice(0, -20),
      `${small}: a block without its end`,
    ],
    ['dashes', '----- BEGIN -----', `${small}: no block of PEM`],
    [
      'a symmetric key',
      JSON.stringify({ kty: 'oct', k: 'AAAA' }),
      'Expected an RSA key, or one on the curve P-256, P-384, P-521 or Ed25519: another kind',
    ],
    [
      'a key for encryption',
      JSON.stringify({ ...rsa, use: 'enc' }),
      'Expected a key for signatures: it is for something else',
    ],
    [
      'a key that signs',
      JSON.stringify({ ...rsa, key_ops: ['sign'] }),
      'Expected a key for signatures: it is for something else',
    ],
    [
      'a key with another algorithm',
      JSON.stringify({ ...rsa, alg: 'ES256' }),
      'Expected an algorithm that fits the kind of the key: another one',
    ],
    [
      'a public key as a secret',
      JSON.stringify({ ...rsa, alg: 'HS256' }),
      'Expected an algorithm that fits the kind of the key: another one',
    ],
    [
      'a name twice',
      JSON.stringify(rsa).replace('{', '{"kty":"oct",'),
      'Expected one JSON Web Key, each of its names once: something else',
    ],
    [
      'a damaged point',
      JSON.stringify({ ...jwk(pair('P-256')), x: 'AAAA' }),
      'Expected a public key that can be used: it is damaged',
    ],
    [
      'an exponent of 1',
      JSON.stringify({ ...rsa, e: 'AQ' }),
      'Expected an odd public exponent of at least 3: another one',
    ],
    [
      'an even exponent',
      JSON.stringify({ ...rsa, e: 'AQAA' }),
      'Expected an odd public exponent of at least 3: another one',
    ],
    ['a weak key', JSON.stringify({ ...rsa, n: 'v'.repeat(171) }), 'Expected an RSA key of at least 2048 bits: 1024'],
    ['a long text', 'A'.repeat(65_537), 'Expected at most 65536 characters: 65537'],
  ];
  it.each(keys)('names the second key: %s', async (_what, text, expected) => {
    expect(await told({ ...base, publicKey: [key, text] })).toEqual([`publicKey: ${expected} (publicKey 2)`]);
  });

  it('names the certificate', async () => {
    const expected = 'Expected a certificate (X.509), in PEM or as Base64';
    const of = async (text: string) => told({ ...base, x509Certificate: [text] });
    expect(await of(key)).toEqual([
      `x509Certificate: ${expected}: one that belongs into publicKey (x509Certificate 1)`,
    ]);
    expect(await of('AAAA')).toEqual([`x509Certificate: ${expected}: something else (x509Certificate 1)`]);
    expect(await of(JSON.stringify(rsa))).toEqual([
      `x509Certificate: ${expected}: it is not Base64 (x509Certificate 1)`,
    ]);
  });

  it('refuses too many keys', async () => {
    const publicKey = Array.from({ length: 101 }, () => key);
    expect(await told({ ...base, publicKey })).toEqual(['publicKey: Expected at most 100 entries in publicKey: 101']);
  });

  it('all of it at once', async () => {
    const all = await told({ publicKey: ['x'], x509Certificate: ['y'], validationEndpoint: 'z' });
    expect(all.map((line) => line.split(':')[0])).toEqual([
      ...['x509Certificate', 'expectedAudience', 'validationEndpoint', 'x509Certificate', 'publicKey'],
    ]);
  });
});

describe('a mixture in security.ini', () => {
  it('stops the start, naming the properties', async () => {
    const ini = { ...base, publicKey: [key], validationEndpoint: url };
    await expect(bench({ ini })).rejects.toThrow(
      /^Expected the elements of one way to validate tokens: publicKey, validationEndpoint$/,
    );
  });

  it('is none with what all ways have', async () => {
    await bench({ ini: { validationEndpoint: url, tokenUser: 'email', clockSkew: 0, allowPlainText: true } });
    await bench({ ini: { ...base, federationMetadataURI: 'http://idp.example/', allowPlainText: true } });
    await expect(bench({ ini: { ...base, federationMetadataURI: 'http://idp.example/' } })).rejects.toThrow('https://');
  });
});

it('a claim or an audience alone is told in the log, and realms are asked as without them', async () => {
  const { told, host } = await bench({ ini: { tokenUser: 'sub' } });
  expect(host.logged).toEqual(['level warn event oauth2-incomplete expectedAudience undefined tokenUser sub']);
  const login = () => ({ accepted: true, account: { name: 'from a realm' } }) as const;
  expect(await told('opaque', { login })).toBe('accept from a realm');
});

it('fuzz: no bytes make the reader of certificates throw anything but a sentence, or hang', async () => {
  const bytes = Buffer.from(certificate, 'base64');
  for (let index = 0; index < bytes.length; index++) {
    for (const value of [0, 0x7f, 0x80, 0x84, 0xff, bytes[index]! ^ 1]) {
      const changed = Buffer.from(bytes);
      changed[index] = value;
      for (const each of await problems({ ...base, x509Certificate: [changed.toString('base64')] })) {
        expect(each.explanation).toMatch(/^Expected .*\(x509Certificate 1\)$/);
      }
    }
  }
});
