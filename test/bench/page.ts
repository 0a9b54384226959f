import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { jpegFile } from '../../src/production/transcoding/codecs/jpeg-writer.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startService } from './runtimes.ts';
import { wordAt } from './search/content.ts';
import { authorizationOf, openDataSet } from './search/data-set.ts';

/** The library in Chromium, with a thousand and with a hundred thousand items, while ten other persons search. */

const browserPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const rounds = 7;
const others = 10;
/** Milliseconds between the searches of another person. */
const between = 1000;
/** Milliseconds that the page waits for the next key. */
const pause = 180;
const pictures = 24;
const comments = 2000;
/** Words that 0.5 to 5 percent of the items have. */
const wordOf = (turn: number): string => wordAt(150 + ((turn * 37) % 1000));

export async function benchPage(runtime: RuntimeName): Promise<Row[]> {
  if (!existsSync(browserPath)) {
    console.log(`    There is no Chromium at ${browserPath}: the page is left out`);
    return [];
  }
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const rows: Row[] = [];
  try {
    for (const items of [1000, 100_000]) rows.push(...(await benchLibrary(browser, runtime, items)));
  } finally {
    await browser.close();
  }
  return rows;
}

async function benchLibrary(browser: Browser, runtime: RuntimeName, items: number): Promise<Row[]> {
  const set = await openDataSet(items);
  const service = await startService(runtime, set.root);
  try {
    await addPicturesAndFacets(service);
    const views: View[] = [];
    for (let round = 0; round < rounds; round += 1) views.push(await firstView(browser, service));
    const context = await loggedIn(browser, service);
    const page = await context.newPage();
    await page.goto(addressOf(service));
    await page.waitForSelector('[role=grid] .title');
    const alone = await searchTimes(page, 0);
    const stop = await searchBeside(page, service);
    const beside = await searchTimes(page, rounds);
    await stop();
    await page.goto(addressOf(service));
    await page.waitForSelector('[role=grid] .title');
    const scrolled = await scroll(page);
    const talkedAbout = await readComments(page, service);
    await context.close();
    const within = (name: string, value: number, max: number): Row => ({
      name: `${name}, ${items.toLocaleString('en')} items`,
      ratio: value / max,
      ceiling: 1,
      value,
    });
    const middle = (key: keyof View) => median(views.map((view) => view[key]));
    return [
      within('first paint, ms, of 200', middle('paint'), 200),
      within('twelve pictures seen, ms, of 600', middle('seen'), 600),
      within('requests until the first picture, of 5', middle('requests'), 5),
      within('search until drawn, ms, of 300', median(alone), 300),
      within('search until drawn beside ten persons, ms, of 300', median(beside), 300),
      within('long tasks while 30,000 pixels are scrolled, and 1, of 1', scrolled.long + 1, 1),
      within('nodes in the grid, of 500', scrolled.nodes, 500),
      within('heap after 10,000 items, MB, of 40', scrolled.megabytes, 40),
      within('nodes of the page of an item with 2,000 comments, of 1,000', talkedAbout, 1000),
    ];
  } finally {
    await service.stop();
    await set.remove();
  }
}

const addressOf = ({ port }: Started): string => `http://127.0.0.1:${port}/ui/`;

