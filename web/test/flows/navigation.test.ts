import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, openSite, seedItems, seedStorage } from '../support.ts';

let site: ClosableSite;

describe.runIf(hasBrowser)('ways through the page', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
    await seedItems(site, ['Pier at night', 'Harbour at night', 'Harbour by day']);
  });
  afterAll(() => site.close());

  it('the way back from a search brings the query before it, in the field and in the results', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    const box = page.locator('#search');
    const titles = page.locator('.results .cell .title');
    await titles.nth(2).waitFor();
    await box.fill('night');
    await expect.poll(() => titles.count()).toBe(2);
    await box.press('Enter');
    await box.fill('day');
    await expect.poll(() => titles.allTextContents()).toEqual(['Harbour by day']);
    await page.goBack();
    await expect.poll(() => titles.count()).toBe(2);
    expect(await box.inputValue()).toBe('night');
    await box.fill('');
    await expect.poll(() => titles.count()).toBe(3);
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe('night');
  });

  it('the way back from an item brings the search that it was opened from', async () => {
    const page = await site.open({ as: 'administrator', at: '/?q=pier' });
    await page.locator('#entry-0').click();
    await page.locator('.item-head').getByRole('link', { name: 'Library' }).click();
    await expect.poll(() => page.locator('#search').inputValue()).toBe('pier');
    expect(new URL(page.url()).searchParams.get('q')).toBe('pier');
    await expect.poll(() => page.locator('.results .cell .title').allTextContents()).toEqual(['Pier at night']);
  });

  it('asks again by itself once the service is back, with the query that was typed meanwhile', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    const titles = page.locator('.results .cell .title');
    await titles.nth(2).waitFor();
    await page.context().setOffline(true);
    await page.locator('#search').fill('day');
    await page.locator('.refused').getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => titles.allTextContents()).toEqual(['Harbour by day']);
    expect(await page.locator('.refused').count()).toBe(0);
  });

  it('takes dropped files once the service is back, where it was gone as that part of the page was asked for', async () => {
    let [isGone, refusals] = [true, 0];
    const page = await site.open({
      as: 'administrator',
      prepare: async (page) => {
        await page.route('**/later-*.js', async (route) => {
          if (!isGone) return route.continue();
          await route.abort();
          refusals++;
        });
      },
    });
    const takesFiles = () =>
      page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['a'], 'a.txt'));
        return !dispatchEvent(new DragEvent('dragover', { dataTransfer, cancelable: true }));
      });
    await expect.poll(() => refusals).toBeGreaterThan(0);
    expect(await takesFiles()).toBe(false);
    isGone = false;
    await page.context().setOffline(true);
    await page.locator('#search').fill('day');
    await page.locator('.refused').getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await expect.poll(takesFiles).toBe(true);
  });

  it('finds "Log out" by its name and by its first letter in the menu', async () => {
    const page = await site.open({ as: 'viewer' });
    await page.getByRole('button', { name: 'You: viewer person' }).click();
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).waitFor();
    // The menu takes keys as soon as it is drawn.
    await expect
      .poll(async () => {
        await page.keyboard.press('l');
        return page.evaluate(() => document.activeElement?.textContent);
      })
      .toBe('Log out');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[name=password]');
    expect(page.refused).toEqual(['401 GET /API/session']);
  });

  it.each([
    ['/user/viewer', 'viewer – People – Portico'],
    ['/group/editor', 'editor – People – Portico'],
    ['/people', 'People – Portico'],
  ])('the page %s has a title of its own', async (at, title) => {
    const page = await site.open({ as: 'administrator', at });
    await page.waitForSelector('h1');
    expect(await page.title()).toBe(title);
  });
});
