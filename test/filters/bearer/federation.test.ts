import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../src/kit/testing/index.ts';
import { startOfTime } from '../../support/clock.ts';
import { audience, certificateOf, claims, jwk, type Pair, pair, signed } from '../../support/keys.ts';
import { type BenchOptions, bench } from '../support.ts';

const [first, second] = [pair('RSA'), pair('P-256')];
const day = 86_400;
const metadata = 'https://idp.example/metadata';
const api = {
  federationMetadataURI: metadata,
  federationMetadataInterval: day,
  expectedAudience: audience,
  tokenUser: 'user',
};
const validity = { from: new Date(startOfTime - 1000), until: new Date(startOfTime + 864e6) };
const certificate = (key: Pair) => certificateOf(key, validity).toString('base64');

const descriptor = (key: Pair, use = ' use="signing"') =>
  `<KeyDescriptor${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${certificate(key)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
const signature = (key: Pair) =>
  `<ds:Signature><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate(key)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`;
const entity = (body: string) =>
  `\ufeff<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706" entityID="https://idp.example">${body}</EntityDescriptor>`;
const role = (body: string) => `<RoleDescriptor xsi:type="fed:SecurityTokenServiceType">${body}</RoleDescriptor>`;
const keySet = (...keys: readonly Pair[]) =>
  JSON.stringify({ keys: keys.map((key, index) => ({ ...jwk(key), kid: `k${index}`, use: 'sig' })) });

/** A provider whose documents a test can change, by path. */
function provider(documents: Record<string, string | (() => Promise<Response> | Response)>): Backend {
  return (request) => {
    const document = documents[new URL(request.url).pathname];
    if (document === undefined) return new Response(null, { status: 404 });
    return typeof document === 'string' ? new Response(document) : document();
  };
}

const open = (documents: Parameters<typeof provider>[0], more: BenchOptions = {}) =>
  bench({ api, backend: provider(documents), ...more });

const by = (key: Pair, header: object = {}) => signed(key, claims({ exp: startOfTime / 1000 + 100 * day }), header);

