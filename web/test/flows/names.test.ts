import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, kinds, openSite, type Site } from '../support.ts';

let site: Site & { close(): Promise<void> };
const lists = [
  ...['/', '/collections', '/saved', '/upload', '/jobs', '/storages', '/notifications', '/quota', '/exports'],
  ...['/people', '/fields', '/tags', '/settings', '/health', '/me'],
];
const entities = ['/user/viewer', '/group/viewer', '/tag/original', '/user/gone', '/item/VX-999', '/no/such/page'];
/** What a tag need not have: the page asks, and shows an empty field. */
const mayLack = /^404 GET \/API\/shape-tag\/(?:storage-rule\/original|original\/script)$/;

describe.runIf(hasBrowser)('each page opens by its address', () => {
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site.close());

  it.each(kinds)('for %s: what the bar offers is never refused, and a refusal is told', async (kind) => {
    const page = await site.open({ as: kind });
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
    const offered = await page
      .getByRole('navigation', { name: 'Navigation' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.slice('/ui'.length)));
    const asked = new Set<unknown>();
    // A stream of events has no end.
    page.on('request', (request) => !request.url().includes('/API/event') && asked.add(request));
    for (const name of ['requestfinished', 'requestfailed'] as const)
      page.on(name as 'requestfinished', (request) => asked.delete(request));
    for (const path of [...lists, ...entities]) {
      page.refused.length = 0;
      await page.goto(`${site.address}/ui${path}`);
      const main = page.locator('main');
      await expect.poll(() => main.innerText().then((text) => text.trim().length)).toBeGreaterThan(0);
      await expect.poll(() => main.locator('.skeleton').count(), { message: `${path} goes on loading` }).toBe(0);
      await expect.poll(() => asked.size, { message: `${path} waits for answers` }).toBe(0);
      const refused = page.refused.filter((each) => !mayLack.test(each));
      const text = await main.innerText();
      if (kind === 'nobody' && path !== '/me') expect([path, refused, /no role/.test(text)]).toEqual([path, [], true]);
      else if (refused.length > 0) {
        expect([path, offered.includes(path)]).toEqual([path, false]);
        expect([path, refused.filter((each) => !/^40[34] /.test(each))]).toEqual([path, []]);
        expect([path, text]).toEqual([
          path,
          expect.stringMatching(/This needs the role _\w+\.|is not there, or is closed/),
        ]);
      }
    }
  });
});
