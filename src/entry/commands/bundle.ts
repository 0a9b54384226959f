import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { extensionNames, withDependents } from '../../composition/extensions.ts';
import { checkConfiguration, namesPath } from '../../composition/service.ts';
import { formatFindings } from '../../security/ini/findings.ts';
import { printLine } from '../output.ts';
import { BundleError, bundleSecurity, type EdgeRuntime, engineFile, type PagePlace } from '../plugins/bundle.ts';
import { checkingHost } from '../plugins/checking-host.ts';
import { gatherSecurity } from '../plugins/read-input.ts';
import { type Command, CommandError } from './command.ts';

export const bundleCommand: Command = {
  usage: 'bundle OUT.mjs [--minify] [--page-inside] [--for worker|deno] [--without EXTENSION,...]',
  says: 'Writes one module for an edge, with security.ini and the plugins in it.',
  words: ['OUT.mjs'],
  flags: ['--minify', '--page-inside'],
  options: ['--without', '--for'],
  about: {
    '--for':
      'Makes a Worker, with the engine of scripts in OUT.wasm and the web page in OUT.page beside it, or a program for Deno Deploy.',
    '--minify': 'Makes the module small. It can hardly be read then.',
    '--page-inside': 'Leaves the web page in the module, for a Worker without assets. Deno Deploy always has it there.',
    '--without': `Leaves out extensions, of ${extensionNames.join(', ')}. Their routes answer 501.`,
  },
  async run({ words, has, option, settings }) {
    const without = withDependents(knownExtensions(option('--without')));
    const out = words[0]!;
    const runtime = knownRuntime(option('--for').at(-1) ?? 'worker');
    const [wasm, folder] = ['.wasm', '.page'].map((ending) => out.replace(/(\.m?js)?$/, ending)) as [string, string];
    const gathered = await gatherSecurity(settings());
    const { findings, patterns } = await checkConfiguration(gathered.input, checkingHost);
    const said = formatFindings(findings, 'text').trimEnd();
    if (findings.some(({ severity }) => severity === 'error')) {
      throw new CommandError(`Expected a security.ini without errors, so nothing was written:\n${said}`);
    }
    if (said !== '') printLine(said);
    const hasPage = namesPath(patterns ?? [], '/ui');
    const isBeside = runtime === 'worker' && !has('--page-inside');
    const place = isBeside ? 'beside' : 'inside';
    const page: PagePlace = hasPage ? place : 'none';
    if (!hasPage) printLine('web page: left out, because no line of security.ini names /ui');
    const options = { minify: has('--minify'), without, page, runtime, engine: basename(wasm) };
    const { contents, imports, assets } = await bundleSecurity(gathered, options).catch((error) => {
      if (!(error instanceof BundleError)) throw error;
      throw new CommandError(`Expected plugins that an edge can run, so nothing was written:\n${error.message}`);
    });
    if (runtime === 'worker' && !without.includes('scripts')) await write(wasm, await readFile(engineFile()));
    // Without a page, too: wrangler refuses to deploy where the folder that it is to take assets from is missing.
    if (isBeside) await writeFolder(folder, assets);
    await write(out, contents);
    const sizes = `${kilobytes(contents)} KB, ${kilobytes(gzipSync(contents))} KB with gzip`;
    printLine(`Wrote ${out}: ${sizes}; imports ${imports.length === 0 ? 'nothing' : imports.join(', ')}`);
    if (assets.size > 0) {
      const bytes = [...assets.values()].reduce((sum, { length }) => sum + length, 0);
      printLine(`Wrote ${folder}: ${kilobytes({ length: bytes })} KB of the web page, for the binding ASSETS`);
    }
  },
};

function knownRuntime(name: string): EdgeRuntime {
  if (name === 'worker' || name === 'deno') return name;
  throw new CommandError(`Expected worker or deno in --for: "${name}"`);
}

/** Names in values of the option, with commas between. */
function knownExtensions(values: readonly string[]): readonly string[] {
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim());
  const unknown = names.find((name) => !extensionNames.includes(name));
  if (unknown === undefined) return names;
  throw new CommandError(`Expected extensions in --without, of ${extensionNames.join(', ')}: "${unknown}"`);
}

/** Whole or not at all: a half-written module may be deployed by whatever comes next. */
async function write(path: string, contents: Uint8Array): Promise<void> {
  const temporary = `${path}.writing`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, contents);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** In the place of a folder of an earlier run, whose files no module asks for any more. */
async function writeFolder(path: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const temporary = `${path}.writing`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  for (const [name, contents] of files) await writeFile(join(temporary, name), contents);
  await rm(path, { recursive: true, force: true });
  await rename(temporary, path);
}

const kilobytes = (bytes: { readonly length: number }): string => (bytes.length / 1024).toFixed(0);
