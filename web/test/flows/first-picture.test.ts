import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, type Kind, openSite, seedItems } from '../support.ts';

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

  it.each<Kind>(['administrator', 'viewer'])('a picture comes after at most nine answers, for an %s', async (as) => {
    const answers: string[] = [];
    const page = await site.open({
      as,
      at: '/',
      prepare: async (opened) => {
        opened.on('response', (response) => answers.push(new URL(response.url()).pathname));
      },
    });
    await page.waitForSelector('[role=grid] img');
    await expect.poll(() => answers.some((path) => path.includes('/thumbnail/'))).toBe(true);
    const before = answers.slice(
      0,
      answers.findIndex((path) => path.includes('/thumbnail/')),
    );
    expect(before.length, before.join('\n')).toBeLessThanOrEqual(9);
  });
});
