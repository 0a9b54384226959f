import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, type ClosableSite, hasBrowser, openSite, seedItems, seedStorage, violations } from '../support.ts';

let site: ClosableSite;
let ids: string[];
let collection: string;

interface Share {
  readonly id: string;
  readonly token: string;
}

const shared = (target: string, document: object): Promise<Share> => site.api('POST', `/${target}/share`, document);
const addressOf = ({ token }: Share): string => `/s#${token}`;
/** One red pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

describe.runIf(hasBrowser)('the page for guests of a share', () => {
  beforeAll(async () => {
    site = await openSite();
    const storage = await seedStorage(site);
    ids = await seedItems(site, [
      'Harbour at dawn',
      'Bridge',
      'A very long title that does not fit into its tile at all',
    ]);
    const { id: file } = await site.api<{ id: string }>('POST', `/storage/${storage}/file/data?path=a.png`, picture);
    await site.api('POST', `/item/${ids[0]}/shape/create`, {
      tag: ['original'],
      mimeType: ['image/png'],
      containerComponent: { file: [{ id: file }] },
    });
    ({ id: collection } = await site.api<{ id: string }>('POST', '/collection?name=Rushes'));
    for (const id of ids) await site.api('PUT', `/collection/${collection}/${id}`);
  });
  afterAll(() => site.close());

  it('asks for name and password, shows the items, an item with its picture, and what may be downloaded', async () => {
    const terms = { title: 'Rushes of Monday', password: 'open sesame', asksName: true };
    const share = await shared(`collection/${collection}`, { ...terms, play: ['original'], download: ['original'] });
    const page = await site.open({ at: addressOf(share) });
    await page.getByLabel('Your name').fill('Ann');
    await page.getByLabel('Password of the link').fill('wrong');
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This is not the password.').waitFor();
    await page.getByLabel('Password of the link').fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Rushes of Monday' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(3);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Harbour at dawn' }).click();
    await page.getByRole('img', { name: 'Harbour at dawn' }).waitFor();
    expect(await page.getByRole('link', { name: /^Download original, 7\d bytes$/ }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to all' }).click();
    await page.getByRole('button', { name: 'Bridge' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Bridge' }).waitFor();
    expect(await site.api('GET', `/share/${share.id}`)).toMatchObject({ used: 1 });
  });

  it('lets guests comment and reply, and shows the maker who wrote', async () => {
    const share = await shared(`item/${ids[1]}`, { comment: true, asksName: true });
    const page = await site.open({ at: addressOf(share) });
    await page.getByLabel('Your name').fill('Ann');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByLabel('Your comment').fill('Too <b>dark</b>');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Too <b>dark</b>').waitFor();
    const path = `/item/${ids[1]}/annotation`;
    const { annotation } = await site.api<{ annotation: { id: string; user: string }[] }>('GET', path);
    expect(annotation.map(({ user }) => user)).toEqual(['guest:Ann']);
    await site.api('POST', path, { text: 'Brighter now', parent: annotation[0]!.id });
    await page.reload();
    await page.getByText('Brighter now').waitFor();
    await page.getByRole('button', { name: 'Reply to Ann' }).click();
    await page.getByLabel('Reply to Ann').last().fill('Good');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.comments .comments').getByText('Good').waitFor();
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
  });

  it('takes files for the collection, and tells what is left', async () => {
    const share = await shared(`collection/${collection}`, { look: false, upload: { files: 1, bytes: 1000 } });
    const page = await site.open({ at: addressOf(share) });
    const files = page.getByLabel('Drop files here, or choose some');
    await files.setInputFiles({ name: 'a.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('abc') });
    await page.getByText('a.bin has arrived.').waitFor();
    await page.getByText('0 files and 997 bytes are left.').waitFor();
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await files.setInputFiles({ name: 'b.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('abc') });
    await page.getByText('b.bin is too much for this link.').waitFor();
  });

  it('says that a link is not open, in the language of the browser, and loads nothing of the other page', async () => {
    const page = await site.open({ at: `/s#${'A'.repeat(22)}`, locale: 'sv-SE' });
    await page.getByText('Länken är inte öppen.').waitFor();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    expect(loaded.filter((path) => path.startsWith('/ui/') && !/^\/ui\/(?:guest|icon)-/.test(path))).toEqual([]);
    const answer = await fetch(`${site.address}/ui/s`);
    expect(await answer.text()).toContain('<meta property="og:title" content="Shared with you">');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  });
});
