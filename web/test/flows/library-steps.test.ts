import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareOfRows } from '../../../test/support/long.ts';
import {
  bringAxe,
  type ClosableSite,
  hasBrowser,
  importFile,
  type Opened,
  openSite,
  seedItems,
  seedStorage,
  violations,
} from '../support.ts';

/** Windows that people have: three of a phone or tablet, three of a desk. */
const windows = ['320x640', '390x844', '768x1024', '1024x768', '1366x800', '1920x1080'] as const;
const allMeans = ['touch', 'mouse', 'keys'] as const;
type Means = (typeof allMeans)[number];

/** Every means at every size in the long form, otherwise each means at two sizes. */
const meansAt = (size: (typeof windows)[number]) => shareOfRows(3, allMeans, windows.indexOf(size));

let site: ClosableSite;

function optionsOf(size: string, means: Means) {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { viewport: { width, height }, hasTouch: means === 'touch', isMobile: means === 'touch' };
}

/** A person at a list, whose clicks, taps and keys are counted. */
async function personAt(size: string, means: Means, at = '/') {
  const page = await site.open({ as: 'administrator', at, ...optionsOf(size, means) });
  await page.locator('#entry-8, #entry-3').first().waitFor();
  // Waits for the scripts that the first use needs.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /later-/.test(name)));
  if (means === 'keys') await page.locator('[role=grid]').focus();
  const person = {
    page,
    steps: 0,
    async press(...keys: string[]) {
      for (const key of keys) {
        await page.keyboard.press(key);
        person.steps += 1;
      }
    },
    async point(selector: string, modifiers: ('Control' | 'Shift')[] = []) {
      const place = page.locator(selector);
      if (means === 'touch') await place.tap();
      else await place.click({ modifiers });
      person.steps += 1;
    },
    /** A finger rests on a place. */
    async hold(selector: string, { moves = 0 } = {}) {
      const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
      const session = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', down = 0) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2, y: y + height / 2 + down }],
        });
      await touch('touchStart');
      if (moves > 0) await touch('touchMove', moves);
      await page.waitForTimeout(550);
      await touch('touchEnd');
      person.steps += 1;
    },
  };
  return person;
}

const idOf = (page: Opened, entry: number) => page.locator(`#entry-${entry} a[href]`).first().getAttribute('href');
/** A storage takes what a test brings in: made where no earlier test has made one. */
async function needsStorage(): Promise<void> {
  const { storage = [] } = await site.api<{ readonly storage?: readonly unknown[] }>('GET', '/storage');
  if (storage.length === 0) await seedStorage(site);
}

/** Drops a file as soon as the page takes files. */
const dropFile = (page: Opened, name: string) =>
  page.waitForFunction((file) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['a'], file, { type: 'text/plain' }));
    const event = new DragEvent('drop', { dataTransfer, cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
  }, name);

const selected = (page: Opened) => page.locator('[role=grid] [aria-selected=true]').count();
const isAt = (page: Opened, path: string | null) => page.waitForFunction((to) => location.pathname === to, path);

