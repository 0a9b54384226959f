import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../../test/support/long.ts';
import { evil, seedEvil, type Visit } from '../evil.ts';
import { type ClosableSite, hasBrowser, type Kind, kinds, type Opened, openSite } from '../support.ts';

let site: ClosableSite;
/** All addresses, and one for each page. */
let visits: readonly Visit[];
let first: readonly Visit[];
const unknown = ['/user/gone', '/item/VX-999', '/no/such/page'].map((at) => ({ at }));
const paths = [...readFileSync('web/src/pages.ts', 'utf8').matchAll(/path: '([^']+)'/g)].map(([, path]) => path!);
/** Kinds between a viewer and an administrator open only what the bar offers them, except in the long form. */
const isWhole = (kind: Kind): boolean => isLong || ['viewer', 'nobody'].includes(kind);
/**
 * Requests that may get 404: a part that a tag need not have, shown as an empty field, and sound that is measured
 * later.
 */
const mayLack = /^404 GET \/API\/(?:shape-tag\/(?:storage-rule\/evil|evil\/script)|item\/[^/]+\/waveform)/;

/** Opens an address, and waits until nothing loads in it. */
async function read(page: Opened, openRequests: ReadonlySet<unknown>, at: string): Promise<void> {
  page.refused.length = 0;
  await page.goto(`${site.address}/ui${at}`);
  const main = page.locator('main');
  await expect.poll(() => main.innerText().then((text) => text.trim().length)).toBeGreaterThan(0);
  await expect.poll(() => main.locator('.skeleton').count(), { message: `${at} goes on loading` }).toBe(0);
  await expect.poll(() => isCalm(page, openRequests), { message: `${at} waits for answers` }).toBe(true);
}

/** A page that has drawn an answer may ask for more: it is drawn three times without a request. */
async function isCalm(page: Opened, openRequests: ReadonlySet<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 3; turn += 1) {
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestIdleCallback(done)))),
    );
    if (openRequests.size > 0) return false;
  }
  return true;
}

const textOf = (page: Opened): Promise<string> =>
  page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    return [document.body.textContent, ...controls.map(({ value }) => value)].join('\n');
  });

/** No text has become an element, and no script has run. What the policy refuses is an error of the page. */
async function isText(page: Opened, at: string): Promise<void> {
  const traces = await page.evaluate(() => [
    'bad' in globalThis,
    document.querySelectorAll('img[src="x"], [onerror]').length,
  ]);
  expect([at, ...traces]).toEqual([at, false, 0]);
}

/** Requests of a page that have no answer yet. A stream of events has no end. */
function openRequestsOf(page: Opened): ReadonlySet<unknown> {
  const requests = new Set<unknown>();
  page.on('request', (request) => !request.url().includes('/API/event') && requests.add(request));
  for (const name of ['requestfinished', 'requestfailed'] as const)
    page.on(name as 'requestfinished', (request) => requests.delete(request));
  return requests;
}

describe.runIf(hasBrowser)('each page opens by its address', () => {
  beforeAll(async () => {
    site = await openSite({ minFreeBytes: 0, outboundAllow: ['127.0.0.0/8'] });
    const visitsByPath = await seedEvil(site);
    first = [...paths.map((path) => visitsByPath[path]?.[0] ?? { at: path }), ...unknown];
    visits = [...paths.flatMap((path) => visitsByPath[path] ?? [{ at: path }]), ...unknown];
    expect(visits.filter(({ at }) => at.includes('{'))).toEqual([]);
  });
  afterAll(() => site.close());

  it.each(kinds)(
    'for %s: what the bar offers is never refused, a refusal is told, and markup of others stays text',
    async (kind) => {
      const page = await site.open({ as: kind });
      await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
      const offered = await page
        .getByRole('navigation', { name: 'Navigation' })
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.slice('/ui'.length)));
      const opened = isWhole(kind) ? first : first.filter(({ at }) => offered.includes(at));
      const openRequests = openRequestsOf(page);
      for (const { at, sees = [] } of kind === 'administrator' ? visits : opened) {
        await read(page, openRequests, at);
        const refused = page.refused.filter((each) => !mayLack.test(each));
        // An answer that has come may not be drawn yet.
        const says = (check: (text: string) => unknown) =>
          expect.poll(async () => check(await textOf(page)), { message: `${at} ${refused}` });
        if (kind === 'administrator') await says((text) => sees.filter((each) => !text.includes(each))).toEqual([]);
        await isText(page, at);
        if (kind === 'nobody' && at !== '/me') {
          expect([at, refused]).toEqual([at, []]);
          await says((text) => text).toMatch(/no role/);
        } else if (refused.length > 0) {
          expect([at, offered.includes(at)]).toEqual([at, false]);
          expect([at, refused.filter((each) => !/^40[034] /.test(each))]).toEqual([at, []]);
          await says((text) => text).toMatch(/the role _\w+\b|is not there|does not go that far/);
        }
      }
    },
  );

  it('shows markup in dialogs and in names of uploads as text', async () => {
    const page = await site.open({ as: 'administrator' });
    const openRequests = openRequestsOf(page);
    for (const { at, opens = {} } of visits.filter((visit) => visit.opens)) {
      await read(page, openRequests, at);
      for (const [name, says] of Object.entries(opens)) {
        await page.getByRole('button', { name, exact: true }).click();
        const dialog = page.getByRole('dialog');
        const said = async () => {
          const values = await dialog
            .locator('input, textarea')
            .evaluateAll((all) => all.map((each) => Reflect.get(each, 'value')));
          return [await dialog.textContent(), ...values].join('\n');
        };
        await expect.poll(said, { message: at }).toContain(says);
        await isText(page, at);
        await page.keyboard.press('Escape');
      }
    }
    await read(page, openRequests, '/uploads');
    const file = { name: evil('Upload'), mimeType: 'video/mp4', buffer: Buffer.from('no film') };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.locator('.upload-row').getByText(evil('Upload')).waitFor();
    await isText(page, '/uploads');
  });
});
