import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itLogsIn, login } from '../first-flows.ts';
import { bringAxe, type ClosableSite, openSite, passwordOf, violationsInBothSchemes } from '../support.ts';

let site: ClosableSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('the login', () => {
  itLogsIn(() => site);

  it('goes to the address that was asked for', async () => {
    const page = await site.open({ at: '/me' });
    await login(page, 'viewer', passwordOf('viewer'));
    await page.getByRole('heading', { name: 'Your profile' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/me');
  });

  it('tells a person without any role, and shows no place to go', async () => {
    const page = await site.open({ as: 'nobody' });
    await page.getByText('no role has been given to you yet').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
  });
});

it.each([
  ['the login', undefined, '/', '[name=password]'],
  ['the profile', 'viewer', '/me', '.table'],
  ['a page without roles', 'nobody', '/', '.empty'],
  ['an address without a page', 'viewer', '/nowhere', '.empty'],
] as const)('%s breaks no rule of WCAG 2.2 AA', async (_name, as, at, selector) => {
  const page = await site.open({ at, ...(as && { as }) });
  await page.waitForSelector(selector);
  await bringAxe(page);
  expect(await violationsInBothSchemes(page)).toEqual([]);
});
