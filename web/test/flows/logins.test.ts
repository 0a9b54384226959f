import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../../../test/support/matrix.ts';
import { bringAxe, hasBrowser, openSite, passwordOf, type Site, violations } from '../support.ts';

let site: Site & { close(): Promise<void> };

describe.runIf(hasBrowser)('the logins of a person', () => {
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site.close());

  const newToken = async (): Promise<number> => {
    const headers = { authorization: basic(['viewer', passwordOf('viewer')]), 'user-agent': 'curl/8.5.0' };
    return (await fetch(`${site.address}/API/token`, { headers })).status;
  };

  it('shows the device of each, marks this one, and ends all others', async () => {
    expect(await newToken()).toBe(200);
    const page = await site.open({ as: 'viewer', at: '/me' });
    const logins = page.getByRole('region', { name: 'Your logins' }).first();
    await logins.getByText('curl').waitFor();
    expect(await logins.getByText('This one').count()).toBe(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await bringAxe(page);
      expect(await violations(page), colorScheme).toEqual([]);
    }
    await logins.getByRole('button', { name: 'End all others' }).click();
    await logins.getByText('curl').waitFor({ state: 'detached' });
    expect(await logins.getByText('This one').count()).toBe(1);
    expect(await logins.getByRole('button', { name: 'End all others' }).count()).toBe(0);
  });

  it('shows an administrator those of another user, who is out when they end', async () => {
    const viewer = await site.open({ as: 'viewer', at: '/me' });
    const page = await site.open({ as: 'administrator', at: '/user/viewer' });
    await page.getByRole('region', { name: 'Logins' }).first().getByRole('button', { name: 'End all' }).click();
    await page.getByText('No logins.').waitFor();
    const status = await viewer.evaluate(async () => (await fetch('/API/whoami')).status);
    expect(status).toBe(401);
  });
});
