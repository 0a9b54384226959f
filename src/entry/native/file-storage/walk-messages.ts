import type { Listing } from '../../../spi/index.ts';
import type { Holding } from './held-folder.ts';

/** Asks for a page of a place. */
export interface ToWalker {
  readonly number: number;
  readonly root: string;
  readonly holding: Holding;
  readonly after: string;
  readonly limit: number;
}

export type FromWalker = { readonly number: number } & (
  | { readonly page: Listing }
  | { readonly code: string | undefined; readonly message: string }
);
