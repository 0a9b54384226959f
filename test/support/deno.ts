import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../node_modules/deno/', import.meta.url));
const program = `${folder}deno`;

/**
 * Deno itself. The script of its package hands no signal on, so the end of the script would not be that of the server.
 * The first run of the script puts the program there.
 */
export function denoProgram(): string {
  if (!existsSync(program)) spawnSync(process.execPath, [`${folder}bin.cjs`, '--version']);
  return program;
}
