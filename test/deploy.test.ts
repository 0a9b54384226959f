import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { builtInSecurity, checkConfiguration } from '../src/composition/service.ts';
import { settingTable } from '../src/composition/settings.ts';
import { changeable } from '../src/core/settings/kinds.ts';
import { variableOf } from '../src/core/settings/read.ts';
import { runnerCommand, tokenVariable } from '../src/entry/commands/runner.ts';
import { testHost } from '../src/kit/testing/index.ts';
import { listenFor, openWorld } from './support/matrix.ts';

/** Files that package and run the program elsewhere. No container engine is needed to see that they fit this tree. */
const read = (path: string) => readFile(path, 'utf8');
const manifest = JSON.parse(await read('package.json'));
const program = manifest.bin.portico;
const containerfile = await read('deploy/Containerfile');
const unit = await read('deploy/portico.service');
const backupUnit = await read('deploy/portico-backup.service');
const compose = await read('deploy/compose.yaml');
const instances = await read('deploy/compose-instances.yaml');
const beside = await read('deploy/compose-search.yaml');
const ofRunner = await read('deploy/compose-runner.yaml');
const workflow = await read('.github/workflows/check.yml');

/** Paths that the first stage copies from the checkout. */
const copied = [...containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));

describe('the image', () => {
  it('is built from files that exist, and from all that the build reads', async () => {
    const { include } = JSON.parse(await read('tsconfig.build.json'));
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(copied).toEqual(expect.arrayContaining([...include, 'package-lock.json', 'tsconfig.build.json']));
  });

  it('gets these files alone, so that no data and no secret of a checkout is in a layer', async () => {
    const lines = (await read('deploy/Containerfile.dockerignore')).split('\n').filter((line) => /^[*!]/.test(line));
    expect(lines[0]).toBe('*');
    expect(lines.slice(1)).toEqual(copied.map((path) => `!${path}`));
  });

  it('runs the built program, as a user without rights', () => {
    expect(containerfile).toContain(`ENTRYPOINT ["node", "${program}"]`);
    const last = containerfile.slice(containerfile.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER node$/m);
    expect(last).not.toContain('COPY src');
  });

  it('is healthy when the server is ready, and only then', async () => {
    const [, words] = /^ {2}CMD (\[.+\])$/m.exec(containerfile)!;
    const [, ...check] = JSON.parse(words!) as string[];
    const ask = (port: number) =>
      new Promise<number | null>((done) => {
        const here = check.map((word) => word.replace('127.0.0.1:8080', `127.0.0.1:${port}`));
        spawn(process.execPath, here).once('exit', done);
      });
    const port = await listenFor(await openWorld('fetch'));
    expect([await ask(port), await ask(1)]).toEqual([0, 1]);
  });
});

describe('the compose files', () => {
  const servicesIn = (text: string) => {
    const [, services] = /^services:\n([\s\S]*?)^\w/m.exec(text)!;
    return [...services!.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name);
  };

  it('show one server on a file, and several instances with what they share', () => {
    expect(servicesIn(compose)).toEqual(['portico']);
    expect(compose).not.toContain('PORTICO_DATABASE');
    expect(servicesIn(instances)).toEqual(['portico', 'proxy', 'database', 'bucket']);
    expect(instances).toMatch(/^ {6}replicas: 3$/m);
    // Another instance could not read what is sealed with a key of one.
    expect(instances).toMatch(/PORTICO_SECRET_KEY: \$\{PORTICO_SECRET_KEY:\?/);
  });

  it('show an OpenSearch of a tested version beside the server, which its security.ini finds', async () => {
    expect(servicesIn(beside)).toEqual(['portico', 'search']);
    const [, version] = /image: \S+\/opensearch:(\S+)/.exec(beside)!;
    expect(await read('test/opensearch/program.ts')).toContain(`'${version}'`);
    const [, line] = /sed -i '\/\^\\\[main\\\]\$\/a (.+?)' deploy\/security\.ini$/m.exec(beside)!;
    const text = builtInSecurity.text.replace(/^\[main\]$/m, (head) => `${head}\n${line!.replaceAll('\\n', '\n')}`);
    const { findings } = await checkConfiguration({ ...builtInSecurity, text }, { ...testHost() });
    expect(findings).toEqual([]);
    expect(line).toContain('http://search:9200');
  });

  it('show a runner that the command takes, with its token in a variable, and without the check of a server', async () => {
    expect(servicesIn(ofRunner)).toEqual(['runner']);
    const [, list] = /^ {4}command:\n((?: {6}.+\n)+)/m.exec(ofRunner)!;
    const [command, ...words] = [...list!.matchAll(/^ {6}- (.+)$/gm)].map(([, word]) => word!);
    expect(command).toBe('runner');
    expect(words.filter((word) => word.startsWith('--'))).toEqual(['--url', '--name']);
    expect(words.filter((word) => word.startsWith('--') && !runnerCommand.options!.includes(word))).toEqual([]);
    expect(ofRunner).toContain(`${tokenVariable}: \${RUNNER_TOKEN:?`);
    expect(ofRunner).toMatch(/healthcheck:\n {6}disable: true\n/);
    expect(ofRunner).not.toContain('ports:');
  });

  it('publish ports on this machine alone, and none of a database or a bucket', () => {
    const published = [compose, instances, beside].map((text) => text.match(/^ {6}- [\d.]+:\d+:\d+$/gm));
    expect(published).toEqual(Array(3).fill(['      - 127.0.0.1:8080:8080']));
  });

  it('have a proxy that Portico believes', () => {
    const [, subnet] = /subnet: (\S+)/.exec(instances)!;
    expect(instances).toContain(`PORTICO_TRUSTED_PROXIES: ${subnet}\n`);
    expect(instances).toContain('proxy_set_header Host $$http_host;');
  });
});

describe('the systemd unit', () => {
  it('starts the built program', () => expect(unit).toContain(` node ${program} serve\n`));

  it('is what a backup runs under: the same user, root, settings and folder', () => {
    expect(backupUnit).toContain(` node ${program} backup `);
    for (const [line] of unit.matchAll(/^(?:User|Group|WorkingDirectory|Environment|EnvironmentFile)=.*$/gm))
      expect(backupUnit).toContain(`${line}\n`);
  });

  const analyze = spawnSync('systemd-analyze', ['--version']).error === undefined;
  it.skipIf(!analyze)('is a unit without mistakes', () => {
    const units = ['portico.service', 'portico-backup.service', 'portico-backup.timer'].map((name) => `deploy/${name}`);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

it.each([
  ['deploy/Containerfile', containerfile],
  ['deploy/compose.yaml', compose],
  ['deploy/compose-instances.yaml', instances],
  ['deploy/compose-search.yaml', beside],
  ['deploy/compose-runner.yaml', ofRunner],
  ['deploy/portico.service', unit],
  ['deploy/portico-backup.service', backupUnit],
])('%s names settings that exist', (_path, text) => {
  const known = new Set([...Object.keys(changeable(settingTable)).map(variableOf), tokenVariable]);
  const named = [...text.matchAll(/PORTICO_[A-Z_]+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('the workflow runs what every machine runs, on Node versions that the package allows', () => {
  expect(workflow).toMatch(/^ {6}- run: \.ci\/run$/m);
  const [, versions] = /^ +node: \[(.+)\]$/m.exec(workflow)!;
  const majors = versions!.split(', ').map((version) => Number.parseInt(version.slice(1), 10));
  expect(Math.min(...majors)).toBe(Number.parseInt(manifest.engines.node.slice(2), 10));
});
