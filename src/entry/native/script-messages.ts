import type { Json } from '../../core/scripts/run-script.ts';

/** A script for the thread. */
export interface ToScripts {
  readonly source: string;
  readonly variables: Readonly<Record<string, Json>>;
  readonly reads: readonly string[];
}
