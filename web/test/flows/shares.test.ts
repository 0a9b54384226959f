import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, hasBrowser, type Opened, openSite, seedItems, violations } from '../support.ts';

let site: Awaited<ReturnType<typeof openSite>>;
let item: string;
let collection: string;

interface Shares {
  readonly share?: readonly Readonly<Record<string, unknown>>[];
}

const sharesOf = async (target: string): Promise<NonNullable<Shares['share']>> =>
  (await site.api<Shares>('GET', `/${target}/share?all=true`)).share ?? [];
const permissions = ['clipboard-read', 'clipboard-write'];
const copied = (page: Opened) => page.evaluate(() => navigator.clipboard.readText());
const day = 24 * 3_600_000;

describe.runIf(hasBrowser)('the dialog of links', () => {
  beforeAll(async () => {
    site = await openSite();
    [item = ''] = await seedItems(site, ['Harbour at dawn']);
    await site.api('POST', `/item/${item}/shape/create`, { tag: ['lowres'], mimeType: ['video/mp4'] });
    await site.api('POST', `/item/${item}/access`, { group: 'editor', permission: 'READ' });
    ({ id: collection } = await site.api<{ id: string }>('POST', '/collection?name=Rushes'));
    await site.api('PUT', `/collection/${collection}/${item}`);
  });
  afterAll(() => site.close());

  it('copies a link of an editor to an item at once, with what people most often want', async () => {
    const page = await site.open({ as: 'editor', at: `/item/${item}`, permissions });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share “Harbour at dawn”' });
    await dialog.getByRole('button', { name: 'Make and copy link' }).waitFor();
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    // Enter makes the link: the title has the focus.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('title');
    await page.keyboard.press('Enter');
    const address = await dialog.getByLabel('Address').inputValue();
    expect(address).toMatch(new RegExp(`^${site.address}/ui/s#[\\w-]{22}$`));
    expect(await copied(page)).toBe(address);
    const [share] = await sharesOf(`item/${item}`);
    expect(share).toMatchObject({ title: 'Harbour at dawn', allow: ['play'], comment: true, user: 'editor' });
    const left = Date.parse(String(share!['ends'])) - Date.now();
    expect(Math.round(left / day)).toBe(30);

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => copied(page)).toBe(address);
    await dialog.getByRole('button', { name: 'QR' }).click();
    await page.getByRole('img', { name: 'QR code of “Harbour at dawn”' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Link “Harbour at dawn”' });
    await edit.getByLabel('Title for guests').fill('Dawn');
    await edit.getByLabel('download', { exact: true }).check();
    await edit.getByText('no end').click();
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.locator('.toast').getByText('Saved', { exact: true }).waitFor();
    await dialog.getByText('Dawn', { exact: true }).waitFor();
    const [edited] = await sharesOf(`item/${item}`);
    expect(edited).toMatchObject({ title: 'Dawn', allow: ['play', 'download'], comment: true });
    expect(edited).not.toHaveProperty('ends');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await sharesOf(`item/${item}`)).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The link is revoked.').waitFor();
    expect(await sharesOf(`item/${item}`)).toEqual([]);
  });

  it('asks for files with 100 files and 50 GB, by sizes as numbers with units', async () => {
    const page = await site.open({ as: 'administrator', at: `/collection/${collection}`, permissions });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share “Rushes”' });
    await dialog.getByRole('tab', { name: 'Ask for files' }).click();
    expect(await dialog.getByLabel('Number of files').inputValue()).toBe('100');
    expect(await dialog.getByLabel('Unit').inputValue()).toBe('GB');
    await dialog.getByLabel('Size of all files together').fill('1.5');
    await dialog.getByText(/^More/).click();
    await dialog.getByLabel('Ask for their name').check();
    await dialog.getByLabel('Note for guests').fill('All of Monday, please');
    await dialog.getByLabel('Password').fill(' open sesame');
    await dialog.getByRole('button', { name: 'Make and copy link' }).click();
    const address = await dialog.getByLabel('Address').inputValue();
    const [share] = await sharesOf(`collection/${collection}`);
    expect(share).toMatchObject({
      look: false,
      allow: [],
      asksName: true,
      isProtected: true,
      note: 'All of Monday, please',
    });
    expect(share!['upload']).toEqual({ files: 100, bytes: 1_500_000_000 });
    expect(Math.round((Date.parse(String(share!['ends'])) - Date.now()) / day)).toBe(14);
    const guest = await site.open({ at: address.slice(`${site.address}/ui`.length) });
    await guest.getByLabel('Your name').fill('Ann');
    await guest.getByLabel('Password of the link').fill(' open sesame');
    await guest.getByRole('button', { name: 'Open' }).click();
    await guest.getByRole('heading', { name: 'Rushes' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText(/0 files received, 1 visit, with a password/).waitFor();
    await dialog.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Link “Rushes”' });
    await edit.getByLabel('Without a password from now on').check();
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.locator('.toast').getByText('Saved', { exact: true }).waitFor();
    expect((await sharesOf(`collection/${collection}`))[0]).not.toMatchObject({ isProtected: true });
  });

  it('narrows formats, and names what guests could not play', async () => {
    const [raw = ''] = await seedItems(site, ['Raw']);
    const page = await site.open({ as: 'administrator', at: `/item/${raw}`, permissions });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Share “/ });
    await dialog.getByRole('button', { name: 'Make and copy link' }).click();
    await dialog.getByText('Guests cannot see these yet:').waitFor();
    await page.goto(`${site.address}/ui/item/${item}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText(/^More/).click();
    await dialog.getByLabel('Only some formats').check();
    await dialog.getByLabel('play: Preview (small MP4)').check();
    await dialog.getByLabel('Number of visits').fill('2');
    await dialog.getByLabel('7 days').check();
    await dialog.getByRole('button', { name: 'Make and copy link' }).click();
    await dialog.getByLabel('Address').waitFor();
    expect(await sharesOf(`item/${item}`)).toMatchObject([{ play: ['lowres'], maxUses: 2 }]);
  });

  it('lists own links with what they show; an administrator sees those of all', async () => {
    await site.api('POST', `/item/${item}/share`, { title: 'Of the editor' }, 'editor');
    const editor = await site.open({ as: 'editor', at: '/links' });
    await editor.getByRole('link', { name: 'Item', exact: true }).waitFor();
    const [guest] = await Promise.all([
      editor.waitForEvent('popup'),
      editor.getByRole('button', { name: 'Of the editor' }).click(),
    ]);
    await guest.waitForURL(/\/ui\/s#/);
    expect(await editor.locator('.links > li').count()).toBe(1);
    await bringAxe(editor);
    expect(await violations(editor)).toEqual([]);
    const admin = await site.open({ as: 'administrator', at: '/links' });
    const row = admin.locator('.links > li', { hasText: 'Of the editor' });
    await row.getByText('by editor').waitFor();
    expect(await row.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await admin.getByLabel('Of all users').uncheck();
    await row.waitFor({ state: 'detached' });
  });

  it('is made of a title that is longer than one may be, and of no day that is past', async () => {
    const [long = ''] = await seedItems(site, ['x'.repeat(300)]);
    const page = await site.open({ as: 'administrator', at: `/item/${long}`, permissions });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('14 days').waitFor();
    await dialog.getByText('until a date').click();
    // A link that ends at once helps nobody.
    const proposed = Date.parse(await dialog.getByLabel('Last day').inputValue());
    expect(Math.round((proposed - Date.now()) / day)).toBeGreaterThan(12);
    await dialog.getByLabel('Last day').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Make and copy link' }).click();
    expect(
      await dialog.getByLabel('Last day').evaluate((field: HTMLInputElement) => field.validity.rangeUnderflow),
    ).toBe(true);
    expect(await sharesOf(`item/${long}`)).toEqual([]);
    await dialog.getByLabel('7 days').check();
    await dialog.getByRole('button', { name: 'Make and copy link' }).click();
    await dialog.getByLabel('Address').waitFor();
    expect(await sharesOf(`item/${long}`)).toMatchObject([{ title: `${'x'.repeat(199)}…` }]);
  });

  it('says that sharing is switched off, as the settings have it', async () => {
    const admin = await site.open({ as: 'administrator', at: '/settings?tab=sharing' });
    await admin.getByLabel('People may share by links').uncheck();
    await admin.getByLabel('Longest life of a link, in days').fill('20');
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.getByText('Saved', { exact: true }).waitFor();
    const page = await site.open({ as: 'editor', at: `/item/${item}` });
    const open = async () => {
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      return page.getByRole('dialog');
    };
    await (await open()).getByText('Sharing is switched off').waitFor();
    await admin.getByLabel('People may share by links').check();
    await admin.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await site.api<{ terms: object }>('GET', '/share')).terms)
      .toMatchObject({ isOn: true, maxDays: 20, needsPassword: false });
    await page.keyboard.press('Escape');
    const dialog = await open();
    await dialog.getByLabel('7 days').waitFor();
    expect(await dialog.getByLabel('30 days').count()).toBe(0);
    expect(await dialog.getByLabel('no end').count()).toBe(0);
  });

  it('tells an address no more that another key sealed, and makes a new one', async () => {
    const { id = '' } = await site.api<{ id?: string }>('POST', `/item/${item}/share`, { title: 'Sealed' }, 'editor');
    const change = { sql: "UPDATE share SET sealed = 'v1.AAAAAAAA.AAAA' WHERE id = ?", args: [id] };
    await site.service.store.commit({ changes: [change], events: [] }, { user: 'test' });
    const page = await site.open({ as: 'editor', at: '/links', permissions });
    await page.locator('.links > li', { hasText: 'Sealed' }).getByRole('button', { name: 'Copy' }).click();
    const notice = page.locator('.toast', { hasText: 'The address is not kept any more.' });
    await notice.getByRole('button', { name: 'New address' }).click();
    await expect.poll(() => copied(page)).toMatch(/ui\/s#[\w-]{22}$/);
    expect(page.refused.splice(0)).toEqual([`404 GET /API/share/${id}/token`]);
  });

  it('is offered once to the editors of an older house, in People', async () => {
    for (const role of ['_share_read', '_share_write']) await site.api('DELETE', `/group/${role}/group/editor`);
    const page = await site.open({ as: 'administrator', at: '/people' });
    await page.getByRole('button', { name: 'Add: may share' }).click();
    await page.getByText('editor may share.').waitFor();
    const { group } = await site.api<{ group: { groupName: string }[] }>('GET', '/group/editor/parents');
    expect(group.map(({ groupName }) => groupName)).toEqual(expect.arrayContaining(['_share_read', '_share_write']));
    await page.reload();
    await page.getByRole('button', { name: 'Make a user' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add: may share' }).count()).toBe(0);
  });

  it('is not offered to who may not make links', async () => {
    await site.api('POST', `/collection/${collection}/access`, { group: 'viewer', permission: 'READ' });
    const page = await site.open({ as: 'viewer', at: `/collection/${collection}` });
    await page.getByText('Harbour at dawn').waitFor();
    expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Links' }).count()).toBe(0);
  });
});
