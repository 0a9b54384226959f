import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, nameOf, type Opened, openSite, passwordOf, type Site, violations } from '../support.ts';

let site: Site & { close(): Promise<void> };
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const write = async (page: Opened, name: string, password: string) => {
  await page.fill('[name=name]', name);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
};

describe('the login', () => {
  it('refuses a wrong password in words, lets in with the right one, and out again', async () => {
    const page = await site.open();
    await write(page, 'viewer', 'wrong');
    await page.getByText('That name and password do not fit.').waitFor();
    expect(await page.getAttribute('[name=password]', 'aria-invalid')).toBe('true');
    await page.fill('[name=password]', passwordOf('viewer'));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Library' }).waitFor();
    await page.getByRole('button', { name: 'You: viewer person' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForSelector('[name=password]');
    const answer = await page.request.get(`${site.address}/API/session`, { headers: { 'portico-ui': '1' } });
    expect(answer.status()).toBe(401);
    expect(page.refused).toEqual(['401 GET /API/session', '401 POST /API/session', '401 GET /API/session']);
  });

  it('goes to the address that was asked for', async () => {
    const page = await site.open({ at: '/me' });
    await write(page, 'viewer', passwordOf('viewer'));
    await page.getByRole('heading', { name: 'Your profile' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/me');
  });

  it('asks again over the page when the session has ended, keeps what was typed, and sends it', async () => {
    const page = await site.open({ as: 'viewer', at: '/me' });
    await page.fill('[name=old]', 'typed before');
    await site.api('DELETE', `/user/${nameOf('viewer')}/tokens`);
    await page.getByLabel('Theme').selectOption('dark');
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByLabel('Password').fill(passwordOf('viewer'));
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.inputValue('[name=old]')).toBe('typed before');
    await expect
      .poll(async () => JSON.stringify(await site.api('GET', '/user/viewer/metadata')))
      .toContain('"portico.ui.theme","value":"dark"');
  });

  it('tells a person without any role, and shows no place to go', async () => {
    const page = await site.open({ as: 'nobody' });
    await page.getByText('no role has been given to you yet').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
  });
});

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it.each([
    ['the login', undefined, '/', '[name=password]'],
    ['the profile', 'viewer', '/me', '.table'],
    ['a page without roles', 'nobody', '/', '.empty'],
    ['an address without a page', 'viewer', '/nowhere', '.empty'],
  ] as const)('%s breaks no rule of WCAG 2.2 AA', async (_name, as, at, there) => {
    const page = await site.open({ at, colorScheme, ...(as && { as }) });
    await page.waitForSelector(there);
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
  });
});
