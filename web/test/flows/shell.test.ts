import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, openSite, seedItems, seedStorage } from '../support.ts';

const wide = { width: 1440, height: 900 };
const medium = { width: 1024, height: 768 };
const phone = { width: 390, height: 844 };

describe.runIf(hasBrowser)('the shell', () => {
  let site: ClosableSite;
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
    await seedItems(site, ['Harbour', 'Lighthouse']);
  });
  afterAll(() => site.close());

  it.each([wide, medium])('has its places in groups, each with its name, at %o', async (viewport) => {
    const page = await site.open({ as: 'administrator', viewport });
    const navigation = page.getByRole('navigation');
    for (const [group, place] of [
      ['Library', 'Uploads'],
      ['Work', 'Jobs'],
      ['Administration', 'Settings'],
    ] as const) {
      const link = navigation.getByRole('group', { name: group }).getByRole('link', { name: place });
      const name = await link.locator('span').boundingBox();
      expect([place, name!.width > 20 && name!.height > 10]).toEqual([place, true]);
    }
  });

  it('has four places and a menu on a phone, and the menu has all others', async () => {
    const page = await site.open({ as: 'administrator', viewport: phone });
    const bar = page.locator('.bar > ul');
    await expect.poll(() => bar.getByRole('link').count()).toBe(4);
    await bar.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect.poll(() => menu.getByRole('link').count()).toBe(12);
    await menu.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await expect.poll(() => menu.count()).toBe(0);
  });

  it('needs no menu where all places are in the bar', async () => {
    const page = await site.open({ as: 'viewer', viewport: phone });
    await page.locator('.bar > ul').getByRole('link').first().waitFor();
    expect(await page.getByRole('button', { name: 'Menu' }).count()).toBe(0);
  });

  it('says that the service cannot reach its data, and goes on where it was', async () => {
    const page = await site.open({ as: 'administrator' });
    const headers = { 'portico-error': 'store-unavailable', 'retry-after': '2' };
    const away = /\/API\/|\/health\/ready/;
    await page.route(away, (route) => route.fulfill({ status: 503, headers, body: '{}' }));
    await page.goto(`${site.address}/ui/jobs`);
    await page.getByRole('status').getByText('cannot reach its data').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await page.unroute(away);
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.route(away, (route) => route.fulfill({ status: 503, headers, body: '{}' }));
    await page.getByRole('navigation').getByRole('link', { name: 'Storages' }).click();
    await page.getByRole('alert').getByText('cannot reach its data').waitFor();
    await page.unroute(away);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(page.url()).toContain('/ui/storages');
  });

  it('the library asks for files at once, without another page', async () => {
    const page = await site.open({ as: 'editor' });
    const chooser = page.waitForEvent('filechooser');
    await page.locator('.toolbar').getByRole('button', { name: 'Upload' }).click();
    expect((await chooser).isMultiple()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/ui/');
  });

  /** Adds the first item to a collection by keys: a notice with an action, above the selection bar. */
  async function addFirst(page: Page, collection: string) {
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('x');
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByLabel('Find a collection, or name a new one').fill(collection);
    await page.keyboard.press('Enter');
    await page.locator('.toast', { hasText: collection }).waitFor();
  }

  it.each([wide, phone])(
    'tells one thing at a time, above the bar at the foot, and moves nothing, at %o',
    async (viewport) => {
      const page = await site.open({ as: 'administrator', viewport });
      const boxes = () =>
        page.evaluate(() => {
          const boxOf = (name: string) => document.querySelector(name)?.getBoundingClientRect().toJSON();
          return { main: boxOf('main'), toast: boxOf('.toast'), bar: boxOf('.selection') };
        });
      await addFirst(page, `Coast ${viewport.width}`);
      await page.locator('.selection').getByRole('button', { name: 'Delete' }).waitFor();
      await expect.poll(async () => (await boxes()).toast.bottom - (await boxes()).bar.top).toBeLessThanOrEqual(0);
      const { main } = await boxes();
      await page.locator('.toast').getByRole('button', { name: 'Close' }).click();
      expect(await boxes()).toMatchObject({ main, toast: undefined });
      await page.locator('.selection').getByRole('button', { name: 'Delete' }).click({ trial: true });
      await addFirst(page, `Sea ${viewport.width}`);
      expect(await page.locator('.toast').allTextContents()).toEqual([expect.stringContaining('Sea')]);
    },
  );

  it('keeps what has the focus in sight above a notice', async () => {
    const page = await site.open({
      as: 'administrator',
      viewport: { width: 1024, height: 420 },
      at: '/settings?tab=properties',
    });
    const foot = page.locator('main :is(button, a, input, summary)').last();
    await foot.waitFor();
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--notice', '200px');
      document.querySelector('main')!.scrollTop = 0;
    });
    // Properties load after the form, above and below it. Only an element that gains the focus is scrolled into view.
    const isInSight = async () => {
      await foot.blur();
      await foot.focus();
      return foot.evaluate((element) => {
        const main = document.querySelector('main')!;
        const room = main.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom;
        return main.scrollTop + main.clientHeight >= main.scrollHeight - 1 || room >= 200;
      });
    };
    await expect.poll(isInSight).toBe(true);
  });

  it('gives the focus to the page that a key opens, whose name is read, and back to the tile', async () => {
    const page = await site.open({ as: 'administrator' });
    await page.locator('#entry-1').waitFor();
    // Nobody has touched the page: the list has the keys.
    await page.keyboard.press('ArrowRight');
    await page.locator('#entry-1:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui/item/*');
    await page.locator('main:focus').waitFor();
    const address = page.url();
    await page.keyboard.press('Enter');
    expect(page.url()).toBe(address);
    await page.goBack();
    await page.locator('#entry-1:focus').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).press('Enter');
    await page.getByRole('main', { name: 'Jobs' }).waitFor();
    await page.locator('main:focus').waitFor();
  });
});
