import { describe, expect, it, onTestFinished } from 'vitest';
import { newUser } from '../support/cast.ts';
import { listenFor, openWorld } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { lastLine, setProperty, whoIs } from '../support/ways.ts';

/** A client of this API as others use it, unchanged: its calls about coming in and about the configuration, as it sends them. */

interface Answer<T = unknown> {
  readonly status: number;
  readonly data: T;
}
/** The client brings no types. */
type Call = <T = unknown>(given?: Record<string, unknown>) => Promise<Answer<T>>;
interface Client {
  login(given: { baseURL: string; username?: string; password?: string; token?: string; bearerToken?: string }): void;
  logout(): void;
  readonly user: Readonly<Record<string, Call>>;
  readonly configuration: Readonly<Record<string, Call>>;
}

// By a name that the compiler does not look up: there is nothing for it to find.
const packageName = '@vidispine/vdt-api';
const client = (await import(packageName)) as Client;

const alice: Credentials = ['alice', 'password of alice'];
const portal: Credentials = ['portal', 'password of portal'];

async function open() {
  const world = await openWorld('fetch');
  await prepare(world, [newUser(alice, [], { alias: ['al'] }), newUser(portal, ['_runas'])]);
  const baseURL = `http://127.0.0.1:${await listenFor(world)}`;
  onTestFinished(() => client.logout());
  const as = (how: Omit<Parameters<Client['login']>[0], 'baseURL'>) => {
    client.logout();
    client.login({ baseURL, ...how });
  };
  as({});
  const call =
    (calls: Client['user'], name: string): Call =>
    (given) =>
      calls[name]!(given);
  return {
    world,
    as,
    asUser: ([username, password]: Credentials) => as({ username, password }),
    user: (name: string, given?: Record<string, unknown>) => call(client.user, name)<string>(given),
    key: (name: string, given?: Record<string, unknown>) => call(client.user, name)<Key>(given),
    configuration: (name: string, given?: Record<string, unknown>) =>
      call(client.configuration, name)<Record<string, unknown>>(given),
  };
}

interface Key {
  readonly id: string;
  readonly name?: string;
  readonly secret?: string;
  readonly status: string;
  readonly created: string;
  readonly hits?: number;
  readonly key?: readonly Key[];
}

/** The client throws whatever is no success. */
const statusOf = (asked: Promise<Answer>): Promise<number> =>
  asked.then(
    ({ status }) => status,
    (error: { response: Answer }) => error.response.status,
  );

