import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bringAxe,
  hasBrowser,
  hasFfmpeg,
  importFile,
  makeFilm,
  openSite,
  type Site,
  seedStorage,
  violations,
} from '../support.ts';

const attack = 'A film with <img src=x onerror=alert(1)> in it';
let site: Site & { close(): Promise<void> };

describe.runIf(hasBrowser && hasFfmpeg)('the page of an item', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
  });
  afterAll(() => site.close());

  it('plays a film, steps by one frame and keeps the moment in the address', async () => {
    const item = await importFile(site, (await makeFilm(site))!, { title: attack });
    const page = await site.open({ as: 'administrator', at: `/item/${item}` });
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 1);
    await page.keyboard.press('.');
    await page.locator('.timecode', { hasText: '00:00:00:01' }).waitFor();
    await page.waitForFunction(() => location.search.includes('t=0.0'));
    expect(await page.locator('h1').textContent()).toBe(attack);
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await page.close();
  });
});
