import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import process from 'node:process';

/** Where the system finds a program. Undefined: nowhere. */
export async function findProgram(name: string): Promise<string | undefined> {
  if (name === '') return undefined;
  const isWindows = process.platform === 'win32';
  const folders = isAbsolute(name) ? [''] : (process.env['PATH'] ?? '').split(delimiter).filter((each) => each !== '');
  const names = isWindows && !name.endsWith('.exe') ? [`${name}.exe`, name] : [name];
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
