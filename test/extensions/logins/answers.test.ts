import { describe, expect, it } from 'vitest';
import { loginComponents } from '../../../filters/oidc/index.ts';
import { testHost } from '../../../src/kit/testing/index.ts';
import type { LoginOutcome } from '../../../src/spi/index.ts';
import { jwk, signed } from '../../support/keys.ts';
import {
  clientId,
  entra,
  entraForAll,
  googleRecorded as google,
  keycloak,
  otherTenant,
  type Recorded,
  signingKey,
  tenant,
} from './answers.ts';

type Json = Readonly<Record<string, unknown>>;

interface Change {
  /** Properties of the login, beside issuer and client. */
  readonly properties?: Json;
  /** Claims of the ID token. Undefined ones are left out. */
  readonly claims?: Json;
  readonly key?: Json;
  /** Changes to the claims of the ID token that answers a refresh token. */
  readonly refreshed?: Json;
}

const present = (claims: Json): Json =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));

/** A login, and one question after it, at a provider that answers as recorded. */
async function login(recorded: Recorded, { properties = {}, claims = {}, key = {}, refreshed }: Change = {}) {
  const { discovery, at } = recorded;
  let nonce: string | null = null;
  const host = testHost({
    async backend(request) {
      const seconds = Math.floor(host.now() / 1000);
      const token = (changes: Json) => {
        const times = { iat: seconds, nbf: seconds, exp: seconds + 3600 };
        const payload = present({ ...recorded.claims, ...times, ...changes });
        return signed(signingKey, payload, { typ: 'JWT', alg: 'RS256', kid: recorded.key['kid'] });
      };
      const answers: Readonly<Record<string, () => Promise<Json> | Json>> = {
        [at]: () => discovery,
        [String(discovery['jwks_uri'])]: () => ({
          keys: [...(recorded.otherKeys ?? []), { ...jwk(signingKey), ...recorded.key, ...key }],
        }),
        [String(discovery['userinfo_endpoint'])]: () => recorded.userInfo,
        async [String(discovery['token_endpoint'])]() {
          const isLogin = (await request.text()).includes('authorization_code');
          const idToken = isLogin ? token({ nonce, ...claims }) : token({ ...claims, ...refreshed });
          return { token_type: 'Bearer', expires_in: 3599, access_token: 'a', refresh_token: 'r', id_token: idToken };
        },
      };
      const answer = await answers[request.url]?.();
      return Response.json(answer ?? {}, { status: answer ? 200 : 404 });
    },
  });
  const issuer = at.replace('/.well-known/openid-configuration', '');
  const component = await loginComponents['portico.OidcLogin']!.create({ issuer, clientId, ...properties }, host);
  const back = 'https://media.example.com/APInoauth/login/company/callback';
  const begun = await component.begin({ back });
  const sent = new URL(begun.address).searchParams;
  nonce = sent.get('nonce');
  const query = new URLSearchParams({ ...recorded.back, code: 'c', state: sent.get('state')! });
  const outcome = await component.finish({ back, state: begun.state, query });
  const kept = outcome.answer === 'account' ? outcome.kept : undefined;
  const next = refreshed && kept !== undefined ? await component.again!(kept) : undefined;
  return { outcome, next, logged: host.logged.join('\n') };
}

const accountIn = (outcome: LoginOutcome | undefined) => (outcome?.answer === 'account' ? outcome.account : outcome);
const byMail = { userClaim: 'email' };
const inTenant = { requiredClaims: { tid: `${otherTenant}|${tenant}` } };

