import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveCli } from '../support/cli.ts';
import { shareOfRows } from '../support/long.ts';
import { basic } from '../support/matrix.ts';
import { temporaryDirectory } from '../support/store.ts';
import { bearerIni } from '../support/ways.ts';
import { client, type OpenProvider, openProvider, resource } from './open-provider.ts';

const user = 'alice';
let provider: OpenProvider;

beforeAll(async () => {
  // The provider warns that it is for development only, which is its use here.
  for (const method of ['warn', 'info'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
  provider = await openProvider(user);
});
afterAll(() => provider.close());

interface Told {
  readonly status: number;
  readonly body: string;
  readonly challenge: string | null;
}

/** The program itself, with these statements in its security.ini, and the user in its database. */
async function serve(...statements: readonly string[]) {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  await writeFile(join(directory.path, 'security.ini'), bearerIni(statements).text);
  const served = await serveCli({ root: directory.path, environment: { PORTICO_ADMIN_PASSWORD: 'of admin' } });
  const address = `http://127.0.0.1:${served.port}/API`;
  const created = await fetch(`${address}/user`, {
    method: 'POST',
    headers: { authorization: basic(['admin', 'of admin']), 'content-type': 'application/json' },
    body: JSON.stringify({ userName: user }),
  });
  expect(created.status).toBe(200);
  return async (token: string): Promise<Told> => {
    const answer = await fetch(`${address}/whoami`, { headers: { authorization: `Bearer ${token}` } });
    const challenge = answer.headers.get('www-authenticate');
    return { status: answer.status, body: await answer.text(), challenge };
  };
}

const letsIn = { status: 200, body: user, challenge: null };
const refuses = (words: string): Told => ({
  status: 401,
  body: '',
  challenge: `Bearer realm="application", error="invalid_token", error_description="${words}"`,
});
const jwtRules = [`oauth2Auth.expectedAudience = ${resource}`, 'oauth2Auth.tokenUser = preferred_username'];
const patience = 60_000;

const signedWays: readonly (readonly [string, () => string])[] = [
  ['are verified by its public key', () => `oauth2Auth.publicKey = ${provider.publicKey}`],
  [
    'are verified by its discovery document',
    () => `oauth2Auth.federationMetadataURI = ${provider.issuer}/.well-known/openid-configuration`,
  ],
  ['are verified by its key set', () => `oauth2Auth.federationMetadataURI = ${provider.issuer}/jwks`],
];

describe('tokens of a real authorization server', () => {
  it.each(shareOfRows(3, signedWays, 1))(
    '%s',
    async (_how, statement) => {
      const whoami = await serve(statement(), ...jwtRules);
      const good = await provider.tokenFor(resource);
      for (const _time of [1, 2]) expect(await whoami(good)).toEqual(letsIn);
      expect(await whoami(await provider.tokenFor('https://other.example/'))).toEqual(
        refuses('The token is for another audience'),
      );
      expect(await whoami(await provider.tokenFor())).toEqual(refuses('The token is malformed'));
      const [header, payload, signature] = good.split('.');
      expect(
        await whoami(`${header}.${payload}.${signature!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`),
      ).toEqual(refuses('The signature of the token is not valid'));
    },
    patience,
  );

  it(
    'are verified by its userinfo endpoint',
    async () => {
      const endpoint = `oauth2Auth.validationEndpoint = ${provider.issuer}/me`;
      const whoami = await serve(endpoint, 'oauth2Auth.tokenUser = preferred_username');
      const good = await provider.tokenOf(user);
      expect(await whoami(good)).toEqual(letsIn);
      expect(await whoami('made-up')).toEqual(refuses('The token is not active'));
      expect(await whoami(await provider.tokenOf('stranger'))).toEqual(refuses('The user was not found'));
      // A token for a resource is none for userinfo.
      expect((await whoami(await provider.tokenFor(resource))).status).toBe(401);
      const revoked = await provider.tokenOf(user);
      await provider.revoke(revoked);
      expect(await whoami(revoked)).toEqual(refuses('The token is not active'));
      // A token that was accepted a moment ago is remembered.
      await provider.revoke(good);
      expect(await whoami(good)).toEqual(letsIn);
    },
    patience,
  );

  it(
    'are verified by its introspection endpoint',
    async () => {
      const whoami = await serve(
        `oauth2Auth.validationEndpoint = ${provider.issuer}/token/introspection`,
        'oauth2Auth.tokenUser = preferred_username',
        `oauth2Auth.clientId = ${client.id}`,
        `oauth2Auth.clientSecret = ${client.secret}`,
      );
      expect(await whoami(await provider.tokenFor())).toEqual(letsIn);
      expect(await whoami('made-up')).toEqual(refuses('The token is not active'));
      const revoked = await provider.tokenFor();
      await provider.revoke(revoked);
      expect(await whoami(revoked)).toEqual(refuses('The token is not active'));
    },
    patience,
  );
});
