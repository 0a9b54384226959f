import { expect, it } from 'vitest';
import { type Kind, metadataOf, nameOf, type Opened, type OpenOptions, passwordOf, type Site } from './support.ts';

/** Flows that hold on each runtime: log in, search, play. Each takes the service that its tests have opened. */

export const login = async (page: Opened, name: string, password: string) => {
  await page.fill('[name=name]', name);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
};

export function itLogsIn(site: () => Site): void {
  it('refuses a wrong password in words, lets in with the right one, and out again', async () => {
    const page = await site().open();
    await login(page, 'viewer', 'wrong');
    await page.getByText('That name and password do not fit.').waitFor();
    expect(await page.getAttribute('[name=password]', 'aria-invalid')).toBe('true');
    await page.fill('[name=password]', passwordOf('viewer'));
    // After the log-out it would be refused.
    const counted = page.waitForResponse(/\/API\/item\?number=0/);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Library' }).waitFor();
    await counted;
    await page.getByRole('button', { name: 'You: viewer person' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForSelector('[name=password]');
    const answer = await page.request.get(`${site().address}/API/session`, { headers: { 'portico-ui': '1' } });
    expect(answer.status()).toBe(401);
    expect(page.refused).toEqual(['401 GET /API/session', '401 POST /API/session', '401 GET /API/session']);
  });

  it('asks again over the page when the session has ended, keeps what was typed, and sends it', async () => {
    const page = await site().open({ as: 'viewer', at: '/me' });
    await page.fill('[name=old]', 'typed before');
    await site().api('DELETE', `/user/${nameOf('viewer')}/tokens`);
    await page.getByLabel('Theme').selectOption('dark');
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByLabel('Password').fill(passwordOf('viewer'));
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.inputValue('[name=old]')).toBe('typed before');
    await expect
      .poll(async () => JSON.stringify(await site().api('GET', '/user/viewer/metadata')))
      .toContain('"portico.ui.theme","value":"dark"');
  });
}

const focused = (page: Opened) => page.evaluate(() => document.activeElement?.id);

const itemCount = 1000;
const directors = ['Ann Lind', 'Kai Berg', 'Mira Osei', 'Yuki Sato'];
const genres = ['Documentary', 'Drama', 'News'];
export const attack = 'A title with <img src=x onerror=alert(1)> in it';

const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

async function seedOne(site: Site, number: number): Promise<void> {
  const fields = {
    title: number === 13 ? attack : `Harbour ${String(number).padStart(4, '0')}${number % 50 === 0 ? ' at night' : ''}`,
    film_director: directors[number % 4]!,
    film_genre: genres[number % 3]!,
    film_year: String(1960 + (number % 60)),
  };
  const { id } = await site.api<{ readonly id: string }>('POST', '/import/placeholder?container=1', metadataOf(fields));
  if (number < itemCount - 100) return;
  const { uri } = await site.api<{ readonly uri: readonly string[] }>('PUT', `/item/${id}/thumbnailresource`);
  await site.api('PUT', `${uri[0]!.replace(/^.*\/API/, '')}/0@PAL`, pixel);
}

/** Three fields that are filters, and 1,000 items. The last hundred have a picture. */
export async function seedLibrary(site: Site): Promise<void> {
  const field = (name: string, type: string, label: string) => {
    const data = Object.entries({ label_en: label, facet: 'true' }).map(([key, value]) => ({ key, value }));
    return site.api('PUT', `/metadata-field/${name}`, { type, data });
  };
  await field('film_director', 'string-exact', 'Director');
  await field('film_genre', 'string-exact', 'Genre');
  await field('film_year', 'integer-sortable', 'Year');
  let next = 0;
  const work = async () => {
    while (next < itemCount) await seedOne(site, next++);
  };
  await Promise.all([work(), work(), work(), work()]);
}

export const title = (page: Opened, at: number) => page.locator(`#entry-${at} .title`);
export const grid = (page: Opened) => page.getByRole('grid');
export const hits = (page: Opened) => page.locator('.toolbar .count');

export async function openGrid(site: Site, as: Kind, at = '/', options: OpenOptions = {}): Promise<Opened> {
  const page = await site.open({ as, at, ...options });
  await page.waitForSelector('[role=grid] .title');
  return page;
}

export function itSearches(site: () => Site): void {
  it('is searched by words, two filters and a range, all in the address', async () => {
    const page = await openGrid(site(), 'administrator');
    await expect.poll(() => hits(page).textContent()).toBe('1,000 items');
    await page.fill('#search', 'night');
    await expect.poll(() => hits(page).textContent()).toBe('20 items');
    expect(await page.locator('#entry-0 mark').textContent()).toBe('night');
    await page.getByRole('checkbox', { name: /Drama/ }).check();
    await page.getByRole('checkbox', { name: /News/ }).check();
    await expect.poll(() => hits(page).textContent()).toBe('13 items');
    await page.locator('.facets details', { hasText: 'Year' }).getByLabel('From').fill('1990');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.search.includes('r=film_year'));
    await page.getByLabel('Sort', { exact: true }).selectOption('__name');
    await page.waitForFunction(() => location.search.includes('sort=__name'));
    await expect.poll(() => hits(page).textContent()).toBe('7 items');
    await expect.poll(() => title(page, 0).textContent()).toBe('Harbour 0050 at night');
    const first = await title(page, 0).textContent();

    const again = await openGrid(
      site(),
      'administrator',
      new URL(page.url()).pathname.slice(3) + new URL(page.url()).search,
    );
    expect([await hits(again).textContent(), await title(again, 0).textContent()]).toEqual(['7 items', first]);
    await again.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => hits(again).textContent()).toBe('20 items');
  });

  it('is walked by keys from the first of 1,000 items to the last, with one tab stop', async () => {
    const page = await openGrid(site(), 'administrator', '/?sort=__name');
    await grid(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const second = await focused(page);
    expect(second).toMatch(/^entry-[1-9]$/);
    for (let pages = 0; pages < 3; pages += 1) await page.keyboard.press('PageDown');
    await page.keyboard.press('End');
    await expect.poll(() => title(page, itemCount - 1).textContent()).toBe('Harbour 0999');
    expect(await focused(page)).toBe(`entry-${itemCount - 1}`);
    expect(await page.locator('.library [role=grid] [tabindex="0"], .library [role=grid][tabindex="0"]').count()).toBe(
      1,
    );
    // Away and back: the active cell is the stop, and the only one.
    await page.keyboard.press('Tab');
    expect(await grid(page).locator(':focus').count()).toBe(0);
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe(`entry-${itemCount - 1}`);
    // Scrolled out of view it stays the stop.
    await grid(page).evaluate((element) => element.scrollTo(0, 0));
    await title(page, 0).waitFor();
    expect(await focused(page)).toBe(`entry-${itemCount - 1}`);
    await page.keyboard.press('Home');
    await expect.poll(() => title(page, 0).textContent()).toBe(attack);
  });
}

