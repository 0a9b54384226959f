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
      const link = navigation.getByRole('region', { name: group }).getByRole('link', { name: place });
      const name = await link.locator('span').boundingBox();
      expect([place, name!.width > 20 && name!.height > 10]).toEqual([place, true]);
    }
  });

  it('has four places and a menu on a phone, and the menu has all others', async () => {
    const page = await site.open({ as: 'administrator', viewport: phone });
    const bar = page.locator('.bar > ul');
    expect(await bar.getByRole('link').count()).toBe(4);
    await bar.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    expect(await menu.getByRole('link').count()).toBe(15);
    await menu.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await menu.count()).toBe(0);
  });

  it('needs no menu where all places are in the bar', async () => {
    const page = await site.open({ as: 'viewer', viewport: phone });
    await page.locator('.bar > ul').getByRole('link').first().waitFor();
    expect(await page.getByRole('button', { name: 'Menu' }).count()).toBe(0);
  });

  it('leads from the library to the upload', async () => {
    const page = await site.open({ as: 'editor' });
    await page.locator('.toolbar').getByRole('link', { name: 'Upload' }).click();
    await page.waitForURL('**/ui/upload');
  });

  /** Buttons and links in view that something else lies over. */
  const covered = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('main :is(button, a), .bar :is(button, a)')].flatMap((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const main = document.querySelector('main')!.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const isInView = width > 0 && y > 0 && x < innerWidth && y < innerHeight;
        if (!isInView || (element.closest('main') && y > main.bottom)) return [];
        const over = document.elementFromPoint(x, y);
        return over === null || element.contains(over) || !over.closest('.toasts') ? [] : [element.textContent];
      }),
    );

  it.each([wide, phone])('tells what was done without covering a button, at %o', async (viewport) => {
    const page = await site.open({ as: 'administrator', viewport });
    const tile = page.getByRole('gridcell').first();
    await tile.click();
    await page.keyboard.press('x');
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Find a collection, or name a new one').fill(`Coast ${viewport.width}`);
    await page.keyboard.press('Enter');
    await page.locator('.toast').waitFor();
    await page.locator('.selection').getByRole('button', { name: 'Delete' }).waitFor();
    expect(await covered(page)).toEqual([]);
    await page.locator('.selection').getByRole('button', { name: 'Delete' }).click({ trial: true });
  });
});
