import type { GroupDocument, UserDocument } from 'portico/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../../../test/support/matrix.ts';
import { expectSound, hasBrowser, openSite, passwordOf, type Site } from '../support.ts';

const evil = '<img src=x onerror=globalThis.bad=1>';
let site: Site & { close(): Promise<void> };

describe.runIf(hasBrowser)('users and groups', () => {
  beforeAll(async () => {
    site = await openSite();
    await site.api('PUT', `/group/${encodeURIComponent(evil)}`);
    await site.api('POST', '/user', { userName: evil, realName: evil, password: 'password of evil' });
    await site.api('PUT', `/group/${encodeURIComponent(evil)}/user/${encodeURIComponent(evil)}`);
  });
  afterAll(() => site.close());

  it('makes a group with a role, a user in it, and a key of that user', async () => {
    const page = await site.open({ as: 'administrator', at: '/people?show=group' });
    await page.getByRole('link', { name: 'viewer', exact: true }).waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('desk');
    await dialog.getByLabel('Description').fill('Cuts the news');
    await dialog.getByRole('button', { name: 'Make a group' }).click();
    await page.getByRole('heading', { name: 'desk' }).waitFor();
    await page.getByText('Single rights').click();
    await page.getByLabel('See collections').check();
    await page.getByText('desk gets: see collections. 0 people.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await site.api<GroupDocument>('GET', '/group/desk')).parentGroupList?.group?.[0]?.groupName)
      .toBe('_collection_read');

    await page.getByRole('link', { name: 'People' }).first().click();
    await page.getByRole('button', { name: 'Make a user' }).click();
    await dialog.getByLabel('User name').fill('vera');
    await dialog.getByLabel('Full name').fill('Vera Desk');
    await dialog.getByLabel('Password', { exact: true }).fill('the pass phrase of vera');
    await dialog.getByLabel('Group').selectOption('desk');
    await dialog.getByRole('button', { name: 'Make a user' }).click();
    await page.getByRole('heading', { name: 'vera', exact: true }).waitFor();
    const rights = page.getByRole('region', { name: 'Rights' });
    const look = rights.getByRole('listitem').filter({ hasText: 'May look' });
    await look.getByText('from desk').waitFor();
    expect(await look.getByRole('checkbox').isDisabled()).toBe(true);
    await rights.getByText('Single rights').click();
    await rights.getByRole('listitem').filter({ hasText: 'See collections' }).getByText('from desk').waitFor();

    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('ingest');
    await dialog.getByLabel('Current password').fill(passwordOf('administrator'));
    await dialog.getByRole('button', { name: 'New key' }).click();
    await dialog.getByText('The secret of the new key, shown only now').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'ingest' }).waitFor();
    await page.getByRole('region', { name: 'Access keys' }).getByRole('button', { name: 'End' }).first().click();
    await page.getByText('No access keys.').waitFor();

    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect((await site.api<UserDocument>('GET', '/user/vera')).disabled).toBe(true);
    expect(page.refused).toEqual(['404 GET /API/group/desk']);
  });

  it('changes the full name and the password of a user, ends a session, and explains what roles allow', async () => {
    await site.api('POST', '/user', { userName: 'tom', password: 'the first words of tom' });
    await site.api('PUT', '/group/viewer/user/tom');
    const page = await site.open({ as: 'administrator', at: '/user/tom' });
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Full name').fill('Tom Tell');
    await dialog.getByLabel('Password', { exact: true }).fill('the second words of tom');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('Tom Tell').waitFor();

    const authorization = basic(['tom', 'the second words of tom']);
    const tokens = await fetch(`${site.address}/API/user/tom/token`, { headers: { authorization } });
    expect(tokens.status).toBe(200);
    await page.reload();
    const logins = page.getByRole('region', { name: 'Logins' }).first();
    await logins.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No logins.').waitFor();

    await page.getByRole('link', { name: 'What tom may do, and why' }).click();
    await page.getByText('For support').click();
    await page.getByRole('heading', { name: 'tom' }).waitFor();
    await page.getByText('serviceRealm').waitFor();
  });

  it('says that a group or a user is there already, and keeps what was typed', async () => {
    const page = await site.open({ as: 'administrator', at: '/people?show=group' });
    await page.getByRole('button', { name: 'Make a group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('viewer');
    await dialog.getByLabel('Description').fill('Mine');
    await dialog.getByRole('button', { name: 'Make a group' }).click();
    await dialog.getByText('viewer is there already.').waitFor();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('Mine');
    expect((await site.api<GroupDocument>('GET', '/group/viewer')).description).not.toBe('Mine');
    await page.goto(`${site.address}/ui/people`);
    await page.getByRole('button', { name: 'Make a user' }).click();
    await dialog.getByLabel('User name').fill('viewer');
    await dialog.getByLabel('Password', { exact: true }).fill('the words of viewer');
    await dialog.getByRole('button', { name: 'Make a user' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('User name').inputValue()).toBe('viewer');
    expect(page.refused).toEqual(['409 POST /API/user']);
  });

  it('saves bundles together, says whom it concerns, and asks before it gives everything', async () => {
    await site.api('PUT', '/group/desk2');
    await site.api('PUT', '/group/desk2/user/editor');
    const page = await site.open({ as: 'administrator', at: '/group/desk2' });
    const rights = page.getByRole('region', { name: 'Rights' });
    await rights.getByLabel('May share').check();
    await rights.getByText('desk2 gets: may share. 1 person.').waitFor();
    await rights.getByRole('button', { name: 'Save' }).click();
    await page.getByText('desk2 got: may share. 1 person.').waitFor();
    const roles = async () =>
      ((await site.api<GroupDocument>('GET', '/group/desk2')).parentGroupList?.group ?? []).map(
        ({ groupName }) => groupName,
      );
    expect(await roles()).toEqual(['_share_read', '_share_write']);

    // Somebody else takes it away meanwhile: nothing is saved, and the page says so.
    await rights.getByLabel('May share').uncheck();
    await rights.getByLabel('May upload').check();
    await site.api('PUT', '/group/desk2/roles', { group: [{ groupName: '_share_write', remove: true }] });
    await rights.getByRole('button', { name: 'Save' }).click();
    await rights.getByRole('alert').waitFor();
    expect(await roles()).toEqual(['_share_read']);
    // The two choices are kept, on top of the change of somebody else.
    await rights.getByText('desk2 gets: may upload. desk2 loses: ').waitFor();
    await rights.getByRole('button', { name: 'Save' }).click();
    await page.getByText('desk2 got: may upload.').waitFor();
    expect(await roles()).toEqual(['_import']);

    await rights.getByRole('button', { name: 'Give everything' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('All who are in it become administrators').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await rights.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(page.refused).toEqual(['409 PUT /API/group/desk2/roles']);
  });

  it('adds a member by name, and takes it out', async () => {
    const page = await site.open({ as: 'administrator', at: '/group/librarian' });
    const members = page.getByRole('region', { name: 'Users' });
    await members.getByLabel('User name').fill('nobody');
    await members.getByRole('button', { name: 'Add' }).click();
    await members.getByRole('link', { name: 'nobody' }).waitFor();
    await members.getByRole('button', { name: 'Remove nobody' }).click();
    await expect.poll(() => members.getByRole('link', { name: 'nobody' }).count()).toBe(0);
    await members.getByLabel('User name').fill('who');
    await members.getByRole('button', { name: 'Add' }).click();
    await page.getByText('who is not there.').waitFor();
    expect(page.refused).toEqual(['404 PUT /API/group/librarian/user/who']);
  });

  it('finds users by a part of their name, says when there are none, and shows names as text', async () => {
    const page = await site.open({ as: 'administrator', at: '/people' });
    await page.getByLabel('Find by name').fill('IMG SRC');
    await page.waitForURL(/q=IMG/);
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: evil, exact: true }).click();
    await page.getByRole('heading', { name: evil, exact: true }).waitFor();
    await page.getByRole('link', { name: evil, exact: true }).click();
    await page.getByRole('button', { name: 'Delete' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByLabel('Find by name').fill('nobody at all');
    await page.getByText('Nothing has this name.').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'bad' in globalThis)).toBe(false);
  });

  it('is closed to people without the roles, and says which one is missing, or what is gone', async () => {
    const page = await site.open({ as: 'editor', at: '/people' });
    await page.getByText('the role _user_read.').waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Make a user' }).count()).toBe(0);
    await page.goto(`${site.address}/ui/user/editor`);
    await page.getByText('from editor').first().waitFor({ state: 'hidden' });
    await page.getByText('Import media').waitFor();
    for (const name of ['Change', 'Disable', 'Add'])
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    const other = await site.open({ as: 'administrator', at: '/group/gone' });
    await other.getByText('gone is not there.').waitFor();
    other.refused.length = 0;
  });

  it('keeps the rules of WCAG 2.2 AA in each state', async () => {
    const page = await site.open({ as: 'administrator' });
    const states: readonly (readonly [path: string, shows: string, dialog?: string])[] = [
      ['/people', 'viewer person'],
      ['/people?q=none-at-all', 'Nothing has this name.'],
      ['/people', 'viewer person', 'Make a user'],
      ['/people?show=group', 'librarian', 'Make a group'],
      ['/user/editor', 'from viewer', 'Change'],
      ['/user/gone', 'gone is not there.'],
      ['/group/editor', 'May share'],
      ['/group/editor', 'May share', 'Give everything'],
    ];
    for (const [path, shows, dialog] of states) {
      await page.goto(`${site.address}/ui${path}`);
      await page.getByText(shows).first().waitFor();
      if (dialog) await page.getByRole('button', { name: dialog, exact: true }).click();
      await expectSound(page, `${path} ${dialog}`);
    }
  });
});
