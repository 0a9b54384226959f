import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { runCli, serveCli, tryCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { serveOpenSearch } from '../support/opensearch/serve.ts';
import { iniWith, realmPlugin } from './plugins-support.ts';

const environment = { PORTICO_ADMIN_PASSWORD: 'the password of admin' };
const admin = basic(['admin', environment.PORTICO_ADMIN_PASSWORD]);

async function newRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'portico-security-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

/** A realm of a team: a file with no import that runs. */
const badge = (number: string) => `import type { Plugin } from 'portico/spi';

export default {
  name: 'badges',
  version: '1.0.0',
  contract: 1,
  realms: {
    'team.BadgeRealm': {
      says: 'People with a badge.',
      create: () => ({
        supports: (credentials) => credentials.kind === 'password',
        authenticate: (credentials) =>
          credentials.kind === 'password' && credentials.password.reveal() === '${number}'
            ? { answer: 'account', account: { name: credentials.user } }
            : { answer: 'refused', reason: 'wrong-badge' },
      }),
    },
  },
} satisfies Plugin;
`;

const withBadges = defaultIni.replace(
  '\nsecurityManager.realms = $serviceRealm\n',
  '\nbadges = team.BadgeRealm\nsecurityManager.realms = $serviceRealm, $badges\n',
);

async function install(root: string, number = '4711', ini = withBadges): Promise<void> {
  await mkdir(join(root, 'plugins'), { recursive: true });
  await writeFile(join(root, 'plugins', 'badges.ts'), badge(number));
  await writeFile(join(root, 'security.ini'), ini);
}

describe('a realm dropped into the ext folder', () => {
  it('lets its users in after a start, and after SIGHUP; a bad file leaves the old one running', async () => {
    const root = await newRoot();
    await install(root);
    const { port, child, logged, err } = await serveCli({ root, environment });
    const whoami = (authorization: string) =>
      fetch(`http://127.0.0.1:${port}/API/whoami`, { headers: { authorization } });
    const eve = (number: string) => whoami(basic(['eve', number]));
    expect([(await whoami(admin)).status, (await eve('4711')).status, (await eve('1')).status]).toEqual([
      200, 200, 401,
    ]);

    await install(root, '4712');
    child.kill('SIGHUP');
    await logged('"security-reloaded"');
    expect([(await eve('4711')).status, (await eve('4712')).status]).toEqual([401, 200]);

    await install(root, '4713', withBadges.replace('team.BadgeRealm', 'team.BadgesRealm'));
    child.kill('SIGHUP');
    await logged('"security-kept"');
    expect(err()).toContain('team.BadgeRealm');
    expect([(await whoami(admin)).status, (await eve('4712')).status]).toEqual([200, 200]);
  });
});

describe('a security.ini that cannot be used', () => {
  it('stops the start with file, line and the nearest valid name', async () => {
    const root = await newRoot();
    await writeFile(
      join(root, 'security.ini'),
      defaultIni.replace('noSessionCreation, sessionAuth', 'noSessionCreaton, sessionAuth'),
    );
    const { code, out, err } = await runCli(['serve', '--port', '0'], { root, environment });
    const line = defaultIni.slice(0, defaultIni.indexOf('noSessionCreation, sessionAuth')).split('\n').length;
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`security\\.ini:${line}:\\d+: error: .*noSessionCreaton`));
    expect(err).toContain('noSessionCreation');
    expect(`${out}${err}`.match(/noSessionCreaton/g), 'told once').toHaveLength(1);
  });
});

