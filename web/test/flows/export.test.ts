import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grid, hits } from '../first-flows.ts';
import {
  type ClosableSite,
  hasBrowser,
  importFile,
  type Kind,
  type Opened,
  openSite,
  seedItems,
  seedStorage,
} from '../support.ts';

let site: ClosableSite;
/** Folder of the export location. */
let desk: string;

/** An item of a file with this text. */
async function bringIn(name: string, text: string): Promise<string> {
  const path = join(site.root, name);
  await writeFile(path, text);
  return importFile(site, path, { title: name });
}

const stored = (): readonly string[] =>
  readdirSync(join(site.root, 'media'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

async function ofItem(page: Opened, action: string) {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
  return page.getByRole('dialog');
}

async function library(at: string, count: string, as: Kind = 'administrator'): Promise<Opened> {
  const page = await site.open({ as, at });
  await expect.poll(() => hits(page).textContent()).toBe(count);
  await grid(page).focus();
  return page;
}

describe.runIf(hasBrowser)('items leave the library', () => {
  beforeAll(async () => {
    desk = await mkdtemp(join(tmpdir(), 'portico-desk-'));
    site = await openSite({ minFreeBytes: 0, exportRoots: [desk] });
    await seedStorage(site);
    await site.api('PUT', '/export-location/desk', { uri: `${pathToFileURL(desk)}/` });
  });
  afterAll(async () => {
    await site.close();
    await rm(desk, { recursive: true, force: true });
  });

  it('one is exported to a location: its job ends, and the file and its metadata lie there', async () => {
    const item = await bringIn('harbour.txt', 'the harbour at night');
    const page = await site.open({ as: 'administrator', at: `/item/${item}` });
    const dialog = await ofItem(page, 'Export');
    const place = dialog.getByLabel('Place');
    await dialog.getByRole('button', { name: 'Export' }).click();
    // The browser asks for a place, so nothing is sent.
    expect(await place.evaluate((field: HTMLSelectElement) => field.validity.valueMissing)).toBe(true);
    await place.selectOption('desk');
    await dialog.getByLabel('With a metadata file').check();
    await dialog.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Show the job' }).click();
    await page.locator('header').getByText('Finished', { exact: true }).waitFor();
    expect(await readFile(join(desk, 'harbour.txt'), 'utf8')).toBe('the harbour at night');
    const sidecar = readdirSync(desk).find((name) => name.endsWith('.xml'));
    expect(await readFile(join(desk, sidecar!), 'utf8')).toContain('harbour.txt');
  });

  it('a selection is exported by one job, as a bag', async () => {
    await bringIn('pier one.txt', 'one');
    await bringIn('pier two.txt', 'two');
    const page = await library('/?q=pier', '2 items');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export 2 items' });
    await dialog.getByLabel('Place').selectOption('desk');
    await dialog.getByLabel('As a bag').check();
    await dialog.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Show the job' }).click();
    await page.locator('header').getByText('Finished', { exact: true }).waitFor();
    const bag = join(desk, readdirSync(desk).find((name) => existsSync(join(desk, name, 'bagit.txt')))!);
    const payload = readdirSync(join(bag, 'data'), { recursive: true, encoding: 'utf8' });
    expect(payload.map((name) => name.split('/').at(-1))).toEqual(
      expect.arrayContaining(['pier one.txt', 'pier two.txt']),
    );
  });

  it('one is deleted after a question once its notice is closed, and its file goes with it', async () => {
    const before = stored();
    const item = await bringIn('lighthouse.txt', 'light');
    const [file] = stored().filter((path) => !before.includes(path));
    const page = await site.open({ as: 'administrator', at: `/item/${item}` });
    const dialog = await ofItem(page, 'Delete');
    await dialog.getByText('Its files go with it. Files that other items use stay.').waitFor();
    await dialog.getByText('You can undo this for 10 seconds.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await site.api('GET', `/item/${item}`);
    await ofItem(page, 'Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForFunction(() => location.pathname === '/ui/');
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => site.api('GET', `/item/${item}`).catch(String)).toContain('404');
    await expect.poll(() => existsSync(file!)).toBe(false);
    await page.goto(`${site.address}/ui/?q=lighthouse`);
    await page.getByText('Nothing found for “lighthouse”.').waitFor();
  });

  it('many are deleted only by who types how many they are, and all that were chosen are gone', async () => {
    const ids = await seedItems(
      site,
      Array.from({ length: 25 }, (_, at) => `Rehearsal ${at}`),
    );
    const page = await library('/?q=Rehearsal', '25 items');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Select all 25' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 25 items?' });
    const goes = dialog.getByRole('button', { name: 'Delete' });
    expect(await goes.isDisabled()).toBe(true);
    await dialog.getByLabel('Type 25 to go on').fill('24');
    expect(await goes.isDisabled()).toBe(true);
    await dialog.getByLabel('Type 25 to go on').fill('25');
    await goes.click();
    await page.getByText('25 items deleted.').waitFor();
    await page.getByText('Nothing found for “Rehearsal”.').waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click();
    const left = async () => {
      const body = { field: [{ name: 'title', value: [{ value: 'Rehearsal' }] }] };
      return (await site.api<{ readonly hits: number }>('PUT', '/item?number=0', body)).hits;
    };
    await expect.poll(left).toBe(0);
    expect(ids).toHaveLength(25);
  });

  it('a viewer finds no control for it', async () => {
    const page = await site.open({ as: 'viewer' });
    await page.waitForSelector('.library .nothing, .library [role=grid]');
    expect(await page.getByRole('button', { name: /^(?:Export|Delete|More)/ }).count()).toBe(0);
  });
});

describe.runIf(hasBrowser)('an upload that a quota refuses', () => {
  it('says why at once, and goes on when there is room', async () => {
    const full = await openSite({ minFreeBytes: 0 });
    try {
      await seedStorage(full);
      const { id } = await full.api<{ readonly id: string }>('POST', '/quota', {
        ...{ description: 'Small desk', enforce: true },
        resource: [{ name: 'storage', limit: 10 }],
      });
      const page = await full.open({ as: 'administrator', at: '/uploads' });
      const file = { name: 'pier.txt', mimeType: 'text/plain', buffer: Buffer.alloc(2_000) };
      await page.locator('input[type=file]').first().setInputFiles(file);
      const row = page.locator('.upload-row');
      expect(await row.getByRole('alert').textContent({ timeout: 5_000 })).toMatch(new RegExp(`quota rule.*: ${id}$`));
      await row.getByText('Failed').waitFor();
      await full.api('DELETE', `/quota/${id}`);
      await row.getByRole('button', { name: 'Go on with pier.txt' }).click();
      await row.getByText('In the library').waitFor();
      expect(page.refused.every((each) => each.startsWith('507 '))).toBe(true);
    } finally {
      await full.close();
    }
  });
});
