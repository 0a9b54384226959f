import { readFileSync } from 'node:fs';
import { differences } from './differences.ts';

/** A case of the original's own tests, as data. */
export interface Vector {
  readonly suite: string;
  readonly name: string;
  readonly ref: string;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own shape
  readonly input: any;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own shape
  readonly expected: any;
}

export const idOf = ({ suite, name, ref }: Vector): string => `${suite}/${name}@${ref}`;

export const listed: ReadonlySet<string> = new Set(differences.flatMap(({ vectors = [] }) => vectors));

export const files = ['ini', 'chains', 'accounts', 'objects', 'files'] as const;

export const vectorsOf = (file: (typeof files)[number]): readonly Vector[] =>
  readFileSync(new URL(`./vectors/${file}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Vectors that must have the result of the original: all but the listed differences. */
export const sameAsOriginal = (file: (typeof files)[number]): [string, Vector][] =>
  vectorsOf(file)
    .map((vector): [string, Vector] => [idOf(vector), vector])
    .filter(([id]) => !listed.has(id));
