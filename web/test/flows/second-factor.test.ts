import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf } from '../../../test/support/authenticator.ts';
import { login } from '../first-flows.ts';
import { bringAxe, nameOf, type Opened, openPage, openSite, passwordOf, shoot, violations } from '../support.ts';

let site: Awaited<ReturnType<typeof openSite>>;
let local: { readonly address: string };
beforeAll(async () => {
  site = await openSite({ secondFactor: 'optional', passkeyLogin: true, passwordAlone: true });
  // Passkeys need a name: an address has none.
  local = { address: site.address.replace('127.0.0.1', 'localhost') };
});
afterAll(() => site.close());

/** Chromium's own authenticator, which recognises its owner. */
async function withAuthenticator(page: Opened): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

async function keepCodes(page: Opened): Promise<readonly string[]> {
  await page.locator('.factor-codes li').first().waitFor();
  const codes = await page.locator('.factor-codes li').allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  return codes;
}

const logOut = async (page: Opened): Promise<void> => {
  await page.context().clearCookies();
  await page.goto(`${local.address}/ui/me`);
};

it('a person adds a passkey, renames it, logs in with it, alone and behind the password, and removes it', async () => {
  const page = await openPage(local, { at: '/me' });
  await withAuthenticator(page);
  await login(page, 'viewer', passwordOf('viewer'));
  await page.getByRole('button', { name: 'Add a second factor' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  expect(await keepCodes(page)).toHaveLength(10);
  await page.getByRole('cell', { name: 'Laptop' }).waitFor();
  await page.getByText('10 recovery codes are left').waitFor();

  await logOut(page);
  await login(page, 'viewer', passwordOf('viewer'));
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();

  await logOut(page);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Old laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('cell', { name: 'Old laptop' }).waitFor();

  const old = { sql: 'UPDATE token SET login_at = 0', args: [] };
  await site.service.store.commit({ changes: [old], events: [] }, { user: 'test' });
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' });
  await dialog.getByLabel('Password').fill(passwordOf('viewer'));
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  expect(await keepCodes(page)).toHaveLength(10);

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Your password alone logs you in').waitFor();
});

it('a person adds an app, logs in with a code and a recovery code, and an administrator removes it', async () => {
  const page = await openPage(local, { at: '/me' });
  await login(page, 'editor', passwordOf('editor'));
  await page.getByRole('button', { name: 'Add a second factor' }).click();
  await page.getByRole('button', { name: 'Add an app for codes' }).click();
  const secret = ((await page.locator('.factor-secret').textContent()) ?? '').replace(/\s/g, '');
  await page.getByRole('img', { name: 'Picture for the app' }).waitFor();
  expect(await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')).toContain(`secret=${secret}`);
  await page.getByLabel('Code of the app').fill(await codeOf(secret, Date.now()));
  await page.getByRole('button', { name: 'Add the app' }).click();
  const [recovery = ''] = await keepCodes(page);
  await page.getByRole('cell', { name: 'App for codes' }).waitFor();

  await logOut(page);
  await login(page, 'editor', passwordOf('editor'));
  await page.getByLabel('Code of the app').fill('000000');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('That did not fit').waitFor();
  // The next time step: one that was used counts no more.
  await page.getByLabel('Code of the app').fill(await codeOf(secret, Date.now() + 30_000));
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();

  await logOut(page);
  await login(page, 'editor', passwordOf('editor'));
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('9 recovery codes are left').waitFor();

  const admins = await site.open({ as: 'administrator', at: '/user/editor' });
  await admins.getByRole('button', { name: 'Remove all' }).click();
  await admins.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
  await admins.getByText('This person has no second factor').waitFor();
});

it('who must have a second factor sets one up behind the password, and reaches nothing before', async () => {
  const strict = await openSite({ secondFactor: 'all', passwordAlone: true });
  const at = { address: strict.address.replace('127.0.0.1', 'localhost') };
  try {
    const page = await openPage(at, { at: '/me' });
    await withAuthenticator(page);
    await login(page, 'viewer', passwordOf('viewer'));
    await page.getByText('This service asks for a second factor').waitFor();
    expect((await page.request.get(`${at.address}/API/whoami`)).status()).toBe(401);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await keepCodes(page);
    await page.getByRole('heading', { name: 'Your profile' }).waitFor();
  } finally {
    await strict.close();
  }
});

it.each([
  ['light', 1440, 'librarian'],
  ['dark', 1440, 'operator'],
  ['light', 360, 'nobody'],
  ['dark', 360, 'librarian'],
  ['dark', 360, 'administrator'],
] as const)('%s and %i wide: breaks no rule of WCAG 2.2 AA', async (colorScheme, width, kind) => {
  const page = await openPage(local, { at: '/me', colorScheme, viewport: { width, height: 900 } });
  const look = async (name: string) => {
    await bringAxe(page);
    expect(await violations(page), name).toEqual([]);
    await shoot(page, `${name}-${colorScheme}-${width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
  };
  await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
  await look('login');
  await login(page, nameOf(kind), passwordOf(kind));
  const isFirst = await Promise.race([
    page
      .getByRole('button', { name: 'Add a second factor' })
      .waitFor()
      .then(() => true),
    page
      .getByLabel('Code of the app')
      .waitFor()
      .then(() => false),
  ]);
  if (!isFirst) return look('step');
  await page.getByRole('button', { name: 'Add a second factor' }).click();
  await page.getByRole('button', { name: 'Add an app for codes' }).click();
  await page.locator('.factor-secret').waitFor();
  await look('enrol');
  const secret = ((await page.locator('.factor-secret').textContent()) ?? '').replace(/\s/g, '');
  await page.getByLabel('Code of the app').fill(await codeOf(secret, Date.now()));
  await page.getByRole('button', { name: 'Add the app' }).click();
  await page.locator('.factor-codes li').first().waitFor();
  await look('codes');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes are left').waitFor();
  return look('list');
});
