import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { builtInSecurity } from '../../composition/service.ts';
import { type Settings, settingTable } from '../../composition/settings.ts';
import { databaseCode, messageOf } from '../../core/store/faults.ts';
import type { Finding } from '../../security/ini/findings.ts';

interface IniSource {
  readonly text: string;
  /** Path for findings. */
  readonly file: string;
  /** Base folder of `file:` references in the text. */
  readonly folder: string;
  readonly findings: readonly Finding[];
}

type Where = Pick<Settings, 'root'>;

/**
 * Possible paths of a security.ini, in order. Without an instance root, the file in the current directory is used: a
 * start by hand.
 */
export function iniPaths({ root }: Where, current = process.cwd()): readonly string[] {
  const inRoot = [join(root, 'config', 'security.ini'), join(root, 'security.ini')];
  return root === settingTable.root.fallback ? [...inRoot, join(current, 'security.ini')] : inRoot;
}

/**
 * The first existing file counts. A file that cannot be read is a finding, never a reason to take the next one: that
 * one may let in users whom this one keeps out.
 */
export async function findIni(settings: Where, current = process.cwd()): Promise<IniSource> {
  for (const path of iniPaths(settings, current)) {
    const ini = await read(path);
    if (ini) return { file: path, folder: resolve(dirname(path)), ...ini };
  }
  const { text, file } = builtInSecurity;
  return { text, file, folder: resolve(settings.root), findings: [] };
}

/** Reads one security.ini. Throws if it is missing. */
export async function readIniFile(path: string): Promise<IniSource> {
  const missing = () => unusable(path, 1, 'ini-unreadable', 'Expected a file that can be read: there is none');
  return { file: path, folder: resolve(dirname(path)), ...((await read(path)) ?? missing()) };
}

async function read(path: string): Promise<Pick<IniSource, 'text' | 'findings'> | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (await isAbsent(path, error)) return undefined;
    return unusable(path, 1, 'ini-unreadable', `Expected a file that can be read: ${messageOf(error)}`);
  }
  try {
    return { text: decode(bytes), findings: [] };
  } catch {
    return unusable(path, lineOfFirstFault(bytes), 'ini-encoding', 'Expected text in UTF-8: other bytes in this line');
  }
}

/** A broken link counts as present: a file was intended. */
async function isAbsent(path: string, error: unknown): Promise<boolean> {
  const code = databaseCode(error);
  if (code === 'ENOTDIR') return true;
  if (code !== 'ENOENT') return false;
  return lstat(path).then(
    () => false,
    () => true,
  );
}

const unusable = (file: string, line: number, code: string, message: string) => ({
  text: '',
  findings: [{ severity: 'error', file, line, column: 1, code, message } as const],
});

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

function lineOfFirstFault(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end < 0 ? bytes.length : end;
    try {
      decode(bytes.subarray(start, stop));
    } catch {
      return line;
    }
    start = stop + 1;
  }
  return 1;
}
