import type { Viewer } from '../../assets/access/viewer.ts';
import type { Reader } from '../../store/statement.ts';

/** The next items that a query finds among those that a viewer may read. */
export type FindItems = (
  reader: Reader,
  viewer: Viewer,
  /** A search document. */
  query: unknown,
  page: { readonly number: number; readonly cursor: string },
) => Promise<{ readonly ids: readonly string[]; readonly next: string | undefined }>;
