import { readdirSync, readFileSync } from 'node:fs';

/** A guard of commits in the sources, as a constant with a name. */
export interface GuardSite {
  /** File and constant: `src/storage/files/store.ts fileUnchanged`. */
  readonly name: string;
  /** Where the call begins and ends that makes it. */
  readonly start: number;
  readonly end: number;
}

const made = /^(?:export )?const (\w+)(?:: \w+)? = (?=(?:guard|rowExists|mustExist|mustNotExist|expectVersion)\b)/gm;

/** Guards of a file. A constant at the top level ends with a line that ends with a semicolon. */
export function guardsIn(file: string, code: string): readonly GuardSite[] {
  if (file === 'src/core/store/guard.ts') return [];
  return [...code.matchAll(made)].map((match) => {
    const start = match.index + match[0].length;
    return { name: `${file} ${match[1]}`, start, end: start + /;$/m.exec(code.slice(start))!.index };
  });
}

/** Names of all guards. */
export const everyGuard = (): readonly string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `src/${path}`)
    .toSorted()
    .flatMap((file) => guardsIn(file, readFileSync(file, 'utf8')).map(({ name }) => name));