async function ask<T>({ port }: Started, method: string, path: string, body?: object | Uint8Array): Promise<T> {
  const type = body instanceof Uint8Array ? 'image/jpeg' : 'application/json';
  const response = await fetch(`http://127.0.0.1:${port}/API${path}`, {
    method,
    headers: { authorization: authorizationOf('admin'), accept: 'application/json', 'content-type': type },
    ...(body && { body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Expected 200 from ${method} ${path}: ${response.status} ${text}`);
  return (text.startsWith('{') ? JSON.parse(text) : text) as T;
}

async function addPicturesAndFacets(service: Started): Promise<void> {
  for (const name of ['b_exact0', 'b_exact1', 'b_number0']) {
    await ask(service, 'PUT', `/metadata-field/${name}/metadata`, { field: [{ key: 'facet', value: 'true' }] });
  }
  const { item } = await ask<{ readonly item: readonly { readonly id: string }[] }>(
    service,
    'PUT',
    `/item?number=${pictures}`,
    {},
  );
  const [width, height] = [320, 180];
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => (at * 7 + (at >> 9)) & 255);
  for (const { id } of item) {
    const { uri } = await ask<{ readonly uri: readonly string[] }>(service, 'PUT', `/item/${id}/thumbnailresource`);
    await ask(service, 'PUT', `${uri[0]!.replace(/^.*\/API/, '')}/0@PAL`, jpegFile({ width, height, data }));
  }
}

async function loggedIn(browser: Browser, { port }: Started): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  // The loader of TypeScript names functions by this one, which a browser has not.
  await context.addInitScript('globalThis.__name = (each) => each');
  const headers = { authorization: authorizationOf('admin'), 'portico-ui': '1' };
  const answer = await context.request.post(`http://127.0.0.1:${port}/API/session`, { headers });
  if (!answer.ok()) throw new Error(`Expected a session: ${answer.status()}`);
  return context;
}

interface View {
  /** Milliseconds from the start of the navigation. */
  readonly paint: number;
  readonly seen: number;
  /** Requests, without pictures. */
  readonly requests: number;
}

/** A person opens the page with an empty cache. */
async function firstView(browser: Browser, service: Started): Promise<View> {
  const context = await loggedIn(browser, service);
  const page = await context.newPage();
  let [requests, hasPicture] = [0, false];
  page.on('request', (request) => {
    if (hasPicture) return;
    if (request.resourceType() === 'image') hasPicture = true;
    else if (request.url().includes('/API/')) requests += 1;
  });
  await page.goto(addressOf(service));
  const seen = await page.evaluate(async () => {
    const isSeen = ({ complete, naturalWidth }: HTMLImageElement) => complete && naturalWidth > 0;
    const shown = () => [...document.querySelectorAll<HTMLImageElement>('[role=grid] img')].filter(isSeen).length;
    while (shown() < 12) await new Promise(requestAnimationFrame);
    return performance.now();
  });
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  await context.close();
  return { paint, seen, requests };
}

/** Milliseconds from the end of the pause behind the last key until what was found is drawn. */
async function searchTimes(page: Page, from: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = from; round < from + rounds; round += 1) {
    const word = wordOf(round);
    const took = await page.evaluate(async (text) => {
      const input = document.querySelector<HTMLInputElement>('#search')!;
      const found = () => document.querySelector('.toolbar .count')?.textContent;
      const before = found();
      const began = performance.now();
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      while (found() === before) await new Promise(requestAnimationFrame);
      return performance.now() - began;
    }, word);
    times.push(took - pause);
    await page.waitForTimeout(300);
  }
  return times;
}

/** Ten others ask the searches of the page, items and facets, each with another word. Gives the function that ends them. */
async function searchBeside(page: Page, service: Started): Promise<() => Promise<void>> {
  const sent = (part: string) =>
    page.waitForRequest(
      (each) => each.method() === 'PUT' && each.url().includes('/API/item?') && each.url().includes(part),
    );
  const requests = [sent('content='), sent('number=0')];
  await page.fill('#search', wordOf(99));
  const asked = (await Promise.all(requests)).map((request) => {
    const { pathname, search } = new URL(request.url());
    return { path: `${pathname.replace('/API', '')}${search}`, text: request.postData()! };
  });
  let isOver = false;
  const person = async (number: number) => {
    await new Promise((resolve) => setTimeout(resolve, (number * between) / others));
    for (let turn = 0; !isOver; turn += 1) {
      const word = wordOf(100 + number + turn * others);
      await Promise.all(
        asked.map(({ path, text }) => ask(service, 'PUT', path, JSON.parse(text.replaceAll(wordOf(99), word)))),
      );
      await new Promise((resolve) => setTimeout(resolve, between));
    }
  };
  const persons = Array.from({ length: others }, (_, number) => person(number));
  return async () => {
    isOver = true;
    await Promise.all(persons);
  };
}

interface Scrolled {
  readonly long: number;
  readonly nodes: number;
  readonly megabytes: number;
}

async function scroll(page: Page): Promise<Scrolled> {
  const found = await page.evaluate(async () => {
    const grid = document.querySelector('[role=grid]')!;
    let [long, nodes] = [0, 0];
    const observer = new PerformanceObserver((list) => {
      long += list.getEntries().length;
    });
    observer.observe({ type: 'longtask' });
    for (let top = 0; top < 30_000; top += 120) {
      grid.scrollTop = top;
      nodes = Math.max(nodes, grid.querySelectorAll('*').length);
      await new Promise(requestAnimationFrame);
    }
    observer.disconnect();
    // Six tiles stand in a row of 200 pixels at the least.
    for (let top = 30_000; top < (10_000 / 6) * 200; top += 800) {
      grid.scrollTop = top;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { long, nodes };
  });
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { ...found, megabytes: usedSize / 1e6 };
}

/** Nodes of the page of an item at most, from its first comment to the last. */
async function readComments(page: Page, service: Started): Promise<number> {
  const { item } = await ask<{ readonly item: readonly { readonly id: string }[] }>(
    service,
    'PUT',
    '/item?number=1',
    {},
  );
  const path = `/item/${item[0]!.id}`;
  for (let at = 0; at < comments; at += 20) {
    const texts = Array.from({ length: 20 }, (_, each) => `Comment ${at + each}: the horizon tilts`);
    await Promise.all(texts.map((text) => ask(service, 'POST', `${path}/annotation`, { text })));
  }
  await page.goto(`${addressOf(service).slice(0, -1)}${path}?tab=comments`);
  await page.getByRole('tab', { name: String(comments) }).waitFor();
  return page.evaluate(async () => {
    const list = document.querySelector('.comments')!;
    const end = performance.now() + 20_000;
    const isSeen = () => list.textContent!.includes('Comment 1999:');
    let nodes = 0;
    while (!isSeen()) {
      if (performance.now() > end) throw new Error('Expected the last comment within 20 seconds');
      for (const pane of [document.querySelector('main')!, document.querySelector('.side-scroll')!])
        pane.scrollTop += 1000;
      await new Promise(requestAnimationFrame);
      nodes = Math.max(nodes, document.querySelectorAll('*').length);
    }
    return nodes;
  });
}
