import type {
  MetadataFieldDocument,
  MetadataFieldGroupDocument,
  StorageRuleDocument,
  TranscodePresetDocument,
} from 'portico/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSound, hasBrowser, openSite, type Site, seedStorage } from '../support.ts';

const evil = '<img src=x onerror=globalThis.bad=1>';
let site: Site & { close(): Promise<void> };

describe.runIf(hasBrowser)('fields and shape tags', () => {
  beforeAll(async () => {
    site = await openSite();
    const data = [{ key: 'label_en', value: evil }];
    const values = { field: [{ key: evil, value: evil }] };
    await site.api('PUT', '/metadata-field/film_evil', { type: 'string', data, values });
    await site.api('PUT', `/metadata-field/field-group/${encodeURIComponent(evil)}`, {
      field: [{ name: 'film_evil' }],
    });
    await site.api('PUT', '/shape-tag/evil', { format: evil });
    await seedStorage(site);
  });
  afterAll(() => site.close());

  it('makes a field with choices that is a filter, changes it, and removes it', async () => {
    const page = await site.open({ as: 'librarian', at: '/fields' });
    await page.getByRole('button', { name: 'Make a field' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label in English').fill('Genre of it');
    // The technical name follows the label, until it is typed.
    expect(await dialog.getByLabel('Technical name').inputValue()).toBe('asset_genre_of_it');
    await dialog.getByLabel('Technical name').fill('genre');
    await dialog.getByLabel('Label in English').fill('Genre');
    expect(await dialog.getByLabel('Technical name').inputValue()).toBe('genre');
    await dialog.getByLabel('A filter of the library').check();
    await dialog.getByLabel('Choices').fill('news = News\nsport');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Expected a category, an underscore and a name').waitFor();
    expect(await dialog.getByLabel('Choices').inputValue()).toBe('news = News\nsport');
    await dialog.getByLabel('Technical name').fill('film_genre');
    await dialog
      .getByLabel('Type')
      .selectOption('Short text, found as a whole: for choices and filters (string-exact)');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'film_genre', exact: true }).waitFor();
    const at = '/metadata-field/film_genre?includeValues=true&data=label_en,facet';
    expect(await site.api<MetadataFieldDocument>('GET', at)).toMatchObject({
      type: 'string-exact',
      data: [
        { key: 'label_en', value: 'Genre' },
        { key: 'facet', value: 'true' },
      ],
      values: {
        field: [
          { key: 'news', value: 'News' },
          { key: 'sport', value: 'sport' },
        ],
      },
    });

    await page.getByRole('button', { name: 'Change film_genre' }).click();
    await dialog.getByLabel('A filter of the library').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await site.api<MetadataFieldDocument>('GET', at);
    expect(data).toEqual([{ key: 'label_en', value: 'Genre' }]);

    await page.getByRole('button', { name: 'Make a field' }).click();
    await dialog.getByLabel('Technical name').fill('film_genre');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('film_genre is there already.').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Remove film_genre' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('cell', { name: 'film_genre', exact: true }).waitFor({ state: 'detached' });
    page.refused.length = 0;
  });

  it('makes a group of fields, and shows what another person changed meanwhile', async () => {
    await site.api('PUT', '/metadata-field/news_place', { type: 'string' });
    await site.api('PUT', '/metadata-field/news_day', { type: 'date' });
    const page = await site.open({ as: 'librarian', at: '/fields?show=fieldgroup' });
    await page.getByRole('button', { name: 'Make a group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('news');
    await dialog.getByLabel('Fields', { exact: true }).fill('news_place');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Change news' }).click();
    await dialog.getByLabel('Fields', { exact: true }).fill('news_place\nnews_day');
    await site.api('PUT', '/metadata-field/field-group/news', { field: [{ name: 'film_evil' }] });
    await dialog.getByRole('button', { name: 'Save' }).click();
    const clash = page.getByRole('dialog', { name: 'Somebody else has changed this, too' });
    await clash.getByText(/From somebody else:.*film_evil/s).waitFor();
    await clash.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { field = [] } = await site.api<MetadataFieldGroupDocument>('GET', '/metadata-field/field-group/news');
    expect(field.map(({ name }) => name).toSorted()).toEqual(['news_day', 'news_place']);
    page.refused.length = 0;
  });

  it('makes a shape tag, and changes its preset, its script and its storage rule', async () => {
    const page = await site.open({ as: 'administrator', at: '/tags' });
    await page.getByRole('link', { name: 'original' }).waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('web');
    await dialog.getByRole('button', { name: 'Make a shape tag' }).click();
    await page.getByText('H.264', { exact: true }).waitFor();
    await page.getByLabel('Preset, as JSON').fill('{"format": ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Expected JSON.').waitFor();
    await page.getByLabel('Preset, as JSON').fill('{"format": "webm", "video": {"codec": "vp9"}}');
    await page.getByLabel('Script').fill('preset.setFormat("webm");');
    await page.getByLabel('Storages that must have each file').fill('1');
    await page.getByLabel('Storages', { exact: true }).fill('VX-1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('VP9', { exact: true }).waitFor();
    expect(await site.api<TranscodePresetDocument>('GET', '/shape-tag/web')).toMatchObject({ video: { codec: 'vp9' } });
    expect(await site.api<StorageRuleDocument>('GET', '/shape-tag/storage-rule/web')).toMatchObject({
      storageCount: 1,
      storage: ['VX-1'],
    });

    await page.getByLabel('Script').fill('');
    await page.getByLabel('Storages that must have each file').fill('');
    await page.getByLabel('Storages', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => site.api('GET', '/shape-tag/storage-rule/web').catch(String)).toContain('404');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/ui\/tags$/);
    page.refused.length = 0;
  });

  it('shows names as text, finds them by a part, and says when there are none', async () => {
    const page = await site.open({ as: 'administrator', at: '/fields?q=evil' });
    await page.getByRole('cell', { name: evil, exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Groups of fields' }).click();
    await page.getByText('Nothing has this name.').waitFor();
    await page.getByLabel('Find by name').fill('img');
    await page.getByRole('cell', { name: evil, exact: true }).waitFor();
    await page.goto(`${site.address}/ui/tags?q=EVI`);
    await page.getByRole('link', { name: 'evil' }).click();
    await page.getByRole('definition').getByText(evil).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'bad' in globalThis)).toBe(false);
    page.refused.length = 0;
  });

  it('shows a viewer what is there, and no control; a tag that is gone is told', async () => {
    const page = await site.open({ as: 'viewer', at: '/fields' });
    await page.getByRole('cell', { name: 'originalFormat' }).waitFor();
    for (const name of ['Fields', 'Shape tags']) expect(await page.getByRole('link', { name }).count(), name).toBe(0);
    for (const name of [/Make a/, /Change/, /Remove/])
      expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0);
    await page.goto(`${site.address}/ui/tag/original`);
    await page.getByLabel('Script').waitFor();
    for (const name of ['Save', 'Delete']) expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    await page.goto(`${site.address}/ui/tag/gone`);
    await page.getByText('gone is not there, or is closed to you.').waitFor();
    page.refused.length = 0;
    const nobody = await site.open({ as: 'operator', at: '/fields' });
    await nobody.getByRole('cell', { name: 'originalFormat' }).waitFor();
    expect(nobody.refused).toEqual([]);
  });

  it('keeps the rules of WCAG 2.2 AA in each state', async () => {
    const page = await site.open({ as: 'administrator' });
    const states: readonly (readonly [path: string, shows: string, dialog?: string])[] = [
      ['/fields', 'originalFormat'],
      ['/fields?q=none-at-all', 'Nothing has this name.'],
      ['/fields?q=film_evil', 'film_evil', 'Change film_evil'],
      ['/fields?show=fieldgroup', 'film_evil', 'Make a group'],
      ['/tags', 'original'],
      ['/tags', 'original', 'Make a shape tag'],
      ['/tag/original', 'Preset, as JSON'],
      ['/tag/gone', 'gone is not there.'],
    ];
    for (const [path, shows, dialog] of states) {
      await page.goto(`${site.address}/ui${path}`);
      await page.getByText(shows).first().waitFor();
      if (dialog) await page.getByRole('button', { name: dialog, exact: true }).click();
      await expectSound(page, `${path} ${dialog}`);
    }
  });
});
