import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import type { SecurityInput } from '../../../src/security/ini/security-parts.ts';
import type { FilterRequest, Plugin, Verdict } from '../../../src/spi/index.ts';
import { alice, newUser } from '../../support/cast.ts';
import { settle } from '../../support/clock.ts';
import { openWorld, type Sent, type World } from '../../support/matrix.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/store.ts';
import { sendWell, setProperty } from '../../support/ways.ts';

/** A filter that tells what a filter is told of the bearer configuration. */
const teller: Plugin = {
  name: 'teller',
  version: '1.0.0',
  contract: 1,
  filters: {
    'teller.Filter': {
      says: 'Tells.',
      create: () => ({
        async check(request: FilterRequest): Promise<Verdict> {
          const { revision, configuration } = await request.oauth2();
          const told = `${revision} ${configuration?.tokenUser ?? '-'}`;
          return { verdict: 'pass', headers: { told } };
        },
      }),
    },
  },
};

const security: SecurityInput = {
  file: 'security.ini',
  plugins: [teller],
  text: [
    '[main]',
    'serviceRealm = com.service.security.auth.DefaultServiceRealm',
    'tokenAuth = com.service.security.auth.TokenAuthenticationFilter',
    'oauth2Auth = com.service.security.auth.BearerAuthenticationFilter',
    'teller = teller.Filter',
    'securityManager.realms = $serviceRealm',
    '[urls]',
    '/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic, teller',
  ].join('\n'),
};

const whoami: Sent = { as: admin, request: 'GET /API/whoami' };
const told = async (world: World) => (await sendWell(world, whoami)).headers.get('told');
const auth = (tokenUser: string): Sent => ({
  as: admin,
  request: 'PUT /API/configuration/auth',
  body: { validationEndpoint: 'https://idp.example.com/userinfo', tokenUser },
});

async function twoInstances(): Promise<readonly [World, World]> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const instance = async () =>
    openWorld('fetch', { security, database: await openDatabase(`file:${join(directory.path, 'portico.db')}`) });
  return [await instance(), await instance()];
}

it('a change counts on every instance at its next request, and no revision comes twice', async () => {
  const [one, two] = await twoInstances();
  const seen: unknown[] = [];
  for (const change of [
    undefined,
    auth('email'),
    auth('upn'),
    { as: admin, request: 'DELETE /API/configuration/auth' },
    auth('email'),
  ]) {
    if (change) await prepare(one, [change]);
    await settle();
    seen.push([await told(one), await told(two)]);
  }
  expect(seen).toEqual(['0 -', '1 email', '2 upn', '3 -', '4 email'].map((each) => [each, each]));
});

it('properties count on every instance at once, and survive a restart', async () => {
  const [one, two] = await twoInstances();
  await prepare(one, [newUser(alice)]);
  const long = { name: '', as: alice, request: 'GET /API/token?seconds=600' };
  await playScenario(two, { ...long, status: 403 });
  await prepare(one, [setProperty('userTokenMaxInterval', 600)]);
  await settle();
  await playScenario(two, { ...long, status: 200 });
  await prepare(two, [{ as: admin, request: 'DELETE /API/configuration/properties/userTokenMaxInterval' }]);
  await settle();
  await playScenario(one, { ...long, status: 403 });
});
