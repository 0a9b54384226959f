import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, type ClosableSite, hasBrowser, openSite, seedItems, seedStorage, violations } from '../support.ts';

let site: ClosableSite;
let ids: string[];

describe.runIf(hasBrowser)('sharing', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
    ids = await seedItems(site, ['First', 'Second', 'Third']);
  });
  afterAll(() => site.close());

  it('tells a viewer that nothing is shared yet, and an administrator what is there', async () => {
    const viewer = await site.open({ as: 'viewer' });
    await viewer.getByText('No items are shared with you yet.').waitFor();
    expect(await viewer.getByText('There is nothing here yet.').count()).toBe(0);
    const admin = await site.open({ as: 'administrator' });
    await admin.locator('.results .cell').nth(2).waitFor();
  });

  it('gives a group access to all chosen items, and counts those that the person may not share', async () => {
    const [own] = await site
      .api<{ readonly id: string }>('POST', '/import/placeholder', {}, 'editor')
      .then(({ id }) => [id]);
    await site.api('POST', `/item/${ids[0]}/access`, { group: 'editor', permission: 'READ' });
    const page = await site.open({ as: 'editor' });
    await page.locator('.results .cell').nth(1).waitFor();
    await page.locator('[role=grid]').focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Access' }).click();
    const dialog = page.getByRole('dialog', { name: 'Give access to 2 items' });
    await dialog.getByLabel('Name').fill('viewer');
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Give', exact: true }).click();
    await page.getByText('viewer has access to 1 item. You may not share 1 more.').waitFor();
    const { item } = await site.api<{ item: { id: string }[] }>('PUT', '/item', {}, 'viewer');
    expect(item.map(({ id }) => id)).toEqual([own]);
    expect(page.refused).toEqual([`403 POST /API/item/${ids[0]}/access?allowDuplicate=false`]);
  });

  it('shares a collection in a dialog, and with it what is in it', async () => {
    const { id } = await site.api<{ readonly id: string }>('POST', '/collection?name=Shared');
    await site.api('PUT', `/collection/${id}/${ids[1]}`);
    const page = await site.open({ as: 'administrator', at: `/collection/${id}` });
    await page.getByRole('button', { name: 'Access', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Access to “Shared”' });
    await dialog.getByLabel('Name').fill('viewer');
    await dialog.getByRole('button', { name: 'Give', exact: true }).click();
    await dialog.getByRole('cell', { name: 'viewer', exact: false }).first().waitFor();
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    const viewer = await site.open({ as: 'viewer', at: `/collection/${id}` });
    await viewer.getByText('Second').first().waitFor();
    expect(await viewer.getByRole('button', { name: 'Access', exact: true }).count()).toBe(0);
  });

  it('says before a user is made what the user will see, by the groups that see new items', async () => {
    const page = await site.open({ as: 'administrator', at: '/people' });
    await page.getByRole('button', { name: 'Make a user' }).click();
    const form = page.getByRole('dialog', { name: 'Make a user' });
    await form.getByText('Without a group the user has no rights, and sees nothing.').waitFor();
    await form.getByLabel('Group').selectOption('editor');
    await form.getByText('Sees only items and collections that are shared with the user or with editor.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Who sees and changes new items' }).click();
    const seen = page.getByRole('dialog', { name: 'Who sees and changes new items' });
    expect(await seen.getByLabel('Nobody but').isChecked()).toBe(true);
    await seen.getByLabel('Everybody in').check();
    await seen.getByRole('button', { name: 'Save' }).click();
    await seen.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Make a user' }).click();
    await form.getByLabel('Group').selectOption('editor');
    await form.getByText('Sees new items, as a member of viewer.').waitFor();
    const [fourth] = await seedItems(site, ['Fourth']);
    const { item } = await site.api<{ item: { id: string }[] }>('PUT', '/item?number=1', {}, 'viewer');
    expect(item.map(({ id }) => id)).toEqual([fourth]);
  });
});
