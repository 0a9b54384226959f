import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ready, timecode } from '../first-flows.ts';
import {
  type ClosableSite,
  hasBrowser,
  hasFfmpeg,
  importFile,
  makeFilm,
  type Opened,
  openSite,
  seedStorage,
  still,
} from '../support.ts';

const phone = { width: 390, height: 844 };
const touch = { hasTouch: true, isMobile: true };

/** Controls of the page that a finger misses: lower than 44 px, and nothing of theirs lies around them. */
const small = (page: Opened) =>
  page.evaluate(() => {
    const kinds = 'a[href], button, input, select, textarea, summary, [role=tab], [role=option], [role=slider]';
    const wrong: string[] = [];
    for (const control of document.querySelectorAll<HTMLElement>(kinds)) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.matches('.skip, [type=file]')) continue;
      // A link within a sentence is as high as its line.
      const isInText =
        control.matches('a') &&
        [...control.parentElement!.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== '');
      const area = control.closest('label') ?? control;
      const { width, height } = area.getBoundingClientRect();
      if (isInText || width < 2) continue;
      const reaches = (down: number) => {
        area.scrollIntoView({ block: 'center' });
        const box = area.getBoundingClientRect();
        const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2 + down);
        return hit !== null && area.contains(hit);
      };
      const name = control.getAttribute('aria-label') ?? (area.textContent || control.className);
      if (height < 43.5 && !(reaches(-21) && reaches(21)))
        wrong.push(`${control.tagName} ${name.slice(0, 30)} ${Math.round(width)}x${Math.round(height)}`);
      const isText = control.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=range])');
      if (isText && Number.parseFloat(getComputedStyle(control).fontSize) < 16) wrong.push(`${name}: small text`);
    }
    return [...new Set(wrong)];
  });

/** Waits for the end of a scroll that goes on behind the last touch. */
const scrolledOut = (element: Locator) =>
  element.evaluate(
    (scrolled) =>
      new Promise<void>((end) => {
        let [top, frames] = [-1, 0];
        const look = () => {
          frames = scrolled.scrollTop === top ? frames + 1 : 0;
          top = scrolled.scrollTop;
          if (frames < 20) requestAnimationFrame(look);
          else end();
        };
        look();
      }),
  );

