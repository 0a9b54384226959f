import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mailSettings } from '../../../test/administration/notifications/mail/support.ts';
import { openMailServer } from '../../../test/support/mail-server.ts';
import { serveBucket } from '../../../test/support/s3/fake.ts';
import { hasPython, unzipped } from '../../../test/support/zips.ts';
import { grid, hits } from '../first-flows.ts';
import {
  type ClosableSite,
  hasBrowser,
  importFile,
  type Opened,
  openSite,
  type Site,
  seedItems,
  seedStorage,
  shoot,
} from '../support.ts';

let site: ClosableSite;

/** An item of a file with this text. */
async function bringIn(of: Site, name: string, text = name): Promise<string> {
  const path = join(of.root, name);
  await writeFile(path, text);
  return importFile(of, path, { title: name });
}

/** Lets people of a group read an item, or change it. */
const give = (id: string, group: string, permission = 'READ') =>
  site.api('POST', `/item/${id}/access`, { group, permission });

/** A picture as on a desk and on a phone, where nothing may be wider than the window. */
async function look(page: Opened, name: string): Promise<void> {
  const before = page.viewportSize()!;
  await shoot(page, `${name}-wide`);
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  const beyond = () =>
    page.evaluate(() => {
      const main = document.querySelector('main')!;
      return main.scrollWidth - main.clientWidth;
    });
  await expect.poll(beyond).toBe(0);
  await shoot(page, `${name}-phone`);
  await page.setViewportSize(before);
}

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

