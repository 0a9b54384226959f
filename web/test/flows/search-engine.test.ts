import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveOpenSearch } from '../../../test/support/opensearch/serve.ts';
import { type ClosableSite, hasBrowser, openSite, seedItems } from '../support.ts';

let site: ClosableSite;
let engine: Awaited<ReturnType<typeof serveOpenSearch>>;

describe.runIf(hasBrowser)('a service with a search engine', () => {
  beforeAll(async () => {
    engine = await serveOpenSearch();
    site = await openSite({}, ['search = portico.OpenSearchEngine', `search.url = ${engine.url}`]);
    await seedItems(site, ['Pier at night', 'Harbour at night']);
  });
  afterAll(async () => {
    await site.close();
    await engine.stop();
  });

  it('tells on the page Health what the engine has, when it is away, and when it is back', async () => {
    const page = await site.open({ as: 'administrator', at: '/health' });
    const tests = page.locator('section[aria-labelledby=tests]');
    const part = tests.locator('.health-tests li', { hasText: 'The search engine answers and is complete' }).last();
    const looks = async () => {
      await page.reload();
      await tests.locator('summary').first().waitFor();
      // Tests that are not well are open already.
      const folded = tests.locator('details:not([open]) > summary');
      while ((await folded.count()) > 0) await folded.first().click();
      return part.innerText();
    };
    await expect.poll(looks, { interval: 2000 }).toMatch(/\d+ documents, 0 changes wait/);
    await engine.stop();
    await expect.poll(looks, { interval: 2000 }).toContain('Expected a search engine that answers');
    await page.goto(`${site.address}/ui/?q=night`);
    await expect.poll(() => page.locator('.results .cell .title').count()).toBe(2);
    await engine.start();
    await page.goto(`${site.address}/ui/health`);
    await expect.poll(looks, { interval: 2000 }).toMatch(/\d+ documents, 0 changes wait/);
  });
});
