import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../../src/composition/settings.ts';
import { readSecurityInput } from '../../src/entry/plugins/read-input.ts';
import { readPages } from '../docs/pages.ts';
import { png } from '../production/transcoding/fake-transcoder.ts';
import { base } from '../security/ini/try.ts';
import { tryCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { admin, withService } from '../support/service.ts';
import { temporaryDirectory } from '../support/store.ts';

/** Writes the files of an instance root with a security.ini among them. */
type Fill = (root: string) => Promise<void>;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const ofExample =
  (name: string): Fill =>
  (root) =>
    cp(join('examples', name), root, { recursive: true });

const ofPage =
  (text: string): Fill =>
  async (root) => {
    for (const [, name, file] of text.matchAll(/^cat > portico-data\/(\S+) <<'END'\n([\s\S]*?)^END$/gm))
      await write(join(root, name!), file!);
  };

const ofInit: Fill = async (root) => {
  const { code, err } = await tryCli(['init'], { root, environment: { PORTICO_ADMIN_PASSWORD: 'a pass phrase' } });
  expect([code, err]).toEqual([0, '']);
};

const ofPluginNew: Fill = async (root) => {
  const said = await tryCli(['plugin', 'new', 'listener', 'logins', '--folder', join(root, 'plugins')], { root });
  const lines = said.out.slice(said.out.indexOf('[main]\n') + '[main]\n'.length);
  await write(join(root, 'security.ini'), ['[main]', ...base.main, lines, '[urls]', ...base.urls, ''].join('\n'));
};

const examples = (await readdir('examples', { withFileTypes: true })).filter((entry) => entry.isDirectory());
const pages = (await readPages()).filter(({ text }) => text.includes('cat > portico-data/security.ini'));
const roots: readonly (readonly [string, Fill])[] = [
  ...examples.map(({ name }) => [`examples/${name}`, ofExample(name)] as const),
  ...pages.map(({ path, text }) => [path, ofPage(text)] as const),
  ['portico init', ofInit],
  ['portico plugin new', ofPluginNew],
];

it('are eight examples, three pages and two commands that write a security.ini', () => {
  expect([examples.length, pages.map(({ path }) => path)]).toEqual([
    8,
    ['README.md', 'docs/plugins/first-plugin.md', 'docs/security/security-ini.md'],
  ]);
});

it.each(roots)('the security.ini of %s lets pass the addresses that the service prints', async (_name, fill) => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  await fill(directory.path);
  const settings = { ...readSettings({ PORTICO_ROOT: directory.path }), pluginFolders: [] };
  const { service } = await withService();
  const { applied, findings } = await service.configure(await readSecurityInput(settings));
  expect([applied, findings]).toEqual([true, []]);
  const ask = async (method: string, path: string, type = 'application/json', body: BodyInit = '{}') => {
    const headers = {
      ...{ authorization: basic(admin), accept: 'application/json, image/*;q=0.9, */*;q=0.5' },
      'x-gateway-secret': 'replace this secret',
    };
    const init = method === 'GET' ? { headers } : { method, headers: { ...headers, 'content-type': type }, body };
    const response = await service.fetch(new Request(new URL(path, 'http://service'), init), {});
    expect([method, path, response.status]).toEqual([method, path, 200]);
    return response;
  };
  const { id } = (await (await ask('POST', '/API/import/placeholder?container=1')).json()) as { id: string };
  const shelf = (await (await ask('PUT', `/API/item/${id}/thumbnailresource`)).json()) as { uri: string[] };
  await ask('PUT', `${shelf.uri[0]}/0`, 'image/png', png);
  const list = (await (await ask('GET', `${shelf.uri[0]}?url=true`)).json()) as { uri: string[] };
  expect(list.uri[0]).toContain(';version=');
  expect((await ask('GET', list.uri[0]!)).headers.get('content-type')).toBe('image/png');
  await ask('GET', '/API/item;first=1;number=1');
  const group = `/API/group/${encodeURIComponent('Nyhetsløpet')}`;
  await ask('PUT', group);
  expect(await (await ask('GET', group)).json()).toMatchObject({ groupName: 'Nyhetsløpet' });
});

it('portico init writes a security.ini with passwords that every user of the machine reads: the owner alone does', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  await ofInit(directory.path);
  expect((await stat(join(directory.path, 'security.ini'))).mode & 0o777).toBe(0o600);
});

it('portico init leaves a security.ini that is there as it is', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const path = join(directory.path, 'config/security.ini');
  await write(path, '[main]\n');
  const { code, out } = await tryCli(['init'], { root: directory.path });
  expect([code, out.split('\n')[0]]).toEqual([0, `${path} stays as it is`]);
  expect(await readFile(path, 'utf8')).toBe('[main]\n');
  expect(await readdir(directory.path)).not.toContain('security.ini');
});
