import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClosableSite, hasBrowser, openSite, seedStorage } from '../support.ts';

let site: ClosableSite;

interface Storages {
  readonly storage?: readonly { readonly id: string; readonly capacity?: number; readonly scanInterval?: number }[];
}

describe.runIf(hasBrowser)('storages', () => {
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site.close());

  it.each(['/etc', 'file:///etc/'])(
    'one at %s that can never work is refused in words, and is not kept',
    async (at) => {
      const page = await site.open({ as: 'administrator', at: '/storages' });
      await page.getByRole('button', { name: 'Make a storage' }).click();
      const dialog = page.getByRole('dialog', { name: 'Make a storage' });
      await dialog.getByLabel('Address of the folder').fill(at);
      await dialog.getByRole('button', { name: 'Make a storage' }).click();
      await dialog.getByText(/PORTICO_STORAGE_ROOTS/).waitFor();
      const { storage = [] } = await site.api<Storages>('GET', '/storage');
      expect(storage).toEqual([]);
    },
  );

  it('one is made with a name, tells its own bytes beside those of its disk, is changed and deleted', async () => {
    const page = await site.open({ as: 'administrator', at: '/storages' });
    await page.getByRole('button', { name: 'Make a storage' }).click();
    const making = page.getByRole('dialog', { name: 'Make a storage' });
    await making.getByLabel('Name').fill('Films');
    await making.getByLabel('Address of the folder').fill(join(site.root, 'media'));
    await making.getByRole('button', { name: 'Make a storage' }).click();
    await page.getByText('0 bytes in its own files').waitFor();
    await page.getByText(/^On its disk .+ used, \d+ %$/).waitFor();
    await page.getByRole('link', { name: 'Films' }).click();
    await page.getByText('0 bytes in its own files').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    const changing = page.getByRole('dialog', { name: 'Change Films' });
    await changing.getByLabel('Name').fill('Old films');
    await changing.getByLabel('Space, in gigabytes').fill('2');
    await changing.getByLabel('Look for new files every minute').uncheck();
    await changing.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Old films' }).waitFor();
    const { storage = [] } = await site.api<Storages>('GET', '/storage');
    expect(storage).toMatchObject([{ capacity: 2e9, scanInterval: -1 }]);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog', { name: 'Delete Old films?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no storage yet.').waitFor();
    expect(await site.api<Storages>('GET', '/storage')).toEqual({});
  });

  it('one with files of items is not deleted', async () => {
    const id = await seedStorage(site, `${pathToFileURL(join(site.root, 'media'))}/`);
    const { jobId } = await site.api<{ readonly jobId: string }>(
      'POST',
      '/import/raw?filename=a.bin',
      Uint8Array.from([1, 2, 3]),
    );
    await expect
      .poll(async () => (await site.api<{ readonly status: string }>('GET', `/job/${jobId}`)).status, {
        timeout: 30_000,
      })
      .toMatch(/FINISHED/);
    const page = await site.open({ as: 'administrator', at: `/storage/${id}` });
    await page.getByText('3 bytes in its own files').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete media?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(page.refused).toEqual([`409 DELETE /API/storage/${id}?safe=true`]);
    expect((await site.api<Storages>('GET', '/storage')).storage).toHaveLength(1);
  });
});
