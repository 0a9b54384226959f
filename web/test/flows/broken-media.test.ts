import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, type ClosableSite, hasBrowser, openSite, seedStorage, violations } from '../support.ts';

let site: ClosableSite;

const box = (type: string, content: Buffer, size = content.length + 8): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};

/** The begin of a film whose index would stand at its end. */
const cut = Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isommp42')), box('mdat', Buffer.alloc(500), 100_000)]);
const noise = Buffer.from(Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251));

describe.runIf(hasBrowser)('media that is broken', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedStorage(site);
  });
  afterAll(() => site.close());

  async function upload(name: string, buffer: Buffer) {
    const page = await site.open({ as: 'administrator', at: '/uploads' });
    await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'video/mp4', buffer });
    return { page, row: page.locator('.upload-row') };
  }

  it('a film that is cut says so at the upload and on the item, and can be tried again', async () => {
    const { page, row } = await upload('cut.mp4', cut);
    const reason = row.getByRole('alert').getByText(/^Expected a whole MP4 file .+ it is cut/);
    await row.getByText('Could not be read').waitFor();
    await row.getByText('The file is incomplete. Send it again.').waitFor();
    await page.getByText('1 failed', { exact: true }).waitFor();
    const job = await reason.getAttribute('href');
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await row.getByRole('button', { name: 'Try again' }).click();
    // A new job says the same of the same bytes.
    await expect.poll(() => reason.getAttribute('href')).not.toBe(job);
    await row.getByRole('link', { name: 'cut.mp4', exact: true }).click();
    const player = page.locator('.player');
    await player.getByText('The file is incomplete. Send it again.').waitFor();
    await player.getByText('Details').click();
    await player.getByText(/^Expected a whole MP4 file .+ it is cut/).waitFor();
    await player.getByRole('button', { name: 'Try again' }).waitFor();
    await player.getByRole('link', { name: 'Upload again' }).waitFor();
  });

  it('a failed import is marked after the page is loaded again, once, and a filter finds it', async () => {
    const { page, row } = await upload('short.mp4', cut);
    await row.getByText('Could not be read').waitFor();
    await page.goto(`${site.address}/ui/`);
    const tile = page.locator('.cell', { hasText: 'short.mp4' });
    await tile.getByText('The file is incomplete. Send it again.').waitFor();
    expect(await tile.count()).toBe(1);
    // The mark is local to one browser: another one shows only that the file was not read.
    const other = await site.open({ as: 'administrator', at: '/?f=mediaType:none' });
    await other.locator('.cell', { hasText: 'short.mp4' }).getByText('Not read').waitFor();
    await page.goto(`${site.address}/ui/uploads`);
    await row.getByText('The file is incomplete. Send it again.').waitFor();
    await page.getByRole('button', { name: 'Tidy the list' }).click();
    await page.reload();
    await page.getByText('Nothing is being uploaded.').waitFor();
  });

  it('the tile of a failed file opens it and its menu, and what is deleted is no failure any more', async () => {
    const { page, row } = await upload('torn.mp4', cut);
    await row.getByText('Could not be read').waitFor();
    await page.getByRole('link', { name: 'Library' }).first().click();
    const tile = page.locator('.cell', { hasText: 'torn.mp4' });
    await tile.getByText('The file is incomplete. Send it again.').click();
    await page.waitForURL('**/item/*');
    await page.goBack();
    await tile.hover();
    await tile.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await tile.waitFor({ state: 'detached' });
    await page.locator('.tray').waitFor({ state: 'detached' });
    // An item that goes while the page is closed takes its upload along, too.
    const { page: other, row: gone } = await upload('gone.mp4', cut);
    await gone.getByText('Could not be read').waitFor();
    const item = (await gone.getByRole('link').first().getAttribute('href'))!.split('/').at(-1);
    await other.goto('about:blank');
    await site.api('DELETE', `/item/${item}`);
    await other.goto(`${site.address}/ui/uploads`);
    await other.getByText('Nothing is being uploaded.').waitFor();
  });

  it('a failure is told in the head until it is seen among the uploads', async () => {
    const page = await site.open({ as: 'administrator' });
    await page.waitForFunction(
      (bytes) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(bytes)], 'rent.mp4', { type: 'video/mp4' }));
        const event = new DragEvent('drop', { dataTransfer, cancelable: true });
        dispatchEvent(event);
        return event.defaultPrevented;
      },
      [...cut],
    );
    const tray = page.locator('.tray');
    await tray.getByText('1 failed').click();
    await page.locator('.upload-row', { hasText: 'rent.mp4' }).getByText('Could not be read').waitFor();
    await page.getByRole('link', { name: 'Library' }).first().click();
    await page.locator('.cell', { hasText: 'rent.mp4' }).waitFor();
    expect(await tray.count()).toBe(0);
    await page.reload();
    await page.locator('.cell', { hasText: 'rent.mp4' }).getByText('The file is incomplete.').waitFor();
    expect(await tray.count()).toBe(0);
  });

  it('random bytes by the name of a film are not in the library without a word', async () => {
    const { page, row } = await upload('noise.mp4', noise);
    await row.getByText('In the library, but something is wrong').waitFor();
    await row.getByText('This file is damaged, or is no film, sound or picture.').waitFor();
    await row.getByText('Details').click();
    await row.getByText(/promises: its content is of no known format/).waitFor();
    await row.getByRole('link', { name: 'noise.mp4', exact: true }).click();
    const player = page.locator('.player');
    await player.getByText('This file is damaged, or is no film, sound or picture.').waitFor();
    expect(await player.getByText('Download this document').count()).toBe(0);
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByRole('definition').filter({ hasText: 'Not read' }).waitFor();
    // A browser that has seen no upload is told the same.
    const other = await site.open({ as: 'administrator', at: '/?f=mediaType:none' });
    const tile = other.locator('.cell', { hasText: 'noise.mp4' });
    await tile.getByText('Could not be read').waitFor();
    await other.getByRole('checkbox', { name: 'Not read' }).waitFor();
    expect(await other.getByRole('checkbox', { name: 'Document' }).count()).toBe(0);
  });
});
