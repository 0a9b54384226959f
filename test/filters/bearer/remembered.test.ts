import { expect, it } from 'vitest';
import { filterComponents } from '../../../filters/index.ts';
import { filterRequest } from '../../../src/kit/testing/index.ts';
import type { OAuth2Configuration } from '../../../src/spi/index.ts';
import { audience, claims, pair, signed, spki } from '../../support/keys.ts';
import { type Bench, bench, make, told, trusting, users } from '../support.ts';

const key = pair('P-256');
const token = signed(key, claims());

/** At once, or after work that only the first time needs. */
const isReady = ({ filter, setup }: Bench, given = token): boolean =>
  !(
    filter.check(filterRequest({ headers: { authorization: `Bearer ${given}` }, users, oauth2: setup })) instanceof
    Promise
  );

it('a token that was verified is let in at once, without a turn of the event loop', async () => {
  const made = await bench({ api: trusting(key) });
  expect(isReady(made)).toBe(false);
  expect(await made.told(token)).toBe('accept alice');
  expect(isReady(made)).toBe(true);
  expect(isReady(made, signed(key, claims()))).toBe(false);
});

it('a remembered token expires', async () => {
  const made = await bench({ api: trusting(key) });
  expect(await made.told(token)).toBe('accept alice');
  await made.host.clock.advance(3600_000 + 59_999);
  expect(await made.told(token)).toBe('accept alice');
  await made.host.clock.advance(1);
  expect(await made.told(token)).toBe('401 token-expired');
});

it('the user of a remembered token is looked at each time', async () => {
  const made = await bench({ api: trusting(key) });
  expect(await made.told(token)).toBe('accept alice');
  expect(await made.told(token, { users: [{ name: 'alice', enabled: false }] })).toBe('401 user-disabled');
  expect(await made.told(token, { users: [] })).toBe('401 user-unknown');
});

const others: readonly (readonly [string, OAuth2Configuration | undefined, string])[] = [
  ['another key', trusting(pair('P-256 second')), '401 signature-wrong'],
  ['another audience', { ...trusting(key), expectedAudience: 'else' }, '401 audience-wrong'],
  ['another claim', { ...trusting(key), tokenUser: 'name' }, '401 user-claim-wrong'],
  ['nothing', undefined, '401 unknown-user'],
];

it.each(others)('remembered tokens end with their configuration: %s', async (_what, configuration, expected) => {
  const made = await bench({ api: trusting(key) });
  expect(await made.told(token)).toBe('accept alice');
  made.setup = { revision: 2, configuration };
  expect(await made.told(token)).toBe(expected);
  made.setup = { revision: 3, configuration: trusting(key) };
  expect(await made.told(token)).toBe('accept alice');
});

it('a stored configuration replaces that of the file, only where the file allows it', async () => {
  const ini = { publicKey: [spki(key).toString('base64')], expectedAudience: audience, tokenUser: 'user' };
  const api = trusting(pair('P-256 second'));
  const byApi = signed(pair('P-256 second'), claims());
  const open = await bench({ ini, api });
  expect([await open.told(token), await open.told(byApi)]).toEqual(['401 signature-wrong', 'accept alice']);
  const closed = await bench({ ini: { ...ini, allowConfigUpdate: false }, api });
  expect([await closed.told(token), await closed.told(byApi)]).toEqual(['accept alice', '401 signature-wrong']);
  open.setup = { revision: 2, configuration: undefined };
  expect([await open.told(token), await open.told(byApi)]).toEqual(['accept alice', '401 signature-wrong']);
});

it('builds a configuration once for requests that come together', async () => {
  const made = await bench({ api: trusting(key) });
  const answers = await Promise.all(Array.from({ length: 20 }, () => made.told(token)));
  expect(new Set(answers)).toEqual(new Set(['accept alice']));
});

it('on an edge, waits for no other request', async () => {
  const made = await bench({ api: trusting(key), sharesWork: false });
  const answers = await Promise.all(Array.from({ length: 5 }, () => made.told(token)));
  expect(new Set(answers)).toEqual(new Set(['accept alice']));
  expect(isReady(made)).toBe(true);
});

it('asks the realms about tokens that are none of ours, and about no others', async () => {
  const made = await bench({ api: trusting(key) });
  const asked: string[] = [];
  const login = ({ kind }: { readonly kind: string }) => {
    asked.push(kind);
    return { accepted: true, account: { name: 'from a realm' } } as const;
  };
  const stranger = signed(pair('P-256 stranger'), claims());
  for (const foreign of ['opaque', stranger]) expect(await made.told(foreign, { login })).toBe('accept from a realm');
  expect(asked).toEqual(['bearer', 'bearer']);
  expect(await made.told(token, { login })).toBe('accept alice');
  for (const changes of [{ exp: 1 }, { aud: 'else' }, { user: 'carol' }, { user: 'bob' }]) {
    expect(await made.told(signed(key, claims(changes)), { login })).toMatch(/^401 /);
  }
  expect(asked).toHaveLength(2);
});

it('asks the realms alone where nothing is configured', async () => {
  const made = await bench();
  const login = () => ({ accepted: true, account: { name: 'from a realm' } }) as const;
  expect(await made.told('opaque', { login })).toBe('accept from a realm');
  expect(await made.told('opaque')).toBe('401 unknown-user');
});

it('keeps a configuration that was stored and is broken closed, and says so', async () => {
  const api = { ...trusting(key), validationEndpoint: 'https://idp.example/userinfo' };
  const made = await bench({ api });
  expect(await made.told(token)).toBe('401 configuration-broken');
  expect(made.host.logged.join('\n')).toMatch(/level error event oauth2-broken element publicKey .*validationEndpoint/);
});

it('leaves out a key that was stored and is broken', async () => {
  const good = trusting(key).publicKey!;
  const made = await bench({ api: { ...trusting(key), publicKey: ['AAAA', ...good] } });
  expect(await made.told(token)).toBe('accept alice');
  expect(made.host.logged.join('\n')).toMatch(/error event oauth2-key-left-out element publicKey .*\(publicKey 1\)/);
  const none = await bench({ api: { ...trusting(key), publicKey: ['AAAA'] } });
  expect(await none.told(token)).toBe('503 keys-unavailable');
});

it('lets everything pass when it is switched off', async () => {
  const filter = await make(filterComponents['portico.OAuth2Filter']!, { enabled: false });
  expect(told(await filter.check(filterRequest({ headers: { authorization: `Bearer ${token}` } })))).toBe('pass');
});
