import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { inPage, productionRows } from './inside.mjs';

/**
 * `npm run release:build`: writes what a release has into `build/release`, from a checkout without changes. Two builds of
 * one commit by one Node are equal byte by byte: `--twice` makes a second one in another folder, and compares. `--try`
 * installs and starts them.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'build/release' },
    twice: { type: 'boolean' },
    try: { type: 'boolean' },
    publish: { type: 'boolean' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(values.out);
const { env, platform, arch } = process;
const sums = 'SHA256SUMS';

const run = (program, ...words) => execFileSync(program, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const read = (program, ...words) =>
  execFileSync(program, words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).trim();
const say = (line) => console.log(line);

if (read('git', 'status', '--porcelain') !== '') {
  console.error('Expected a checkout without changes: the list of parts names its commit');
  process.exit(1);
}
const commit = read('git', 'rev-parse', 'HEAD');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const release = `${name}-${version}`;
const work = mkdtempSync(join(tmpdir(), 'portico-release-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
run(process.execPath, 'scripts/build.mjs');
run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', out);
const isMap = (file) => file.endsWith('.map');
pack(`${release}-maps.tgz`, 'dist', '', readdirSync(join(root, 'dist'), { recursive: true }).filter(isMap));
// Helm and npm would give their archives the same name.
pack(`${release}-chart.tgz`, 'deploy/helm', name, ['.']);
const folder = join(work, 'worker');
run(
  process.execPath,
  'dist/src/entry/cli.js',
  'bundle',
  join(out, `${release}-worker.mjs`),
  '--minify',
  // For every edge: a page beside the module needs a line of its configuration.
  '--page-inside',
  '--root',
  folder,
);
if (platform === 'linux') {
  run(process.execPath, 'scripts/binary/build.mjs', '--dist', 'dist', '--out', work);
  copyFileSync(join(work, 'portico'), join(out, `${release}-linux-${arch}`));
} else say(`Left out: the executable, which is tested on Linux alone, and this is ${platform}`);
say('Left out: executables of other machines, which are built there; the image, which deploy/publish-image.sh builds');
writeFileSync(join(out, `${name}.cdx.json`), `${JSON.stringify(listOfParts(), null, 1)}\n`);
const hashOf = (file) =>
  createHash('sha256')
    .update(readFileSync(join(out, file)))
    .digest('hex');
const lines = readdirSync(out)
  .toSorted()
  .map((file) => `${hashOf(file)}  ${file}\n`);
writeFileSync(join(out, sums), lines.join(''));
say(lines.join('').trimEnd());
if (values.twice) compare();
sign();
if (values.try) tryAll();
if (values.publish) publish();

/** Writes an archive of files below a folder, without anything that this machine or this hour adds. */
function pack(archive, folder, prefix, files) {
  const words = [
    '--create',
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mtime=@0',
    '--mode=u=rwX,go=rX',
  ];
  const list = files.toSorted().join('\n');
  const tar = execFileSync(
    'tar',
    [...words, `--transform=s,^\\.,${prefix || '.'},`, '-C', join(root, folder), '-T', '-'],
    {
      input: list,
      maxBuffer: 1 << 28,
    },
  );
  writeFileSync(join(out, archive), gzipSync(tar, { level: 9 }));
}

/** All parts with their versions and licences, as CycloneDX 1.6: what npm lists, and no tools of the build. */
function listOfParts() {
  const list = JSON.parse(read('npm', 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'));
  const inPackage = productionRows(root).map(
    ([folder, row]) => `${folder.split('node_modules/').at(-1)}@${row.version}`,
  );
  const isPart = (ref) => inPackage.includes(ref) || inPage.includes(ref.replace(/(?<=.)@.*/, ''));
  const { component, lifecycles } = list.metadata;
  const kept = [component['bom-ref'], ...list.components.map((each) => each['bom-ref']).filter(isPart)];
  const node = {
    type: 'platform',
    name: 'node',
    version: process.versions.node,
    licenses: [{ license: { id: 'MIT' } }],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles,
      component: { ...component, type: 'application', name, properties: [{ name: 'commit', value: commit }] },
    },
    components: [...list.components.filter((each) => kept.includes(each['bom-ref'])), node],
    dependencies: list.dependencies
      .filter(({ ref }) => kept.includes(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.includes(each)) })),
  };
}

/** Builds the same commit in another folder. */
function compare() {
  const second = join(work, 'second');
  read('git', 'worktree', 'add', '--quiet', '--detach', second, commit);
  try {
    // Packages that lie elsewhere would have other names in the programs.
    run('cp', '-al', 'node_modules', second);
    const result = join(work, 'result');
    execFileSync(process.execPath, ['scripts/release.mjs', '--out', result], { cwd: second, stdio: 'ignore' });
    const again = readFileSync(join(result, sums), 'utf8').split(/(?<=\n)/);
    const others = lines.filter((line) => !again.includes(line));
    if (others.length > 0) throw new Error(`Expected equal files in a second build: found others\n${others.join('')}`);
    say(`A second build in another folder is equal: ${lines.length} files`);
  } finally {
    read('git', 'worktree', 'remove', '--force', second);
  }
}

/** Signs the sums with a key, or with the identity that a runner has. */
function sign() {
  const key = env.COSIGN_KEY ? ['--key', env.COSIGN_KEY] : env.ACTIONS_ID_TOKEN_REQUEST_URL ? [] : undefined;
  if (key === undefined || spawnSync('cosign', ['version']).error) {
    say(
      `Not signed: ${key === undefined ? 'neither COSIGN_KEY nor an identity of a runner is there' : 'cosign is not installed'}`,
    );
    return;
  }
  const path = join(out, sums);
  run('cosign', 'sign-blob', '--yes', ...key, '--bundle', `${path}.sigstore.json`, path);
  say(`Signed: ${relative('.', path)}.sigstore.json`);
}

/** Installs and starts all of it. What npm tells its scripts would not be there on another machine. */
function tryAll() {
  const words = ['--import', 'tsx', 'test/release/try.ts', out, version];
  const others = Object.entries(env).filter(([variable]) => !variable.startsWith('npm_'));
  execFileSync(process.execPath, words, { cwd: root, env: Object.fromEntries(others), stdio: 'inherit' });
}

/** npm signs a provenance with the identity of a runner. */
function publish() {
  const path = join(out, `${release}.tgz`);
  if (env.ACTIONS_ID_TOKEN_REQUEST_URL) run('npm', 'publish', '--provenance', path);
  else say('Not published: a provenance needs the identity of a runner');
}
