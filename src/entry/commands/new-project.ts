import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { programVersion } from '../../core/lib/version.ts';
import { printLine } from '../output.ts';
import { home as address } from '../program-path.ts';
import { type Command, CommandError } from './command.ts';

/** Folder of the checkout, or of the installed package. */
const home = fileURLToPath(address);
const isCheckout = existsSync(join(home, 'src/spi/index.ts'));

/** For an editor and `tsc`: as strict as the service itself, with the types of this very program. */
export function configOf(folder: string): string {
  const types = join(home, isCheckout ? 'src' : 'dist/src');
  const path = relative(resolve(folder), types).replaceAll('\\', '/');
  const at = (name: string) => [
    `${path.startsWith('.') ? path : `./${path}`}/${name}/index.${isCheckout ? '' : 'd.'}ts`,
  ];
  const compilerOptions = {
    ...{ target: 'ES2023', lib: ['ES2023', 'ES2024.String', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] },
    // Modules compile alike when package.json has no `type`, as after a plain `npm install`.
    ...{ module: 'ESNext', moduleResolution: 'Bundler', types: ['node'] },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ erasableSyntaxOnly: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    ...{ skipLibCheck: true, noEmit: true },
    paths: { 'portico/spi': at('spi'), 'portico/kit': at('kit'), 'portico/testing': at('kit/testing') },
  };
  return `${JSON.stringify({ compilerOptions, include: ['.'] }, null, 2)}\n`;
}

/** Commands that check the types and run the test. In a checkout the package finds itself by its sources. */
export function furtherCommands(folder: string, test: string): readonly string[] {
  const { resolve: find } = createRequire(join(resolve(folder), 'x.js'));
  const has = (name: string): boolean => {
    try {
      find(name);
      return true;
    } catch (error) {
      // An unbuilt checkout has the sources instead of this file.
      return isCheckout && String((error as Error).message).includes(home.replace(/[/\\]$/, ''));
    }
  };
  const hasTsx = has('tsx');
  // Later versions of Node read TypeScript by themselves.
  const needsTsx = !hasTsx && !('typescript' in process.features && process.features.typescript);
  const missing = [
    ...['typescript', '@types/node'].filter((name) => !has(`${name}/package.json`)),
    ...(needsTsx ? ['tsx'] : []),
  ];
  const first = missing.length > 0 ? [`First, once: npm install --save-dev ${missing.join(' ')}`] : [];
  const check = [...first, `Check its types: npx tsc -p ${folder}`];
  if (!has('portico/testing'))
    return [...check, `Its test runs where the package portico is installed: node --test ${test}`];
  const conditions = isCheckout ? '--conditions portico-source ' : '';
  const loader = hasTsx || needsTsx ? '--import tsx ' : '';
  return [...check, `Run its test: node ${conditions}${loader}--test ${test}`];
}

/** Files of the template that npm packs with no dot before their names. */
const dotted = ['gitignore', 'npmrc'];
const files = [
  ...['.dev.vars.example', 'README.md', 'package.json', 'plugins/invitations.ts', 'security.ini', 'wrangler.toml'],
  ...dotted,
];

export const newWorkerCommand: Command = {
  usage: 'worker new FOLDER',
  says: 'Writes a Worker that one command deploys: security.ini, a plugin, wrangler.toml and scripts.',
  words: ['FOLDER'],
  about: { FOLDER: 'A new or empty folder.' },
  async run({ words }) {
    const folder = words[0]!;
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw new CommandError(`Expected a new or empty folder: "${folder}" (${error.code})`);
    });
    if (names.length > 0) throw new CommandError(`Expected a new or empty folder: "${folder}" has ${names[0]}`);
    const template = join(home, isCheckout ? 'examples/worker' : 'dist/examples/worker');
    for (const name of files) {
      const path = join(folder, dotted.includes(name) ? `.${name}` : name);
      const text = await readFile(join(template, name), 'utf8');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, name === 'package.json' ? manifestFor(folder, text) : text, { flag: 'wx' });
      printLine(`Wrote ${path}`);
    }
    printLine(`\nGo on: cd ${folder} && npm install. README.md says what each script does.`);
  },
};

/** The manifest with this very program: the checkout that it runs from, or the version that is installed. */
function manifestFor(folder: string, text: string): string {
  const manifest = JSON.parse(text);
  const path = relative(resolve(folder), home).replaceAll('\\', '/');
  manifest.dependencies.portico = isCheckout ? `file:${path}` : programVersion;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
