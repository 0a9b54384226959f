import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, kinds, type openPage, openSite, violations } from '../support.ts';

type Page = Awaited<ReturnType<typeof openPage>>;

/** Its texts are dangerous where a page takes them for markup. */
const hostile = '<img src=x onerror=alert(1)>';
let site: Awaited<ReturnType<typeof openSite>>;

/** The rules of WCAG hold, and nothing is wider than the page. */
async function isSound(page: Page, at: string): Promise<void> {
  await bringAxe(page);
  const wider = await page.evaluate(() => document.querySelector('main')!.scrollWidth - innerWidth);
  expect([at, await violations(page), wider <= 0]).toEqual([at, [], true]);
}

describe('operators in a browser', () => {
  beforeAll(async () => {
    site = await openSite();
  });

  afterAll(() => site?.close());

  it('shows the state, and work that is late before work that is not', async () => {
    const page = await site.open({ as: 'administrator', at: '/health' });
    await page.getByText('The running security configuration is that of its files').waitFor();
    await page.getByText('No job has failed, and all storages can be reached.').waitFor();
    await page.keyboard.press('2');
    await page.getByRole('cell', { name: 'Runs jobs' }).waitFor();
    expect(new URL(page.url()).search).toBe('?tab=work');
    expect(page.refused).toEqual([]);
  });

  it('finds a refusal in the audit log, shows what was sent as text, and downloads what was found', async () => {
    const query = encodeURIComponent(hostile);
    await expect(site.api('DELETE', `/storage/VX-9?x=${query}`, undefined, 'viewer')).rejects.toThrow('403');
    const page = await site.open({ as: 'administrator', at: '/health?tab=log' });
    await page.getByRole('table').waitFor();
    await page.getByLabel('User').fill('viewer');
    await page.getByLabel('Path').fill('/storage/*');
    await page.keyboard.press('Enter');
    const found = page.locator('tbody tr', { hasText: `DELETE /storage/VX-9?x=${query}` });
    await expect.poll(() => found.innerText()).toMatch(/viewer[\s\S]*403/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the log' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.match(/<username>viewer</g)).toHaveLength(1);
    await page.goto(`${page.url().split('?')[0]}?tab=log&user=nobody-of-that-name`);
    await page.getByText('No request fits this filter.').waitFor();
  });

  it('explains which role a user lacks for a request, and what a filter refuses', async () => {
    const page = await site.open({ as: 'administrator', at: '/health?tab=access' });
    await page.getByLabel('Path').fill('/API/storage');
    await page.getByLabel('User').fill('viewer');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('viewer lacks the role _storage_read.').waitFor();
    await page.getByLabel('User').fill('');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Refused by a filter').waitFor();
    await page.getByLabel('Path').fill(`/API/item/${hostile}`);
    await page.getByLabel('User').fill('admin');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('heading', { name: `GET /item/${hostile}` }).waitFor();
  });

  it('plans an upgrade, and says which releases there are', async () => {
    const page = await site.open({ as: 'administrator', at: '/health?tab=upgrade&from=4.17&to=23.2' });
    await page.getByText('portico migrate', { exact: true }).waitFor();
    await page.getByLabel('To release').fill('99');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Expected a release').waitFor();
    expect(page.refused).toEqual(['400 GET /API/upgrade-plan?from=4.17&to=99']);
  });

  const paths = [
    '/health',
    '/health?tab=work',
    '/health?tab=log',
    '/health?tab=log&user=x',
    '/health?tab=upgrade&from=1&to=2',
  ];
  const explained = '/health?tab=access&target=/API/storage&user=viewer';

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'keeps the rules of WCAG 2.2 AA in each state, %s, at a width of %s',
    async (colorScheme, width) => {
      const page = await site.open({ as: 'administrator', colorScheme, viewport: { width, height: 844 } });
      for (const at of [...paths, explained]) {
        await page.goto(`${site.address}/ui${at}`);
        await page.locator('[role=tabpanel] :is(.card, table, .empty, [role=alert])').first().waitFor();
        await isSound(page, at);
      }
    },
    120_000,
  );

  it.each(kinds)('opens for %s without a request that is refused', async (kind) => {
    const page = await site.open({ as: kind, at: '/health' });
    await page
      .locator('main')
      .getByText(kind === 'nobody' ? 'no role has been given to you' : 'Transcoders')
      .waitFor();
    expect(await page.getByRole('navigation').getByText('Health').count()).toBe(kind === 'administrator' ? 1 : 0);
    expect(await page.getByRole('tab').count()).toBe({ administrator: 5, nobody: 0 }[kind as string] ?? 1);
    expect(page.refused).toEqual([]);
  });
});
