import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultFilters, filterComponents } from '../filters/index.ts';
import {
  actionComponents,
  listenerComponents,
  matcherComponents,
  userInfoProviderComponents,
} from '../plugins/index.ts';
import { realmComponents } from '../realms/index.ts';
import { settingTable } from '../src/composition/settings.ts';
import { commands } from '../src/entry/commands/index.ts';
import { checkingHost } from '../src/entry/plugins/checking-host.ts';
import { defaultIni } from '../src/security-ini/default-ini.ts';
import { checkSecurity } from '../src/service.ts';
import { variableOf } from '../src/settings/read.ts';
import { type Served, serveCli } from './support/cli.ts';
import { temporaryDirectory } from './support/store.ts';

const readme = await readFile('README.md', 'utf8');
const names = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/security/asvs.md',
  'docs/reference/api.md',
  'docs/operate/what-runs-where.md',
] as const;
const texts = await Promise.all(names.map(async (name) => [name, await readFile(name, 'utf8')] as const));

/** A block of shell marked `<!-- test -->`, and the block marked `<!-- output -->` that may follow it. */
interface Example {
  readonly line: number;
  readonly script: string;
  readonly output: string;
  /** `<!-- test: stopped -->`: what must not be done beside a running server. */
  readonly stopped: boolean;
}

const marked = /^<!-- test(: stopped)? -->\n```sh\n([\s\S]*?)```\n(?:<!-- output -->\n```\w+\n([\s\S]*?)```\n)?/gm;

const examples: readonly Example[] = [...readme.matchAll(marked)].map((match) => ({
  line: readme.slice(0, match.index).split('\n').length,
  script: match[2]!,
  output: match[3] ?? '',
  stopped: match[1] !== undefined,
}));

/** A block of statements marked `<!-- test: main -->`: what somebody may add to the built-in security.ini. */
const statements = [...readme.matchAll(/^<!-- test: main -->\n```ini\n([\s\S]*?)```\n/gm)].map((match) => ({
  line: readme.slice(0, match.index).split('\n').length,
  text: match[1]!,
}));

const password = 'password of the reader';
const address = '127.0.0.1:8080';
const patience = 120_000;
const canRun = ['sh', 'curl', 'npm'].every((tool) => spawnSync(tool, ['--version']).error === undefined);

/** Anything may stand where the README has an ellipsis. */
function pattern(expected: string): RegExp {
  const parts = expected.trim().split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')}$`);
}

/** Looks like a checkout to whoever stands in it, and keeps what the reader would make there. */
async function checkout(): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  for (const name of ['package.json', 'tsconfig.json', 'node_modules', 'src', 'realms', 'filters', 'plugins']) {
    await symlink(resolve(name), join(directory.path, name));
  }
  return directory.path;
}

function runShell(script: string, cwd: string): Promise<{ code: unknown; out: string; err: string }> {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, PASSWORD: password, NO_COLOR: '1' };
  return new Promise((done) => {
    execFile('sh', ['-eu', '-c', script], { cwd, env }, (error, out, err) =>
      done({ code: error ? error.code : 0, out, err }),
    );
  });
}

describe.skipIf(!canRun)('the examples of the README', () => {
  it('are found', () => {
    expect(examples.length).toBeGreaterThan(10);
    expect(readme.match(/<!-- test/g)).toHaveLength(examples.length + statements.length);
    expect(readme.match(/<!-- output/g)).toHaveLength(examples.filter(({ output }) => output !== '').length);
  });

  it(
    'do what they say, one after the other',
    async () => {
      const root = await checkout();
      let served: Served | undefined;
      for (const { line, script, output, stopped } of examples) {
        if (stopped && served) {
          served.child.kill('SIGTERM');
          expect((await served.finished).code).toBe(0);
          served = undefined;
        }
        // As a reader has it: the instance root is the folder of that name in the checkout.
        const environment = { PORTICO_ADMIN_PASSWORD: password, PORTICO_ROOT: './portico-data' };
        if (!stopped) served ??= await serveCli({ root, environment });
        const here = script.replaceAll(address, `127.0.0.1:${served?.port}`);
        const { code, out, err } = await runShell(here, root);
        expect(code, `README.md, line ${line}: ${err}${out}`).toBe(0);
        expect(out.replaceAll('\r', '').trim(), `README.md, line ${line}`).toMatch(pattern(output));
      }
    },
    patience,
  );
});

describe('the statements of the README', () => {
  it('are found', () => expect(statements.length).toBeGreaterThan(3));

  it.each(statements)('work in the built-in security.ini: line $line', async ({ text }) => {
    const own = text.includes('securityManager.realms')
      ? defaultIni.replace(/^securityManager\.realms .*$/m, '')
      : defaultIni;
    const whole = own.replace(/^\[urls\]$/m, () => `${text}[urls]`);
    expect(await checkSecurity({ text: whole, file: 'security.ini', plugins: [] }, checkingHost)).toEqual([]);
  });
});