export const timecode = (page: Opened): Promise<string> => page.locator('input.timecode').inputValue();
export const atFrame = (page: Opened, wanted: string) => expect.poll(() => timecode(page)).toBe(wanted);
/** A page that a click opened takes no pointer at first, see `data-rests`. */
export const ready = (page: Opened): Promise<unknown> =>
  page.waitForFunction(
    () =>
      (document.querySelector('video')?.readyState ?? 0) >= 1 && document.querySelector('main[data-rests]') === null,
  );

export async function openFilm(site: Site, film: string, as: Kind = 'administrator', at = ''): Promise<Opened> {
  const page = await site.open({ as, at: `/item/${film}${at}` });
  await ready(page);
  return page;
}

/** The title of the film has markup. */
export function itPlays(site: () => Site, film: () => string): void {
  it('plays a film, seeks by ranges, steps by one frame and keeps the moment in the address', async () => {
    const page = await openFilm(site(), film());
    const ranges: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'media' && request.url().endsWith('/data'))
        ranges.push(request.headers()['range'] ?? '');
    });
    await page.keyboard.press('.');
    await atFrame(page, '00:00:00:01');
    await page.keyboard.press(',');
    await atFrame(page, '00:00:00:00');
    await page.locator('input.timecode').fill('00:00:02:10');
    await page.keyboard.press('Enter');
    await atFrame(page, '00:00:02:10');
    await expect.poll(() => page.evaluate(() => document.querySelector('video')!.currentTime)).toBeCloseTo(2.42, 2);
    await page.waitForFunction(() => location.search.includes('t=2.42'));
    expect((await page.locator('h1').textContent())?.trim()).toBe(attack);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('video')!.currentTime > 2.6);
    await page.keyboard.press('k');
    expect(await page.evaluate(() => document.querySelector('video')!.paused)).toBe(true);
    await page.reload();
    await ready(page);
    expect(await timecode(page)).not.toBe('00:00:00:00');
    expect(ranges.every((range) => range.startsWith('bytes='))).toBe(true);
  });

  it('draws the sound of a short film that nobody has measured', async () => {
    const page = await openFilm(site(), film());
    await page.waitForFunction(() => {
      const wave = document.querySelector<HTMLCanvasElement>('canvas.wave');
      const { width = 0, height = 0 } = wave ?? {};
      return (
        width > 0 &&
        wave!
          .getContext('2d')!
          .getImageData(0, 0, width, height)
          .data.some((value) => value > 0)
      );
    });
  });
}
