import { choice, list, pageOf } from '../../http/parameters/index.ts';
import { type Route, role } from '../../http/route.ts';
import { keyValuesOf, prepareWeights } from '../../room/entities/key-values/store.ts';
import { lotsOf } from '../../room/entities/page-weight.ts';
import { accountOf, type Caller } from '../../security/caller.ts';
import {
  autoAddresses,
  type FieldName,
  type FileOrder,
  type FileSearch,
  fieldNames,
  fileDocumentsOf,
  fileViewOf,
  findFilesBy,
  readFiles as read,
  sortFields,
  viewParameters,
} from '../../storage/public.ts';
import { fileListDocument } from '../../storage/public-reading.ts';
import { shapeListDocument } from '../shapes/public-reading.ts';
import type { ItemSearch, SearchField, SearchSort } from './documents.ts';
import type { SearchParts } from './parts.ts';
import { type SearchRequest, searchReading } from './reading.ts';
import { runSearch } from './request.ts';
import { answerHits, searchRoutes } from './routes.ts';
import { itemsOfShapes } from './store.ts';

const keyValueWeights = prepareWeights('shape');

/** Routes that search shapes, including placeholders. */
export const shapeSearchRoutes = (parts: SearchParts): readonly Route[] =>
  searchRoutes(parts, {
    kind: 'shape',
    path: '/search/shape',
    second: '/search2/shape',
    nouns: 'shapes',
    says: { list: 'Shapes of items that the caller may read, the newest first, or those that a search finds.' },
    document: shapeListDocument,
    access: role('_item_shape_read'),
    has: [],
    view: { content: list(choice('Content of each shape in the answer', ['metadata'])) },
    async answer(call, request) {
      const { hits, ids, next } = await runSearch(parts, call, searchReading, request);
      return answerHits(call, { hits, ids, next }, shapeListDocument, 'shape', async () => {
        const { reader } = call;
        const hasMetadata = call.query.content?.includes('metadata') ?? false;
        const weightOf = hasMetadata ? await keyValueWeights(reader, ids) : () => 0;
        const load = async (lot: readonly string[]) => {
          const items = await itemsOfShapes(reader, lot);
          const metadata = hasMetadata ? await keyValuesOf(reader, 'shape', lot) : undefined;
          return lot.map((id) => ({
            id,
            ...(metadata && {
              metadata: { field: (metadata.get(id) ?? []).map(({ key, value }) => ({ key, value: { value } })) },
            }),
            item: [{ id: items.get(id)! }],
          }));
        };
        return { lots: lotsOf(ids, weightOf, parts.settings.maxPageValues), load };
      });
    },
  });

/** Search by columns of files only, which the efficient plans of file lists can answer. Undefined: other criteria. */
function plainSearchOf({ text = [], field = [], sort = [], ...rest }: ItemSearch): FileSearch | undefined {
  if (Object.entries(rest).some(([name, value]) => name !== 'version' && value !== undefined)) return undefined;
  if (text.some(({ value, noescape }) => noescape || !value)) return undefined;
  const fields = field.map(fieldOf);
  const orders = sort.map(orderOf);
  if (fields.includes(undefined) || orders.includes(undefined) || orders.length > 1) return undefined;
  const named = fields.filter((each) => each !== undefined);
  if (new Set(named.map(({ name }) => name)).size < named.length) return undefined;
  return { text: text.map(({ value }) => value!), field: named, sort: orders.filter((each) => each !== undefined) };
}

function fieldOf({ name, value = [], range = [], target = 'file' }: SearchField) {
  const column = nameOf(name);
  if (column === undefined || range.length > 0 || value.length === 0 || target !== 'file') return undefined;
  const isPlain = value.every((each) => each.value && each.value.trim() !== '*' && !each.noescape);
  if (!isPlain || value.some(({ minimum, maximum }) => minimum || maximum)) return undefined;
  return { name: column, values: value.map((each) => each.value!) };
}

function nameOf(fieldName: string): FieldName | undefined {
  const name = fieldName.replace(/^file\./, '').toLowerCase();
  return name === 'id' ? 'fileId' : fieldNames.find((each) => each.toLowerCase() === name);
}

function orderOf({ field, order = 'ascending' }: SearchSort): FileOrder | undefined {
  const name = sortFields.find((each) => each.toLowerCase() === field.toLowerCase());
  const direction = order.trim().toLowerCase();
  if (name === undefined || (direction !== 'ascending' && direction !== 'descending')) return undefined;
  return { field: name, descending: direction === 'descending' };
}

/** Routes that search files, by their properties and by linked entities. */
export function fileSearchRoutes(parts: SearchParts): readonly Route[] {
  const { store } = parts;

  /** Runs a search of columns alone as a list of files does. Undefined: other criteria, or a page by cursor. */
  async function findInList(caller: Caller, { document, page }: SearchRequest) {
    const plain = page.cursor === undefined ? plainSearchOf(document) : undefined;
    if (!plain) return undefined;
    const counts = page.counts !== false;
    const listing = await findFilesBy(parts, store.reader(accountOf(caller)), plain, { ...pageOf(page), counts });
    return { hits: counts ? listing.hits : undefined, ids: listing.page.map(({ id }) => id), next: undefined };
  }

  return searchRoutes(parts, {
    kind: 'file',
    path: '/search/file',
    second: '/search2/file',
    nouns: 'files',
    says: {
      list: 'All files, the oldest first, or those that a search finds.',
      search: 'Searches files, also by criteria of their items and shapes.',
    },
    document: fileListDocument,
    access: read,
    has: ['saved'],
    view: viewParameters,
    options: () => ({ order: { signature: 'files' } }),
    async plan(call, request) {
      const page = await findInList(call, request);
      const reason = 'Lists of files answer criteria on columns of files';
      return page && { strategy: 'file list', reason, hits: page.hits, candidate: [] };
    },
    async answer(call, request) {
      const searchPage = (await findInList(call, request)) ?? (await runSearch(parts, call, searchReading, request));
      const { hits, ids, next } = searchPage;
      return answerHits(call, { hits, ids, next }, fileListDocument, 'file', async () => {
        const view = fileViewOf(call.query, autoAddresses(parts, call));
        const { reader } = call;
        const page = ids.map((id) => ({ id }));
        const files = await fileDocumentsOf(parts, reader, page, view);
        return { lots: [files], load: async (lot) => lot };
      });
    },
  });
}