describe('the kit of the operator', () => {
  it('prints the built-in security.ini, which checks without a finding', async () => {
    const root = await newRoot();
    const printed = await tryCli(['security'], { root });
    expect(printed.out.trimEnd()).toBe(defaultIni.trimEnd());
    await mkdir(join(root, 'config'));
    await writeFile(join(root, 'config', 'security.ini'), printed.out);
    const checked = await tryCli(['check'], { root });
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('nothing is wrong')]);
  });

  it('warns once of short passwords that other machines may guess', async () => {
    const root = await newRoot();
    const checked = await tryCli(['check', '--host', '0.0.0.0'], { root });
    expect(checked.code).toBe(0);
    expect(checked.out.match(/PORTICO_MIN_PASSWORD_LENGTH is 1/g)).toHaveLength(1);
    const longer = await tryCli(['check', '--host', '0.0.0.0', '--min-password-length', '8'], { root });
    expect(longer.out).not.toContain('PORTICO_MIN_PASSWORD_LENGTH');
  });

  it('asks the search engine, and tells the line of one that does not answer', async () => {
    const root = await newRoot();
    const { url, stop } = await serveOpenSearch({ authorization: `Basic ${btoa('portico:Right-pass-1')}` });
    onTestFinished(stop);
    const told = async (url: string, password: string) => {
      const engine = `search = portico.OpenSearchEngine\nsearch.url = ${url}\nsearch.user = portico\nsearch.password = ${password}`;
      await writeFile(join(root, 'security.ini'), defaultIni.replace(/^\[main\]$/m, `[main]\n${engine}`));
      const { code, out } = await tryCli(['check'], { root });
      expect([code, out]).toEqual([0, expect.not.stringMatching(/pass-1/)]);
      return out;
    };
    expect(await told(url, 'Right-pass-1')).toMatch(
      /^search engine search: OpenSearch 2\.19\.6, without an index for searches, 0 documents$/m,
    );
    const line = defaultIni.split('\n').indexOf('[main]') + 2;
    const place = `${join(root, 'security.ini')}:${line}:1: warning:`;
    expect(await told(url, 'Wrong-pass-1')).toContain(
      `${place} Expected a login that the search engine takes: 401 security_exception [no-answer]`,
    );
    expect(await told('http://127.0.0.1:1', 'Right-pass-1')).toContain(
      `${place} Expected an answer of the search engine: connect [no-answer]`,
    );
  });

  it('"check" names the plugins, which have all rights of the process', async () => {
    const root = await newRoot();
    expect((await tryCli(['check'], { root })).out).not.toContain('rights of this process');
    await mkdir(join(root, 'plugins'));
    await writeFile(join(root, 'plugins', 'mine.mjs'), realmPlugin('mine', 'Mine'));
    await writeFile(join(root, 'security.ini'), iniWith('Mine'));
    expect((await tryCli(['check'], { root })).out).toMatch(
      /^plugins with all rights of this process, on Node and Deno: mine$/m,
    );
  });

  it('"check" of a file that is not there is one finding', async () => {
    const root = await newRoot();
    const { code, out } = await tryCli(['check', `${root}/none.ini`], { root });
    const [first, ...others] = out.trim().split('\n');
    expect([code, first]).toEqual([
      1,
      `${root}/none.ini:1:1: error: Expected a file that can be read: there is none [ini-unreadable]`,
    ]);
    expect(others).toEqual([expect.stringMatching(/^transcoders: /)]);
    const asJson = await tryCli(['check', `${root}/none.ini`, '--json'], { root });
    expect(JSON.parse(asJson.out)).toEqual([expect.objectContaining({ code: 'ini-unreadable' })]);
  });

  it('checks another file, for programs too, and ends with 1 if there is an error', async () => {
    const root = await newRoot();
    const file = join(root, 'new.ini');
    await writeFile(file, '[main]\na = b\n');
    const { code, out } = await tryCli(['check', file, '--json'], { root });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({ severity: 'error', line: 2, code: 'unknown-class' }),
    );
  });

  it.each([
    ['smtp://ann:canary@mail.example.com', {}, 'mail.example.com:587', ', under TLS alone: mail waits if'],
    ['smtp://mail.example.com', { PORTICO_SMTP_TLS: 'optional' }, 'mail.example.com:587', ', in clear if the server'],
    ['smtps://mail.example.com', {}, 'mail.example.com:465', '\n'],
    ['smtp://127.0.0.1:25', {}, '127.0.0.1:25', '\n'],
  ])(
    'names the server of mail %s without its password, and whether mail may leave in clear',
    async (url, more, server, terms) => {
      const root = await newRoot();
      const mail = {
        ...more,
        PORTICO_SMTP_URL: url,
        PORTICO_MAIL_FROM: 'portico@example.com',
        PORTICO_PUBLIC_URL: 'https://media.example.com',
      };
      const { out } = await tryCli(['check'], { root, environment: { ...environment, ...mail } });
      expect(out).toContain(`\nmail: by ${server}, from portico@example.com${terms}`);
      expect(out).not.toContain('canary');
    },
  );

  it('explains what a request would meet', async () => {
    const root = await newRoot();
    await tryCli(['migrate'], { root, environment });
    const unknown = await tryCli(['explain', 'GET', '/API//whoami;x=1'], { root });
    expect(unknown.out).toContain('GET /whoami');
    expect(unknown.out).toContain('Refused: 401 credentials-missing');
    const known = await tryCli(['explain', 'GET', '/API/whoami', '--user', 'admin'], { root });
    expect(known.out).toContain('Granted to admin');
  });
});
