import type { WorkListDocument, WorkType } from 'portico/types';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Account,
  accountOf,
  type LoginProvider,
  openLoginProvider,
} from '../../../test/clients/login-provider.ts';
import {
  bringAxe,
  hasBrowser,
  type Opened,
  type OpenOptions,
  openSite,
  seedItems,
  shoot,
  still,
  violations,
} from '../support.ts';

const minute = 60_000;
const people: Record<'anna' | 'kim', Account> = {
  anna: accountOf('anna', { name: 'Anna Ek', groups: ['media-team'] }),
  kim: accountOf('kim', { name: 'Kim Lund', groups: ['cooks'] }),
};

let provider: LoginProvider;
let site: Awaited<ReturnType<typeof openSite>>;
let item = '';

/** A page on which nobody is logged in. Calls of the provider are no error. */
async function open(at: string, options: OpenOptions = {}): Promise<Opened> {
  const page = await site.open({ at, ...options });
  page.on('request', () => {
    const others = page.wrong.filter((line) => !line.startsWith(`asks ${provider.issuer}/`));
    page.wrong.splice(0, Number.POSITIVE_INFINITY, ...others);
  });
  await page.getByRole('button', { name: 'Log in with Company' }).waitFor();
  return page;
}

/** On the page of the provider. */
async function prove(page: Opened, { name, password }: Account): Promise<void> {
  await page.getByRole('heading', { name: 'Company login' }).waitFor();
  await page.getByLabel('Account').fill(name);
  await page.getByLabel('Secret word').fill(password);
  await page.getByRole('button', { name: 'Go on' }).click();
}

async function logIn(at: string, account: Account, options: OpenOptions = {}): Promise<Opened> {
  const page = await open(at, options);
  await page.getByRole('button', { name: 'Log in with Company' }).click();
  await prove(page, account);
  return page;
}

const statusOf = (page: Opened): Promise<number> =>
  page.evaluate(async () => (await fetch('/API/whoami', { headers: { 'portico-ui': '1' } })).status);

/** Moves the clock of the service and the provider. It stands while a check runs, whose lease a step would end. */
async function pass(milliseconds: number): Promise<void> {
  vi.setSystemTime(Date.now() + milliseconds);
  await site.service.tick(10_000);
  const running = async () => (await site.api<WorkListDocument>('GET', '/work')).work?.find(isCheck)?.running;
  await expect.poll(running).toBe(0);
}

const isCheck = ({ kind }: WorkType): boolean => kind === 'login-checks';

describe.runIf(hasBrowser)('a login through a real provider', () => {
  beforeAll(async () => {
    for (const method of ['warn', 'info'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
    provider = await openLoginProvider(Object.values(people));
    site = await openSite({}, [
      'company = portico.OidcLogin',
      'company.title = Company',
      `company.issuer = ${provider.issuer}`,
      'company.clientId = portico',
      'company.clientSecret = of the service',
      'people = portico.AttributeUserInfoProvider',
      'people.groupNames = media-team:viewer',
      'creation = portico.UserCreationListener',
      'creation.infoProvider = $people',
      'securityManager.authenticator.authenticationListeners = $creation',
    ]);
    provider.serve({ id: 'portico', secret: 'of the service', address: site.address, login: 'company' });
    [item = ''] = await seedItems(site, ['Harbour at night']);
    await site.api('POST', `/item/${item}/access`, { group: 'viewer', permission: 'READ' });
  });
  afterEach(() => {
    vi.useRealTimers();
    for (const account of Object.values(people)) account.enabled = true;
  });
  afterAll(async () => {
    await site.close();
    await provider.close();
  });

  it('leads to the page that was asked for, and the group of the person opens the library', async () => {
    const page = await open(`/item/${item}`);
    await shoot(page, 'provider-1-login');
    await page.getByRole('button', { name: 'Log in with Company' }).click();
    await page.getByRole('heading', { name: 'Company login' }).waitFor();
    await shoot(page, 'provider-2-provider');
    await prove(page, people.anna);
    await page.getByRole('heading', { name: 'Harbour at night' }).waitFor();
    expect(new URL(page.url()).href).toBe(`${site.address}/ui/item/${item}`);
    await still(page);
    await shoot(page, 'provider-3-page');
    await page.getByRole('link', { name: 'Library' }).first().click();
    await page.locator('#entry-0 .title').getByText('Harbour at night').waitFor();
    await page.getByRole('button', { name: 'You: Anna Ek' }).waitFor();
    await still(page);
    await shoot(page, 'provider-4-library');
  });

  it('creates a person without a group of the table, too, who sees no library', async () => {
    const page = await logIn('/', people.kim);
    await page.getByText('no role has been given to you yet').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await shoot(page, 'provider-5-no-group');
  });

  it('has no form for a password, and makes an access key without one', async () => {
    const page = await logIn('/me', people.anna);
    await page.getByRole('heading', { name: 'Your profile' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change the password' }).count()).toBe(0);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New key' });
    expect(await dialog.getByLabel('Current password').count()).toBe(0);
    await dialog.getByLabel('Name').fill('nightly');
    await dialog.getByRole('button', { name: 'New key' }).click();
    await dialog.getByText(/^VSID/).waitFor();
  });

  it('is over on both sides after a logout here', async () => {
    const page = await logIn('/', people.anna);
    await page.getByRole('button', { name: 'You: Anna Ek' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log out everywhere' }).waitFor();
    await shoot(page, 'provider-6-logout');
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    // Back at the service, and the provider knows nobody any more.
    await page.getByRole('button', { name: 'Log in with Company' }).click();
    await page.getByRole('heading', { name: 'Company login' }).waitFor();
  });

  it('is over here after a logout at the provider, and the page asks in place', async () => {
    const page = await logIn('/me', people.anna);
    await page.getByRole('heading', { name: 'Your profile' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${provider.issuer}/session/end`);
    await other.getByRole('button', { name: 'Log out everywhere' }).click();
    await other.getByRole('heading', { name: 'You are logged out' }).waitFor();
    expect(await statusOf(page)).toBe(401);
    await page.getByLabel('Theme').selectOption('dark');
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByRole('button', { name: /Company/ }).waitFor();
    await shoot(page, 'provider-7-ended');
    await dialog.getByRole('button', { name: /Company/ }).click();
    await prove(page, people.anna);
    await page.getByRole('heading', { name: 'Your profile' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/me');
  });

  it('goes on while the account is enabled, and a disabled one is out within the five minutes of askAgain', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const page = await logIn('/', people.anna);
    await page.getByRole('button', { name: 'You: Anna Ek' }).waitFor();
    for (let turn = 0; turn < 3; turn++) {
      await pass(3 * minute);
      expect(await statusOf(page), String(turn)).toBe(200);
    }
    people.anna.enabled = false;
    await pass(3 * minute);
    expect(await statusOf(page)).toBe(401);
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('button', { name: 'Log in with Company' }).click();
    await prove(page, people.anna);
    await page.getByText('That is wrong.').waitFor();
    await shoot(page, 'provider-8-disabled');
  });

  it('says that a login was refused, and breaks no rule of WCAG 2.2 AA, light and dark', async () => {
    const page = await open('/', { colorScheme: 'dark' });
    await page.goto(`${site.address}/ui/?login=refused`);
    await page.getByRole('alert').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await bringAxe(page);
      expect(await violations(page), colorScheme).toEqual([]);
    }
    await shoot(page, 'provider-9-refused');
  });
});
