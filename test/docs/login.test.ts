import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Account, accountOf, openLoginProvider } from '../clients/login-provider.ts';
import { cookieIn, groupsOf } from '../extensions/logins/support.ts';
import { testClock } from '../support/clock.ts';
import { basic } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { testRandom } from '../support/random.ts';
import { admin, withService } from '../support/service.ts';
import { bearerIni } from '../support/ways.ts';
import { blocksOf, readPages } from './pages.ts';

const page = (await readPages()).find(({ path }) => path === 'docs/security/login.md')!;
const blocks = blocksOf(page)
  .filter(({ mark }) => mark === 'test: main')
  .map(({ line, text }) => ({ line, text }));
const origin = 'https://media.example.com';
const passwords = { admin: admin[1], provider: 'the pass phrase of provider' };
const asPage = { host: 'media.example.com', 'sec-fetch-site': 'same-origin' };

/** Somebody for each block: the account at the provider, and the user that it is here. */
const people: readonly (readonly [provider: string, account: Account, user: string, groups: readonly string[]])[] = [
  ['Keycloak', accountOf('anna', { name: 'Anna Ek', groups: ['/media-team'] }), 'anna', ['viewer']],
  [
    'Entra ID',
    accountOf('berit', { name: 'Berit Lo', groups: ['07dd8a60-bf6d-4e17-8844-230b77145381'] }),
    'berit',
    ['viewer'],
  ],
  [
    'Google',
    accountOf('carl', { email: 'carl@example.com', email_verified: true, hd: 'example.com' }),
    'carl@example.com',
    ['viewer'],
  ],
];

beforeAll(() => {
  // The provider warns that it is for development only, which is its use here.
  for (const method of ['warn', 'info'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
});
afterAll(() => vi.restoreAllMocks());

describe('docs/security/login.md', () => {
  it('has a block for each provider, that of Keycloak in ten lines', () => {
    expect(blocks).toHaveLength(people.length);
    expect(blocks[0]!.text.trim().split('\n')).toHaveLength(10);
  });

  it.each(people.map((row, index) => [...row, blocks[index]?.text ?? ''] as const))(
    'the block for %s logs a person in at a real provider, who sees the library',
    async (_provider, account, user, groups, text) => {
      const { get, login, world } = await enter(account, text);
      const entered = await login();
      expect([entered.status, entered.headers.get('location')], JSON.stringify(world.lines)).toEqual([303, '/ui/me']);
      expect(await (await get('/API/whoami', cookieIn(entered))).text()).toBe(user);
      expect(await groupsOf({ world }, user)).toEqual(groups);
      const found = await get('/API/item', cookieIn(entered));
      expect([found.status, await found.json()]).toEqual([200, expect.objectContaining({ hits: 1 })]);
    },
  );

  it('the lines of "From nothing" are those of Keycloak', () => {
    const [, lines] = /cat > company\.ini <<'END'\n([\s\S]*?)END\n/.exec(page.text) ?? [];
    expect(lines).toBe(blocks[0]!.text);
  });

  it('has each reason of a refusal', async () => {
    const folders = ['filters/oidc', 'filters/bearer', 'src/extensions/logins', 'src/security'];
    const files = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(folder)).filter((name) => name.endsWith('.ts')).map((name) => join(folder, name)),
      ),
    );
    const sources = await Promise.all(files.flat().map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
    const ofFlow = /filters\/oidc|bearer\/(?:signature|validator)|extensions\/logins\/(?:parts|routes)/;
    const words = sources
      .filter(({ path }) => ofFlow.test(path))
      .flatMap(({ text }) => [...text.matchAll(/(?:Refused\(|refused\(|refuse\(|return )'([a-z]+(?:-[a-z]+)+)'/g)])
      .map(([, word]) => word!);
    expect(new Set(words).size).toBeGreaterThan(25);
    // Words of messages about a logout, and of provisioning, are no reasons of a login.
    const others = ['no-logout-token', 'refresh-token-missing', 'person-changed', 'too-many', 'no-claim', 'not-texts'];
    const unnamed = [...new Set(words)].filter((word) => !others.includes(word) && !page.text.includes(`\`${word}\``));
    expect(unnamed).toEqual([]);
    for (const word of ['user-of-another', 'listener-failed', 'user-disabled', 'login-ended'])
      expect(page.text).toContain(`\`${word}\``);
  });
});

describe('docs/security/scim.md', () => {
  it('the lines for OpenID Connect log a user in whom SCIM brought, at a real provider', async () => {
    const scim = (await readPages()).find(({ path }) => path === 'docs/security/scim.md')!;
    const [block] = blocksOf(scim).filter(({ mark }) => mark === 'test: main');
    const { get, send, login, world } = await enter(accountOf('anna', { name: 'Anna by login' }), block!.text);
    await send('POST', '/API/user', {
      ...{ userName: 'provider', password: 'the pass phrase of provider' },
      groupList: { group: [{ groupName: '_scim' }] },
    });
    await send(
      'POST',
      '/API/scim/v2/Users',
      { schemas: [], userName: 'Anna', displayName: 'Anna by SCIM' },
      'provider',
    );
    const entered = await login();
    expect([entered.status, entered.headers.get('location')], JSON.stringify(world.lines)).toEqual([303, '/ui/me']);
    expect(await (await get('/API/session', cookieIn(entered))).json()).toMatchObject({
      ...{ userName: 'Anna', realName: 'Anna by SCIM', password: false, provider: 'company' },
    });
  });
});

/**
 * A real provider, and a service as its reader has it: started once with the built-in file, and again with the lines of a
 * block once the groups, the secret and an item are there.
 */
async function enter(account: Account, text: string) {
  const provider = await openLoginProvider([account]);
  onTestFinished(() => provider.close());
  const textOf = (name: string) => new RegExp(`^company\\.${name} = (.*)$`, 'm').exec(text)?.[1] ?? '';
  const here = text.replace(/^(company\.issuer) = .*$/m, (_line, name) => `${name} = ${provider.issuer}`);
  const database = await migratedDatabase();
  // The provider has no other time than that of the machine.
  const clock = testClock(Date.now());
  let world = await withService({ clock, database });
  const secret = 'the secret that the provider shows';
  const fetchOf = (request: Request) => world.service.fetch(request, { secure: true });
  const send = async (method: string, path: string, body?: object | string, as: keyof typeof passwords = 'admin') => {
    const headers = {
      authorization: basic([as, passwords[as]]),
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
    };
    const sent = typeof body === 'object' ? JSON.stringify(body) : body;
    const answer = await fetchOf(new Request(new URL(path, origin), { method, headers, ...(sent && { body: sent }) }));
    expect(answer.status, `${method} ${path}: ${await answer.text()}`).toBeLessThan(300);
  };
  await send('PUT', '/APIinit/groups');
  await send('PUT', '/API/import/access/default/group/viewer?permission=READ');
  await send('PUT', '/API/secret/company');
  await send('PUT', '/API/secret/company/password', secret);
  await send('POST', '/API/import/placeholder?container=1', {});
  world = await withService({ clock, database, random: testRandom(2), security: bearerIni(here.trim().split('\n')) });
  provider.serve({ id: textOf('clientId'), secret, address: origin, login: 'company' });
  const get = (path: string, cookie = '') =>
    fetchOf(new Request(new URL(path, origin), { headers: { ...asPage, accept: 'application/json', cookie } }));
  async function login(): Promise<Response> {
    const begun = await get('/APInoauth/login/company?page=/ui/me');
    return get(await provider.loginAt(begun.headers.get('location')!, account), cookieIn(begun));
  }
  return { get, send, login, world };
}
