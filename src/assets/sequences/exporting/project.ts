import type { Cuts, Problem } from './clips.ts';

/** What is known of an item beside its id. It is written again for each part: no line ends are in it. */
export interface Source {
  readonly name: string;
  /** The address or path that the caller gave. */
  readonly path: string | undefined;
}

/** A sequence as an editing program gets it. */
export interface Project {
  /** It and the name are short, on one line. */
  readonly id: string;
  readonly name: string;
  readonly cuts: Cuts;
  readonly sources: ReadonlyMap<string, Source>;
}

/** A format that sequences are written in. */
export interface Format {
  readonly type: 'text/plain' | 'application/xml';
  readonly ending: string;
  /** The most sequences of one document. */
  readonly sequences: number;
  /** What it has no place for. */
  problems(cuts: Cuts): readonly Problem[];
  /** One sequence or more. */
  write(projects: readonly Project[]): string;
}
