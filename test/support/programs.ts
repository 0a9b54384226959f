import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** A folder for the path with a program that says what ffmpeg says of itself, for machines without one. */
export async function fakeFfmpeg(root: string): Promise<string> {
  const folder = join(root, 'programs');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'ffmpeg');
  const says = [
    '#!/bin/sh',
    'case "$1" in -version) echo "ffmpeg version 9.9-fake";; *) printf " V..... %s\\n" libx264 hevc;; esac',
    '',
  ];
  await writeFile(path, says.join('\n'));
  await chmod(path, 0o755);
  return folder;
}