describe('answers as providers send them', () => {
  type Row = readonly [
    what: string,
    recorded: Recorded,
    change: Change,
    name: string,
    groups: readonly string[] | undefined,
  ];
  it.each<Row>([
    ['Keycloak, with groups by their paths', keycloak, {}, 'anna', ['/media-team', '/media-team/editors']],
    [
      'Keycloak, with roles of the realm',
      keycloak,
      { properties: { groupsClaim: 'realm_access.roles' } },
      'anna',
      ['offline_access', 'default-roles-media', 'archivist'],
    ],
    [
      'Keycloak, with roles of a client whose name has a dot',
      keycloak,
      { properties: { groupsClaim: 'resource_access.portico.media.roles' } },
      'anna',
      ['reviewer'],
    ],
    ['Entra ID, with groups by their ids', entra, {}, 'anna@contoso.example', entra.claims['groups'] as string[]],
    [
      'Entra ID, with roles of the application',
      entra,
      { properties: { groupsClaim: 'roles' } },
      'anna@contoso.example',
      ['Media.Editor'],
    ],
    [
      'Entra ID for all tenants, of which two may come in',
      entraForAll,
      { properties: inTenant },
      'anna@contoso.example',
      entra.claims['groups'] as string[],
    ],
    ['Google, which tells no groups', google, { properties: byMail }, 'anna@example.com', undefined],
    [
      'Google, whose older tokens name the issuer without a scheme',
      google,
      { properties: byMail, claims: { iss: 'accounts.google.com' } },
      'anna@example.com',
      undefined,
    ],
    [
      'Google, for the people of one domain',
      google,
      { properties: { ...byMail, requiredClaims: { hd: 'example.com' } } },
      'anna@example.com',
      undefined,
    ],
  ])('are understood: %s', async (_what, recorded, change, name, groups) => {
    const { outcome, logged } = await login(recorded, change);
    expect(accountIn(outcome)).toMatchObject({ name, attributes: { realName: 'Anna Ek' } });
    expect(outcome.answer === 'account' && outcome.account.attributes?.['groups']).toEqual(groups);
    expect(logged).toBe(groups ? '' : `level info event groups-not-told reason no-claim claim groups user ${name}`);
  });

  it.each<readonly [string, Recorded, Change, string]>([
    [
      'a person of another tenant',
      entraForAll,
      { properties: { requiredClaims: { tid: tenant } }, claims: { tid: otherTenant, iss: issuerOf(otherTenant) } },
      'claim-missing',
    ],
    [
      'a token of one tenant that says another one',
      entraForAll,
      { properties: inTenant, claims: { tid: otherTenant } },
      'issuer-wrong',
    ],
    ['a token without a tenant', entraForAll, { properties: inTenant, claims: { tid: undefined } }, 'issuer-wrong'],
    [
      'a tenant that is a path',
      entraForAll,
      { properties: inTenant, claims: { tid: `x/../${tenant}`, iss: issuerOf(`x/../${tenant}`) } },
      'issuer-wrong',
    ],
    [
      'a key of another tenant',
      entraForAll,
      { properties: inTenant, key: { issuer: issuerOf(otherTenant) } },
      'key-of-another-issuer',
    ],
    [
      'a token that names the placeholder',
      entraForAll,
      { properties: inTenant, claims: { iss: issuerOf('{tenantid}') } },
      'issuer-wrong',
    ],
    [
      'a Google account of another domain',
      google,
      { properties: { ...byMail, requiredClaims: { hd: 'example.com' } }, claims: { hd: 'evil.example' } },
      'claim-missing',
    ],
    [
      'a Google account of no domain, whatever its address',
      google,
      {
        properties: { ...byMail, userInfo: 'never', requiredClaims: { hd: 'example.com' } },
        claims: { hd: undefined },
      },
      'claim-missing',
    ],
    [
      'the short name of Google from another provider',
      keycloak,
      { claims: { iss: 'accounts.google.com' } },
      'issuer-wrong',
    ],
    [
      'a person outside the group that must be',
      keycloak,
      { properties: { requiredClaims: { groups: '/archive' } } },
      'claim-missing',
    ],
  ])('are refused: %s', async (_what, recorded, change, reason) => {
    expect((await login(recorded, change)).outcome).toMatchObject({ answer: 'refused', reason });
  });

  it('a document for all tenants is refused where no tenant is named, and the log says what to write', async () => {
    await expect(login(entraForAll)).rejects.toThrow('Expected requiredClaims with tid, or the issuer of one tenant');
  });

  it.each<readonly [string, Json]>([
    [
      'names a place',
      {
        _claim_names: { groups: 'src1' },
        _claim_sources: { src1: { endpoint: 'https://graph.windows.net/t/users/u/getMemberObjects' } },
      },
    ],
    ['says only that there are some', { hasgroups: true }],
  ])('too many groups of Entra ID: the log says it where the token %s', async (_what, claims) => {
    const { outcome, logged } = await login(entra, { claims: { ...claims, groups: undefined } });
    expect(accountIn(outcome)).toMatchObject({ name: 'anna@contoso.example' });
    expect(outcome.answer === 'account' && outcome.account.attributes).not.toHaveProperty('groups');
    expect(logged).toContain('groups-not-told');
    expect(logged).toContain('too-many');
  });

  it('the same person in two tenants is two persons', async () => {
    const claims = { tid: otherTenant, iss: issuerOf(otherTenant) };
    const [one, two] = [
      await login(entraForAll, { properties: inTenant }),
      await login(entraForAll, { properties: inTenant, claims }),
    ];
    const persons = [one, two].map(({ outcome }) => (outcome.answer === 'account' ? outcome.person : ''));
    expect(new Set(persons).size).toBe(2);
  });

  it('groups that the provider names no more at the next question are gone', async () => {
    const { next } = await login(keycloak, { refreshed: { groups: [] } });
    expect(accountIn(next)).toMatchObject({ attributes: { groups: [] } });
    const without = await login(keycloak, { refreshed: { groups: undefined } });
    expect(without.next?.answer === 'account' && without.next.account.attributes).not.toHaveProperty('groups');
  });

  it('a claim that must be, and is gone at the next question, ends the session', async () => {
    const properties = { requiredClaims: { groups: '/media-team' } };
    const { outcome, next } = await login(keycloak, { properties, refreshed: { groups: [] } });
    expect([outcome.answer, next]).toMatchObject(['account', { answer: 'refused', reason: 'claim-missing' }]);
  });
});

function issuerOf(name: string): string {
  return `https://login.microsoftonline.com/${name}/v2.0`;
}
