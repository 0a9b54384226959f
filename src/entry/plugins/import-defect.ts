import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sentenceOf, shortLine } from '../../core/lib/messages.ts';
import { databaseCode } from '../../core/store/faults.ts';
import { loadEsbuild, messagesOf } from './esbuild.ts';
import { Defect, type DefectPosition } from './plugin-finding.ts';
import type { Sources } from './sources.ts';

/** Defect for a failed import. `imported`: folder of the copy whose code ran. */
export async function importDefect(thrown: unknown, sources: Sources, imported: string): Promise<Defect> {
  const message = ofOriginal(sentenceOf(thrown), sources, imported);
  const position = defectPosition(thrown, sources, imported);
  if (!isSyntax(thrown, imported)) {
    if (/^ERR_(?:MODULE_NOT_FOUND|UNSUPPORTED_DIR_IMPORT|PACKAGE_)/.test(databaseCode(thrown))) {
      return new Defect('plugin-import', `Expected every import of the plugin to be found: ${message}`, position);
    }
    return new Defect('plugin-throws', `Expected the plugin to load: ${message}`, position);
  }
  const syntaxDefect = await locateSyntax(sources);
  const text = syntaxDefect?.text ?? message.replace(/^SyntaxError: /, '');
  return new Defect(
    'plugin-syntax',
    `Expected a module without syntax errors: ${text}`,
    syntaxDefect?.position ?? position,
  );
}

/** Deno tells of syntax as of something that was not found. */
function isSyntax(thrown: unknown, imported: string): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = databaseCode(thrown);
  if (code === 'ERR_MODULE_NOT_FOUND') return /^SyntaxError: /.test(thrown.message);
  return thrown.name === 'TransformError' || /TYPESCRIPT_SYNTAX$/.test(code) || isParserError(thrown, imported);
}

/** A plugin may throw a SyntaxError itself, of JSON for instance: then its own code stands in the stack. */
const isParserError = (thrown: Error, imported: string): boolean =>
  thrown instanceof SyntaxError &&
  !String(thrown.stack)
    .split('\n')
    .some((line) => /^\s+at /.test(line) && spellings(imported).some((root) => line.includes(root)));

/** Path and address of a folder: stacks contain either form. */
const spellings = (folder: string): readonly string[] => [folder, pathToFileURL(folder).pathname];
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const ofOriginal = (text: string, { base }: Sources, imported: string): string =>
  text
    .replaceAll(`${pathToFileURL(imported).href}/`, '')
    .replaceAll(imported, base)
    .replace(/\?(?:tsx-namespace|v)=[\w-]+/g, '');

/** The first place in the plugin's own files that the error names. */
function defectPosition(thrown: unknown, { base }: Sources, imported: string): DefectPosition {
  let text: string;
  try {
    text = thrown instanceof Error ? `${thrown.message}\n${thrown.stack}` : '';
  } catch {
    return {};
  }
  for (const root of spellings(imported)) {
    const at = new RegExp(`${escaped(root)}[/\\\\]([^\\s:?()]+)(?:\\?[^\\s:]*)?:(\\d+)(?::(\\d+))?`).exec(text);
    if (at) return { file: join(base, decoded(at[1]!)), line: Number(at[2]), column: Number(at[3] ?? 1) };
  }
  return {};
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** V8 does not tell where in a module a mistake is; esbuild does. Where it cannot run, the runtime's word must do. */
async function locateSyntax({ base, files }: Sources): Promise<{ text: string; position: DefectPosition } | undefined> {
  if ('Deno' in globalThis) return undefined;
  for (const [path, bytes] of files) {
    if (!/\.[cm]?[jt]s$/.test(path)) continue;
    const loader = /ts$/.test(extname(path)) ? 'ts' : 'js';
    try {
      await loadEsbuild().transform(new TextDecoder().decode(bytes), { loader, tsconfigRaw: '{}', logLevel: 'silent' });
    } catch (error) {
      const [first] = messagesOf(error);
      if (!first?.location) return undefined;
      const { line, column } = first.location;
      return { text: shortLine(first.text), position: { file: join(base, path), line, column: column + 1 } };
    }
  }
  return undefined;
}
