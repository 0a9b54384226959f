import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, type ClosableSite, hasBrowser, openSite, seedItems, violations } from '../support.ts';

let site: ClosableSite;
let item: string;
let collection: string;

interface Shares {
  readonly share?: readonly Readonly<Record<string, unknown>>[];
}

const sharesOf = async (target: string): Promise<NonNullable<Shares['share']>> =>
  (await site.api<Shares>('GET', `/${target}/share`)).share ?? [];

describe.runIf(hasBrowser)('the dialog of links', () => {
  beforeAll(async () => {
    site = await openSite();
    [item = ''] = await seedItems(site, ['Harbour at dawn']);
    await site.api('POST', `/item/${item}/shape/create`, { tag: ['lowres'], mimeType: ['video/mp4'] });
    ({ id: collection } = await site.api<{ id: string }>('POST', '/collection?name=Rushes'));
    await site.api('PUT', `/collection/${collection}/${item}`);
  });
  afterAll(() => site.close());

  it('makes a link to a collection, tells its address once, and revokes it: the guest is out', async () => {
    const page = await site.open({ as: 'administrator', at: `/collection/${collection}` });
    const opener = page.getByRole('button', { name: 'Share', exact: true });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Share “Rushes”' });
    await dialog.getByText('There are no links yet.').waitFor();
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Title for guests').fill('Rushes of Monday');
    await dialog.getByLabel('Password').fill(' open sesame');
    await dialog.getByLabel('Last day').fill('2035-02-01');
    await dialog.getByLabel('Number of uses').fill('2');
    await dialog.getByLabel('Ask guests for their name').check();
    await dialog.getByLabel('Guests may upload files').check();
    await dialog.getByLabel('Number of files').fill('3');
    await dialog.getByLabel('Size of all files together').fill('a lot');
    await dialog.getByLabel('Play: Preview (small MP4)').check();
    await dialog.getByLabel('Download: Original').check();
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await sharesOf(`collection/${collection}`)).toEqual([]);
    await dialog.getByLabel('Size of all files together').fill('1,5 GB');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const address = await dialog.getByLabel('Address').inputValue();
    expect(address).toMatch(new RegExp(`^${site.address}/ui/s#[\\w-]{22}$`));
    const day = await page.evaluate(() => new Date(2035, 1, 1, 23, 59, 59, 999).toISOString());
    const [share] = await sharesOf(`collection/${collection}`);
    expect(share).toMatchObject({
      ...{ title: 'Rushes of Monday', state: 'OPEN', isProtected: true, maxUses: 2, asksName: true, look: true },
      ...{ play: ['lowres'], download: ['original'], upload: { files: 3, bytes: 1_500_000_000 } },
    });
    expect(new Date(String(share!['ends'])).toISOString()).toBe(day);
    const row = dialog.getByRole('row', { name: /Rushes of Monday with a password Open 0 of 2/ });
    await row.waitFor();
    expect(await violations(page)).toEqual([]);

    const guest = await site.open({ at: address.slice(`${site.address}/ui`.length) });
    await guest.getByLabel('Your name').fill('Ann');
    await guest.getByLabel('Password of the link').fill(' open sesame');
    await guest.getByRole('button', { name: 'Open' }).click();
    await guest.getByRole('heading', { name: 'Rushes of Monday' }).waitFor();
    await guest.getByRole('button', { name: 'Harbour at dawn' }).waitFor();

    await page.keyboard.press('Escape');
    await opener.click();
    await dialog.getByRole('row', { name: /Open 1 of 2/ }).waitFor();
    expect(await dialog.getByText(address.split('#')[1]!).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('There are no links yet.').waitFor();
    expect(await sharesOf(`collection/${collection}`)).toEqual([]);
    await guest.reload();
    await guest.getByText('This link is not open.').waitFor();
  });

  it('makes a link to an item with the formats that it has, and then another one', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${item}` });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share “Harbour at dawn”' });
    await dialog.getByLabel('Play: Preview (small MP4)').waitFor();
    expect(await dialog.getByLabel(/^Play: /).count()).toBe(1);
    expect(await dialog.getByLabel('Guests may upload files').count()).toBe(0);
    await dialog.getByLabel('Title for guests').fill('Dawn');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await dialog.getByLabel('Address').waitFor();
    expect(await sharesOf(`item/${item}`)).toMatchObject([{ title: 'Dawn', isProtected: false, look: true }]);
    await dialog.getByRole('button', { name: 'Make another link' }).click();
    expect(await dialog.getByLabel('Title for guests').inputValue()).toBe('');
  });

  it('is not offered to who may not make links', async () => {
    await site.api('POST', `/collection/${collection}/access`, { group: 'viewer', permission: 'READ' });
    const page = await site.open({ as: 'viewer', at: `/collection/${collection}` });
    await page.getByText('Harbour at dawn').waitFor();
    expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
  });
});