describe.runIf(hasBrowser)('things come over, and go out', () => {
  beforeAll(async () => {
    site = await openSite({ minFreeBytes: 0, outboundAllow: ['127.0.0.0/8'] });
    await seedStorage(site);
  });
  afterAll(() => site.close());

  it.runIf(hasPython)('a selection and a collection are one ZIP file each, which says what is left out', async () => {
    const ids = [await bringIn(site, 'quay one.txt'), await bringIn(site, 'quay two.txt')];
    const { id: collection } = await site.api<{ readonly id: string }>('POST', '/collection?name=Quays');
    await site.api('POST', `/collection/${collection}/access`, { group: 'viewer', permission: 'READ' });
    for (const id of ids) await site.api('PUT', `/collection/${collection}/${id}?type=item`);
    await site.api('PUT', `/item/${ids[1]}/usage`, { usableUntil: '2020-01-01T00:00:00Z', reason: 'Licence' });
    const page = await site.open({ as: 'viewer', at: '/?q=quay' });
    await expect.poll(() => hits(page).textContent()).toBe('2 items');
    await grid(page).focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Select all 2' }).click();
    const names = async (press: () => Promise<void>, fileName: RegExp) => {
      const [download] = await Promise.all([page.waitForEvent('download'), press()]);
      expect(download.suggestedFilename()).toMatch(fileName);
      return unzipped(await readFile(await download.path())).map(({ name }) => name);
    };
    const bar = page.getByRole('toolbar', { name: /^Act/ });
    const chosen = () => bar.getByRole('button', { name: 'Download as ZIP' }).click();
    expect(await names(chosen, /^2 items \d{4}-\d\d-\d\d\.zip$/)).toEqual(['not-included.txt', 'quay one.txt']);
    await page.getByText('One file is not in it: not-included.txt says why.').waitFor();
    await page.goto(`${site.address}/ui/collection/${collection}`);
    const all = () => page.getByRole('button', { name: 'Download as ZIP' }).click();
    expect(await names(all, /^Quays.*\.zip$/)).toEqual(['not-included.txt', 'Quays/quay one.txt']);
  });

  it('rights of use are set and changed at the item, told by tiles, filters and a list, and close the media', async () => {
    const [open = '', closed = ''] = [await bringIn(site, 'mole one.txt'), await bringIn(site, 'mole two.txt')];
    for (const id of [open, closed]) await give(id, 'viewer');
    const page = await site.open({ as: 'administrator', at: `/item/${closed}` });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Rights of use' }).click();
    const panel = page.getByRole('tabpanel');
    await panel.getByText('May be used without an end.').waitFor();
    await panel.getByRole('button', { name: 'Set an end or a beginning' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByLabel('May be used until').fill('2020-06-30');
    await dialog.getByLabel('Reason').fill('Licence of the agency');
    await look(page, 'rights-dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await panel.getByText('Jun 30, 2020').waitFor();
    await page
      .getByRole('banner')
      .getByText('Rights have ended')
      .or(page.locator('.item-head .mark'))
      .first()
      .waitFor();
    await look(page, 'rights-item');
    const { usableUntil } = await site.api<{ readonly usableUntil: string }>('GET', `/item/${closed}/usage`);
    // The whole day counts.
    expect(new Date(usableUntil).getTime()).toBe(new Date('2020-07-01T00:00').getTime());

    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await site.api('PUT', `/item/${open}/usage`, { usableUntil: soon, reason: 'Premiere' });
    const viewer = await site.open({ as: 'viewer', at: '/?q=mole' });
    await viewer.locator('.tile', { hasText: 'mole two' }).getByText('Rights have ended').waitFor();
    expect(await viewer.locator('.tile', { hasText: 'mole one' }).getByText('Rights').count()).toBe(0);
    await look(viewer, 'rights-library');
    await viewer.getByLabel('Rights have ended').check();
    await expect.poll(() => hits(viewer).textContent()).toBe('1 item');
    await viewer.getByRole('link', { name: 'Rights that end' }).click();
    await viewer.getByRole('row', { name: /mole one.txt.*Premiere/ }).waitFor();
    expect(await viewer.getByRole('row').count()).toBe(2);
    await look(viewer, 'rights-ending');
    await viewer.goto(`${site.address}/ui/item/${closed}`);
    await viewer.getByText('Rights have ended. Licence of the agency').waitFor();
    expect(await viewer.getByRole('link', { name: 'Download' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Remove the bounds' }).click();
    await dialog.getByRole('button', { name: 'Remove the bounds' }).click();
    await panel.getByText('May be used without an end.').waitFor();
  });

  it('a table is looked at, its problems are listed, it is imported, and taken back', async () => {
    const [one = '', two = ''] = await seedItems(site, ['Dock one', 'Dock two']);
    for (const id of [one, two]) await give(id, 'editor', 'WRITE');
    const page = await site.open({ as: 'editor', at: '/uploads' });
    await page.getByRole('link', { name: 'Import a table' }).click();
    const chooser = page.getByLabel('Choose a table');
    await chooser.setInputFiles(csv('docks.csv', `itemId,titel,extra\n${one},Dock at dawn,a\n${two},Dock at dusk,b\n`));
    const columns = page.getByRole('region', { name: 'Columns of the table' });
    await columns.getByText('Dock at dawn · Dock at dusk').waitFor();
    await page.getByText('2 columns are no field. Choose a field, or leave them out.').waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    await look(page, 'table-preview');
    await columns.getByLabel('What titel becomes').selectOption({ label: 'title, the nearest name' });
    await columns.getByLabel('What extra becomes').selectOption('Is left out');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported', { exact: true }).waitFor();
    await page.getByText('2 rows were written.').waitFor();
    await look(page, 'table-result');
    const title = async () => JSON.stringify(await site.api('GET', `/item/${one}?content=metadata&field=title`));
    expect(await title()).toContain('Dock at dawn');
    await page.getByRole('button', { name: 'Take the import back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take the import back' }).click();
    await page.getByText('Taken back: 2 rows.').waitFor();
    expect(await title()).toContain('Dock one');

    await page.getByRole('link', { name: 'Import another table' }).click();
    await chooser.setInputFiles(csv('gone.csv', `itemId,title\nVX-99999,Nowhere\n${two},Dock at noon\n`));
    await page.getByRole('button', { name: 'Only check' }).click();
    await page
      .getByRole('region', { name: 'One problem' })
      .getByRole('row', { name: /2 .*VX-99999/ })
      .first()
      .waitFor();
    await page.getByText('Nothing was changed. Correct the table, and import it again.').waitFor();
    await look(page, 'table-problems');
  });

  it('operators have files read again, see what changed, and choose what imports read inside files', async () => {
    const made = await openSite({ minFreeBytes: 0 });
    onTestFinished(() => made.close());
    const storage = await seedStorage(made);
    await bringIn(made, 'pier.txt', 'the pier');
    const page = await made.open({ as: 'administrator', at: '/storages' });
    await page.getByRole('link', { name: 'Checks of files' }).click();
    await page.getByText('No storage is checked yet.').waitFor();
    await page.getByRole('button', { name: 'Check a storage' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Storage').selectOption(storage);
    await look(page, 'fixity-dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const found = () =>
      made.api<{ readonly file: readonly { readonly path: string; readonly state: string }[] }>(
        'GET',
        `/storage/${storage}/fixity`,
      );
    const state = async () => (await found()).file.map((file) => file.state);
    await expect.poll(state, { timeout: 60_000 }).toEqual(['verified']);
    await writeFile(join(made.root, 'media', (await found()).file[0]!.path), 'the pier, changed');
    await page.reload();
    await page.getByRole('row', { name: /1 of 1 files/ }).waitFor();
    await page.getByRole('button', { name: 'Check next' }).click();
    await page.getByText('It is read next.').waitFor();
    await expect.poll(state, { timeout: 60_000 }).toEqual(['changed']);
    await page.reload();
    await page
      .getByRole('region', { name: /^Files of/ })
      .getByText(/Expected 8 bytes/)
      .waitFor();
    await page.getByRole('row', { name: /Changed: 1/ }).waitFor();
    await look(page, 'fixity');

    await page.goto(`${made.address}/ui/settings`);
    await page.getByRole('tab', { name: 'Metadata inside files' }).click();
    await page.getByRole('button', { name: 'Add a row' }).click();
    await dialog.getByLabel('Property inside the file').fill('iptc:Headline');
    await dialog.getByLabel('Field').fill('no_such_field');
    await dialog.getByLabel('Row').fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('no_such_field is not there.').waitFor();
    await dialog.getByLabel('Field').fill('title');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /1 iptc:Headline title/ }).waitFor();
    await look(page, 'embedded');
    const { mapping = [] } = await made.api<{ readonly mapping?: readonly object[] }>(
      'GET',
      '/import/embedded-metadata',
    );
    expect(mapping[0]).toEqual({ property: 'iptc:Headline', field: 'title' });
    expect(mapping.length).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'Back to the defaults' }).click();
    await dialog.getByRole('button', { name: 'Back to the defaults' }).click();
    await page.getByText('iptc:Headline').waitFor({ state: 'detached' });
  });

  it('an archived file says so, and is brought back after its time and cost are told', async () => {
    const bucket = await serveBucket();
    onTestFinished(bucket.close);
    const uri = `s3://KEY:SECRET@media/archive/?endpoint=http://127.0.0.1:${bucket.port}&storageClass=DEEP_ARCHIVE`;
    const storage = await seedStorage(site, uri);
    await site.api('PUT', `/storage/${storage}/metadata/restorePrice_DEEP_ARCHIVE_Bulk`, '2.5 USD');
    const { id: file } = await site.api<{ readonly id: string }>(
      'POST',
      `/storage/${storage}/file/data?path=film.mov`,
      new TextEncoder().encode('film'),
    );
    const [item = ''] = await seedItems(site, ['Harbour of old']);
    const shape = { containerComponent: { file: [{ id: file }] }, mimeType: ['video/quicktime'] };
    await site.api('POST', `/item/${item}/shape/create?tag=original`, shape);
    const page = await site.open({ as: 'administrator', at: `/item/${item}` });
    await page.getByText('The file is in an archive. To bring it back takes a while.').waitFor();
    await look(page, 'restore-item');
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('tabpanel').getByText('In the archive').waitFor();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Bring back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('12 hours · no price is known').waitFor();
    await dialog.getByLabel('48 hours').check();
    await look(page, 'restore-dialog');
    await dialog.getByRole('button', { name: 'Bring back' }).click();
    await page.getByText('The archive brings it back. A job tells when it can be read.').waitFor();
    const { job = [] } = await site.api<{ readonly job?: readonly { readonly type: string }[] }>(
      'GET',
      '/job?user=false',
    );
    expect(job.map(({ type }) => type)).toContain('RESTORE');
  });

  it('a person has mail sent to an address that a code confirms, chooses what of, and ends it', async () => {
    const server = await openMailServer();
    const made = await openSite(mailSettings(server.port));
    onTestFinished(() => made.close());
    const page = await made.open({ as: 'editor', at: '/me' });
    const part = page.getByRole('region', { name: 'Mail' });
    await part.getByLabel('Address').fill('edith@example.com');
    await part.getByLabel('Requests for a review').check();
    await part.getByLabel('One message an hour').check();
    await part.getByRole('button', { name: 'Save' }).click();
    await part.getByText('A mail with a code went to edith@example.com.').waitFor();
    await look(page, 'mail');
    await expect.poll(() => server.received.length, { timeout: 30_000 }).toBe(1);
    const [, code = ''] = /code (\w{16})/.exec(server.received[0]!.text) ?? [];
    await part.getByLabel('Code').fill('wrong');
    await part.getByRole('button', { name: 'Confirm the address' }).click();
    await part.getByRole('alert').waitFor();
    await part.getByLabel('Code').fill(code);
    await part.getByRole('button', { name: 'Confirm the address' }).click();
    await part.getByText('A mail with a code went to').waitFor({ state: 'detached' });
    expect(await made.api('GET', '/user/editor/mail')).toMatchObject({
      ...{ address: 'edith@example.com', confirmed: true, digest: true },
      kind: expect.arrayContaining(['review', 'mention']),
    });
    await part.getByRole('button', { name: 'No more mail' }).click();
    await expect.poll(() => part.getByLabel('Address').inputValue()).toBe('');
    // An administrator knows the address of another, and needs no code.
    const admin = await made.open({ as: 'administrator', at: '/user/viewer' });
    const other = admin.getByRole('region', { name: 'Mail' });
    await other.getByLabel('Address').fill('vera@example.com');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('button', { name: 'No more mail' }).waitFor();
    expect(await made.api('GET', '/user/viewer/mail')).toMatchObject({ confirmed: true });

    const without = await site.open({ as: 'viewer', at: '/me' });
    const off = without.getByRole('region', { name: 'Mail' });
    await off.getByLabel('Address').fill('vera@example.com');
    await off.getByRole('button', { name: 'Save' }).click();
    await off.getByText('This service sends no mail yet.').waitFor();
  });
});