describe.runIf(hasBrowser)('the library in steps', () => {
  beforeAll(async () => {
    site = await openSite({ minFreeBytes: 0 });
    const names = Array.from({ length: 40 }, (_, at) => `Item ${at} with a rather long name of many words`);
    await seedItems(site, names);
  });
  afterAll(() => site.close());

  describe.each(windows)('at %s', (size) => {
    it.each(meansAt(size))('one step opens an item, and one leads back to its place, by %s', async (means) => {
      const person = await personAt(size, means);
      const { page } = person;
      const to = await idOf(page, 1);
      if (means === 'keys') await page.keyboard.press('ArrowRight');
      await (means === 'keys' ? person.press('Enter') : person.point('#entry-1 .tile'));
      await isAt(page, to);
      expect(person.steps).toBe(1);
      await page.goBack();
      // The keyboard goes on where it was.
      await page.locator('#entry-1:focus').waitFor();
    });

    it.each(meansAt(size))('three items are selected in three steps, and Escape ends it, by %s', async (means) => {
      const person = await personAt(size, means);
      const { page } = person;
      if (means === 'keys') await person.press('x', 'Shift+ArrowRight', 'Shift+ArrowRight');
      else if (means === 'touch') {
        await person.hold('#entry-0 .tile');
        await person.point('#entry-1 .tile');
        await person.point('#entry-2 .tile');
      } else {
        await page.locator('#entry-0').hover();
        await person.point('#entry-0 .tick');
        await person.point('#entry-2 .tile', ['Shift']);
      }
      await expect.poll(() => selected(page)).toBe(3);
      expect(person.steps).toBeLessThanOrEqual(3);
      await page.locator('.selection').getByText('3 selected').waitFor();
      expect(new URL(page.url()).pathname).toBe('/ui/');
      await page.keyboard.press('Escape');
      await expect.poll(() => selected(page)).toBe(0);
    });

    it('nothing is wider than the window', async () => {
      await needsStorage();
      const page = await site.open({ as: 'administrator', ...optionsOf(size, 'touch') });
      for (const at of ['/', '/collections', '/uploads', '/jobs', '/me', '/?q=item']) {
        if (at !== '/') await page.goto(`${site.address}/ui${at}`);
        await page.locator('main :is(h1, h2)').first().waitFor();
        await page.waitForTimeout(300);
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll('main *')].flatMap((element) => {
            const { right, width } = element.getBoundingClientRect();
            return width > 0 && right > innerWidth + 1 && !element.closest('.unseen')
              ? [element.outerHTML.slice(0, 90)]
              : [];
          }),
        );
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([at, over <= 0, wide]).toEqual([at, true, []]);
      }
    });
  });

  it.each(['1366x800', '390x844'])(
    'a double click of 60 ms opens the tile that was clicked, each time, at %s',
    async (size) => {
      const person = await personAt(size, 'mouse');
      const { page } = person;
      for (const entry of [0, 1, 2, 3]) {
        const to = await idOf(page, entry);
        await page.locator(`#entry-${entry} .tile`).click({ clickCount: 2, delay: 5 });
        await page.waitForTimeout(60);
        await isAt(page, to);
        await page.waitForTimeout(400);
        expect(new URL(page.url()).pathname).toBe(to);
        await page.goBack();
        await page.locator(`#entry-${entry}`).waitFor();
      }
    },
  );

  it('a right click opens the menu of the tile, and with Shift that of the browser', async () => {
    const { page } = await personAt('1366x800', 'mouse');
    const title = (await page.locator('#entry-1 .title').textContent()) ?? '';
    await page.locator('#entry-1').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Describe' }).waitFor();
    expect(await page.getByRole('menu').getAttribute('aria-label')).toContain(title);
  });

  it('a keyword says why an item was found, and stars are a filter', async () => {
    const stars = { type: 'integer', integerRestriction: { minInclusive: 1, maxInclusive: 5 } };
    const facet = [{ key: 'facet', value: 'true' }];
    await site.api('PUT', '/metadata-field/film_rating', { ...stars, data: facet });
    await site.api('PUT', '/metadata-field/film_words', { type: 'string-exact', data: facet });
    const [id] = await seedItems(site, ['Pier'], { film_words: 'seagull', film_rating: '4' });
    const page = await site.open({ as: 'administrator', at: '/?q=seagull' });
    await page.locator('.cell .under mark').getByText('seagull').waitFor();
    await page.goto(`${site.address}/ui/`);
    await page.getByRole('checkbox', { name: /^4 ★/ }).check();
    await expect.poll(() => page.locator('.cell .title').allTextContents()).toEqual(['Pier']);
    await site.api('DELETE', `/item/${id}`);
  });

  it('a finger that moves by more than 10 px holds nothing', async () => {
    const person = await personAt('390x844', 'touch');
    await person.hold('#entry-2 .tile', { moves: 40 });
    expect([await selected(person.page), new URL(person.page.url()).pathname]).toEqual([0, '/ui/']);
  });

  it('details lie over the grid at the side away from the tile: nothing moves, the focus stays, Pin sets them beside', async () => {
    const { page } = await personAt('1366x800', 'keys');
    const boxes = () =>
      page.locator('.cell').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
    const before = await boxes();
    await page.keyboard.press('i');
    await page.locator('.panel h2').waitFor();
    expect(await boxes()).toEqual(before);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('entry-0');
    const covers = (entry: number) =>
      page.evaluate((at) => {
        const [tile, panel] = [`#entry-${at}`, '.panel'].map((each) =>
          document.querySelector(each)!.getBoundingClientRect(),
        );
        return tile!.left < panel!.right - 1 && tile!.right > panel!.left + 1;
      }, entry);
    const columns = Number(await page.locator('[role=grid]').getAttribute('aria-colcount'));
    for (let entry = 0; entry < columns; entry += 1) {
      await expect.poll(() => page.locator('[data-shown]').getAttribute('id')).toBe(`entry-${entry}`);
      expect([entry, await covers(entry)]).toEqual([entry, false]);
      await page.keyboard.press('ArrowRight');
    }
    const active = page.locator('[data-active]');
    const height = (await active.boundingBox())!.y;
    await page.getByRole('button', { name: 'Pin' }).click();
    await page.locator('.panel[data-pinned]').waitFor();
    await expect.poll(async () => Math.abs((await active.boundingBox())!.y - height)).toBeLessThan(2);
    expect(await page.locator('.panel').evaluate((panel) => getComputedStyle(panel).position)).toBe('static');
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await site.api('DELETE', '/user/admin/metadata/portico.ui.library').catch(() => undefined);
  });

  it('few tabs lead from the search to the first tile', async () => {
    const { page } = await personAt('1366x800', 'mouse');
    await page.locator('#search').focus();
    let tabs = 0;
    for (; tabs < 20 && !(await page.locator('#entry-0:focus').count()); tabs += 1) await page.keyboard.press('Tab');
    expect(tabs).toBeLessThanOrEqual(7);
  });

  it.each(['mouse', 'keys', 'touch'] as const)(
    'the menu of a tile leads to what can be done with it, by %s',
    async (means) => {
      const size = means === 'touch' ? '390x844' : '1366x800';
      const { page } = await personAt(size, means);
      if (means === 'keys') await page.keyboard.press('Shift+F10');
      else if (means === 'touch') await page.locator('#entry-0 .more').tap();
      else {
        await page.locator('#entry-0').hover();
        await page.locator('#entry-0 .more').click();
      }
      const menu = page.getByRole('menu');
      await menu.waitFor();
      expect(await menu.getByRole('menuitem').allTextContents()).toEqual(
        expect.arrayContaining(['Open', 'Details', 'Select', 'Share', 'Download', 'Add to', 'Describe', 'Delete']),
      );
      await bringAxe(page);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      await page.locator('#entry-0:focus').waitFor();
      if (means !== 'touch') return;
      await page.locator('#entry-0 .more').tap();
      await page.getByRole('menuitem', { name: 'Details' }).tap();
      const sheet = (await page.locator('.panel').boundingBox())!;
      expect([sheet.x, sheet.width]).toEqual([0, 390]);
    },
  );

  it('controls of a phone are 44 px, its selection bar stands for the navigation, and its keyboard hides that', async () => {
    await needsStorage();
    const { page } = await personAt('390x844', 'touch');
    const small = () =>
      page.locator('main :is(button, select, .views label), .bar a, .selection button').evaluateAll((all) =>
        all.flatMap((element) => {
          const { width, height } = element.getBoundingClientRect();
          return width > 0 && (width < 43.5 || height < 43.5)
            ? [`${element.outerHTML.slice(0, 60)} ${width}x${height}`]
            : [];
        }),
      );
    expect(await small()).toEqual([]);
    expect(await page.locator('.bar li').allTextContents()).toEqual(
      expect.arrayContaining(['Library', 'Collections', 'Uploads', 'Menu']),
    );
    await page.locator('#entry-0 .tick').tap();
    await page.locator('.selection').waitFor();
    expect(await page.locator('.bar').isVisible()).toBe(false);
    expect(await small()).toEqual([]);
    await page.getByRole('button', { name: 'Select none' }).tap();
    await expect.poll(() => page.locator('.bar').isVisible()).toBe(true);
    await page.locator('#search').tap();
    expect(await page.locator('.bar').isVisible()).toBe(false);
  });

  it('one item is described in its form', async () => {
    const { page } = await personAt('1366x800', 'mouse');
    await page.locator('#entry-0 .tick').click();
    await page.getByRole('button', { name: 'Describe', exact: true }).click();
    await page.waitForURL('**/ui/item/*');
    await page.locator('.form :is(input, textarea)').first().waitFor();
    await expect.poll(() => page.getByRole('tab', { name: 'Details' }).getAttribute('aria-selected')).toBe('true');
  });

  it('a file without a picture has a symbol and its ending', async () => {
    await needsStorage();
    await writeFile(join(site.root, 'Call sheet.pdf'), '%PDF-1.4');
    const id = await importFile(site, join(site.root, 'Call sheet.pdf'));
    const page = await site.open({ as: 'administrator', at: '/?q=sheet' });
    await page.locator('#entry-0 .icon').waitFor();
    expect(await page.locator('#entry-0 .ending').textContent()).toBe('PDF');
    await site.api('DELETE', `/item/${id}`);
  });

  it('twenty files are dropped in one step, and each tile becomes its item, in place and in the open collection', async () => {
    const { id } = await site.api<{ readonly id: string }>('POST', '/collection?name=Dropped');
    await needsStorage();
    const page = await site.open({ as: 'administrator', at: `/collection/${id}` });
    await page.locator('.nothing').waitFor();
    const names = Array.from({ length: 20 }, (_, at) => `Note ${at}.txt`);
    await page.evaluate((all) => {
      const dataTransfer = new DataTransfer();
      for (const name of all) dataTransfer.items.add(new File([name], name, { type: 'text/plain' }));
      dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
    }, names);
    await page.locator('#entry-0').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/ui/collection/${id}`);
    const tiles = page.locator('.cell');
    await expect.poll(() => tiles.locator('.title').first().textContent()).toBe('Note 0.txt');
    await expect.poll(() => page.locator('.upload-over').count()).toBe(0);
    await expect.poll(() => page.locator('.toolbar .count').textContent()).toBe('20 items');
    expect((await tiles.locator('.title').allTextContents()).slice(0, 4)).toEqual(names.slice(0, 4));
    await expect.poll(() => page.getByRole('button', { name: /new: Show/ }).count()).toBe(0);
    const { hits } = await site.api<{ readonly hits: number }>('PUT', `/collection/${id}/item?number=0`, {});
    expect(hits).toBe(20);
    await tiles.first().locator('a[href^="/ui/item/"]').click();
    await page.getByText('1 of 20', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next item' }).click();
    await page.getByText('2 of 20', { exact: true }).waitFor();
    await page.waitForURL('**/ui/item/*');
  });

  it('the filter of days comes first, and filters stay as they were folded, also after a reload', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    const first = page.locator('.facets details').first();
    await first.locator('summary', { hasText: 'Added' }).waitFor();
    await first.getByRole('button', { name: 'Today' }).waitFor();
    const kind = page.locator('.facets details', { has: page.locator('summary', { hasText: 'Kind' }) });
    await kind.locator('ul').waitFor();
    const kept = page.waitForRequest((request) => request.postData()?.includes('\\"open\\"') === true);
    await kind.locator('summary').click();
    await kind.locator('ul').waitFor({ state: 'hidden' });
    await kept;
    await page.reload();
    await first.getByRole('button', { name: 'Today' }).waitFor();
    await kind.locator('summary').waitFor();
    await expect.poll(() => kind.locator('ul').isVisible()).toBe(false);
    await kind.locator('summary').click();
    await kind.locator('ul').waitFor();
  });

  it('filters count what was dropped, soon and without a reload', async () => {
    await needsStorage();
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('#entry-0').waitFor();
    const facets = page.locator('.facets');
    await facets.waitFor();
    const count = async () => Number(/Document\D*(\d+)/.exec((await facets.textContent()) ?? '')?.[1] ?? 0);
    await expect.poll(count).toBeGreaterThan(0);
    const before = await count();
    await dropFile(page, 'Counted.txt');
    await page.locator('.cell', { hasText: 'Counted.txt' }).waitFor();
    await expect.poll(count).toBe(before + 1);
  });

  it('all items are as many in the selection bar as in the head of the list, with what was dropped', async () => {
    await needsStorage();
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('#entry-0').waitFor();
    const count = async () => Number.parseInt((await page.locator('.toolbar .count').textContent()) ?? '', 10);
    const before = await count();
    await dropFile(page, 'One more.txt');
    await expect.poll(count).toBe(before + 1);
    await page.locator('#entry-1 .tick').click();
    await page.getByRole('button', { name: `Select all ${before + 1}`, exact: true }).click();
    await page
      .locator('.selection')
      .getByText(`${before + 1} selected`)
      .waitFor();
  });

  it('a search and a filter show what they find, and no file that is on its way', async () => {
    await needsStorage();
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('#entry-0').waitFor();
    await page.route('**/API/upload', (route) => route.fulfill({ status: 507, json: {} }));
    await dropFile(page, 'On its way.txt');
    await page.locator('.cell', { hasText: 'On its way.txt' }).waitFor();
    await page.locator('#search').fill('Item 7');
    // The id of another item has the number, too.
    await expect.poll(() => page.locator('.cell .title').count()).toBeLessThan(4);
    expect(await page.locator('.cell', { hasText: 'On its way.txt' }).count()).toBe(0);
    await page.locator('#search').fill('');
    await page.locator('.cell', { hasText: 'On its way.txt' }).waitFor();
    await page.getByRole('button', { name: 'Remove On its way.txt' }).click();
  });

  it('an upload that fails says why on its tile, and is tried again there', async () => {
    await needsStorage();
    const page = await site.open({ as: 'administrator', at: '/' });
    await page.locator('#entry-0').waitFor();
    let refuses = true;
    await page.route('**/API/upload', (route) =>
      refuses
        ? route.fulfill({ status: 507, json: { invalidInput: { explanation: 'The desk is full' } } })
        : route.continue(),
    );
    await dropFile(page, 'Full.txt');
    await page.locator('#entry-0').getByText('The desk is full').waitFor();
    refuses = false;
    await page.locator('#entry-0').getByRole('button', { name: 'Go on with Full.txt' }).click();
    await page.locator('#entry-0 a[href^="/ui/item/"]').waitFor();
  });

  it('the toolbar counts new items by the search of the page', async () => {
    const { id } = await site.api<{ readonly id: string }>('POST', '/collection?name=Empty');
    const [library, empty] = [
      await site.open({ as: 'administrator', at: '/?q=fresh' }),
      await site.open({ as: 'administrator', at: `/collection/${id}` }),
    ];
    for (const page of [library, empty]) await page.locator('.nothing').waitFor();
    const [other] = await seedItems(site, ['Something else']);
    const fresh = await seedItems(site, ['Fresh fish', 'Fresh bread']);
    await library.getByRole('button', { name: '2 new: Show' }).waitFor();
    expect(await empty.getByRole('button', { name: /new: Show/ }).count()).toBe(0);
    await library.getByRole('button', { name: '2 new: Show' }).click();
    await library.locator('#entry-1').waitFor();
    expect(await library.getByRole('button', { name: /new: Show/ }).count()).toBe(0);
    for (const item of [other, ...fresh]) await site.api('DELETE', `/item/${item}`);
  });
});
