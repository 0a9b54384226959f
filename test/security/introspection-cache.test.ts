import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/core/lib/secret.ts';
import { switchUser } from '../../src/identity/users/rules.ts';
import { findUser } from '../../src/identity/users/store.ts';
import type { OAuth2Configuration } from '../../src/spi/index.ts';
import { bench } from '../filters/support.ts';
import { newUser } from '../support/cast.ts';
import { pair, spki } from '../support/keys.ts';
import { describeMatrix, type Entry, type World } from '../support/matrix.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { prepare } from '../support/scenario.ts';
import { storeOAuth2, toldOf } from '../support/ways.ts';

interface Opened {
  readonly world: World;
  readonly endpoint: Receiver;
  /** Where `path` of the endpoint is. */
  configuration(path?: string, more?: OAuth2Configuration): OAuth2Configuration;
}

/** A real endpoint, on this machine: the operator allows calls to it. */
async function open(entry: Entry): Promise<Opened> {
  const endpoint = await openReceiver();
  onTestFinished(() => endpoint.close());
  const world = await entry.open({ settings: { outboundAllow: ['127.0.0.1'] } });
  await prepare(world, [newUser(['alice', 'p']), newUser(['bea', 'p'])]);
  const configuration: Opened['configuration'] = (path = '/userinfo', more = {}) => ({
    validationEndpoint: `${endpoint.address}${path}`,
    tokenUser: 'name',
    ...more,
  });
  await storeOAuth2(world, configuration());
  return { world, endpoint, configuration };
}

const says = (body: object, status = 200) => ({ status, body: JSON.stringify(body) });

describeMatrix('the cache of introspection answers', (entry) => {
  it('is not taken for another token', async () => {
    const { world, endpoint } = await open(entry);
    endpoint.script(says({ name: 'alice' }), says({}, 401), says({ name: 'bea' }));
    expect(await toldOf(world, 'one')).toBe('200 alice');
    for (const token of ['one2', 'on']) {
      expect(await toldOf(world, token)).toBe(token === 'one2' ? '401 token-inactive' : '200 bea');
    }
    expect(await toldOf(world, 'one')).toBe('200 alice');
    expect(endpoint.received).toHaveLength(3);
  });

  it('is not taken for what another endpoint would say', async () => {
    const { world, endpoint, configuration } = await open(entry);
    endpoint.script(says({ name: 'alice' }), says({}, 401));
    expect(await toldOf(world, 'one')).toBe('200 alice');
    await storeOAuth2(world, configuration('/other'));
    expect(await toldOf(world, 'one')).toBe('401 token-inactive');
    expect(endpoint.received.map(({ target }) => target)).toEqual(['/userinfo', '/other']);
  });

  it('does not outlive a change of the configuration, were it to the same text', async () => {
    const { world, endpoint, configuration } = await open(entry);
    endpoint.script(says({ name: 'alice' }), says({}, 401), says({}, 401));
    expect(await toldOf(world, 'one')).toBe('200 alice');
    await storeOAuth2(world, configuration());
    expect(await toldOf(world, 'one')).toBe('401 token-inactive');
    await storeOAuth2(world, null);
    expect(await toldOf(world, 'one')).toBe('401 no-realm');
    await storeOAuth2(world, configuration());
    expect(await toldOf(world, 'one')).toBe('401 token-inactive');
    expect(endpoint.received).toHaveLength(3);
  });

  it('is held against the rules at each use: another audience, another claim', async () => {
    const { world, endpoint, configuration } = await open(entry);
    const answer = says({ name: 'alice', other: 'bea', aud: 'portico' });
    endpoint.script(answer, answer, answer);
    await storeOAuth2(world, configuration('/userinfo', { expectedAudience: 'portico' }));
    for (const _time of [1, 2]) expect(await toldOf(world, 'one')).toBe('200 alice');
    await storeOAuth2(world, configuration('/userinfo', { expectedAudience: 'else' }));
    for (const _time of [1, 2]) expect(await toldOf(world, 'one')).toBe('401 audience-wrong');
    await storeOAuth2(world, configuration('/userinfo', { tokenUser: 'other' }));
    for (const _time of [1, 2]) expect(await toldOf(world, 'one')).toBe('200 bea');
    expect(endpoint.received).toHaveLength(3);
  });

  it('is worth nothing for a user who is disabled within the ten minutes', async () => {
    const { world, endpoint } = await open(entry);
    endpoint.script(says({ name: 'alice' }));
    expect(await toldOf(world, 'one')).toBe('200 alice');
    const { store } = world.service;
    const row = await findUser(store, { name: 'alice' });
    await store.commit(switchUser(row!, false), { user: 'test' });
    expect(await toldOf(world, 'one')).toBe('401 user-disabled');
    await store.commit(switchUser((await findUser(store, { name: 'alice' }))!, true), { user: 'test' });
    expect(await toldOf(world, 'one')).toBe('200 alice');
    expect(endpoint.received).toHaveLength(1);
  });

  it('is not used beyond the end of the token', async () => {
    const { world, endpoint } = await open(entry);
    const exp = Math.floor(world.clock.now() / 1000) + 30;
    endpoint.script(says({ name: 'alice', exp }), says({}, 401));
    expect(await toldOf(world, 'one')).toBe('200 alice');
    await world.clock.advance(30_000);
    expect(await toldOf(world, 'one')).toBe('401 token-inactive');
  });

  it('is nothing where the endpoint is down: closed, and asked again a moment later', async () => {
    const { world, endpoint } = await open(entry);
    endpoint.script({ breaks: true }, says({ name: 'alice' }));
    expect(await toldOf(world, 'one')).toBe('503 provider-unavailable');
    expect(await toldOf(world, 'one')).toBe('503 provider-unavailable');
    await world.clock.advance(1_000);
    expect(await toldOf(world, 'one')).toBe('200 alice');
  });

  it('belongs to the way in which it was found: a token of an endpoint is none of a key', async () => {
    const { world, endpoint } = await open(entry);
    endpoint.script(says({ name: 'alice' }));
    expect(await toldOf(world, 'one')).toBe('200 alice');
    const publicKey = [spki(pair('P-256')).toString('base64')];
    await storeOAuth2(world, { publicKey, expectedAudience: 'portico', tokenUser: 'name' });
    expect(await toldOf(world, 'one')).toBe('401 token-malformed');
    expect(endpoint.received).toHaveLength(1);
  });
});

const canary = 'canary-4f1b9';
const outcomes: readonly (readonly [string, () => Promise<Response> | Response])[] = [
  ['it is let in', () => Response.json({ name: 'alice' })],
  ['nobody is found', () => Response.json({ name: 'nobody' })],
  ['it is refused', () => new Response(canary, { status: 401 })],
  ['the endpoint fails', () => new Response(canary, { status: 500 })],
  ['the endpoint answers nonsense', () => new Response(`{"${canary}`)],
  ['the connection breaks', () => Promise.reject(new TypeError(`fetch of ${canary} failed`))],
];

it.each(outcomes)('no token and no secret of ours is told to log and caller: %s', async (_what, backend) => {
  const ini = {
    validationEndpoint: `https://idp.example/?key=${canary}`,
    tokenUser: 'name',
    clientId: 'portico',
    clientSecret: new Secret(canary),
  };
  for (const given of [{ ini }, { api: { validationEndpoint: ini.validationEndpoint, tokenUser: 'name' } }]) {
    const { ask, host } = await bench({ ...given, backend });
    expect(JSON.stringify([await ask(canary), await ask(canary), host.logged])).not.toContain(canary);
    expect(host.requests.length).toBeGreaterThan(0);
  }
});