describe('the vdt client', () => {
  it('logs in with name and password, gets a token, and goes on with that', async () => {
    const { as, user } = await open();
    const [username, password] = alice;
    const { data: token } = await user('getUserToken', {
      username,
      password,
      queryParams: { autoRefresh: true, seconds: 60 },
    });
    expect(token).toMatch(/^[\w-]{43}$/);
    as({ token });
    expect((await user('whoAmI')).data).toBe('alice');
    expect((await user('getToken', { headers: { token } })).data, 'a further one').toMatch(/^[\w-]{43}$/);
    as({ token: `${token}x` });
    expect(await statusOf(user('whoAmI'))).toBe(401);
    expect(await statusOf(user('getUserToken', { username, password: 'wrong' }))).toBe(401);
  });

  it('logs in by an alias, whose name is in the path as well', async () => {
    const { as, user } = await open();
    const { data: token } = await user('getUserToken', { username: 'al', password: alice[1] });
    as({ token });
    expect((await user('whoAmI')).data).toBe('alice');
  });

  it('an administrator logs in for a week, as its login page asks', async () => {
    const { world, as, user } = await open();
    const [username, password] = admin;
    const queryParams = { autoRefresh: true, seconds: 604_800 };
    const { data: token } = await user('getUserToken', { username, password, queryParams });
    await world.clock.advance(604_799_000);
    as({ token });
    expect((await user('whoAmI')).data).toBe('admin');
    const asAlice = () => user('getUserToken', { username: 'alice', password: alice[1], queryParams });
    expect(await statusOf(asAlice()), 'others by a property').toBe(403);
    await prepare(world, [setProperty('userTokenMaxInterval', 604_800)]);
    expect(await statusOf(asAlice())).toBe(200);
  });

  it('acts for a user with each call, and gets a token of theirs', async () => {
    const { world, as, asUser, user } = await open();
    asUser(portal);
    expect((await user('whoAmI', { headers: { runas: 'alice' } })).data).toBe('alice');
    expect(lastLine(world)).toMatchObject({ user: 'portal', runAs: 'alice' });
    const { data: token } = await user('getToken', { headers: { RunAs: 'alice' } });
    as({ token });
    expect((await user('whoAmI')).data).toBe('alice');
    asUser(alice);
    expect(await statusOf(user('whoAmI', { headers: { RunAs: 'portal' } }))).toBe(403);
  });

  it('validates a password', async () => {
    const { asUser, user } = await open();
    asUser(portal);
    const validate = (password: string, more = {}) =>
      user('validateUserPassword', { userName: 'alice', password, ...more });
    expect(await validate(alice[1])).toMatchObject({ status: 200, data: 'OK' });
    expect(await validate(alice[1], { queryParams: { type: 'raw' } })).toMatchObject({ data: 'OK' });
    expect(await statusOf(validate('wrong'))).toBe(403);
    expect(await statusOf(validate(alice[1], { queryParams: { type: 'md5' } }))).toBe(400);
    asUser(alice);
    expect(await validate(alice[1])).toMatchObject({ data: 'OK' });
  });

  it('makes, lists, reads, disables, enables and deletes access keys, and comes in with one', async () => {
    const { world, asUser, key, user } = await open();
    asUser(admin);
    const userName = 'alice';
    const { data: made } = await key('createKey', { userName, queryParams: { name: 'ci' } });
    expect(made).toMatchObject({ name: 'ci', status: 'ACTIVE', secret: expect.stringMatching(/^.{40}$/) });
    const { secret, ...shown } = made;
    expect((await key('listKey', { userName })).data).toEqual({ hits: 1, key: [shown] });
    expect((await key('getKey', { userName, keyId: made.id })).data).toEqual(shown);
    asUser([made.id, secret!]);
    expect((await user('whoAmI')).data).toBe('alice');
    expect((await user('getToken')).data).toMatch(/^[\w-]{43}$/);
    asUser(admin);
    const update = (accessKeyDocument: Partial<Key>) =>
      key('updateKey', { userName, keyId: made.id, accessKeyDocument });
    expect((await update({ ...made, status: 'INACTIVE' })).data).toEqual({ ...shown, status: 'INACTIVE' });
    expect(await whoIs(world, { as: [made.id, secret!] })).toBe('401 key-disabled');
    expect((await update({ status: 'ACTIVE', name: 'cd' })).data).toEqual({ ...shown, name: 'cd' });
    expect(await whoIs(world, { as: [made.id, secret!] })).toBe('alice');
    expect(await key('removeKey', { userName, keyId: made.id })).toMatchObject({ status: 200, data: '' });
    expect(await statusOf(key('getKey', { userName, keyId: made.id }))).toBe(404);
    expect(await whoIs(world, { as: [made.id, secret!] })).toBe('401 unknown-key');
  });

  it('reads, replaces and deletes the bearer configuration', async () => {
    const { asUser, configuration } = await open();
    asUser(admin);
    expect((await configuration('getAuthConfiguration')).data).toEqual({});
    const oAuth2ConfigurationDocument = { validationEndpoint: 'https://idp.example.com/userinfo', tokenUser: 'email' };
    const put = await configuration('updateAuthConfiguration', { oAuth2ConfigurationDocument });
    expect([put.status, put.data]).toEqual([200, oAuth2ConfigurationDocument]);
    expect((await configuration('getAuthConfiguration')).data).toEqual(oAuth2ConfigurationDocument);
    expect((await configuration('removeAuthConfiguration')).status).toBe(200);
    expect((await configuration('getAuthConfiguration')).data).toEqual({});
    asUser(alice);
    expect(await statusOf(configuration('getAuthConfiguration'))).toBe(403);
  });

  it('reads, sets and deletes properties, and lists what can be configured', async () => {
    const { asUser, configuration } = await open();
    asUser(admin);
    expect((await configuration('getConfiguration')).data['uri']).toEqual(
      expect.arrayContaining(['auth', 'properties']),
    );
    expect((await configuration('getPropertiesConfiguration')).data).toEqual({ property: [] });
    const configurationPropertyDocument = { key: 'userTokenMaxInterval', value: '600' };
    expect(await configuration('updatePropertiesConfiguration', { configurationPropertyDocument })).toMatchObject({
      status: 200,
      data: '',
    });
    const configurationPropertyListDocument = {
      property: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    };
    await configuration('updateAllPropertiesConfiguration', { configurationPropertyListDocument });
    await configuration('removePropertiesConfiguration', { key: 'a' });
    const lastChange = expect.stringMatching(/^2030-01-01T00:00:00\.000\+0000$/);
    expect((await configuration('getPropertiesConfiguration')).data).toEqual({
      property: [
        { key: 'b', value: '2', lastChange },
        { ...configurationPropertyDocument, lastChange },
      ],
    });
    expect(await statusOf(configuration('removePropertiesConfiguration', { key: 'a' }))).toBe(404);
  });
});
