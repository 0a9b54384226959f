import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, type ClosableSite, hasBrowser, openSite, seedItems, violations } from '../support.ts';

let site: ClosableSite;
let pier: string;

describe.runIf(hasBrowser)('items that a person wants again', () => {
  beforeAll(async () => {
    site = await openSite();
    [pier = ''] = await seedItems(site, ['Pier at night', 'Harbour at night', 'Harbour by day']);
  });
  afterAll(() => site.close());

  it('a star makes an item a favourite, in a collection of one’s own, and takes it back', async () => {
    await site.api('POST', `/item/${pier}/access`, { user: 'librarian', permission: 'READ' });
    const page = await site.open({ as: 'librarian', at: `/item/${pier}` });
    const star = page.locator('.item-head').getByRole('button', { name: 'Add to favourites' });
    await star.click();
    const unstar = page.locator('.item-head').getByRole('button', { name: 'Remove from favourites' });
    await unstar.waitFor();
    expect(await unstar.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('link', { name: 'Collections' }).click();
    await page.getByRole('treeitem', { name: 'Favourites' }).click();
    await expect.poll(() => page.locator('.results .cell .title').allTextContents()).toEqual(['Pier at night']);
    const collection = new URL(page.url()).pathname.split('/').at(-1);
    const { access = [] } = await site.api<{ access?: object[] }>('GET', `/collection/${collection}/access`);
    expect(access).toEqual([expect.objectContaining({ user: 'librarian', permission: 'OWNER' })]);
    await page.goto(`${site.address}/ui/item/${pier}`);
    await unstar.waitFor();
    await page.keyboard.press('s');
    await star.waitFor();
    await page.goto(`${site.address}/ui/collection/${collection}`);
    await expect.poll(() => page.locator('.results').textContent()).toContain('0 items');
  });

  it('chosen items become favourites together, and a deleted collection is made anew', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    const stars = async (first: number) => {
      await page.goto(`${site.address}/ui/`);
      await page.locator('#entry-0').waitFor();
      for (let entry = first; entry < 3; entry += 1) {
        await page.locator(`#entry-${entry}`).click({ modifiers: ['Control'] });
      }
      await page.locator('.selection').getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Add to favourites' }).click();
      await page.getByText('among your favourites now').waitFor();
      await page.goto(`${site.address}/ui/collections`);
      await expect.poll(() => page.getByRole('treeitem').first().textContent()).toContain('Favourites');
      await page.getByRole('treeitem').first().click();
      await page.locator('.results .cell .title').first().waitFor();
      return new URL(page.url()).pathname.split('/').at(-1)!;
    };
    const id = await stars(1);
    expect(await page.locator('.results .cell .title').count()).toBe(2);
    await site.api('DELETE', `/collection/${id}`);
    expect(await stars(2)).not.toBe(id);
    expect(await page.locator('.results .cell .title').count()).toBe(1);
  });

  it('an empty search proposes what was opened last, and a log-out forgets it', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${pier}` });
    await page.getByRole('heading', { name: 'Pier at night' }).waitFor();
    await page.goto(`${site.address}/ui/jobs`);
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    await page.keyboard.press('/');
    const proposals = page.getByRole('listbox', { name: 'Recently opened' });
    await expect.poll(() => proposals.getByRole('option').allTextContents()).toEqual(['Pier at night']);
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pier at night' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/ui/item/${pier}`);
    await page.getByRole('button', { name: 'You: ' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('portico.recent'))).toBe(null);
  });
});
