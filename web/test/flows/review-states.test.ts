import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, openSite, seedItems } from '../support.ts';

let site: ClosableSite;
let ids: string[];

const give = (id: string, state: string) =>
  site.api('PUT', `/item/${id}/shape/version/0/approval`, { state }, 'administrator');
const waits = (count: number) => (count === 1 ? 'one item waits' : `${count} items wait`);

describe.runIf(hasBrowser)('states of reviews', () => {
  beforeAll(async () => {
    site = await openSite();
    ids = await seedItems(site, ['Bridge', 'Harbour', 'Lighthouse', 'Mast']);
    for (const id of ids) {
      await site.api('POST', `/item/${id}/shape/create?tag=original`, {});
      await site.api('POST', `/item/${id}/access`, { group: 'editor', permission: 'WRITE' });
    }
  });
  afterAll(() => site.close());

  it('are marks on tiles and a filter, and change without a reload', async () => {
    await give(ids[0]!, 'in-review');
    await give(ids[1]!, 'approved');
    const page = await site.open({ as: 'administrator', at: '/' });
    const tile = (name: string) => page.locator('.cell', { hasText: name });
    await tile('Bridge').getByText('In review').waitFor();
    await tile('Harbour').getByText('Approved').waitFor();
    expect(await page.locator('.review-state').count()).toBe(2);
    await give(ids[1]!, 'rejected');
    await tile('Harbour').getByText('Rejected').waitFor();
    await page.getByRole('checkbox', { name: 'In review' }).check();
    await expect.poll(() => page.locator('.cell .title').allTextContents()).toEqual(['Bridge']);
    expect(new URL(page.url()).searchParams.get('f')).toBe('__approval:in-review');
    await page.getByRole('checkbox', { name: 'Not reviewed' }).check();
    await expect.poll(() => page.locator('.cell .title').allTextContents()).toEqual(['Mast', 'Lighthouse', 'Bridge']);
    await page.getByRole('checkbox', { name: 'In review' }).uncheck();
    await expect.poll(() => page.locator('.cell .title').allTextContents()).toEqual(['Mast', 'Lighthouse']);
  });

  it('wait in "For me" with their number, for who may approve', async () => {
    const page = await site.open({ as: 'administrator', at: '/' });
    const place = page.getByRole('navigation').getByRole('link', { name: 'For me' });
    await place.getByTitle(waits(1)).waitFor();
    await place.click();
    await expect.poll(() => page.locator('.cell .title').allTextContents()).toEqual(['Bridge']);
    await page
      .locator('.cell')
      .getByText(/ asks for a review$/)
      .waitFor();
    await give(ids[2]!, 'in-review');
    await place.getByTitle(waits(2)).waitFor();
    for (const at of [0, 2]) await give(ids[at]!, 'approved');
    await place.getByTitle(/wait/).waitFor({ state: 'detached' });
    await page.goto(`${site.address}/ui/for-me`);
    await page.getByText('Nothing waits for you.').waitFor();
  });

  it('an open comment that is assigned to a person or names the person waits, until it is done', async () => {
    const page = await site.open({ as: 'editor', at: '/for-me' });
    await page.getByText('Nothing waits for you.').waitFor();
    const place = page.getByRole('navigation').getByRole('link', { name: 'For me' });
    const say = (id: string, body: object) => site.api<{ id: string }>('POST', `/item/${id}/annotation`, body);
    const one = await say(ids[2]!, { text: 'Too dark', assignedTo: 'editor' });
    await say(ids[3]!, { text: 'Look at this, @editor' });
    await say(ids[1]!, { text: 'Nobody in particular' });
    await place.getByTitle(waits(2)).waitFor();
    await page.goto(`${site.address}/ui/for-me`);
    await expect.poll(() => page.locator('.cell .title').allTextContents()).toEqual(['Mast', 'Lighthouse']);
    await page.locator('.cell', { hasText: 'Lighthouse' }).dblclick();
    await page.getByRole('heading', { name: 'Lighthouse' }).waitFor();
    expect(await page.locator('nav [aria-current=page]').innerText()).toContain('For me');
    await page.getByRole('tab', { name: 'Comments' }).click();
    await page.locator('.comments li[aria-current=true]', { hasText: 'Too dark' }).waitFor();
    await site.api('PUT', `/item/${ids[2]}/annotation/${one.id}`, { state: 'done' }, 'editor');
    await place.getByTitle(waits(1)).waitFor();
  });

  it('times move on while a page is open', async () => {
    await site.api('POST', `/item/${ids[0]}/annotation`, { text: 'Just now' });
    const page = await site.open({
      ...{ as: 'administrator', at: `/item/${ids[0]}?tab=comments` },
      prepare: (each) => each.clock.install(),
    });
    const row = page.locator('.comments li', { hasText: 'Just now' });
    await row.waitFor();
    await page.clock.fastForward('10:00');
    await row.locator('time', { hasText: '10 minutes ago' }).waitFor();
  });

  it('an editor asks for a review, and cannot approve', async () => {
    const page = await site.open({ as: 'editor', at: `/item/${ids[3]}` });
    const approval = page.getByRole('group', { name: 'Approval' });
    await approval.getByRole('button', { name: 'Ask for a review' }).click();
    await approval.getByText('In review').waitFor();
    expect(await approval.getByRole('button', { name: /^(Approve|Ask for a review)$/ }).count()).toBe(0);
  });
});
