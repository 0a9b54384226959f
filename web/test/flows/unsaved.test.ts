import type { ItemType } from 'portico/types';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { titleOf } from '../../src/pages/item/item.ts';
import { type ClosableSite, hasBrowser, metadataOf, type Opened, openSite, seedItems } from '../support.ts';

let site: ClosableSite;
let ids: string[];

/** Answers whether what is typed may be let go. */
async function answer(page: Opened, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Leave without saving' });
  await dialog.getByText('What you typed here is lost then.').waitFor();
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe.runIf(hasBrowser)('what is typed', () => {
  beforeAll(async () => {
    site = await openSite();
    await site.api('PUT', '/metadata-field/film_note', { type: 'string' });
    await site.api('PUT', '/metadata-field/film_words', { type: 'string-exact' });
    ids = await seedItems(site, ['First', 'Second']);
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    for (const id of ids) await site.api('PUT', `/item/${id}/metadata`, metadataOf({ title: `Item ${id}` }));
  });

  it('stays behind another tab, and is asked about by a link and the way back', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('#entry-0').click();
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Typed');
    const address = page.url();
    for (const leave of [
      () => page.locator('.item-head').getByRole('link', { name: 'Library' }).click(),
      () => page.evaluate(() => history.back()),
    ]) {
      await leave();
      await answer(page, 'Cancel');
    }
    expect(await title.inputValue()).toBe('Typed');
    expect(page.url()).toBe(address);
    await page.getByRole('tab', { name: 'Files' }).click();
    await title.waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Details' }).click();
    expect(await title.inputValue()).toBe('Typed');
    await page.locator('.item-head').getByRole('link', { name: 'Library' }).click();
    await answer(page, 'Leave without saving');
    await page.locator('#entry-0').waitFor();
  });

  it('is not asked about once it is saved', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${ids[0]}` });
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
    await page.getByText('1 selected', { exact: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('#entry-1:focus').waitFor();
    await page.keyboard.press('x');
    await page.getByText('2 selected', { exact: true }).waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Describe 2 items' });
    return { page, dialog, title: dialog.getByRole('textbox', { name: 'Title', exact: true }) };
  }
  const titles = (page: Opened) => page.locator('.cell .title').allTextContents();
  const titlesNow = async () => {
    const { item } = await site.api<{ readonly item: readonly ItemType[] }>(
      'GET',
      '/item?content=metadata&field=__name',
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

  it('the dialog of several items has its bar from the start, and stands still at the first letter', async () => {
    const { dialog, title } = await openBoth();
    const save = dialog.getByRole('button', { name: 'Save' });
    await save.waitFor();
    expect(await save.isDisabled()).toBe(true);
    const before = await dialog.boundingBox();
    await title.fill('x');
    expect(await save.isDisabled()).toBe(false);
    expect(await dialog.boundingBox()).toEqual(before);
  });

  it('filters count what Undo has brought back', async () => {
    const data = Object.entries({ facet: 'true', ui_form: 'true' }).map(([key, value]) => ({ key, value }));
    await site.api('PUT', '/metadata-field/film_mood', { type: 'string-exact', data });
    const { page, dialog } = await openBoth();
    const mood = dialog.getByRole('combobox', { name: /mood/i });
    await mood.fill('calm');
    await mood.press('Enter');
    await mood.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    const calm = page.locator('.facets').getByRole('checkbox', { name: 'calm' });
    await calm.waitFor();
    await undo(page);
    await calm.waitFor({ state: 'detached' });
    await site.api('DELETE', '/metadata-field/film_mood');
  });

  it('goes into all chosen items by the key e, and is asked about before the dialog closes', async () => {
    const { page, dialog, title } = await openBoth();
    // Tiles change without news of the service, too.
    await page.route('**/API/event?*', (route) => route.fulfill({ status: 304 }));
    await title.fill('For both');
    await page.keyboard.press('Escape');
    await answer(page, 'Cancel');
    expect(await title.inputValue()).toBe('For both');
    await title.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => titles(page)).toEqual(['For both', 'For both']);
    await page.getByRole('button', { name: 'Describe', exact: true }).waitFor();
  });

  it('is asked about when a key comes before the next frame is drawn', async () => {
    const { page, title } = await openBoth();
    await title.evaluate(async (element: HTMLTextAreaElement | HTMLInputElement) => {
      element.focus();
      element.value = 'At once';
      element.dispatchEvent(new Event('input', { bubbles: true }));
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    });
    await answer(page, 'Cancel');
    expect(await title.inputValue()).toBe('At once');
  });

  it('joins the keywords of each item: none goes unless the person replaces all', async () => {
    const wordsOf = async () => {
      const answers = ids.map((id) =>
        site.api<{ terse: Record<string, { value: string }[]> }>('GET', `/item/${id}?content=metadata&terse=true`),
      );
      return (await Promise.all(answers)).map(({ terse }) => terse['film_words']?.map(({ value }) => value));
    };
    const write = (id: string, ...words: string[]) =>
      site.api('PUT', `/item/${id}/metadata`, {
        timespan: [
          { start: '-INF', end: '+INF', field: [{ name: 'film_words', value: words.map((value) => ({ value })) }] },
        ],
      });
    await write(ids[0]!, 'harbour', 'night');
    await write(ids[1]!, 'coast');
    const { page, dialog } = await openBoth();
    const words = dialog.getByRole('combobox', { name: 'Film words' });
    expect(await dialog.getByLabel('Add to what each has').isChecked()).toBe(true);
    await words.fill('coast');
    await words.press('Enter');
    await words.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await wordsOf()).toEqual([['harbour', 'night', 'coast'], ['coast']]);
    await undo(page);
    await page.locator('.toast', { hasText: 'as before.' }).waitFor();
    expect(await wordsOf()).toEqual([['harbour', 'night'], ['coast']]);

    const again = await openBoth();
    await again.dialog.getByText('Replace all').click();
    await again.dialog.getByText('What each has now goes').waitFor();
    const others = again.dialog.getByRole('combobox', { name: 'Film words' });
    await others.fill('fog');
    await others.press('Enter');
    await others.press('Control+Enter');
    await again.dialog.waitFor({ state: 'detached' });
    expect(await wordsOf()).toEqual([['fog'], ['fog']]);
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
  });
});
