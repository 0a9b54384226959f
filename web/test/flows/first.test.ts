import type { JobDocument } from 'portico/types';
import { expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../../../src/composition/settings.ts';
import { startServer } from '../../../src/entry/start-server.ts';
import { temporaryDirectory } from '../../../test/support/store.ts';
import { bringAxe, openPage, violations } from '../support.ts';

/** A first start, with the address that it prints. */
async function firstStart(): Promise<{ readonly address: string; readonly link: string; readonly password: string }> {
  const directory = await temporaryDirectory();
  const said: string[] = [];
  const settings = { ...readSettings({}), root: directory.path, port: 0, logLevel: 'error' as const };
  const running = await startServer(settings, (line) => said.push(line));
  onTestFinished(async () => {
    await running.stop();
    await directory.remove();
  });
  const matchOf = (pattern: RegExp) => pattern.exec(said.join('\n'))![1]!;
  return {
    address: running.address,
    link: matchOf(/one login: http:\/\/[^/]+\/ui(\S+)/),
    password: matchOf(/shown only now: (\S+)/),
  };
}

it('a first start is set up by its link: a password, a storage, and on to the upload', async () => {
  const { address, link } = await firstStart();
  const page = await openPage({ address }, { at: link });
  const password = page.getByLabel('New password');
  await password.fill('short');
  await page.getByRole('button', { name: 'Set the password' }).click();
  // The browser asks for eight characters, so nothing is sent.
  expect(await password.evaluate((field: HTMLInputElement) => field.validity.tooShort)).toBe(true);
  await password.fill('a pass phrase of mine');
  await page.getByLabel('Show the password').check();
  expect(await password.getAttribute('type')).toBe('text');
  expect(page.url()).toBe(`${address}/ui/first?step=password`);
  await bringAxe(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Set the password' }).click();
  expect(await page.getByLabel('Address of the folder').inputValue()).toMatch(/^file:\/\/\/.*\/media\/$/);
  const folder = await page.getByLabel('Address of the folder').inputValue();
  await page.getByLabel('Address of the folder').fill('file:///etc/');
  await page.getByRole('button', { name: 'Make the storage' }).click();
  await page.getByText(/PORTICO_STORAGE_ROOTS: "/).waitFor();
  await page.getByLabel('Address of the folder').fill(folder);
  await page.getByRole('button', { name: 'Make the storage' }).click();
  await page.getByLabel('Everybody in').check();
  await page.getByRole('group', { name: 'Who may also change them' }).getByLabel('editor').check();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.locator('li:focus', { hasText: 'The first film' }).waitFor();
  await page.locator('main').getByRole('link', { name: 'Upload', exact: true }).click();
  expect(page.url()).toBe(`${address}/ui/uploads`);
  const headers = { authorization: `Basic ${btoa('admin:a pass phrase of mine')}`, accept: 'application/json' };
  const { webTag } = await (await fetch(`${address}/API/session`, { headers })).json();
  expect(await page.getByRole('checkbox', { name: 'MP4 for the web' }).isChecked()).toBe(webTag !== undefined);
  const { storage } = await (await fetch(`${address}/API/storage`, { headers })).json();
  expect(storage).toHaveLength(1);
  const { field } = await (await fetch(`${address}/API/metadata-field?data=ui_form`, { headers })).json();
  const named = field.filter((each: { readonly name: string }) => each.name.startsWith('asset_'));
  expect(named.map((each: { readonly name: string }) => each.name).toSorted()).toEqual(
    ['comment', 'description', 'keywords', 'rating'].map((name) => `asset_${name}`),
  );
  // A document has the fields of the set-up in its form, and those of each group that is usual.
  const call = async (method: string, path: string, body?: string | object) => {
    const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
    const sent = typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
    const response = await fetch(`${address}/API${path}`, { method, headers: { ...headers, ...type }, body: sent });
    expect(response.ok, path).toBe(true);
    return response;
  };
  for (const group of ['film', 'paper']) {
    const data = [{ key: 'ui_default', value: String(group === 'paper') }];
    await call('PUT', `/metadata-field/${group}_note`, { type: 'string' });
    await call('PUT', `/metadata-field/field-group/${group}`, { data, field: [{ name: `${group}_note` }] });
  }
  const { jobId } = await (await call('POST', '/import/raw?filename=page.html', '<p>hello</p>')).json();
  const job = async () => (await (await call('GET', `/job/${jobId}?metadata=true`)).json()) as JobDocument;
  await expect.poll(async () => (await job()).status).toMatch(/^FINISHED/);
  const item = (await job()).data?.find(({ key }) => key === 'itemId')?.value;
  await page.goto(`${address}/ui/item/${item}`);
  const form = page.locator('form.form');
  for (const name of ['Title', 'Description', 'Note', 'Paper note'])
    await form.getByRole('textbox', { name, exact: true }).waitFor();
  await form.getByRole('combobox', { name: 'Keywords' }).waitFor();
  await form.getByRole('radiogroup', { name: 'Rating, 1 to 5' }).waitFor();
  expect(await form.getByRole('textbox', { name: 'Film note' }).count()).toBe(0);
  const seen = await (await fetch(`${address}/API/import/access/default`, { headers })).json();
  expect(seen.group.toSorted((a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name))).toEqual([
    { name: 'editor', permission: 'WRITE' },
    { name: 'viewer', permission: 'READ' },
  ]);
  expect(page.refused).toEqual([]);
});

it('a start with the sample asks who sees new items, and without the sample for a storage', async () => {
  const { address, link, password } = await firstStart();
  const headers = { authorization: `Basic ${btoa(`admin:${password}`)}`, accept: 'application/json' };
  const call = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${address}${path}`, { method, headers, body: body ?? null });
    expect(response.ok, path).toBe(true);
    return await response.json();
  };
  await call('POST', '/APIinit/sample');
  const { jobId } = await call('POST', '/API/import/raw?filename=page.html', '<p>hello</p>');
  await expect.poll(async () => (await call('GET', `/API/job/${jobId}`)).status).toMatch(/^FINI/);
  const page = await openPage({ address }, { at: link });
  await page.getByRole('button', { name: 'Keep the printed one' }).click();
  await page.getByLabel('Nobody but the person').check();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.locator('main').getByRole('link', { name: 'Upload', exact: true }).waitFor();

  await page.getByRole('navigation').getByRole('link', { name: 'Health', exact: true }).click();
  await page.getByText('No backup has been made.').waitFor();
  await page.getByRole('button', { name: 'Remove the sample' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the sample' }).click();
  const notice = page.locator('.toast');
  await notice.getByText('4 stayed, because they are in use: the field asset_rating').waitFor();
  await notice.getByText('the storage with your files, which takes no more').waitFor();
  expect(await page.getByLabel('Address of the folder').inputValue()).toMatch(/\/media\/files-1\/$/);
  await page.getByRole('button', { name: 'Make the storage' }).click();
  await page.getByLabel('Nobody but the person').waitFor();
  const { storage } = await call('GET', '/API/storage');
  expect(storage.map(({ type }: { type: string }) => type)).toEqual(['SHARED', 'LOCAL']);
  expect(page.refused).toEqual([]);
});

it('the checklist has what others and commands have brought, whenever its page is opened', async () => {
  const { address, password } = await firstStart();
  const page = await openPage({ address });
  await page.fill('[name=name]', 'admin');
  await page.fill('[name=password]', password);
  await page.click('[type=submit]');
  const goTo = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  const done = (text: string) => page.locator('.checklist li[data-done=true]', { hasText: text });
  await goTo('Health');
  await page.locator('.checklist li[data-done=false]', { hasText: 'A second user' }).waitFor();
  const authorization = `Basic ${btoa(`admin:${password}`)}`;
  const call = async (method: string, path: string, type: string, body: string) =>
    expect(
      (await fetch(`${address}/API${path}`, { method, headers: { authorization, 'content-type': type }, body })).ok,
    ).toBe(true);
  await call('POST', '/user', 'application/json', '{"userName": "ann", "password": "a pass phrase of ann"}');
  await goTo('Jobs');
  await goTo('Health');
  await done('A second user').waitFor();
  await call('PUT', '/configuration/properties/lastBackup', 'text/plain', '2026-11-29T02:00:00Z');
  await goTo('Jobs');
  await goTo('Health');
  await done('A backup').waitFor();
});

it('a link that was used shows the login, says why, and leaves no trace in the history', async () => {
  const { address, link, password } = await firstStart();
  await openPage({ address }, { at: link });
  const page = await openPage({ address }, { at: link });
  await page.getByText('This link was used, or its half hour is over.').waitFor();
  expect(page.url()).toBe(`${address}/ui/first`);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  await page.fill('[name=name]', 'admin');
  await page.fill('[name=password]', password);
  await page.click('[type=submit]');
  await page.getByRole('heading', { name: 'Set up Portico' }).waitFor();
});

it('the question who sees new items waits on the list for who logs in by password or leaves, until it is answered', async () => {
  const { address, password } = await firstStart();
  const enter = async (name: string, secret: string) => {
    const page = await openPage({ address });
    await page.fill('[name=name]', name);
    await page.fill('[name=password]', secret);
    await page.click('[type=submit]');
    await page.getByRole('navigation').getByRole('link', { name: 'Library', exact: true }).waitFor();
    return page;
  };
  const page = await enter('admin', password);
  const question = page.locator('.checklist li', { hasText: 'who sees new items' });
  await question.and(page.locator('[data-done=false]')).waitFor();
  // The set-up makes the groups that the question offers, and the person leaves at its third step.
  await page.locator('.checklist').getByRole('link', { name: 'Make a storage' }).click();
  await page.getByRole('button', { name: 'Make the storage' }).click();
  await page.getByLabel('Everybody in').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Library', exact: true }).click();
  await question.and(page.locator('[data-done=false]')).waitFor();
  await bringAxe(page);
  expect(await violations(page)).toEqual([]);
  await question.getByRole('link', { name: 'Decide' }).click();
  await page.getByLabel('Nobody but the person').check();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.locator('main').getByRole('link', { name: 'Library', exact: true }).click();
  await page.locator('.checklist li[data-done=true]', { hasText: 'It is decided who sees new items' }).waitFor();
  // The page asked who it is before the login.
  expect(page.refused).toEqual(['401 GET /API/session']);
});

it('a viewer to whom an item is closed is told so in words, and whom to ask', async () => {
  const { address, password } = await firstStart();
  const authorization = `Basic ${btoa(`admin:${password}`)}`;
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization, accept: 'application/json', 'content-type': 'application/json' };
    const response = await fetch(`${address}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    expect(response.ok, path).toBe(true);
    return response;
  };
  await call('PUT', '/APIinit/groups');
  await call('POST', '/API/user', { userName: 'vera', password: 'a pass phrase of vera' });
  await call('PUT', '/API/group/viewer/user/vera');
  const { id } = await (
    await call('POST', '/API/import/placeholder?container=1', {
      timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Harbour' }] }] }],
    })
  ).json();
  const page = await openPage({ address });
  await page.fill('[name=name]', 'vera');
  await page.fill('[name=password]', 'a pass phrase of vera');
  await page.click('[type=submit]');
  await page.getByRole('navigation').getByRole('link', { name: 'Library', exact: true }).waitFor();
  await page.goto(`${address}/ui/item/${id}`);
  await page.getByText(`Your access to ${id} does not go that far. Ask`).first().waitFor();
});
