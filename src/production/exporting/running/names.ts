import { safeName, splitName } from '../../../core/lib/file-name.ts';

/** `a.mov`, `a_1.mov`, `a_2.mov`: the names of one file, until one is free. */
export function numbered(name: string, number: number): string {
  if (number === 0) return name;
  const { stem, extension } = splitName(name);
  return `${stem}_${number}${extension}`;
}

/** The file beside a file that holds its metadata. */
export const sidecarOf = (name: string): string => `${splitName(name).stem}.xml`;

/** Path below the folder, as returned by a script. Undefined: invalid. */
export function pathOf(text: string): string | undefined {
  const parts = text.split('/');
  const safe = parts.map(safeName);
  return parts.length <= 10 && safe.every((part, at) => part !== undefined && part === parts[at]) ? text : undefined;
}
