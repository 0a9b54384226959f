import type { Holding } from './held-folder.ts';
import type { WalkPage } from './walk-page.ts';

/** Asks for a page of a place. */
export interface ToWalker {
  readonly number: number;
  readonly root: string;
  readonly holding: Holding;
  readonly after: string;
  readonly limit: number;
}

export type FromWalker = { readonly number: number } & (
  | { readonly page: WalkPage }
  | { readonly code: string | undefined; readonly message: string }
);
