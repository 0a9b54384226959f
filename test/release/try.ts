import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { renderTemplate } from '../deploy/helm.ts';
import { password, readerIn } from '../docs/clone/clone.ts';
import { sqldBinary, startSqld } from '../support/sqld.ts';
import { hasMiniflare, serveByWorkerd } from '../support/workerd.ts';

/**
 * `npm run release:build -- --try`: checks the files of a release, installs and starts them by the blocks of their page,
 * and makes items with each. The executable starts in a root with a shell and the libraries of its links.
 */
const [artefacts = '', VERSION = ''] = process.argv.slice(2);
const release = `portico-${VERSION}`;
const page = readFileSync('docs/operate/service.md', 'utf8');
const marked = /^<!-- not run: npm run release:build -- --try follows it -->\n```sh\n([\s\S]*?)^```/gm;
const [install, onDeno, executable, migrate] = Array.from(page.matchAll(marked), ([, block]) => block!);
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

function expectEqual(what: string, names: readonly string[]): void {
  if (names.length > 0) throw new Error(`Expected no ${what}: found ${names.join(', ')}`);
}

/** Sums, as the page checks them. Each of these functions gives the line that tells what it did. */
function checkSums(): string {
  const [line = ''] = page.match(/^sha256sum .*$/m) ?? [];
  execFileSync('sh', ['-c', line], { cwd: artefacts, stdio: ['ignore', 'ignore', 'inherit'] });
  const named = readFileSync(join(artefacts, 'SHA256SUMS'), 'utf8');
  const others = readdirSync(artefacts).filter((name) => !name.startsWith('SHA256SUMS') && !named.includes(name));
  expectEqual('files without a sum', others);
  return `Sums: ${line}`;
}

/** The list of parts against the schema of its makers. */
function checkParts(): string {
  const folder = 'test/release/node_modules/@cyclonedx/cyclonedx-library/res/schema';
  if (!existsSync(folder)) execFileSync('npm', ['ci', '--prefix', 'test/release'], { stdio: 'inherit' });
  const formats = { uri: true, 'date-time': true, 'iri-reference': true, 'idn-email': true } as const;
  const ajv = new Ajv({ strict: false, formats });
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema(json(join(folder, name)), `http://cyclonedx.org/schema/${name}`);
  const list: { specVersion: string; components: readonly unknown[] } = json(join(artefacts, 'portico.cdx.json'));
  if (!ajv.validate(json(join(folder, 'bom-1.6.SNAPSHOT.schema.json')), list)) throw new Error(ajv.errorsText());
  return `List of parts: valid CycloneDX ${list.specVersion}, ${list.components.length} parts`;
}

function renderChart(folder: string): string {
  const archive = join(artefacts, `${release}-chart.tgz`);
  if (spawnSync('helm', ['version']).error === undefined) {
    execFileSync('helm', ['template', 'media', archive], { stdio: ['ignore', 'ignore', 'inherit'] });
    return 'Chart: rendered by helm';
  }
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const read = (path: string) => readFileSync(join(folder, 'portico', path), 'utf8');
  const root = { Release: { Name: 'media' }, Values: parse(read('values.yaml')) };
  const objects = readdirSync(join(folder, 'portico/templates'))
    .map((name) => parse(renderTemplate(read(`templates/${name}`), root)))
    .filter((object) => object !== null);
  return `Chart: ${objects.map(({ kind }) => kind)}, by the reader of the tests. helm is not installed`;
}

/** Names of what is installed against the list, which also has the parts of the page and those of other systems. */
function compareParts(folder: string): string {
  const { packages } = json(join(folder, 'node_modules/.package-lock.json'));
  const installed = Object.keys(packages).map((path) => path.split('node_modules/').at(-1)!);
  const { components } = json(join(artefacts, 'portico.cdx.json'));
  const listed: readonly string[] = components.map(({ name }: { readonly name: string }) => name);
  expectEqual(
    'packages that the list of parts lacks',
    installed.filter((name) => name !== 'portico' && !listed.includes(name)),
  );
  return `Package: ${installed.length} packages installed, all of them in the list of parts`;
}

function checkMaps(folder: string): string {
  const dist = join(folder, 'node_modules/portico/dist');
  execFileSync('tar', ['-xzf', join(artefacts, `${release}-maps.tgz`), '-C', dist]);
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const programs = files.filter(
    (name) => name.endsWith('.js') && readFileSync(join(dist, name), 'utf8').includes('\n//# sourceMappingURL='),
  );
  expectEqual(
    'programs without their map',
    programs.filter((name) => !files.includes(`${name}.map`)),
  );
  return `Maps: ${programs.length} programs have theirs`;
}

