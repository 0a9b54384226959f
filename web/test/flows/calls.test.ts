import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import { edgeModule } from '../../../src/entry/edge.ts';
import { listenOnNode } from '../../../src/entry/listen-node.ts';
import { pageModule } from '../../../src/entry/page.ts';
import { record } from '../../../test/remote/recorded.ts';
import { type Sqld, sqldBinary, startSqld } from '../../../test/support/sqld.ts';
import {
  type ClosableSite,
  hasBrowser,
  metadataOf,
  type Opened,
  openSite,
  type Site,
  seedItems,
  siteAt,
} from '../support.ts';

const secretKey = Buffer.alloc(32, 7).toString('base64');

/** Pages that people leave open. */
const pagesOf = (item: string) =>
  [
    ['the library', '/'],
    ['an item', `/item/${item}`],
    ['the jobs', '/jobs'],
  ] as const;

/** Requests of the API that have no answer yet. A stream that has begun is answered. */
class Traffic {
  readonly asked: string[] = [];
  readonly #open = new Set<unknown>();

  constructor(page: Opened) {
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (!pathname.startsWith('/API')) return;
      this.asked.push(`${request.method()} ${pathname}${search}`);
      this.#open.add(request);
    });
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('requestfailed', (request) => this.#open.delete(request));
    page.on('response', (response) => {
      if (response.url().includes('/API/event')) this.#open.delete(response.request());
    });
  }

  /** Resolves when nothing is asked for any more, by the clock of the page as it stands. */
  async quiet(page: Opened): Promise<void> {
    for (let calm = 0; calm < 2; ) {
      // The clock of the page stands, and with it all that waits for it.
      await page.evaluate(
        () =>
          new Promise<void>((done) => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done();
            port2.postMessage(0);
          }),
      );
      calm = this.#open.size === 0 ? calm + 1 : 0;
    }
  }
}

/** Moves the clock of the page, second by second: what is asked for is answered before the next one. */
async function pass(page: Opened, traffic: Traffic, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1000);
    await traffic.quiet(page);
  }
}

/** `began`: what the counter said behind the log-in. */
async function openAt(site: Site, at: string, counter = () => 0) {
  let traffic: Traffic;
  let began = 0;
  const page = await site.open({
    as: 'administrator',
    at,
    async prepare(fresh) {
      traffic = new Traffic(fresh as Opened);
      began = counter();
      await fresh.clock.install();
    },
  });
  await traffic!.quiet(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await pass(page, traffic!, 12);
  return { page, traffic: traffic!, began };
}

const show = (page: Opened, hidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

/** A person who looks at ten items, and goes back to the list each time. */
async function browse(page: Opened, traffic: Traffic, items: readonly string[]): Promise<void> {
  for (const item of items) {
    await page.evaluate((path) => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/ui/item/${item}`);
    await pass(page, traffic, 2);
    await page.goBack();
    await pass(page, traffic, 2);
  }
}

describe.runIf(hasBrowser && sqldBinary() !== undefined)('a tab that nobody touches', () => {
  let server: Sqld;
  let node: ClosableSite;
  let items: string[];
  let calls = 0;
  const network = globalThis.fetch;

  beforeAll(async () => {
    server = await startSqld();
    globalThis.fetch = (...given: Parameters<typeof fetch>) => {
      if (String(given[0]).startsWith(server.url)) calls++;
      return network(...given);
    };
    node = await openSite({ database: server.url, secretKey: new Secret(secretKey), databaseTimeout: 30_000 });
    items = await seedItems(
      node,
      Array.from({ length: 30 }, (_, number) => `Harbour ${number}`),
    );
  });
  afterAll(async () => {
    await node?.close();
    globalThis.fetch = network;
    await server?.stop();
  });

  it('asks a server for nothing but its stream, and for nothing while it is hidden', { timeout: 300_000 }, async () => {
    for (const [, at] of pagesOf(items[0]!)) {
      const { page, traffic } = await openAt(node, at);
      expect(traffic.asked.filter((request) => request.includes('/API/event'))).toHaveLength(1);
      traffic.asked.length = 0;
      await pass(page, traffic, 60);
      expect(traffic.asked, at).toEqual([]);
      await show(page, true);
      await pass(page, traffic, 30);
      expect(traffic.asked, at).toEqual([]);
      await show(page, false);
      await pass(page, traffic, 5);
      expect(traffic.asked, at).toEqual(['GET /API/event?mine=true&allJobs=true']);
      await page.close();
    }
  });

  it('goes on where it was when it is shown again', { timeout: 300_000 }, async () => {
    const [item] = items;
    const { page, traffic } = await openAt(node, `/item/${item}`);
    await show(page, true);
    await node.api('PUT', `/item/${item}/metadata`, metadataOf({ title: 'Changed while it was hidden' }));
    await pass(page, traffic, 5);
    await show(page, false);
    await expect
      .poll(async () => {
        await pass(page, traffic, 1);
        return (await page.locator('h1').textContent())?.trim();
      })
      .toBe('Changed while it was hidden');
  });

  it('asks an edge ever more seldom, with one call each time', { timeout: 600_000 }, async () => {
    await node.close();
    const { files } = await import(await pageModule());
    const module = edgeModule(undefined, { page: async () => files });
    const environment = {
      PORTICO_DATABASE: server.url,
      PORTICO_SECRET_KEY: secretKey,
      PORTICO_LOG_LEVEL: 'error',
      PORTICO_DATABASE_TIMEOUT: '30000',
    };
    const listener = await listenOnNode(
      async (request) => {
        const behind: Promise<unknown>[] = [];
        const answer = await module.fetch(request, environment, { waitUntil: (work) => void behind.push(work) });
        await Promise.all(behind);
        return answer;
      },
      { host: '127.0.0.1', port: 0, requestTimeout: 100 },
    );
    const edge = siteAt(`http://127.0.0.1:${listener.port}`, node.root);
    const measured: Record<string, readonly [number, number]> = {};
    for (const [name, at] of pagesOf(items[0]!)) {
      const { page, traffic, began } = await openAt(edge, at, () => calls);
      const opened = calls;
      traffic.asked.length = 0;
      await pass(page, traffic, 60);
      expect(
        traffic.asked.filter((request) => !request.includes('/API/event')),
        at,
      ).toEqual([]);
      const minute = calls - opened;
      expect(minute, at).toBe(traffic.asked.length);
      measured[`Page: a minute of ${name}`] = [minute, minute];
      let again = calls;
      for (let time = 0; time < 2; time++) {
        again = calls;
        await page.reload();
        await pass(page, traffic, 12);
      }
      measured[`Page: open ${name}`] = [opened - began, calls - again];
      if (at === '/') {
        const before = calls;
        await browse(page, traffic, items.slice(0, 10));
        measured['Page: browse ten items'] = [calls - before, calls - before];
        await show(page, true);
        const hidden = calls;
        await pass(page, traffic, 60);
        expect(calls).toBe(hidden);
      }
      await page.close();
    }
    await listener.stop(0);
    await record(measured, 0.5);
  });
});
