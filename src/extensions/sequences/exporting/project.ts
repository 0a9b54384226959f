import type { ClipProblem, Cuts } from './clips.ts';

/** Name and path of an item. Single-line, since they are repeated for each part. */
export interface Source {
  readonly name: string;
  /** URI or path from the caller. */
  readonly path: string | undefined;
  /** Comment at each part. */
  readonly comment?: string;
}

/** Sequence prepared for export. */
export interface Project {
  /** Short single-line text, like the name. */
  readonly id: string;
  readonly name: string;
  readonly cuts: Cuts;
  readonly sources: ReadonlyMap<string, Source>;
}

/** Export format of sequences. */
export interface Format {
  readonly type: 'text/plain' | 'application/xml';
  readonly ending: string;
  /** Maximum sequences per document. */
  readonly sequences: number;
  /** Problems of cuts that the format cannot express. */
  problems(cuts: Cuts): readonly ClipProblem[];
  /** Writes one or more sequences. */
  write(projects: readonly Project[]): string;
}
