import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { programVersion } from '../../core/lib/version.ts';
import { printLine } from '../output.ts';
import { type Command, CommandError } from './command.ts';
import { home, isCheckout } from './plugin-project.ts';

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
