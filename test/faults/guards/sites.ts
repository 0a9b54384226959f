import { readdirSync, readFileSync } from 'node:fs';

/** A guard of commits in the sources, by the constant, property or function that it is made for. */
export interface GuardSite {
  /** File and name: `src/storage/files/store.ts fileUnchanged`. */
  readonly name: string;
  /** Where the call begins and ends that makes it. */
  readonly start: number;
  readonly end: number;
}

const imports = /import \{([^}]+)\} from '(?:[./\w-]+\/store|\.)\/guard\.ts'/;

/** Guards of a file, in the order of their calls. */
export function guardsIn(file: string, code: string): readonly GuardSite[] {
  const makers = imports.exec(code)?.[1]?.match(/\b(?:guard|rowExists|mustExist|mustNotExist|expectVersion)\b/g);
  if (!makers) return [];
  return [...code.matchAll(new RegExp(`(?<![\\w.])(?:${makers.join('|')})(?=[<(])`, 'g'))].map(
    ({ 0: maker, index }) => {
      const [holder] = [...code.slice(0, index).matchAll(/(?:const|^ +)\s*(\w+)\s*[:=]/gm)].slice(-1);
      const open = endOf(code, index + maker.length, '<', '>');
      return { name: `${file} ${holder![1]}`, start: index, end: endOf(code, open, '(', ')') };
    },
  );
}

/** The place behind the sign that closes what is opened there; the place itself where nothing is. */
function endOf(code: string, start: number, opening: string, closing: string): number {
  let depth = 0;
  for (let at = start; code[start] === opening; at++) {
    if (code[at] === opening) depth++;
    if (code[at] === closing && code[at - 1] !== '=') depth--;
    if (depth === 0) return at + 1;
  }
  return start;
}

/** Names of all guards. */
export const everyGuard = (): readonly string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `src/${path}`)
    .toSorted()
    .flatMap((file) => guardsIn(file, readFileSync(file, 'utf8')).map(({ name }) => name));
