import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, openSite, seedStorage, shoot } from '../support.ts';

let site: ClosableSite;
let item = '';

describe.runIf(hasBrowser)('names', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site, `${pathToFileURL(join(site.root, 'rushes'))}/`);
    await site.api('POST', '/import/placeholder');
    const { jobId } = await site.api<{ readonly jobId: string }>(
      'POST',
      `/import?uri=${encodeURIComponent(`${pathToFileURL(join(site.root, 'rushes'))}/none 🎬.mov`)}`,
    );
    const { data } = await site.api<{ readonly data: readonly { readonly key: string; readonly value: string }[] }>(
      'GET',
      `/job/${jobId}`,
    );
    item = data.find(({ key }) => key === 'itemId')!.value;
  });
  afterAll(() => site.close());

  it.each([
    ['/', 'none 🎬.mov'],
    [`/item/ITEM`, 'none 🎬.mov'],
    ['/jobs', 'none 🎬.mov'],
    ['/storages', 'rushes'],
  ])('%s shows no id as a name', async (at, name) => {
    const page = await site.open({ as: 'administrator', at: at.replace('ITEM', item) });
    await page.getByText(name).first().waitFor();
    const text = await page.locator('main').innerText();
    expect(text).not.toMatch(/\bVX-\d|__name/);
    if (at === '/') expect(text).toMatch(/Untitled item, \d+ \w+|Untitled item, \w+ \d+/);
    if (at === '/') expect(await page.getByLabel('Sort', { exact: true }).innerText()).toContain('Name ↑');
    if (at.startsWith('/item')) expect(await page.title()).toBe('none 🎬.mov – Portico');
    await shoot(page, `names${at.replace(/\W+\w*$/, '').replaceAll('/', '-')}`);
  });

  it('a job is called after what it does to what', async () => {
    const page = await site.open({ as: 'administrator', at: '/jobs' });
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Import of none 🎬.mov' }).waitFor();
  });

  it('people are called by their real names, and by user names where they have none', async () => {
    await site.api('PUT', '/group/viewer/user/editor');
    await site.api('POST', `/item/${item}/access`, { group: 'viewer', permission: 'ALL' });
    await site.api('POST', '/import/placeholder', undefined, 'editor');
    await site.api('POST', `/item/${item}/annotation`, { text: 'Too dark', assignedTo: 'editor' }, 'editor');
    const page = await site.open({ as: 'administrator', at: '/?f=user%3Aeditor' });
    const facet = page.locator('.facets details', { hasText: 'Added by' });
    await facet.getByRole('checkbox', { name: 'editor person' }).waitFor();
    await facet.getByRole('checkbox', { name: 'admin' }).waitFor();
    await page.locator('.narrowed').getByText('Added by: editor person').waitFor();
    await page.goto(`${site.address}/ui/item/${item}?tab=comments`);
    const comment = page.locator('.comments li', { hasText: 'Too dark' });
    await comment.getByText('For editor person').waitFor();
    expect(await comment.locator('.name').innerText()).toBe('editor person');
    // Readers without _user_read see real names, too.
    const other = await site.open({ as: 'editor', at: `/item/${item}?tab=comments` });
    await other.locator('.comments .name', { hasText: 'editor person' }).waitFor();
  });
});
