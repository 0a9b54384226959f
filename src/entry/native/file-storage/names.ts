import process from 'node:process';
import { DriverError, isOwn, ownFolder } from '../../../storage/public.ts';

/** The names of a path, from the outside in. Throws `bad-path` for a path that has a second spelling or leads out. */
export function partsOf(path: string, platform: string = process.platform): readonly string[] {
  const parts = path.split('/');
  for (const part of parts) {
    const defect = defectOf(part, platform);
    if (defect !== undefined) throw new DriverError('bad-path', `Expected ${defect}: "${shownPath(path)}"`);
  }
  return parts;
}

export const shownPath = (path: string): string => (path.length > 80 ? `${path.slice(0, 77)}...` : path);

function defectOf(part: string, platform: string): string | undefined {
  if (part === '' || part === '.' || part === '..') return 'a path without empty parts, "." and ".."';
  if (part.includes('\0')) return 'a path without NUL';
  if (!part.isWellFormed()) return 'a path of whole characters';
  if (isOwn(part)) return `a path outside of the folder ${ownFolder}, which the service keeps for itself`;
  return platform === 'win32' ? windowsDefect(part) : undefined;
}

/** There these are separators, streams, devices, or names with a second spelling. */
function windowsDefect(part: string): string | undefined {
  if (/[<>:"\\|?*\u0000-\u001f]/.test(part)) return 'a path that Windows can hold, without < > : " \\ | ? *';
  if (/[. ]$/.test(part)) return 'a path that Windows can hold, whose names do not end with a dot or a blank';
  const isDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.|$)/i.test(part);
  return isDevice ? 'a path that Windows can hold, without names of devices' : undefined;
}
