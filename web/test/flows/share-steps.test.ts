import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, type Opened, openSite, seedItems } from '../support.ts';

let site: ClosableSite;
const permissions = ['clipboard-read', 'clipboard-write'];

/** Pages have one clipboard: what a test before has copied is taken from it. */
const clearClipboard = (page: Opened) => page.evaluate(() => navigator.clipboard.writeText(''));

/** The share whose address was copied. */
async function copiedShare(page: Opened) {
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/\/ui\/s#[\w-]{22}$/);
  const { share } = await site.api<{ share: readonly object[] }>('GET', '/share', undefined, 'editor');
  return share[0];
}

describe.runIf(hasBrowser)('a copied link in steps', () => {
  beforeAll(async () => {
    site = await openSite();
    const items = await seedItems(site, ['One', 'Two', 'Three', 'Four']);
    for (const item of items) await site.api('POST', `/item/${item}/access`, { group: 'editor', permission: 'READ' });
  });
  afterAll(() => site.close());

  it.each(['1024x768', '1366x800', '1920x1080'])('an editor goes from a tile to it in 3, at %s', async (size) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    const page = await site.open({ as: 'editor', viewport: { width, height }, permissions });
    await clearClipboard(page);
    const steps = [
      () => page.getByRole('button', { name: 'Actions for Two' }).click(),
      () => page.getByRole('menuitem', { name: 'Share', exact: true }).click(),
      () => page.getByRole('button', { name: 'Make and copy link' }).click(),
    ];
    await page.locator('.tile', { hasText: 'Two' }).hover();
    for (const step of steps) await step();
    expect(steps.length).toBe(3);
    expect(await copiedShare(page)).toMatchObject({ title: 'Two', allow: ['play'], comment: true, state: 'OPEN' });
  });

  it.each(['320x640', '390x844'])('a phone selects three, and copies a link to them, in 5, at %s', async (size) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    const viewport = { width, height };
    const page = await site.open({ as: 'editor', viewport, hasTouch: true, isMobile: true, permissions });
    const { x, y, width: wide, height: high } = (await page.locator('.tile', { hasText: 'One' }).boundingBox())!;
    const session = await page.context().newCDPSession(page);
    const point = { x: x + wide / 2, y: y + high / 2 };
    await clearClipboard(page);
    const steps = [
      async () => {
        await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
        await page.waitForTimeout(550);
        await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      },
      () => page.locator('.tile', { hasText: 'Two' }).tap(),
      () => page.locator('.tile', { hasText: 'Three' }).tap(),
      () => page.getByRole('toolbar').getByRole('button', { name: 'Share', exact: true }).tap(),
      () => page.getByRole('button', { name: 'Make and copy link' }).tap(),
    ];
    for (const step of steps) await step();
    expect(steps.length).toBe(5);
    const share = (await copiedShare(page)) as { library: string };
    expect(share).toMatchObject({ title: '3 items', library: expect.any(String) });
    const { hits } = await site.api<{ hits: number }>('GET', `/library/${encodeURIComponent(share.library)}`);
    expect(hits).toBe(3);
  });
});