describe('the tables of the README', () => {
  it('have every realm, filter, matcher, listener and provider that ships', () => {
    const shipped = readme.slice(readme.indexOf('### What ships'), readme.indexOf('### Write your own realm'));
    const told = [...shipped.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([\w.]+)(?:\[[^`]*\])?`/g)].map(([, name]) => name),
    );
    const tables = [
      realmComponents,
      matcherComponents,
      listenerComponents,
      userInfoProviderComponents,
      actionComponents,
    ];
    const classes = tables.flatMap((table) => Object.keys(table).filter((name) => name.startsWith('portico.')));
    // Filters by the names that chains use; two have one because the built-in file declares them.
    const declared = Object.keys(filterComponents).flatMap(
      (name) => new RegExp(`^(\\w+) = ${name}$`, 'm').exec(defaultIni)?.[1] ?? [],
    );
    expect([...new Set(told)].sort()).toEqual(
      [...new Set([...classes, ...Object.keys(defaultFilters), ...declared])].sort(),
    );
  });

  it('have every command, and no other', () => {
    const table = readme.slice(readme.indexOf('### Commands'), readme.indexOf('### Health'));
    const told = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, usage]) => usage!.replaceAll('\\|', '|'));
    expect(told).toEqual([...commands.values()].map(({ usage }) => usage));
  });

  it('have settings with their defaults', () => {
    const defaults = new Map<string, string>(
      Object.entries(settingTable).map(([name, { fallback }]) => [variableOf(name), String(fallback ?? '') || 'none']),
    );
    const told = [...readme.matchAll(/^\| `(PORTICO_\w+)` \| `?([^`|]+?)`? \|/gm)];
    expect(told.length).toBeGreaterThan(10);
    for (const [, variable, shown] of told) expect([variable, shown]).toEqual([variable, defaults.get(variable!)]);
  });
});

describe.each(texts)('%s', (name, text) => {
  it('names settings that there are', () => {
    const known = new Set(Object.keys(settingTable).map(variableOf));
    expect([...text.matchAll(/PORTICO_[A-Z_]+/g)].map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('names files that there are', () => {
    const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => join(dirname(name), path!));
    const quoted = [...text.matchAll(/`((?:\.ci|examples|filters|plugins|realms|scripts|src|test)\/[\w./-]+)`/g)].map(
      ([, path]) => path!,
    );
    expect([...linked, ...quoted].filter((path) => !existsSync(path))).toEqual([]);
  });

  it('has links into itself that lead somewhere', () => {
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => !headings.includes(anchor!))).toEqual([]);
  });
});

describe('the mapping to OWASP ASVS 5.0', () => {
  const asvs = texts.find(([name]) => name.endsWith('asvs.md'))![1];
  const rows = [...asvs.matchAll(/^\| (V\d+\.\d+) [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, section, state, says, tests]) => ({ section: section!, state: state!, says: says!, tests: tests! }),
  );
  // How many sections each chapter has, without those that ask for level 3 only.
  const sections = [5, 4, 7, 4, 4, 8, 6, 4, 2, 7, 7, 3, 4, 3, 4, 5, 3].flatMap((count, chapter) =>
    Array.from({ length: count }, (_, index) => `V${chapter + 1}.${index + 1}`),
  );
  const highest = new Set(['V3.1', 'V3.6', 'V6.7', 'V11.7', 'V15.4']);

  it('has each section of level 1 or 2 once, in order', () => {
    expect(rows.map(({ section }) => section)).toEqual(sections.filter((section) => !highest.has(section)));
  });

  it('says of each section a state, and what the operator does where it is not met', () => {
    const states = new Set(['met', 'in part', 'not met', 'does not apply']);
    expect(rows.filter(({ state, says }) => !states.has(state) || !says.endsWith('.'))).toEqual([]);
  });

  it('names a test for each section, and SECURITY.md one for each guarantee', () => {
    const named = /^`test\/[\w./-]+`(?:, `(?:test\/[\w./-]+|npm run \w+)`)*$/;
    expect(rows.filter(({ tests }) => !named.test(tests))).toEqual([]);
    const security = texts.find(([name]) => name === 'SECURITY.md')![1];
    const guarantees = security.slice(security.indexOf('## Guarantees')).split('\n## ')[0]!;
    const shown = [...guarantees.matchAll(/^\| .+ \| ([^|]+) \|$/gm)].map(([, tests]) => tests!);
    expect(shown.slice(1).filter((tests) => !named.test(tests))).toEqual([]);
    expect(security).toContain('](docs/security/asvs.md)');
  });
});
