import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../../core/lib/clock.ts';

interface Permissions {
  querySync(permission: { readonly name: 'run'; readonly command: string }): { readonly state: string };
}

/** Whether this process may start the program. Deno alone asks, and permits no program that was missing when it started. */
export function isPermitted(command: string): boolean {
  const { Deno } = globalThis as unknown as { Deno?: { readonly permissions: Permissions } };
  return Deno === undefined || Deno.permissions.querySync({ name: 'run', command }).state === 'granted';
}

/** End of a sentence that says what to install. Empty where no permission is missing. */
export function permissionFor(command: string): string {
  return command === '' || isPermitted(command) ? '' : `; Deno starts it with --allow-run=${command}`;
}

/** Path of a program on the system, or its name on Deno without a shell. Undefined: not installed, or not permitted. */
export async function findProgram(name: string): Promise<string | undefined> {
  if (name === '') return undefined;
  if (process.platform === 'win32') return findOnWindows(name);
  if (isPermitted('/bin/sh')) return findByShell(name);
  return isPermitted(name) ? name : undefined;
}

/** Milliseconds for which a miss is remembered. */
const missLasts = 30_000;

/**
 * Remembers what was found, and for a while that nothing was: each look starts a shell, and an import asks several
 * times. Later callers look again, so that an installation is noticed.
 */
export function rememberFound<T>(
  look: () => Promise<T | undefined>,
  now: () => number = systemClock.now,
): () => Promise<T | undefined> {
  let looking: Promise<T | undefined> | undefined;
  let missedAt: number | undefined;
  return async () => {
    if (missedAt !== undefined) {
      const age = now() - missedAt;
      if (age >= 0 && age < missLasts) return undefined;
      [looking, missedAt] = [undefined, undefined];
    }
    looking ??= look().catch(() => undefined);
    const installed = await looking;
    if (installed === undefined) missedAt ??= now();
    return installed;
  };
}

const lookUp = 'found=$(command -v -- "$0") && test -f "$found" && echo "$found"';

/**
 * The shell starts the program later and looks for it now, so this process needs no right to read the folders of the
 * path: Deno asks for each of them, and for the id of the user besides.
 */
function findByShell(name: string): Promise<string | undefined> {
  const env = { PATH: process.env['PATH'] ?? '' };
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', lookUp, name], { env, timeout: 10_000 }, (error, out) => {
      const path = out.trim();
      // A name without a slash at its beginning is a command of the shell itself.
      resolve(error === null && isAbsolute(path) ? path : undefined);
    });
    child.on('error', () => resolve(undefined));
  });
}

async function findOnWindows(name: string): Promise<string | undefined> {
  const folders = isAbsolute(name) ? [''] : (process.env['PATH'] ?? '').split(delimiter).filter((each) => each !== '');
  const names = name.endsWith('.exe') ? [name] : [`${name}.exe`, name];
  for (const folder of folders) {
    for (const each of names) {
      const path = folder === '' ? each : join(folder, each);
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
  }
  return undefined;
}
