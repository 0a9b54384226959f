import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../../../test/support/matrix.ts';
import { bringAxe, type ClosableSite, hasBrowser, openSite, violations } from '../support.ts';

type Opened = Awaited<ReturnType<ClosableSite['open']>>;

/** Clicks, taps, keys and texts of a journey, counted. */
function steps(page: Opened) {
  let count = 0;
  const step = async (what: Promise<unknown>) => {
    await what;
    count++;
  };
  return {
    click: (name: string | RegExp, role: 'button' | 'link' | 'checkbox' | 'tab' = 'button') =>
      step(page.getByRole(role, { name }).first().click()),
    count: () => count,
  };
}

const sizes = [
  { width: 1366, height: 800 },
  { width: 390, height: 844 },
];

describe.runIf(hasBrowser)('an administrator', () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  it('comes from an empty start to the first film in six steps, whose password the environment set', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.getByText('There is no place for files yet.').waitFor();
    expect(await page.getByRole('link', { name: 'Upload', exact: true }).count()).toBe(0);
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    const journey = steps(page);
    await journey.click('Make a storage', 'link');
    await journey.click('Make the storage');
    await page.getByText('Everybody in').waitFor();
    await journey.click('Go on');
    await journey.click('Upload', 'link');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), journey.click(/Choose files/)]);
    await chooser.setFiles('web/test/visual/film.mp4');
    await expect.poll(() => site.api<{ hits: number }>('PUT', '/item', {})).toMatchObject({ hits: 1 });
    expect(journey.count() + 1).toBeLessThanOrEqual(6);
    expect(page.refused).toEqual([]);
  });

  it.each(sizes)('lets a group share, and stops it, in five steps at $width', async (viewport) => {
    const name = `desk${viewport.width}`;
    await site.api('PUT', `/group/${name}`);
    const page = await site.open({ as: 'administrator', at: '/people?show=group', viewport });
    const journey = steps(page);
    await journey.click(name, 'link');
    await journey.click('May share', 'checkbox');
    await journey.click('Save');
    await page.getByText(`${name} got: may share. 0 people.`).waitFor();
    expect(journey.count()).toBeLessThanOrEqual(5);
    await journey.click('May share', 'checkbox');
    await journey.click('Save');
    await page.getByText(`${name} lost: may share. 0 people.`).waitFor();
    expect(page.refused).toEqual([]);
  });

  it('finds a failed job and tries it again in three steps, and no job that has finished with a warning', async () => {
    await site.api('POST', '/import?uri=file:///srv/nowhere/tram.mp4');
    await expect
      .poll(async () => (await site.api<{ job?: { status: string }[] }>('GET', '/job?state=FAILED_TOTAL')).job?.length)
      .toBe(1);
    const warned = { sql: "UPDATE job SET status = 'FINISHED_WARNING' WHERE status = 'FINISHED'", args: [] };
    await site.service.store.commit({ changes: [warned], events: [] }, { user: 'test' });
    const page = await site.open({ as: 'administrator', at: '/jobs' });
    const journey = steps(page);
    await journey.click('Failed');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    const row = page.locator('tbody tr');
    await row.getByText('tram.mp4').waitFor();
    await row.getByText('No storage has this file').or(row.getByText('Expected')).first().waitFor();
    await journey.click('Try again');
    await expect.poll(() => site.api('GET', '/job?state=FAILED_TOTAL')).toMatchObject({ hits: 2 });
    expect(journey.count()).toBeLessThanOrEqual(3);
    // The page is that of the job that runs instead, and says how it ended.
    const before = await page.waitForURL(/\/job\/VX-\d+$/).then(() => page.url());
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL((url) => /\/job\/VX-\d+$/.test(url.pathname) && url.href !== before);
  });

  it('tells how a job ends while somebody looks at it', async () => {
    const { id } = await site.api<{ readonly id: string }>('POST', '/import/placeholder?container=1');
    const { jobId } = await site.api<{ readonly jobId: string }>('POST', `/item/${id}/analyze?holdJob=true`);
    const page = await site.open({ as: 'administrator', at: `/job/${jobId}` });
    await page.getByText('On hold', { exact: true }).waitFor();
    await site.api('DELETE', `/job/${jobId}`);
    await page.locator('.toast', { hasText: /: Aborted\.$/ }).waitFor();
  });

  it('is told in sentences what waits, and led to it', async () => {
    const page = await site.open({ as: 'administrator' });
    await page.route('**/API/work', async (route) => {
      const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
      const work = [
        {
          kind: 'deliveries',
          says: 'Delivers notifications',
          waiting: 3,
          oldest: at(12.5),
          done: 0,
          failed: 0,
          running: 0,
        },
        { kind: 'scans', says: 'Scans storages', waiting: 0, done: 0, failed: 0, running: 0 },
      ];
      await route.fulfill({ json: { instance: 'a', work } });
    });
    await page.goto(`${site.address}/ui/health`);
    await page.getByText('3 notifications wait for 12 minutes:').waitFor();
    await page.getByRole('link', { name: 'Look' }).click();
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
  });

  it('is told the setting when no call reaches the address of a notification, and none is made', async () => {
    const page = await site.open({ as: 'administrator', at: '/notifications' });
    await page.getByRole('button', { name: 'Make a notification' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('job fail').check();
    await dialog.getByLabel('Address of the receiver').fill('http://127.0.0.1:9/in');
    await dialog.getByRole('button', { name: 'Make a notification' }).click();
    await dialog.getByText('No call reaches 127.0.0.1: the setting PORTICO_OUTBOUND_ALLOW').waitFor();
    const at = '/job/notification';
    expect(await site.api('GET', at)).toMatchObject({ hits: 0 });
    // A client of the API saves it all the same.
    const action = { http: { url: 'http://127.0.0.1:9/in' } };
    const { uri } = await site.api<{ readonly uri: readonly string[] }>('POST', at, {
      ...{ action, trigger: { job: { fail: '' } } },
    });
    await page.reload();
    await page.locator('tbody').getByText('Its address is not allowed').waitFor();
    await page.goto(`${site.address}/ui/notification/job/${uri[0]!.split('/').at(-1)}`);
    await page.getByRole('alert').getByText('Start the service with --outbound-allow 127.0.0.1').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.toasts').getByText('No call reaches 127.0.0.1').waitFor();
  });

  it('is reminded of a backup until one is noted or kept elsewhere, and of other people', async () => {
    const page = await site.open({ as: 'administrator', at: '/health' });
    const list = page.getByRole('region', { name: 'Before it is in use' });
    await list.getByText(` backup backups/today --media --root ${site.root}`).waitFor();
    await list.getByRole('button', { name: 'It is kept elsewhere' }).click();
    await expect.poll(() => list.getByText(' backup backups/today').count()).toBe(0);
    expect(await list.getByRole('link', { name: 'Make a user' }).count()).toBe(0);
  });
});

it.runIf(hasBrowser)(
  'a sample is made by a button in an empty library, told once, and removed by another',
  async () => {
    const site = await openSite();
    try {
      const page = await site.open({ as: 'administrator', at: '/' });
      await page.getByRole('link', { name: 'Make a sample' }).click();
      await page.getByRole('button', { name: 'Make a sample' }).click();
      const card = page.getByRole('region', { name: 'The sample is there' });
      await card.waitFor();
      const password = await card.locator('code').innerText();
      const authorization = basic(['sample-editor', password]);
      expect((await fetch(`${site.address}/API/whoami`, { headers: { authorization } })).status).toBe(200);
      await bringAxe(page);
      expect(await violations(page)).toEqual([]);
      await card.getByRole('link', { name: 'Library' }).click();
      await page.getByText('Harbour film').first().waitFor();
      await page.goto(`${site.address}/ui/health`);
      await page.getByRole('button', { name: 'Remove the sample' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove the sample' }).click();
      await page.getByText(/^The sample is removed: \d+ entries\.$/).waitFor();
      expect(await site.api('PUT', '/item', {})).toMatchObject({ hits: 0 });
      expect(page.refused).toEqual([]);
    } finally {
      await site.close();
    }
  },
);
