import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, metadataOf, openSite, seedItems } from '../support.ts';

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
    const asked: string[] = [];
    let goes = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (goes ? dialog.accept() : dialog.dismiss());
    });
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Typed');
    const address = page.url();
    await page.locator('.item-head').getByRole('link', { name: 'Library' }).click();
    await page.getByRole('tab', { name: 'Access' }).click();
    await page.evaluate(() => history.back());
    await expect.poll(() => asked).toEqual([question, question, question]);
    expect(await title.inputValue()).toBe('Typed');
    expect(page.url()).toBe(address);
    goes = true;
    await page.getByRole('tab', { name: 'Access' }).click();
    await page.getByRole('heading', { name: 'Give access' }).waitFor();
    await page.locator('.item-head').getByRole('link', { name: 'Library' }).click();
    await page.locator('#entry-0').waitFor();
    expect(asked).toHaveLength(4);
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

  it('goes into all chosen items by the key e, and is asked about before the dialog closes', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('#entry-1').waitFor();
    await page.locator('[role=grid]').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('x');
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Metadata of 2 items' });
    const title = dialog.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('For both');
    page.once('dialog', (asked) => void asked.dismiss());
    await page.keyboard.press('Escape');
    expect(await title.inputValue()).toBe('For both');
    await title.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.cell .title').allTextContents()).toEqual(['For both', 'For both']);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  });

  it('goes into a field that was just added, and to no key of the page', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${ids[0]}` });
    await page.getByLabel('Add a field …').selectOption('film_note');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.matches('[data-field="film_note"] .input')))
      .toBe(true);
    await page.keyboard.type('k j ?');
    expect(await page.locator('[data-field="film_note"] .input').inputValue()).toBe('k j ?');
    page.once('dialog', (asked) => void asked.accept());
  });
});
