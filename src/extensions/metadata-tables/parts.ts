import type { MetadataContext } from '../../assets/metadata/public.ts';
import { openItemFinder, type SearchContext } from '../../assets/search/public.ts';
import { constant, mebibyte, type SettingsOf } from '../../core/settings/kinds.ts';

/** Limits of tables. */
export const tableSettings = {
  maxTableBytes: constant(128 * mebibyte, 'Maximum number of bytes of one table of metadata.'),
  maxTableRows: constant(1_000_000, 'Maximum number of rows of one table of metadata.'),
  maxTables: constant(10, 'Maximum number of tables of metadata of one user whose imports have not ended.'),
};

export type TableContext = SearchContext & MetadataContext & { readonly settings: SettingsOf<typeof tableSettings> };

export interface TableParts extends TableContext {
  readonly findItems: ReturnType<typeof openItemFinder>;
}

export const openTableParts = (context: TableContext): TableParts => ({
  ...context,
  findItems: openItemFinder(context),
});
