import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInSecurity } from '../../../src/composition/service.ts';
import { basic } from '../../../test/support/matrix.ts';
import { bringAxe, expectSound, kinds, type openPage, openSite, violations } from '../support.ts';

type Page = Awaited<ReturnType<typeof openPage>>;

/** Text that is dangerous where a page takes it for markup. */
const hostile = '<img src=x onerror=alert(1)>';
let site: Awaited<ReturnType<typeof openSite>>;

/** The rules of WCAG hold, and nothing is wider than the page. */
async function isSound(page: Page, at: string): Promise<void> {
  await bringAxe(page);
  const wider = await page.evaluate(() => document.querySelector('main')!.scrollWidth - innerWidth);
  expect([at, await violations(page), wider <= 0]).toEqual([at, [], true]);
}

describe('health, quotas, export locations and settings', () => {
  beforeAll(async () => {
    site = await openSite();
  });

  afterAll(() => site?.close());

  it('shows the state, and work that is late before work that is not', async () => {
    const page = await site.open({ as: 'administrator', at: '/health' });
    await page.getByText(/^\d+ parts were checked$/).click();
    await page.getByText('Security configuration').waitFor();
    await page.getByText('No job has failed, and all storages can be reached.').waitFor();
    await page.getByText('Work beside requests').click();
    await page.getByRole('cell', { name: 'Runs jobs' }).waitFor();
    await page.keyboard.press('2');
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=log');
    expect(page.refused).toEqual([]);
  });

  it('finds a refusal in the audit log, shows what was sent as text, and downloads what was found', async () => {
    const query = encodeURIComponent(hostile);
    await expect(site.api('DELETE', `/storage/VX-9?x=${query}`, undefined, 'viewer')).rejects.toThrow('403');
    const page = await site.open({ as: 'administrator', at: '/health?tab=log' });
    await page.getByRole('table').waitFor();
    await page.getByLabel('User').fill('viewer');
    await page.getByLabel('Path').fill('/storage/*');
    await page.keyboard.press('Enter');
    const row = page.locator('tbody tr', { hasText: `DELETE /storage/VX-9?x=${query}` });
    await expect.poll(() => row.innerText()).toMatch(/viewer[\s\S]*403/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the log' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.match(/<username>viewer</g)).toHaveLength(1);
    await page.goto(`${page.url().split('?')[0]}?tab=log&user=nobody-of-that-name`);
    await page.getByText('No request fits this filter.').waitFor();
  });

  it('explains which role a user lacks for a request, and what a filter refuses', async () => {
    const page = await site.open({ as: 'administrator', at: '/health?tab=access' });
    await page.getByText('For support').click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/API/storage');
    await page.getByLabel('User').fill('viewer');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('viewer lacks “See storages”, the role _storage_read.').waitFor();
    await page.getByLabel('User').fill('');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Refused by a filter').waitFor();
    await page.getByRole('textbox', { name: 'Path' }).fill(`/API/item/${hostile}`);
    await page.getByLabel('User').fill('admin');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('heading', { name: `GET /item/${hostile}` }).waitFor();
  });

  it('explains a refusal of the log with what is missing, and where the groups of its user come from', async () => {
    await expect(site.api('DELETE', '/storage/VX-7', undefined, 'viewer')).rejects.toThrow('403');
    const page = await site.open({ as: 'administrator', at: '/health?tab=log&user=viewer&path=/storage/VX-7' });
    await page.getByRole('link', { name: 'Why?' }).first().click();
    await page.getByRole('heading', { name: 'DELETE /storage/VX-7' }).waitFor();
    await page.getByText('the role _storage_write.').waitFor();
    const text = page.getByLabel('For support').filter({ hasText: 'Granted to' });
    await expect.poll(() => text.innerText()).toMatch(/through viewer[\s\S]*viewer: entered here/);
    await isSound(page, 'a refusal of the log');
    expect(page.refused).toEqual([]);
  });

  it('explains a request of their own to people without a role, and nothing of the configuration', async () => {
    const page = await site.open({ as: 'viewer', at: '/quota' });
    await page.getByRole('link', { name: 'Why?' }).first().click();
    await page.getByRole('heading', { name: 'GET /quota' }).waitFor();
    await page.getByText('viewer lacks “See quotas”').waitFor();
    expect(await page.getByText('security.ini').count()).toBe(0);
    expect(await page.getByLabel('User').count()).toBe(0);
    await isSound(page, 'an explanation of the own request');
  });

  it('answers whether a user may change an item, by what, and gives the right', async () => {
    const { id } = await site.api<{ readonly id: string }>('POST', '/import/placeholder?container=1');
    const timespan = [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Wharf at noon' }] }] }];
    await site.api('PUT', `/item/${id}/metadata`, { timespan });
    await site.api('POST', `/item/${id}/access`, { group: 'viewer', permission: 'READ' });
    const page = await site.open({ as: 'administrator', at: '/health?tab=access' });
    await page.getByLabel('User').fill('editor');
    await page.getByLabel('What').selectOption('change');
    await page.getByLabel('Item or collection').fill('whar');
    await page.getByRole('button', { name: 'Wharf at noon Item' }).click();
    const answer = page.getByRole('status').filter({ hasText: 'editor' });
    await answer.getByText('editor may not change “Wharf at noon”.').waitFor();
    await answer.getByText('editor has “Read” on it, by the group viewer. It takes “Write”.').waitFor();
    await isSound(page, 'an answer with the way to mend it');
    await answer.getByRole('button', { name: 'Give editor the right to change it' }).click();
    await answer.getByText('editor may change “Wharf at noon”.').waitFor();
    expect(await answer.getByRole('link', { name: 'Access' }).getAttribute('href')).toBe(`/ui/item/${id}?tab=access`);

    // A right that no group gives: a group that has it is offered.
    await page.getByLabel('User').fill('viewer');
    await page.getByLabel('What').selectOption('comment');
    await page.getByText('viewer may not comment on “Wharf at noon”.').waitFor();
    await page.getByText(/^viewer lacks “.+”, the role _annotation_write\. Groups that give it:$/).waitFor();
    await page.getByRole('button', { name: 'Add viewer to reviewer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add viewer to reviewer' }).click();
    await page.getByText('viewer may comment on “Wharf at noon”.').waitFor();
    await site.api('DELETE', '/group/reviewer/user/viewer');
    await site.api('DELETE', `/item/${id}`);
    expect(page.refused).toEqual([]);
  });

  it('keeps what was refused in the log alone where somebody asks for that', async () => {
    await expect(site.api('DELETE', '/storage/VX-8', undefined, 'viewer')).rejects.toThrow('403');
    const page = await site.open({ as: 'administrator', at: '/health?tab=log&user=viewer' });
    await page.getByLabel('Answer').selectOption('Refused');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForURL(/refused=true/);
    await page.getByRole('row').filter({ hasText: 'DELETE /storage/VX-8' }).first().waitFor();
    await expect.poll(() => page.locator('tbody .mark').allTextContents()).not.toContain('200');
  });

  it('shows the findings of a security.ini with errors by their lines, and takes them away after it was mended', async () => {
    const { service } = site;
    const page = await site.open({ as: 'administrator', at: '/health?tab=access' });
    await page.getByText('No errors and no warnings.').waitFor();
    await service.reload(async () => ({ ...builtInSecurity, text: `[urls]\n/** = ${hostile}\n` }));
    await page.reload();
    await page.getByText('security.ini:2:').first().waitFor();
    await page.getByText('an older configuration goes on').waitFor();
    await isSound(page, 'findings');
    await service.reload(async () => builtInSecurity);
    await page.reload();
    await page.getByText('No errors and no warnings.').waitFor();
  });

  it('plans an upgrade, and says which releases there are', async () => {
    const page = await site.open({ as: 'administrator', at: '/health?tab=upgrade&from=4.17&to=23.2' });
    await page.getByText('portico migrate', { exact: true }).waitFor();
    await page.getByLabel('To release').fill('99');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Expected a release').waitFor();
    expect(page.refused).toEqual(['400 GET /API/upgrade-plan?from=4.17&to=99']);
  });

  it('lists runners with what they do now, sees changes by itself, and pauses, resumes and removes one', async () => {
    const page = await site.open({ as: 'administrator', at: '/health?tab=runners' });
    await page.getByText('No runner has registered.').waitFor();
    // Other machines do not reach this address, and a token goes over TLS.
    await page.getByText(' runner --url https://ADDRESS/API --token TOKEN').waitFor();
    await page.getByText(` token new runner --seconds 31536000 --root ${site.root}`).waitFor();
    const json = { accept: 'application/json', 'content-type': 'application/json' };
    const headers = { authorization: basic(['box', 'password of box']), ...json };
    const call = async (path: string, body?: object) => {
      const init = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) };
      return fetch(`${site.address}/API/runner${path}`, init);
    };
    const groupList = { group: [{ groupName: '_runner' }] };
    await site.api('POST', '/user', { userName: 'box', password: 'password of box', groupList });
    const answer = await call('', { name: hostile, version: '9.9', label: ['gpu', 'site=oslo'], ability: [] });
    const { id } = (await answer.json()) as { readonly id: string };
    const row = page.locator('tbody tr', { hasText: hostile });
    await expect.poll(() => row.innerText()).toMatch(/box[\s\S]*gpu[\s\S]*site=oslo[\s\S]*Free[\s\S]*9\.9/);
    const task = {
      sql: `INSERT INTO runner_task (key, job_id, kind, needs, request, file_id, state, created_at, claim, runner_id, lease_until, claimed_at, claims, progress, reported)
        VALUES ('VX-7 a', 'VX-7', 'transcode', '[]', '{}', 'VX-1', 'CLAIMED', 0, 'c', ?, ?, 0, 1, 40, 0)`,
      args: [id, Date.now() + 600_000],
    };
    await site.service.store.commit({ changes: [task], events: [] }, { user: 'test' });
    const bar = row.getByRole('progressbar', { name: 'Transcode VX-7' });
    await bar.waitFor();
    expect([await bar.getAttribute('aria-valuenow'), await row.innerText()]).toEqual([
      '40',
      expect.stringContaining('Works'),
    ]);
    await page.getByRole('button', { name: `Pause ${hostile}` }).click();
    await row.getByText('Paused', { exact: true }).waitFor();
    expect(await row.innerText()).toContain('Works');
    await isSound(page, 'runners');
    await page.getByRole('button', { name: `Resume ${hostile}` }).click();
    await row.getByText('Paused', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Remove ${hostile}` }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Remove ${hostile}` })
      .click();
    await page.getByText('No runner has registered.').waitFor();
    expect((await call(`/${id}/claim`)).status).toBe(404);
  });

  it('makes a quota rule, refuses a user that is not there beside the field, changes and removes the rule', async () => {
    const page = await site.open({ as: 'operator', at: '/quota' });
    await page.getByText('No rule limits items or bytes.').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(hostile);
    await dialog.getByLabel('Most bytes').fill('1,5 TB');
    await dialog.getByLabel('User').fill('nowhere');
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('nowhere is not there').waitFor();
    expect(await dialog.getByLabel('User').getAttribute('aria-invalid')).toBe('true');
    await bringAxe(page);
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('User').fill('viewer');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('0 bytes of 1.5 TB').waitFor();
    const {
      rule: [newRule],
    } = await site.api<{ rule: { id: string; user: string }[] }>('GET', '/quota');
    expect(newRule).toMatchObject({
      description: hostile,
      user: 'viewer',
      resource: [{ name: 'storage', limit: 1.5e12 }],
    });

    await page.getByRole('button', { name: `Change ${hostile}` }).click();
    await site.api('PUT', `/quota/${newRule!.id}`, {
      description: 'theirs',
      resource: [{ name: 'storage', limit: 2e12 }],
    });
    await dialog.getByLabel('Most items').fill('7');
    await dialog.getByLabel('Most bytes').fill('3 TB');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const clash = page.getByRole('dialog', { name: 'Somebody else has changed this, too' });
    await clash.getByText('From somebody else: 2 TB').waitFor();
    // A part that only one of both has changed needs no question.
    expect(await clash.getByRole('group').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await site.api('PUT', `/quota/${newRule!.id}`, {
      description: 'theirs',
      resource: [{ name: 'storage', limit: 4e12 }],
    });
    await clash.getByRole('button', { name: 'Keep mine' }).click();
    await clash.getByText('From somebody else: 4 TB').waitFor();
    await clash.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('0 of 7 items').waitFor();
    await page.getByText('0 bytes of 3 TB').waitFor();
    await page.getByRole('button', { name: 'Remove theirs' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No rule limits items or bytes.').waitFor();
    expect(page.refused).toEqual(['404 POST /API/quota']);
  });

  it('makes an export location, but not over another, and takes its script away', async () => {
    await site.api('PUT', '/export-location/desk', { uri: 'file:///srv/desk/', script: '"a.mov"' });
    const page = await site.open({ as: 'administrator', at: '/exports' });
    await page.getByRole('button', { name: 'Make a location' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('desk');
    await dialog.getByLabel('Address of the folder').fill('file:///srv/other/');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('There is a location of this name.').waitFor();
    await dialog.getByLabel('Name').fill('other');
    await dialog.getByLabel('Address of the folder').fill('nowhere');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Expected an address such as').waitFor();
    await dialog.getByLabel('Address of the folder').fill('file:///srv/other/');
    await dialog.getByLabel('Shape tags').fill('lowres\noriginal');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('lowres, original').waitFor();
    await page.getByRole('button', { name: 'Change desk' }).click();
    await dialog.getByLabel('Script').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await site.api('GET', '/export-location/desk')).toEqual({ name: 'desk', uri: 'file:///srv/desk/' });
    expect(page.refused).toEqual(['400 PUT /API/export-location/other']);
  });

  it('sets a property, purging, job pools and an entry for another origin, with what the service says at the field', async () => {
    const page = await site.open({ as: 'administrator', at: '/settings?tab=properties' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Set a property' }).click();
    await dialog.getByLabel('Key').fill('userTokenMaxInterval');
    await dialog.getByLabel('Value').fill('soon');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Expected a whole number').waitFor();
    await dialog.getByLabel('Value').fill('120');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: '120' }).waitFor();

    await page.getByRole('tab', { name: 'Other origins' }).click();
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await dialog.getByLabel('Origins', { exact: true }).fill('https://a.example');
    await dialog.getByLabel('Allowed origin').fill('https://a.example');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'https://a.example' }).first().waitFor();
    const { entry } = await site.api<{ entry: unknown }>('GET', '/configuration/cors');
    expect(entry).toMatchObject([{ request: [{ origin: ['https://a.example'] }], response: {} }]);

    await page.getByRole('tab', { name: 'Purging' }).click();
    await page.getByLabel('Audit log').fill('99999');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Expected days from 1 to 36500').waitFor();
    await page.getByLabel('Audit log').fill('90');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => site.api('GET', '/configuration/purging')).toMatchObject({ auditTrail: { age: 90 } });
    await page.getByLabel('Audit log').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => site.api('GET', '/configuration/purging')).toEqual({});

    await page.getByRole('tab', { name: 'Job pools' }).click();
    await page.getByLabel('HIGH and above').fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => site.api('GET', '/configuration/job-pool'))
      .toMatchObject({ pool: [{ priorityThreshold: 'HIGH', size: 2 }] });

    for (const [tab, label, typed, path, stored] of [
      ['Job priorities', 'Jobs', 'transcode high', 'job-priority', { job: [{ type: 'TRANSCODE', value: 'HIGH' }] }],
      ['FTP', 'Most open connections', '4', 'ftp-pool', { pool: { maxSize: 4 } }],
      ['Path aliases', 'NAME=PATH', 'desk=/item', 'path-alias', { alias: ['desk=/item'] }],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByLabel(label).fill(typed);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => site.api('GET', `/configuration/${path}`)).toEqual(stored);
      await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await page.getByLabel(label).fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => site.api('GET', `/configuration/${path}`)).not.toEqual(stored);
    }
    expect(page.refused).toEqual(['400 PUT /API/configuration/properties', '400 PUT /API/configuration/purging']);
  });

  it('keeps what is typed while a save is on its way, as unsaved', async () => {
    const page = await site.open({ as: 'administrator', at: '/settings?tab=purging' });
    const releases: (() => void)[] = [];
    await page.route('**/API/configuration/**', async (route) => {
      if (route.request().method() === 'PUT') await new Promise<void>((go) => releases.push(go));
      await route.continue();
    });
    const log = page.getByLabel('Audit log');
    const save = page.getByRole('button', { name: 'Save' });
    await log.fill('90');
    await save.click();
    await expect.poll(() => releases.length).toBe(1);
    await log.fill('900');
    releases.pop()!();
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect(await log.inputValue()).toBe('900');
    expect(await site.api('GET', '/configuration/purging')).toMatchObject({ auditTrail: { age: 90 } });
    await save.click();
    await expect.poll(() => releases.length).toBe(1);
    releases.pop()!();
    await expect.poll(() => site.api('GET', '/configuration/purging')).toMatchObject({ auditTrail: { age: 900 } });

    await page.getByRole('tab', { name: 'Properties' }).click();
    await page.getByRole('button', { name: 'Set a property' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill('userTokenDefaultInterval');
    await dialog.getByLabel('Value').fill('60');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => releases.length).toBe(1);
    await dialog.getByLabel('Value').fill('61');
    releases.pop()!();
    await page.getByRole('cell', { name: '60' }).waitFor();
    expect(await dialog.getByLabel('Value').inputValue()).toBe('61');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => releases.length).toBe(1);
    releases.pop()!();
    await page.getByRole('cell', { name: '61' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('shows an operator the settings without a control to change them', async () => {
    const page = await site.open({ as: 'operator', at: '/settings?tab=pools' });
    await page.getByLabel('All together').waitFor();
    expect(await page.getByLabel('All together').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Save|^Set/ }).count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'Bearer tokens' }).count()).toBe(0);
    expect(page.refused).toEqual([]);
  });

  it('says which role is missing to who may not see quotas, locations or settings', async () => {
    const page = await site.open({ as: 'viewer', at: '/quota' });
    for (const [at, role] of [
      ['quota', '_quota_read'],
      ['exports', '_export'],
      ['settings', '_configuration_read'],
    ]) {
      await page.goto(`${site.address}/ui/${at}`);
      await page.getByText(`the role ${role}.`).waitFor();
      expect(await page.locator('main .button.main').count()).toBe(0);
      expect(await page.getByRole('navigation').locator(`a[href$="/${at}"]`).count()).toBe(0);
    }
  });

  const paths = [
    '/health',
    '/health?tab=work',
    '/health?tab=log',
    '/health?tab=log&user=x',
    '/health?tab=upgrade&from=1&to=2',
  ];
  const others = [
    '/quota',
    '/exports',
    ...['/embedded', '/fixity', '/tables', '/rights'],
    ...['properties', 'cors', 'purging', 'pools', 'priorities', 'ftp', 'aliases', 'auth'].map(
      (tab) => `/settings?tab=${tab}`,
    ),
  ];
  const explained = '/health?tab=access&target=/API/storage&user=viewer';

  it('keeps the rules of WCAG 2.2 AA in each state', async () => {
    const page = await site.open({ as: 'administrator' });
    for (const at of [...paths, explained, ...others]) {
      await page.goto(`${site.address}/ui${at}`);
      await page.locator('.page :is(.card, table, .empty, [role=alert])').first().waitFor();
      await expectSound(page, at);
    }
  }, 240_000);

  it.each(kinds)('opens for %s without a request that is refused', async (kind) => {
    const page = await site.open({ as: kind, at: '/health' });
    const main = page.locator('main');
    if (kind === 'administrator') await main.locator('summary').getByText('Version', { exact: true }).click();
    await main.getByText(kind === 'nobody' ? 'no role has been given to you' : 'Transcoders').waitFor();
    expect(await page.getByRole('navigation').getByText('Health').count()).toBe(kind === 'administrator' ? 1 : 0);
    expect(await page.getByRole('tab').count()).toBe({ administrator: 4, nobody: 0 }[kind as string] ?? 2);
    expect(page.refused).toEqual([]);
  });
});
