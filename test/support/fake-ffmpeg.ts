import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder for the path with a program that says what ffmpeg says of itself, for machines without one. */
export async function fakeFfmpeg(root: string): Promise<string> {
  const folder = join(root, 'programs');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'ffmpeg');
  const says = [
    '#!/bin/sh',
    'case "$1" in -version) echo "ffmpeg version 9.9-fake";; *) echo " V..... libx264";; esac',
    '',
  ];
  await writeFile(path, says.join('\n'));
  await chmod(path, 0o755);
  return folder;
}
