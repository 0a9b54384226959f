import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grid, hits, title } from '../first-flows.ts';
import { type ClosableSite, hasBrowser, type Opened, openSite, seedItems } from '../support.ts';

let site: ClosableSite;

/** The items of a title that are there. */
async function stay(word: string): Promise<number> {
  const body = { field: [{ name: 'title', value: [{ value: word }] }] };
  return (await site.api<{ readonly hits: number }>('PUT', '/item?number=0', body)).hits;
}

/** The items of a search, by their title. Its clock is moved by the test. */
async function list(word: string, count: number): Promise<Opened> {
  const page = await site.open({
    as: 'administrator',
    at: `/?q=${word}&sort=title`,
    prepare: (each) => each.clock.install(),
  });
  await expect.poll(() => hits(page).textContent()).toBe(`${count} items`);
  return page;
}

/** Gives a right to the items of a title. */
async function give(word: string, access: object): Promise<void> {
  const body = { field: [{ name: 'title', value: [{ value: word }] }] };
  const { item } = await site.api<{ readonly item: readonly { readonly id: string }[] }>('PUT', '/item', body);
  for (const { id } of item) await site.api('POST', `/item/${id}/access`, access);
}

const notice = (page: Opened) => page.locator('.toast', { hasText: 'deleted.' });
const undo = (page: Opened) => notice(page).getByRole('button', { name: 'Undo' });
const pastUndo = (page: Opened) => page.clock.fastForward(10_500);

