import type { Json } from '../../scripts/json.ts';

/** A script for the thread. */
export interface ToScripts {
  readonly source: string;
  readonly variables: Readonly<Record<string, Json>>;
  readonly reads: readonly string[];
}

/** `ready`: the engine is there, and the next script runs at once. */
export type FromScripts =
  | { readonly ready: true }
  | { readonly read: Record<string, Json> }
  | { readonly fails: string }
  | { readonly broken: string };