/** A login, the page, and items: those of the sample where there are files, and one more. */
async function use(origin: string, hasFiles: boolean): Promise<void> {
  const ask = async (method: string, path: string, authorization: string, body?: object) => {
    const headers = { authorization, accept: 'application/json', 'content-type': 'application/json' };
    const answer = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  };
  const { token } = JSON.parse(await ask('GET', '/API/token', `Basic ${btoa(`admin:${password}`)}`));
  const login = `token ${token}`;
  if (hasFiles) await ask('POST', '/APIinit/sample', login);
  const field = [{ name: 'title', value: [{ value: 'Of the release' }] }];
  await ask('POST', '/API/import/placeholder', login, { timespan: [{ start: '-INF', end: '+INF', field }] });
  const { hits } = JSON.parse(await ask('PUT', '/API/item', login, {}));
  if (hits !== (hasFiles ? 9 : 1)) throw new Error(`Expected items of the sample and one more: found ${hits}`);
  if (!(await ask('GET', '/ui/', login)).includes('<title>')) throw new Error('Expected the web page');
}

async function serveAndUse(
  what: string,
  folder: string,
  command: readonly [string, ...string[]],
  place = {},
): Promise<string> {
  const root = { PORTICO_ROOT: 'data', VERSION, ...place };
  const reader = await readerIn(folder, folder, root);
  const server = await reader.serve(command);
  try {
    await use(server.origin, true);
  } finally {
    await server.stop();
  }
  rmSync(join(folder, 'data'), { recursive: true, force: true });
  return `${what}: started, with a login, the page and 9 items`;
}

const shell = (block: string) => ['sh', '-eu', '-c', block] as const;

/** Libraries that a program is linked with. */
const librariesOf = (program: string): readonly string[] =>
  spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.match(/\/\S+/g) ?? [];

async function startExecutable(folder: string): Promise<string> {
  const name = `${release}-linux-${process.arch}`;
  if (!existsSync(join(artefacts, name))) return 'Executable: left out, there is none for this system';
  const isolated = ['unshare', '--map-root-user', `--root=${folder}`, '--wd=/'] as const;
  if (spawnSync('unshare', ['--map-root-user', 'true']).status !== 0)
    return 'Executable: left out, this system allows no other root';
  const binding = `node_modules/@libsql/linux-${process.arch}-gnu/index.node`;
  const programs = ['/bin/sh', '/bin/chmod'];
  const linked = [join(artefacts, name), binding, ...programs].flatMap(librariesOf);
  for (const path of [...programs, ...linked]) cpSync(path, join(folder, path), { dereference: true });
  cpSync(join(artefacts, name), join(folder, name));
  mkdirSync(join(folder, 'tmp'));
  const place = { PATH: '/bin', TMPDIR: '/tmp', HOME: '', XDG_CACHE_HOME: '' };
  const block = executable!.replaceAll('linux-x64', `linux-${process.arch}`);
  return serveAndUse(
    'Executable, without Node and without files of a system',
    folder,
    [...isolated, ...shell(block)],
    place,
  );
}

async function startWorker(folder: string): Promise<string> {
  if (!hasMiniflare) return 'Worker: left out, npm run test:runtimes installs workerd';
  if (sqldBinary() === undefined) return 'Worker: left out, there is no libSQL server for this machine';
  const database = await startSqld();
  const bindings = { PORTICO_DATABASE: database.url, PORTICO_SECRET_KEY: 'A'.repeat(43), PORTICO_LOG_LEVEL: 'error' };
  try {
    await (await readerIn(folder, folder, bindings)).shell(migrate!);
    const modules = join(folder, 'worker');
    for (const end of ['mjs', 'wasm'])
      cpSync(join(artefacts, `${release}-worker.${end}`), join(modules, `${release}-worker.${end}`));
    const worker = await serveByWorkerd(modules, bindings);
    await use(worker.origin, false).finally(worker.stop);
  } finally {
    await database.stop();
  }
  return 'Worker: started by workerd, with a login, the page and an item';
}

const say = (line: string) => console.log(line);
const folder = mkdtempSync(join(tmpdir(), 'portico-try-'));
const within = (name: string): string => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};
try {
  say(checkSums());
  say(checkParts());
  say(renderChart(within('chart')));
  const installed = within('package');
  cpSync(join(artefacts, `${release}.tgz`), join(installed, `${release}.tgz`));
  say(await serveAndUse('Package', installed, shell(install!)));
  say(compareParts(installed));
  say(checkMaps(installed));
  const PATH = [resolve('node_modules/.bin'), process.env['PATH']].join(delimiter);
  say(await serveAndUse('Package on Deno', installed, shell(onDeno!), { PATH }));
  say(await startExecutable(within('bare')));
  say(await startWorker(installed));
  say('Image: left out. npm run test:readme does what its Containerfile says, and starts the result');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