/** Deletes what is chosen. */
async function remove(page: Opened): Promise<void> {
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('You can undo this for 10 seconds.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Chooses the second and the third item by keys, and deletes them. */
async function removeTwo(page: Opened): Promise<void> {
  await grid(page).focus();
  for (const key of ['ArrowRight', 'x', 'ArrowRight', 'x']) await page.keyboard.press(key);
  await remove(page);
  await expect.poll(() => hits(page).textContent()).toBe('2 items');
}

async function removeFirst(page: Opened): Promise<void> {
  await grid(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('x');
  await remove(page);
}

describe.runIf(hasBrowser)('what is deleted', () => {
  beforeAll(async () => {
    site = await openSite();
    for (const word of ['Quay', 'Reef', 'Sail', 'Tide', 'Weir', 'Yawl', 'Cove', 'Pier'])
      await seedItems(
        site,
        [1, 2, 3, 4].map((at) => `${word} ${at}`),
      );
  });
  afterAll(() => site.close());

  it('is back by Undo where it was, with the choice and the focus, and stays', async () => {
    const page = await list('Quay', 4);
    await removeTwo(page);
    expect(await title(page, 1).textContent()).toBe('Quay 4');
    await notice(page).getByText('2 items deleted.').waitFor();
    expect(await stay('Quay')).toBe(4);
    await undo(page).click();
    await expect.poll(() => hits(page).textContent()).toBe('4 items');
    expect(await title(page, 1).textContent()).toBe('Quay 2');
    await page.locator('.selection').getByText('2 selected').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Quay 3'));
    await pastUndo(page);
    expect(await notice(page).count()).toBe(0);
    expect(await stay('Quay')).toBe(4);
  });

  it('is in no list that is read meanwhile, and gone for good after some seconds', async () => {
    const page = await list('Reef', 4);
    await removeTwo(page);
    expect(await stay('Reef')).toBe(4);
    // Another page, and back.
    await page.getByRole('link', { name: 'Collections' }).first().click();
    await undo(page).waitFor();
    await page.getByRole('link', { name: 'Library' }).first().click();
    await page.fill('#search', 'Reef');
    await page.keyboard.press('Enter');
    await expect.poll(() => hits(page).textContent()).toBe('2 items');
    await pastUndo(page);
    await expect.poll(() => stay('Reef')).toBe(2);
    expect(await notice(page).count()).toBe(0);
  });

  it('goes when the page is closed, or its notice, or when a second deletion begins', async () => {
    const page = await list('Sail', 4);
    await removeFirst(page);
    await undo(page).waitFor();
    await page.goto('about:blank');
    await expect.poll(() => stay('Sail')).toBe(3);
    await page.goto(`${site.address}/ui/?q=Sail&sort=title`);
    await expect.poll(() => hits(page).textContent()).toBe('3 items');
    await removeFirst(page);
    await notice(page).getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => stay('Sail')).toBe(2);
    await removeFirst(page);
    await expect.poll(() => hits(page).textContent()).toBe('1 item');
    expect(await stay('Sail')).toBe(2);
    await removeFirst(page);
    await expect.poll(() => stay('Sail')).toBe(1);
    await undo(page).click();
    await expect.poll(() => hits(page).textContent()).toBe('1 item');
    expect(await stay('Sail')).toBe(1);
  });

  it('goes before the session ends', async () => {
    const page = await list('Tide', 4);
    await removeFirst(page);
    await page.getByRole('button', { name: /^You:/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await stay('Tide')).toBe(3);
  });

  it('is back with the reason if the service refuses it, or is not reached', async () => {
    const page = await list('Weir', 4);
    const body = { field: [{ name: 'title', value: [{ value: 'Weir 1' }] }] };
    const { item } = await site.api<{ readonly item: readonly { readonly id: string }[] }>('PUT', '/item', body);
    await site.api('POST', `/item/${item[0]!.id}/deletion-lock`, { expiryTime: '2099-01-01T00:00:00Z' });
    await removeFirst(page);
    await expect.poll(() => hits(page).textContent()).toBe('3 items');
    await pastUndo(page);
    await page.getByText(/^Not deleted: .*lock/).waitFor();
    await expect.poll(() => hits(page).textContent()).toBe('4 items');
    expect(await title(page, 0).textContent()).toBe('Weir 1');
    await page.route('**/API/item?id=*', (route) => route.abort());
    await page.keyboard.press('Escape');
    await removeTwo(page);
    await pastUndo(page);
    await page.getByText(/^Not deleted: /).waitFor();
    await expect.poll(() => hits(page).textContent()).toBe('4 items');
    expect(await stay('Weir')).toBe(4);
  });

  it('leaves its own page for the list, and is back there by Undo, with the focus', async () => {
    const page = await list('Yawl', 4);
    await title(page, 2).click();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete “Yawl 3”?' }).getByRole('button', { name: 'Delete' }).click();
    await page.waitForFunction(() => location.pathname === '/ui/');
    await expect.poll(() => hits(page).textContent()).toBe('3 items');
    await undo(page).click();
    await expect.poll(() => hits(page).textContent()).toBe('4 items');
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Yawl 3'));
    expect(await page.locator('.selection').count()).toBe(0);
  });

  it('is only what the person may delete: the dialog names what stays, with one question', async () => {
    await give('Pier', { user: 'librarian', permission: 'READ' });
    await give('"Pier 4"', { user: 'librarian', permission: 'ALL' });
    const page = await site.open({ as: 'librarian', at: '/?q=Pier&sort=title' });
    await expect.poll(() => hits(page).textContent()).toBe('4 items');
    let questions = 0;
    page.on('request', (request) => {
      if (/content=metadata%2Caccess/.test(request.url())) questions += 1;
    });
    const bar = page.getByRole('toolbar');
    const dialog = page.getByRole('dialog');
    await grid(page).focus();
    await page.keyboard.press('x');
    await bar.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('You may not delete “Pier 1”.', { exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    expect(await dialog.getByText('You can undo this').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await bar.getByRole('button', { name: 'Select all 4' }).click();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText(/^You may not delete “Pier \d” and others: 3 stay\.$/).waitFor();
    await dialog.getByRole('heading', { name: 'Delete 1 item?' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await notice(page).getByText('1 item deleted.').waitFor();
    expect(questions).toBe(2);
    await expect.poll(() => hits(page).textContent()).toBe('3 items');
    await notice(page).getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => stay('Pier')).toBe(3);
    expect(await page.getByText(/^Not deleted/).count()).toBe(0);
  });

  it('keeps its notice while others come, and when another page is opened, which ends the others', async () => {
    const page = await list('Cove', 4);
    await removeFirst(page);
    await undo(page).waitFor();
    await grid(page).focus();
    await page.keyboard.press('s');
    const other = page.getByText('One item is among your favourites now.');
    await other.waitFor();
    await page.getByRole('link', { name: 'Collections' }).first().click();
    await other.waitFor({ state: 'detached' });
    await undo(page).waitFor();
    await page.goBack();
    await undo(page).click();
    await expect.poll(() => hits(page).textContent()).toBe('4 items');
  });
});