describe('the keys of', () => {
  const documents: readonly (readonly [string, Record<string, string>])[] = [
    ['WS-Federation metadata', { '/metadata': entity(role(descriptor(first))) }],
    ['SAML metadata', { '/metadata': entity(`<IDPSSODescriptor>${descriptor(first)}</IDPSSODescriptor>`) }],
    ['metadata with a key for everything', { '/metadata': entity(role(descriptor(first, ''))) }],
    [
      'metadata with a text in CDATA',
      { '/metadata': entity(role(descriptor(first))).replace(/>\n(\S+)\n</, '><![CDATA[$1]]><') },
    ],
    ['a key set', { '/metadata': keySet(first) }],
    [
      'a discovery document',
      {
        '/metadata': JSON.stringify({ issuer: 'https://idp.example', jwks_uri: 'https://idp.example/keys' }),
        '/keys': keySet(first),
      },
    ],
    [
      'a discovery document and another host',
      { '/metadata': JSON.stringify({ jwks_uri: 'https://keys.example/keys' }), '/keys': keySet(first) },
    ],
    [
      'a key set with keys for other things',
      {
        '/metadata': JSON.stringify({
          keys: [{ kty: 'oct', k: 'AAAA' }, { kty: 'new' }, 7, { ...jwk(second), use: 'enc' }, jwk(first)],
        }),
      },
    ],
  ];
  it.each(documents)('%s let their tokens in, and no others', async (_what, given) => {
    const { told, host } = await open(given);
    expect(await told(by(first))).toBe('accept alice');
    expect(await told(by(second))).toBe('401 signature-wrong');
    expect(host.requests).toHaveLength(Object.keys(given).length);
  });

  it('let in no token that another issuer of the same provider signed with them', async () => {
    const discovery = (issuer: unknown) => ({
      '/metadata': JSON.stringify({ issuer, jwks_uri: 'https://idp.example/keys' }),
      '/keys': keySet(first),
    });
    const toldBy = async (issuer: unknown, ini: BenchOptions['ini'] = {}) =>
      (await open(discovery(issuer), { ini })).told(by(first));
    expect(await toldBy('https://idp.example/tenant')).toBe('401 issuer-wrong');
    expect(await toldBy('https://idp.example')).toBe('accept alice');
    // The setting stands above what a document says, and a document of all tenants says nothing.
    expect(await toldBy('https://idp.example/tenant', { issuer: ['https://idp.example'] })).toBe('accept alice');
    expect(await toldBy('https://idp.example', { issuer: ['https://other.example'] })).toBe('401 issuer-wrong');
    expect(await toldBy('https://idp.example/{tenantid}')).toBe('accept alice');
    expect(await toldBy(7)).toBe('accept alice');
  });

  it('verify a remembered token again once the document names another issuer', async () => {
    let issuer = 'https://idp.example';
    const { told, host } = await open({
      '/metadata': () => Response.json({ issuer, jwks_uri: 'https://idp.example/keys' }),
      '/keys': keySet(first),
    });
    expect(await told(by(first))).toBe('accept alice');
    issuer = 'https://idp.example/moved';
    await host.clock.advance(2 * day * 1000);
    expect(await told(by(first))).toBe('401 issuer-wrong');
  });

  const refused: readonly (readonly [string, string, string])[] = [
    [
      'those for encryption',
      entity(role(descriptor(second, ' use="encryption"') + descriptor(first))),
      '401 signature-wrong',
    ],
    [
      'that of the signature of the document',
      entity(signature(second) + role(descriptor(first))),
      '401 signature-wrong',
    ],
    [
      'those of a party that takes tokens',
      entity(`<SPSSODescriptor>${descriptor(second)}</SPSSODescriptor>${role(descriptor(first))}`),
      '401 signature-wrong',
    ],
    [
      'those of an application',
      entity(
        `<RoleDescriptor xsi:type="fed:ApplicationServiceType">${descriptor(second)}</RoleDescriptor>${role(descriptor(first))}`,
      ),
      '401 signature-wrong',
    ],
    [
      'a whole federation',
      `<EntitiesDescriptor>${entity(role(descriptor(second))).replace(/^.*?\?>/, '')}</EntitiesDescriptor>`,
      '503 keys-unavailable',
    ],
    [
      'a document with a DOCTYPE',
      entity(role(descriptor(second))).replace('<Entity', '<!DOCTYPE x [<!ENTITY e "y">]><Entity'),
      '503 keys-unavailable',
    ],
    [
      'a document with an entity',
      entity(role(descriptor(second))).replace('idp.example', '&e;'),
      '503 keys-unavailable',
    ],
    [
      'a document that is too deep',
      entity('<a>'.repeat(40) + role(descriptor(second)) + '</a>'.repeat(40)),
      '503 keys-unavailable',
    ],
    [
      'a document of too many elements',
      entity('<a/>'.repeat(20_001) + role(descriptor(second))),
      '503 keys-unavailable',
    ],
    ['a document without an end', entity(role(descriptor(second))).slice(0, -10), '503 keys-unavailable'],
    ['a document that is too long', entity(role(descriptor(second))) + ' '.repeat(1_100_000), '503 keys-unavailable'],
    ['an empty document', '', '503 keys-unavailable'],
    ['a page', '<html><body>Welcome</body></html>', '503 keys-unavailable'],
    ['a list', '[]', '503 keys-unavailable'],
    ['a set that names something twice', `{"keys":[],"keys":${JSON.stringify([jwk(second)])}}`, '503 keys-unavailable'],
    ['a set without keys', '{"keys":[]}', '503 keys-unavailable'],
    [
      'a set of too many keys',
      JSON.stringify({ keys: Array.from({ length: 101 }, () => jwk(second)) }),
      '503 keys-unavailable',
    ],
    ['keys over plain text', '{"jwks_uri":"http://idp.example/keys"}', '503 keys-unavailable'],
    ['keys somewhere else than on the web', '{"jwks_uri":"file:///keys"}', '503 keys-unavailable'],
    [
      'a discovery document that leads to another',
      '{"jwks_uri":"https://idp.example/metadata"}',
      '503 keys-unavailable',
    ],
  ];
  it.each(refused)('but not %s', async (_what, document, expected) => {
    const { told, host } = await open({ '/metadata': document, '/keys': keySet(second) });
    expect(await told(by(second))).toBe(expected);
    if (expected === '401 signature-wrong') expect(await told(by(first))).toBe('accept alice');
    else expect(host.logged.join('\n')).toMatch(/event keys-not-downloaded/);
  });
});

