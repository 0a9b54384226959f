import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Account, accountOf, openLoginProvider } from '../clients/login-provider.ts';
import { cookieIn, groupsOf } from '../extensions/logins/support.ts';
import { testClock } from '../support/clock.ts';
import { withService } from '../support/service.ts';
import { bearerIni } from '../support/ways.ts';
import { blocksOf, readPages } from './pages.ts';

const page = (await readPages()).find(({ path }) => path === 'docs/security/login.md')!;
const blocks = blocksOf(page).map(({ line, text }) => ({ line, text }));
const origin = 'https://media.example.com';
const asPage = { host: 'media.example.com', 'sec-fetch-site': 'same-origin' };

/** Somebody for each block: the account at the provider, and the user that it is here. */
const people: readonly (readonly [provider: string, account: Account, user: string, groups: readonly string[]])[] = [
  ['Keycloak', accountOf('anna', { name: 'Anna Ek', groups: ['/media-team'] }), 'anna', ['_item_read']],
  [
    'Entra ID',
    accountOf('berit', { name: 'Berit Lo', groups: ['07dd8a60-bf6d-4e17-8844-230b77145381'] }),
    'berit',
    ['_item_read'],
  ],
  [
    'Google',
    accountOf('carl', { email: 'carl@example.com', email_verified: true, hd: 'example.com' }),
    'carl@example.com',
    ['_item_read', '_user'],
  ],
];

beforeAll(() => {
  // It says that it is for development only, which is what it is for here.
  for (const method of ['warn', 'info'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
});
afterAll(() => vi.restoreAllMocks());

describe('docs/security/login.md', () => {
  it('has a block for each provider, that of Keycloak in ten lines', () => {
    expect(blocks).toHaveLength(people.length);
    expect(blocks[0]!.text.trim().split('\n')).toHaveLength(10);
  });

  it.each(people.map((row, index) => [...row, blocks[index]?.text ?? ''] as const))(
    'the block for %s logs a person in at a real provider',
    async (_provider, account, user, groups, text) => {
      const provider = await openLoginProvider([account]);
      const textOf = (name: string) => new RegExp(`^company\\.${name} = (.*)$`, 'm').exec(text)?.[1] ?? '';
      const here = text.replace(/^(company\.issuer) = .*$/m, (_line, name) => `${name} = ${provider.issuer}`);
      // The provider has no other time than that of the machine.
      const world = await withService({ clock: testClock(Date.now()), security: bearerIni(here.trim().split('\n')) });
      provider.serve({ id: textOf('clientId'), secret: textOf('clientSecret'), address: origin, login: 'company' });
      const get = (path: string, cookie = '') =>
        world.service.fetch(new Request(new URL(path, origin), { headers: { ...asPage, cookie } }), {
          secure: true,
        });
      try {
        const begun = await get('/APInoauth/login/company?page=/ui/me');
        const back = await provider.loginAt(begun.headers.get('location')!, account);
        const entered = await get(back, cookieIn(begun));
        expect([entered.status, entered.headers.get('location')], JSON.stringify(world.lines)).toEqual([303, '/ui/me']);
        expect(await (await get('/API/whoami', cookieIn(entered))).text()).toBe(user);
        expect(await groupsOf({ world }, user)).toEqual(groups);
      } finally {
        await provider.close();
      }
    },
  );
});
