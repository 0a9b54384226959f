import type { ItemType } from 'portico/types';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { titleOf } from '../../src/pages/item/item.ts';
import { type ClosableSite, hasBrowser, metadataOf, type Opened, openSite, seedItems } from '../support.ts';

let site: ClosableSite;
let ids: string[];

const question = 'What you typed is not saved. Leave it?';

describe.runIf(hasBrowser)('what is typed', () => {
  beforeAll(async () => {
    site = await openSite();
    await site.api('PUT', '/metadata-field/film_note', { type: 'string' });
    ids = await seedItems(site, ['First', 'Second']);
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    for (const id of ids) await site.api('PUT', `/item/${id}/metadata`, metadataOf({ title: `Item ${id}` }));
  });

  it('is kept where the person does not let it go: by a link, a tab, the way back', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('#entry-0').dblclick();
    const questions: string[] = [];
    let goes = false;
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (goes ? dialog.accept() : dialog.dismiss());
    });
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Typed');
    const address = page.url();
    await page.locator('.item-head').getByRole('link', { name: 'Library' }).click();
    await page.getByRole('tab', { name: 'Access' }).click();
    await page.evaluate(() => history.back());
    await expect.poll(() => questions).toEqual([question, question, question]);
    expect(await title.inputValue()).toBe('Typed');
    expect(page.url()).toBe(address);
    goes = true;
    await page.getByRole('tab', { name: 'Access' }).click();
    await page.getByRole('heading', { name: 'Give access' }).waitFor();
    await page.locator('.item-head').getByRole('link', { name: 'Library' }).click();
    await page.locator('#entry-0').waitFor();
    expect(questions).toHaveLength(4);
  });

  it('is not asked about once it is saved', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${ids[0]}` });
    page.on('dialog', (dialog) => void dialog.dismiss());
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Saved');
    await title.press('Control+Enter');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    await page.locator('.item-head').getByRole('link', { name: 'Library' }).click();
    await page.locator('#entry-0').waitFor();
  });

  /** The form of both items, opened by keys. */
  async function openBoth() {
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('#entry-1').waitFor();
    await page.locator('[role=grid]').focus();
    await page.keyboard.press('x');
    await page.getByText('1 chosen', { exact: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('#entry-1:focus').waitFor();
    await page.keyboard.press('x');
    await page.getByText('2 chosen', { exact: true }).waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Metadata of 2 items' });
    return { page, dialog, title: dialog.getByRole('textbox', { name: 'Title', exact: true }) };
  }
  const titles = (page: Opened) => page.locator('.cell .title').allTextContents();
  const titlesNow = async () => {
    const { item } = await site.api<{ readonly item: readonly ItemType[] }>(
      'GET',
      '/item?content=metadata&field=title',
    );
    return ids.map((id) => titleOf(item.find((each) => each.id === id)!));
  };
  const writeBoth = async () => {
    const { page, dialog, title } = await openBoth();
    await title.fill('For both');
    await title.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => titles(page)).toEqual(['For both', 'For both']);
    return page;
  };
  const undo = (page: Opened) =>
    page.locator('.toast', { hasText: '2 items are changed' }).getByRole('button', { name: 'Undo' }).click();

  it('goes into all chosen items by the key e, and is asked about before the dialog closes', async () => {
    const { page, dialog, title } = await openBoth();
    const questions: string[] = [];
    page.on('dialog', (each) => {
      questions.push(each.message());
      void each.dismiss();
    });
    await title.fill('For both');
    await page.keyboard.press('Escape');
    await expect.poll(() => questions).toEqual([question]);
    expect(await title.inputValue()).toBe('For both');
    await title.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => titles(page)).toEqual(['For both', 'For both']);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  });

  it('is asked about when a key comes before the next frame is drawn', async () => {
    const { page, title } = await openBoth();
    const questions: string[] = [];
    page.on('dialog', (each) => {
      questions.push(each.message());
      void each.dismiss();
    });
    await title.evaluate(async (element: HTMLTextAreaElement | HTMLInputElement) => {
      element.focus();
      element.value = 'At once';
      element.dispatchEvent(new Event('input', { bubbles: true }));
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    });
    await expect.poll(() => questions).toEqual([question]);
    expect(await title.inputValue()).toBe('At once');
  });

  it('is taken back in all items that it went into', async () => {
    const page = await writeBoth();
    await undo(page);
    await page.locator('.toast', { hasText: '2 items are as before.' }).waitFor();
    expect(await titlesNow()).toEqual(ids.map((id) => `Item ${id}`));
  });

  it('is taken back where nobody has changed it meanwhile, and the page tells of the others', async () => {
    const page = await writeBoth();
    await site.api('PUT', `/item/${ids[1]}/metadata`, metadataOf({ title: 'Of another' }));
    await undo(page);
    await page
      .locator('.toast', { hasText: 'One item is as before. One item was changed meanwhile and keeps that.' })
      .waitFor();
    expect(await titlesNow()).toEqual([`Item ${ids[0]}`, 'Of another']);
  });

  it('goes into a field that was just added, and to no key of the page', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${ids[0]}` });
    await page.getByLabel('Add a field …').selectOption('film_note');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.matches('[data-field="film_note"] .input')))
      .toBe(true);
    await page.keyboard.type('k j ?');
    expect(await page.locator('[data-field="film_note"] .input').inputValue()).toBe('k j ?');
    page.once('dialog', (dialog) => void dialog.accept());
  });
});