describe('the downloads', () => {
  it('come again after the interval, and no request waits for them', async () => {
    let serve = keySet(first);
    let release = () => {};
    const slow = () =>
      new Promise<Response>((resolve) => {
        release = () => resolve(new Response(serve));
      });
    const documents: Record<string, string | (() => Promise<Response>)> = { '/metadata': serve };
    const { told, host } = await open(documents);
    expect(await told(by(first))).toBe('accept alice');
    serve = keySet(second);
    documents['/metadata'] = slow;
    await host.clock.advance(day * 1000 - 1);
    expect(await told(by(first))).toBe('accept alice');
    expect(host.requests).toHaveLength(1);
    await host.clock.advance(1);
    // The provider has not answered yet.
    expect(await told(by(first))).toBe('accept alice');
    expect(await told(by(first))).toBe('accept alice');
    expect(host.requests).toHaveLength(2);
    release();
    await host.clock.advance(0);
    expect(await told(by(first))).toBe('401 signature-wrong');
    expect(await told(by(second))).toBe('accept alice');
    expect(host.requests).toHaveLength(2);
  });

  const failures: readonly (readonly [string, () => Promise<Response> | Response])[] = [
    ['500', () => new Response('{}', { status: 500 })],
    ['a redirect', () => Response.redirect('https://idp.example/keys', 302)],
    ['nonsense', () => new Response('<p>')],
    ['no keys', () => new Response('{"keys":[]}')],
    ['a broken connection', () => Promise.reject(new TypeError('fetch failed'))],
  ];
  it.each(failures)('keep the last good set when they fail: %s', async (_what, answer) => {
    const documents: Parameters<typeof provider>[0] = { '/metadata': keySet(first), '/keys': keySet(second) };
    const { told, host } = await open(documents);
    expect(await told(by(first))).toBe('accept alice');
    documents['/metadata'] = answer;
    await host.clock.advance(day * 1000);
    expect(await told(by(first))).toBe('accept alice');
    await host.clock.advance(1000);
    expect(await told(by(first))).toBe('accept alice');
    expect(host.logged.filter((line) => line.includes('keys-not-downloaded'))).toHaveLength(1);
    expect(host.requests).toHaveLength(2);
    // Not at every request, and again after a while.
    await host.clock.advance(30_000);
    expect(await told(by(first))).toBe('accept alice');
    expect(host.requests).toHaveLength(3);
  });

  it('happen once for requests that come together, also without any keys yet', async () => {
    const { told, host } = await open({ '/metadata': keySet(first) });
    const answers = await Promise.all(Array.from({ length: 50 }, () => told(by(first))));
    expect(new Set(answers)).toEqual(new Set(['accept alice']));
    expect(host.requests).toHaveLength(1);
  });

  it('are tried again a while after the first has failed', async () => {
    const documents: Parameters<typeof provider>[0] = {};
    const { told, host } = await open(documents);
    expect(await told(by(first))).toBe('503 keys-unavailable');
    documents['/metadata'] = keySet(first);
    expect(await told(by(first))).toBe('503 keys-unavailable');
    expect(host.requests).toHaveLength(1);
    await host.clock.advance(30_000);
    expect(await told(by(first))).toBe('accept alice');
  });

  it('come at once for a key that is not known yet', async () => {
    const documents: Parameters<typeof provider>[0] = { '/metadata': keySet(first) };
    const { told, host } = await open(documents);
    expect(await told(by(first))).toBe('accept alice');
    documents['/metadata'] = keySet(first, second);
    await host.clock.advance(30_000);
    expect(await told(by(second, { kid: 'k1' }))).toBe('accept alice');
    expect(await told(by(first))).toBe('accept alice');
    expect(host.requests).toHaveLength(2);
  });

  it('are waited for when nobody has looked for two intervals: a key may be gone since', async () => {
    const documents: Parameters<typeof provider>[0] = { '/metadata': keySet(first) };
    const { told, host } = await open(documents);
    expect(await told(by(first))).toBe('accept alice');
    documents['/metadata'] = keySet(second);
    await host.clock.advance(2 * day * 1000);
    expect(await told(by(first))).toBe('401 signature-wrong');
  });

  it('that were begun earlier and come later do not bring back what has been replaced', async () => {
    const waiting: ((document: string) => void)[] = [];
    const slow = () => new Promise<Response>((resolve) => waiting.push((document) => resolve(new Response(document))));
    // An edge: each request downloads for itself.
    const { told, host } = await open({ '/metadata': slow }, { sharesWork: false });
    const [old, young] = [told(by(first)), told(by(second))];
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    waiting[1]!(keySet(second));
    expect(await young).toBe('accept alice');
    waiting[0]!(keySet(first));
    expect(await old).toBe('401 signature-wrong');
    expect(await told(by(second))).toBe('accept alice');
    expect(host.requests).toHaveLength(2);
  });

  it('take no longer than ten seconds', async () => {
    const { told, host } = await open({ '/metadata': () => new Promise<Response>(() => {}) });
    const answer = told(by(first));
    while (host.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await host.clock.advance(10_000);
    expect(await answer).toBe('503 keys-unavailable');
  });

  it('end with the filter', async () => {
    const { told, host, filter } = await open({ '/metadata': () => new Promise<Response>(() => {}) });
    const answer = told(by(first));
    while (host.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await filter.close?.();
    expect(await answer).toBe('503 keys-unavailable');
    expect(host.clock.sleepers).toBe(0);
  });
});