describe.runIf(hasBrowser && hasFfmpeg)('a finger', () => {
  let site: ClosableSite;
  let film: string;
  let collection: string;
  let tall: string;
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
    film = await importFile(site, (await makeFilm(site, { seconds: 4 }))!, { title: 'Harbour film' });
    const say = (body: object) => site.api<{ readonly id: string }>('POST', `/item/${film}/annotation`, body);
    const { id: parent } = await say({ text: 'Horizon tilts', start: '50@25', assignedTo: 'admin' });
    await say({ text: 'Straightened', parent });
    const { id } = await site.api<{ readonly id: string }>('POST', '/collection?name=Coast');
    collection = id;
    const picture = join(site.root, 'tall.png');
    execFileSync('ffmpeg', [
      '-loglevel',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=400x1200',
      '-frames:v',
      '1',
      picture,
    ]);
    tall = await importFile(site, picture, { title: 'Tall tower' });
    await site.api('PUT', `/collection/${collection}/${film}?type=item`);
  });
  afterAll(() => site.close());

  const paths = () => [
    ...['/', '/collections', `/collection/${collection}`, '/uploads', '/links', '/jobs', '/storages'],
    ...['/notifications', '/people', '/settings', '/fields', '/tags', '/quota', '/health', '/me'],
    ...['/rights', '/tables', '/fixity', '/embedded'],
    ...['comments', 'metadata', 'files', 'collections', 'history', 'usage', 'access', 'jobs', 'raw'].map(
      (tab) => `/item/${film}?tab=${tab}`,
    ),
  ];

  it('hits each control of each page, and no field makes a phone enlarge the page', async () => {
    const page = await site.open({ as: 'administrator', viewport: phone, ...touch });
    const wrong: Record<string, readonly string[]> = {};
    for (const path of paths()) {
      // Within the page, where it costs no load.
      await page.evaluate((to) => {
        history.pushState(null, '', `/ui${to}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await page.locator('main :is(h1, h2, [role=tab])').filter({ visible: true }).first().waitFor();
      await still(page);
      const rows = await small(page);
      if (rows.length > 0) wrong[path] = rows;
    }
    expect(wrong).toEqual({});
  });

  it('finds a menu within the window, and a press beside it closes it and does nothing else', async () => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}`, viewport: { width: 390, height: 620 } },
      ...touch,
    });
    await ready(page);
    for (const name of ['Actions', 'More', 'Sound, speed and format']) {
      await page.getByRole('button', { name, exact: true }).tap();
      const menu = page.getByRole('menu');
      const { x, y, width, height } = (await menu.boundingBox())!;
      expect([name, x >= 0, y >= 0, x + width <= 390, y + height <= 620]).toEqual([name, true, true, true, true]);
      const { x: left, y: top } = (await page.locator('.stage').boundingBox())!;
      await page.touchscreen.tap(left + 40, top + 60);
      await expect.poll(() => menu.count()).toBe(0);
      expect(await page.evaluate(() => document.querySelector('video')!.paused)).toBe(true);
    }
  });

  it('scrolls the page from the timeline, and seeks by a tap or along it', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${film}`, viewport: phone, ...touch });
    await ready(page);
    const place = page.getByRole('slider', { name: 'Place in the film' });
    const { x, y, width } = (await place.boundingBox())!;
    const session = await page.context().newCDPSession(page);
    const finger = async (...points: readonly (readonly [x: number, y: number])[]) => {
      for (const [index, [left, top]] of points.entries())
        await session.send('Input.dispatchTouchEvent', {
          type: index === 0 ? 'touchStart' : 'touchMove',
          touchPoints: [{ x: left, y: top }],
        });
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const middle = x + width / 2;
    const main = page.locator('main');
    // A busy browser may take a slow finger for a long press: people try again, too.
    await expect
      .poll(async () => {
        await page.locator('video').evaluate((video: HTMLVideoElement) => (video.currentTime = 0));
        await finger([middle, y + 20], [middle + 1, y - 20], [middle + 1, y - 80], [middle + 1, y - 140]);
        await scrolledOut(main);
        return [await main.evaluate(({ scrollTop }) => scrollTop > 0), await timecode(page)];
      })
      .toEqual([true, '00:00:00:00']);
    await expect
      .poll(async () => {
        await main.evaluate((element) => element.scrollTo(0, 0));
        await finger([x + 20, y + 20], [x + 60, y + 20], [middle, y + 22]);
        return timecode(page);
      })
      .toBe('00:00:02:00');
  });

  it('takes the tick of a mention at the first tap, and the text keeps the focus', async () => {
    const page = await site.open({ as: 'administrator', at: `/item/${film}`, viewport: phone, ...touch });
    await ready(page);
    const text = page.getByLabel('Text of the comment');
    await text.tap();
    await page.keyboard.type('@admin look');
    const tick = page.getByRole('checkbox', { name: /^Assign to/ });
    await page.locator('.composer .check').tap();
    expect(await tick.isChecked()).toBe(true);
    expect(await text.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('sees the whole time code, and fields above the bar that saves', async () => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}?tab=metadata`, viewport: { width: 390, height: 480 } },
      ...touch,
    });
    await ready(page);
    const isWhole = () =>
      page.locator('input.timecode').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    expect(await isWhole()).toBe(true);
    const field = page.locator('.form :is(input, textarea):not([type=radio], [type=checkbox])').last();
    await field.tap();
    await page.keyboard.type('1');
    const bar = page.locator('.save-bar');
    await bar.waitFor();
    const edges = async () => [await field.boundingBox(), await bar.boundingBox()].map((box) => box!);
    await expect
      .poll(async () => (await edges()).map(({ y, height }) => [y, y + height]))
      .toSatisfy(([field, bar]: number[][]) => field![1]! <= bar![0]!);
  });

  it('saves with the first tap that ends the typing', async () => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}?tab=metadata`, viewport: phone },
      ...touch,
    });
    await ready(page);
    await page.locator('.form :is(input, textarea):not([type=radio], [type=checkbox])').first().tap();
    await page.keyboard.type('2');
    expect(await page.locator('.bar').isVisible()).toBe(false);
    const save = (await page.getByRole('button', { name: 'Save', exact: true }).boundingBox())!;
    await page.touchscreen.tap(save.x + save.width / 2, save.y + save.height / 2);
    await page.locator('.save-bar').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.bar').isVisible()).toBe(true);
  });

  it.each([
    [320, 640],
    [390, 844],
    [844, 390],
    [768, 1024],
  ])('sees a tall picture whole, and over the window, at %i x %i', async (width, height) => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${tall}`, viewport: { width, height } },
      ...touch,
    });
    const picture = page.locator('.stage img');
    await expect.poll(() => picture.evaluate((each) => (each as HTMLImageElement).naturalHeight)).toBe(1200);
    const [inner, outer] = [await picture.boundingBox(), await page.locator('.stage').boundingBox()].map((box) => box!);
    expect([inner!.y >= outer!.y - 1, inner!.y + inner!.height <= outer!.y + outer!.height + 1]).toEqual([true, true]);
    expect(outer!.y + outer!.height).toBeLessThanOrEqual(height);
    await page.getByRole('button', { name: 'Whole screen' }).tap();
    const large = page.getByRole('dialog', { name: 'Tall tower' });
    await large.waitFor();
    expect(await large.boundingBox()).toEqual({ x: 0, y: 0, width, height });
    await large.getByRole('button', { name: 'Close' }).tap();
    await large.waitFor({ state: 'detached' });
  });

  it.each([
    [320, 640, 1],
    [390, 844, 1],
    [390, 844, 2],
    [844, 390, 1],
  ])('reaches all actions of an item at %i x %i with texts %i times as large', async (width, height, scale) => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}`, viewport: { width, height } },
      ...touch,
    });
    await ready(page);
    await page.evaluate((by) => {
      document.documentElement.style.fontSize = `${by * 14}px`;
    }, scale);
    const acts = page.locator('.item-head .acts');
    for (const action of [
      acts.getByRole('button', { name: /^Approval: / }),
      acts.getByRole('button', { name: 'Add to favourites' }),
      acts.getByRole('link', { name: 'Download' }),
      acts.getByRole('button', { name: 'Share' }),
    ]) {
      const box = (await action.boundingBox())!;
      expect(box.x >= 0 && box.x + box.width <= width).toBe(true);
      await action.click({ trial: true, timeout: 5_000 });
    }
  });

  it('has an open menu over the notice that is shown', async () => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}`, viewport: { width: 390, height: 620 } },
      ...touch,
    });
    await ready(page);
    await page.getByRole('checkbox', { name: 'Done' }).check();
    await page.locator('.toast').waitFor();
    await page.getByRole('button', { name: 'Sound, speed and format' }).tap();
    const [menu, toast] = await Promise.all(
      ['.menu-list', '.toast'].map(async (each) => (await page.locator(each).boundingBox())!),
    );
    expect(menu!.y < toast!.y + toast!.height && menu!.y + menu!.height > toast!.y).toBe(true);
    const covered = await page.getByRole('menuitem').evaluateAll((all) =>
      all
        .filter((each) => {
          const { x, y, width, height } = each.getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + height / 2) !== each;
        })
        .map(({ textContent }) => textContent),
    );
    expect(covered).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap();
    await expect
      .poll(
        async () =>
          (await site.api<{ annotation: { state?: string }[] }>('GET', `/item/${film}/annotation`)).annotation[0]
            ?.state,
      )
      .not.toBe('done');
  });

  it('keeps the shell where it is on pages with hidden heads of tables', async () => {
    const page = await site.open({ as: 'administrator', at: '/me', viewport: phone, ...touch });
    await page.getByRole('heading', { name: 'Password' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(844);
  });

  it.each([320, 390])('finds the columns of a table within the window of %i px', async (width) => {
    const page = await site.open({ as: 'administrator', viewport: { width, height: 640 }, ...touch });
    await page.locator('.views label', { hasText: 'Table' }).tap();
    await page.getByText('Columns').tap();
    const box = (await page.locator('.columns > div').boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual((await page.locator('.bar').boundingBox())!.y);
  });

  it.each([
    [320, 640, '.tab-row'],
    [390, 844, '.comments .entry-head'],
    [768, 1024, '.comments .entry-head'],
    [844, 390, '.comments .entry-head'],
  ] as const)('sees the film, Play and what is said on opening an item at %i x %i', async (width, height, last) => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}`, viewport: { width, height } },
      ...touch,
    });
    await ready(page);
    await page.locator('.comments .entry-head').first().waitFor();
    const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    const composer = await boxOf('.composer');
    for (const selector of ['.stage video', '.controls .main', last]) {
      const { x, y, width: across, height: down } = await boxOf(selector);
      const isBeside = x + across <= composer.x;
      const end = isBeside ? height : composer.y;
      expect([selector, y >= 0, y + down / 2 <= end]).toEqual([selector, true, true]);
    }
    const { width: shown, height: high } = await boxOf('.stage video');
    expect(Math.min(shown, (high * 16) / 9)).toBeGreaterThan(width >= 800 ? 350 : width * 0.7);
  });

  it.each([phone, { width: 844, height: 390 }])('has the whole film on the whole screen at %o', async (viewport) => {
    const page = await site.open({ as: 'administrator', at: `/item/${film}`, viewport, ...touch });
    await ready(page);
    await page.getByRole('button', { name: 'Whole screen' }).tap();
    await page.waitForFunction(() => document.fullscreenElement !== null);
    const box = await page.locator('.stage video').boundingBox();
    expect(box).toEqual({ x: 0, y: 0, ...viewport });
    await page.getByRole('button', { name: 'Play', exact: true }).tap();
    const opacity = () => page.locator('.controls').evaluate((each) => getComputedStyle(each).opacity);
    expect(await opacity()).toBe('1');
    await expect.poll(opacity).toBe('0');
    // A tap brings the controls back, and another one takes them from a picture that stands.
    const picture = { position: { x: 30, y: 30 } };
    await page.locator('.stage video').tap(picture);
    await expect.poll(opacity).toBe('1');
    await page.getByRole('button', { name: 'Pause', exact: true }).tap();
    await page.locator('.stage video').tap(picture);
    await expect.poll(opacity).toBe('0');
    expect(await page.locator('.stage video').evaluate((video) => (video as HTMLVideoElement).paused)).toBe(true);
    await page.locator('.stage video').tap(picture);
    await expect.poll(opacity).toBe('1');
  });

  it('opens a collection within one, and leaves the filters by a button that counts', async () => {
    const { id } = await site.api<{ readonly id: string }>('POST', '/collection?name=Rushes');
    await site.api('PUT', `/collection/${collection}/${id}?type=collection`);
    const page = await site.open({
      ...{ as: 'administrator', at: `/collection/${collection}`, viewport: phone },
      ...touch,
    });
    await page
      .getByRole('navigation', { name: 'Collections', exact: true })
      .getByRole('link', { name: 'Rushes' })
      .tap();
    await page.getByRole('heading', { name: 'Rushes' }).waitFor();
    await page.goto(`${site.address}/ui/`);
    await page.getByRole('button', { name: 'Filters' }).tap();
    await page.getByRole('button', { name: 'Show 2 items' }).waitFor();
    await page.locator('.facets label', { hasText: 'Picture' }).tap();
    await page.getByRole('button', { name: 'Show 1 item', exact: true }).tap();
    await expect.poll(() => page.locator('.facets').isVisible()).toBe(false);
    await site.api('DELETE', `/collection/${id}`);
  });

  it('reads the time on the smallest phone, has what it answers in sight, and the navigation back after Send', async () => {
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${film}`, viewport: { width: 320, height: 640 } },
      ...touch,
    });
    await ready(page);
    await page.getByRole('button', { name: 'One frame on' }).tap();
    await expect.poll(() => page.locator('input.timecode').inputValue()).toBe('00:00:00:01');
    expect(await page.locator('input.timecode').isVisible()).toBe(true);
    const say = (text: string) => site.api<{ readonly id: string }>('POST', `/item/${film}/annotation`, { text });
    const made = [];
    for (let at = 0; at < 12; at++) made.push(await say(`Note ${at}`));
    await page.getByText('Note 11').waitFor();
    const row = page.locator('.comments li', { hasText: 'Note 5' });
    await row.getByRole('button', { name: /^Reply/ }).tap();
    await page.locator('.composer .chip').waitFor();
    await still(page);
    const top = (await page.getByRole('form', { name: 'Comment' }).boundingBox())!.y;
    const words = (await row.locator('.comment-text').boundingBox())!;
    expect(words.y).toBeGreaterThan(0);
    expect(words.y + words.height).toBeLessThanOrEqual(top);
    await page.keyboard.type('Yes');
    await page.getByRole('button', { name: 'Send' }).tap();
    await page.getByText('Yes', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('TEXTAREA');
    for (const { id } of made) await site.api('DELETE', `/item/${film}/annotation/${id}`);
  });

  it.each([
    ['200 %', 390, 2],
    ['a page enlarged to', 195, 1],
  ])('reads texts of %s in %i pixels, and nothing is wider than the window', async (_, width, scale) => {
    const page = await site.open({
      ...{ as: 'administrator', locale: 'sv', viewport: { width, height: 844 } },
      ...touch,
    });
    await page.evaluate((by) => {
      document.documentElement.style.fontSize = `${by * 14}px`;
    }, scale);
    for (const path of ['/', '/uploads', '/me', `/item/${film}`, `/item/${film}?tab=metadata`]) {
      await page.evaluate((to) => {
        history.pushState(null, '', `/ui${to}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await page.locator('main :is(h1, h2, [role=tab])').filter({ visible: true }).first().waitFor();
      await still(page);
      const widths = await page.evaluate(() => {
        const main = document.querySelector('main')!;
        return [document.documentElement.scrollWidth, main.scrollWidth - main.clientWidth];
      });
      expect([path, ...widths]).toEqual([path, width, 0]);
    }
  });
});
