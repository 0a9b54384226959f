import type { TellUnknown, Value } from '../documents/index.ts';
import { documentSent, type SentDocument } from '../http/sent-document.ts';
import { type ItemSearch, itemSearchDocument, metadataGroupSearchDocument } from './documents/search.ts';
import type { SearchKind } from './query/ast.ts';

/** Search of a caller: as sent, or already parsed. */
export type Sought = SentSearch | { readonly document: ItemSearch };

interface SentSearch {
  readonly sent: SentDocument;
  /** `groups`: entities with one group that meets all criteria. */
  readonly by: 'entities' | 'groups';
}

/** Details of a search, besides its answer. */
export interface Asked {
  /** Names of unknown elements, for a header. */
  readonly ignored: readonly string[] | undefined;
  /** Undefined: not added to the history. */
  readonly kept: KeptSearch | undefined;
}

export interface KeptSearch {
  readonly kind: 'item' | 'collection';
  /** JSON of the document. */
  readonly query: string;
}

/** Parses a search. Without a body, it matches everything. */
export async function readSought(sought: Sought, tell: TellUnknown): Promise<ItemSearch> {
  if ('document' in sought) return sought.document;
  if (sought.by === 'groups') return groupSearch(await documentSent(sought.sent, metadataGroupSearchDocument, tell));
  return (await documentSent(sought.sent, itemSearchDocument, tell)) ?? {};
}

/** Search for entities with one group that meets all criteria. */
export function groupSearch(document: Value<typeof metadataGroupSearchDocument> = {}): ItemSearch {
  const { text, field, group, operator, reference, filter, ...others } = document;
  const filters = (filter ?? []).map(({ name: _name, ...each }) => each);
  return {
    ...others,
    group: [{ isAny: true, text, field, group, reference, operator: [...(operator ?? []), ...filters] }],
  };
}

/** Maximum characters of a search in the history. */
const longest = 20_000;

/** Entry for the history. Undefined: later pages, searches for groups, for everything, or of other kinds. */
export function keptOf(kind: SearchKind, document: ItemSearch, cursor = document.cursor): KeptSearch | undefined {
  if (kind !== 'item' && kind !== 'collection') return undefined;
  if (cursor !== undefined && cursor !== '*') return undefined;
  if (document.group?.some(({ isAny }) => isAny)) return undefined;
  const query = JSON.stringify(document);
  return query === '{}' || query.length > longest ? undefined : { kind: kind, query };
}
