import { expect, it } from 'vitest';
import { builtInSecurity } from '../../src/composition/service.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import { trusting } from '../filters/support.ts';
import { newUser } from '../support/cast.ts';
import { startOfTime } from '../support/clock.ts';
import { audience, pair, signed } from '../support/keys.ts';
import { describeMatrix, openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import {
  byToken,
  type How,
  lastLine,
  newKey,
  newToken,
  removeUser,
  setPassword,
  setStatus,
  storeOAuth2,
  switchTo,
} from '../support/ways.ts';
import { databaseAfter } from '../support/world.ts';

/**
 * Every kind of credentials in every state, alone and acting for `user`, in two chains: the one that applies
 * without a security.ini, and one where every filter is permissive. Each outcome is stated: who, or status and reason.
 */
const table = `
kind            state     | default              with RunAs            | permissive           with RunAs
password        valid     | alice                user                  | alice                user
password        wrong     | 401 wrong-password   401 wrong-password    | 401 wrong-password   401 wrong-password
password        expired   | 401 wrong-password   401 wrong-password    | 401 wrong-password   401 wrong-password
password        disabled  | 401 user-disabled    401 user-disabled     | 401 user-disabled    401 user-disabled
password        deleted   | 401 unknown-user     401 unknown-user      | 401 unknown-user     401 unknown-user
password        foreign   | 401 wrong-password   401 wrong-password    | 401 wrong-password   401 wrong-password
password        elsewhere | 401 credentials-elsewhere 401 credentials-elsewhere | 401 credentials-elsewhere 401 credentials-elsewhere
alias           valid     | alice                user                  | alice                user
alias           wrong     | 401 wrong-password   401 wrong-password    | 401 wrong-password   401 wrong-password
alias           expired   | 401 wrong-password   401 wrong-password    | 401 wrong-password   401 wrong-password
alias           disabled  | 401 user-disabled    401 user-disabled     | 401 user-disabled    401 user-disabled
alias           deleted   | 401 unknown-user     401 unknown-user      | 401 unknown-user     401 unknown-user
alias           foreign   | 401 wrong-password   401 wrong-password    | 401 wrong-password   401 wrong-password
alias           elsewhere | 401 credentials-elsewhere 401 credentials-elsewhere | 401 credentials-elsewhere 401 credentials-elsewhere
access-key      valid     | alice                user                  | alice                user
access-key      wrong     | 401 wrong-secret     401 wrong-secret      | 401 wrong-secret     401 wrong-secret
access-key      expired   | alice                user                  | alice                user
access-key      disabled  | 401 key-disabled     401 key-disabled      | 401 key-disabled     401 key-disabled
access-key      deleted   | 401 unknown-key      401 unknown-key       | 401 unknown-key      401 unknown-key
access-key      foreign   | 401 wrong-secret     401 wrong-secret      | 401 wrong-secret     401 wrong-secret
access-key      orphaned  | 401 user-disabled    401 user-disabled     | 401 user-disabled    401 user-disabled
access-key      elsewhere | 401 credentials-elsewhere 401 credentials-elsewhere | 401 credentials-elsewhere 401 credentials-elsewhere
token           valid     | alice                user                  | alice                user
token           wrong     | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token           expired   | 401 expired-token    401 expired-token     | 401 expired-token    401 expired-token
token           disabled  | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token           deleted   | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token           foreign   | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token           elsewhere | alice                user                  | alice                user
token-of-key    valid     | alice                user                  | alice                user
token-of-key    wrong     | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token-of-key    expired   | 401 expired-token    401 expired-token     | 401 expired-token    401 expired-token
token-of-key    disabled  | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token-of-key    deleted   | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token-of-key    foreign   | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token-of-key    orphaned  | 401 unknown-token    401 unknown-token     | 401 unknown-token    401 unknown-token
token-of-key    elsewhere | alice                user                  | alice                user
bearer          valid     | alice                user                  | alice                user
bearer          wrong     | 401 signature-wrong    401 signature-wrong     | 401 signature-wrong    401 signature-wrong
bearer          expired   | 401 token-expired      401 token-expired       | 401 token-expired      401 token-expired
bearer          disabled  | 401 user-disabled    401 user-disabled     | 401 user-disabled    401 user-disabled
bearer          deleted   | 401 user-unknown     401 user-unknown      | 401 user-unknown     401 user-unknown
bearer          foreign   | 401 signature-wrong    401 signature-wrong     | 401 signature-wrong    401 signature-wrong
bearer          elsewhere | alice                user                  | alice                user
nothing         valid     | 401 credentials-missing  401 credentials-missing | 401 not-authenticated 401 not-authenticated
another-scheme  valid     | 401 scheme-unknown   401 scheme-unknown    | 401 not-authenticated 401 not-authenticated
`;

/** May act for others, so that nothing but the credentials is in the way. */
const alice: Credentials = ['alice', 'password of alice'];
const bob: Credentials = ['bob', 'password of bob'];
const people = [
  newUser(alice, ['_runas'], { alias: ['al'] }),
  newUser(bob, ['_runas']),
  newUser(['user', 'password of user']),
];

type State = 'valid' | 'wrong' | 'expired' | 'disabled' | 'deleted' | 'foreign' | 'orphaned' | 'elsewhere';
/** Credentials of a kind, in a state: of the credentials themselves where they can have it, else of the account. */
type Kind = Readonly<Partial<Record<State, (world: World) => Promise<How>>>>;

const century = 100 * 365 * 24 * 3_600_000;

/** Makes them good, then does something to them. */
const after =
  (make: (world: World) => Promise<How>, change: (world: World) => Promise<unknown>) =>
  async (world: World): Promise<How> => {
    const how = await make(world);
    expect((await world.send({ ...how, request: 'GET /API/whoami' })).body).toBe('alice');
    await change(world);
    return how;
  };

const disable = (world: World) => switchTo(world, 'alice', false);
const removeAlias = (world: World) =>
  world.service.store.commit(
    { changes: [{ sql: `DELETE FROM login WHERE name = 'al'`, args: [] }], events: [] },
    { user: 'test' },
  );
const keyOf = async (world: World, user = 'alice') => (await newKey(world, user)).pair;
const idOf = async (world: World): Promise<string> =>
  String((await world.service.store.read('SELECT id FROM access_key'))[0]![0]);
const disableKey = async (world: World) => prepare(world, [setStatus('alice', await idOf(world), 'INACTIVE')]);
const deleteKey = async (world: World) =>
  prepare(world, [{ as: admin, request: `DELETE /API/user/alice/key/${await idOf(world)}` }]);
const revoke = (world: World) => prepare(world, [{ as: admin, request: 'DELETE /API/user/alice/tokens' }]);
const minute = (world: World) => world.clock.advance(60_000);

/** A token of a user of that name, at somebody else's service. */
async function tokenElsewhere(): Promise<How> {
  const other = await openWorld('fetch');
  await prepare(other, people);
  return byToken(await newToken(other, { as: alice }));
}

function byPassword(user: string, deleted: (world: World) => Promise<unknown>): Kind {
  const good = async (): Promise<How> => ({ as: [user, alice[1]] });
  return {
    valid: good,
    wrong: async () => ({ as: [user, 'wrong'] }),
    expired: after(good, (world) => setPassword(world, 'alice', 'another')),
    disabled: after(good, disable),
    deleted: after(good, deleted),
    foreign: async () => ({ as: [user, bob[1]] }),
  };
}

const ownToken = async (world: World) => byToken(await newToken(world, { as: alice }));
const tokenOfKey = async (world: World) => byToken(await newToken(world, { as: await keyOf(world) }));
const forged = async () => byToken('A'.repeat(43));

const withBearer = (token: string): How => ({ headers: { authorization: `Bearer ${token}` } });
const hour = 3_600_000;
const claims = () => ({ sub: 'x', aud: audience, user: 'alice', exp: startOfTime / 1000 + 3_600 });

/** Signed by somebody whom the service is told to trust. */
async function bearerText(world: World): Promise<string> {
  await storeOAuth2(world, trusting(pair('P-256 issuer')));
  return signed(pair('P-256 issuer'), claims());
}
const bearer = async (world: World) => withBearer(await bearerText(world));

/** Good ones that a browser sends for a page of another site. */
const anywhere = (each: Readonly<Record<string, Kind>>): Readonly<Record<string, Kind>> =>
  Object.fromEntries(
    Object.entries(each).map(([name, kind]) => {
      const elsewhere = async (world: World): Promise<How> => {
        const { headers, ...how } = await kind.valid!(world);
        return { ...how, headers: { ...headers, 'sec-fetch-site': 'cross-site' } };
      };
      return [name, { ...kind, elsewhere }];
    }),
  );

/** Kinds of credentials. A new kind needs a row here and its lines in the table. */
const kinds: Readonly<Record<string, Kind>> = {
  ...anywhere({
    password: byPassword('alice', (world) => removeUser(world, 'alice')),
    alias: byPassword('al', removeAlias),
    'access-key': {
      valid: async (world) => ({ as: await keyOf(world) }),
      wrong: async (world) => ({ as: [(await keyOf(world))[0], 'wrong'] }),
      expired: after(
        async (world) => ({ as: await keyOf(world) }),
        (world) => world.clock.advance(century),
      ),
      disabled: after(async (world) => ({ as: await keyOf(world) }), disableKey),
      deleted: after(async (world) => ({ as: await keyOf(world) }), deleteKey),
      foreign: async (world) => ({ as: [(await keyOf(world))[0], (await keyOf(world, 'bob'))[1]] }),
      orphaned: after(async (world) => ({ as: await keyOf(world) }), disable),
    },
    token: {
      valid: ownToken,
      wrong: forged,
      expired: after(ownToken, minute),
      disabled: after(ownToken, disable),
      deleted: after(ownToken, revoke),
      foreign: tokenElsewhere,
    },
    'token-of-key': {
      valid: tokenOfKey,
      wrong: forged,
      expired: after(tokenOfKey, minute),
      disabled: after(tokenOfKey, disableKey),
      deleted: after(tokenOfKey, deleteKey),
      foreign: tokenElsewhere,
      orphaned: after(tokenOfKey, disable),
    },
    bearer: {
      valid: bearer,
      wrong: async (world) => withBearer(`${(await bearerText(world)).slice(0, -8)}AAAAAAAA`),
      expired: after(bearer, (world) => world.clock.advance(2 * hour)),
      disabled: after(bearer, disable),
      deleted: after(bearer, (world) => removeUser(world, 'alice')),
      foreign: async (world) => {
        await bearer(world);
        return withBearer(signed(pair('P-256 foreign'), claims()));
      },
    },
  }),
  nothing: { valid: async () => ({}) },
  'another-scheme': { valid: async () => ({ headers: { authorization: 'Digest username="alice"' } }) },
};

const permissive: SecurityInput = {
  ...builtInSecurity,
  text: builtInSecurity.text.replace(
    /^\/\*\* = .*$/m,
    '/** = tokenAuth[permissive], oauth2Auth[permissive], authcBasic[permissive]',
  ),
};
const chains = { default: builtInSecurity, permissive } as const;

const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [what = '', ...outcomes] = line.split('|');
    const [kind, state] = what.trim().split(/\s+/) as [string, State];
    const [byDefault, byPermissive] = outcomes.map((cells) => cells.trim().match(/\d{3} \S+|\S+/g) ?? []);
    return { kind, state, default: byDefault, permissive: byPermissive };
  });

it('the table has every kind in every state that it can have', () => {
  const all = Object.entries(kinds).flatMap(([kind, states]) => Object.keys(states).map((state) => `${kind} ${state}`));
  expect(rows.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual(all.sort());
});

const withPeople = databaseAfter((world) => prepare(world, people));

describeMatrix('credentials', (entry) => {
  for (const chain of ['default', 'permissive'] as const) {
    it.each(rows)(`$kind, $state, in the ${chain} chain`, async (row) => {
      const world = await entry.open({ security: chains[chain], database: await withPeople() });
      const how = await kinds[row.kind]![row.state]!(world);
      const seen: string[] = [];
      for (const runAs of [{}, { runas: 'user' }]) {
        const sent = { ...how, headers: { ...how.headers, ...runAs }, request: 'GET /API/whoami' };
        const { status, body, headers } = await world.send(sent);
        seen.push(status === 200 ? body : `${status} ${lastLine(world)['reason']}`);
        if (status === 401) expect(body).toBe('');
        // The filter that read the credentials and found them wrong asks for others; a route that wants somebody does not.
        if (status === 401 && chain === 'default') expect(headers.get('www-authenticate')).not.toBeNull();
      }
      expect(seen).toEqual(row[chain]);
    });
  }
});
