import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, type Kind, type Opened, openSite, seedItems } from '../support.ts';

let site: ClosableSite;

const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

describe.runIf(hasBrowser)('the first view', () => {
  beforeAll(async () => {
    site = await openSite();
    const [id] = await seedItems(site, ['One picture']);
    const { uri } = await site.api<{ readonly uri: readonly string[] }>('PUT', `/item/${id}/thumbnailresource`);
    await site.api('PUT', `${uri[0]!.replace(/^.*\/API/, '')}/0@PAL`, pixel);
    await site.api('POST', `/item/${id}/access`, { group: 'viewer', permission: 'READ' });
  });
  afterAll(() => site.close());

  it.each<Kind>(['administrator', 'viewer'])('a picture waits for four answers in turn, for an %s', async (as) => {
    const page = await site.open({ as, at: '/', prepare: byDistance });
    const first = await requestsOf(page);
    // The document names all files of the first view, so they come together.
    expect(turnsOf(first), namesOf(first)).toBeLessThanOrEqual(4);
    expect(first.filter(({ path }) => path.startsWith('/API')).length, namesOf(first)).toBeLessThanOrEqual(3);
    // A browser that somebody was logged in with asks for items beside the session.
    await page.reload();
    const again = await requestsOf(page);
    expect(turnsOf(again), namesOf(again)).toBeLessThanOrEqual(3);
    expect(again.filter(({ path }) => path === '/API/item')).toHaveLength(1);
  });
});

/** An answer takes longer than a busy machine needs to ask for the next thing, so that what is asked for together overlaps. */
async function byDistance(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const unbounded = { downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 500, ...unbounded });
}

interface Requested {
  readonly path: string;
  readonly begun: number;
  readonly ended: number;
}

/** Requests that ended before the first picture was asked for. */
async function requestsOf(page: Opened): Promise<readonly Requested[]> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/thumbnail/')),
  );
  const all = await page.evaluate(() =>
    (performance.getEntries() as PerformanceResourceTiming[])
      .filter(({ entryType }) => entryType === 'resource' || entryType === 'navigation')
      .map(({ name, startTime, responseEnd }) => ({
        path: new URL(name).pathname,
        begun: startTime,
        ended: responseEnd,
      })),
  );
  const picture = Math.min(...all.flatMap(({ path, begun }) => (path.includes('/thumbnail/') ? [begun] : [])));
  // Nothing waits for what the browser has kept, nor for symbols and preferences.
  const isNeeded = ({ path, begun, ended }: Requested) =>
    begun < ended && ended <= picture && !/\/(?:icon|sprite)-|\/metadata$/.test(path);
  return all.filter(isNeeded);
}

/** Length of the longest chain of requests of which each begins when the one before it has ended. */
function turnsOf(requests: readonly Requested[]): number {
  const turns = new Map<Requested, number>();
  for (const each of requests.toSorted((one, other) => one.begun - other.begun)) {
    const before = requests.filter(({ ended }) => ended <= each.begun).map((other) => turns.get(other) ?? 0);
    turns.set(each, 1 + Math.max(0, ...before));
  }
  return Math.max(...turns.values());
}

const namesOf = (requests: readonly Requested[]): string =>
  requests.map(({ path, begun, ended }) => `${path} ${begun.toFixed(0)}-${ended.toFixed(0)}`).join('\n');
