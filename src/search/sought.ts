import type { TellUnknown, Value } from '../documents/index.ts';
import { documentSent, type SentDocument } from '../http/sent-document.ts';
import { type ItemSearch, itemSearchDocument, metadataGroupSearchDocument } from './documents/search.ts';
import type { Found } from './query/ast.ts';

/** What a caller searches for: as it was sent, or as it was read before. */
export type Sought = SentSearch | { readonly document: ItemSearch };

interface SentSearch {
  readonly sent: SentDocument;
  /** `groups`: what has a group that meets all criteria by itself. */
  readonly by: 'entities' | 'groups';
}

/** What is told of a search beside its answer. */
export interface Asked {
  /** Names that the document has and nothing knows, as a header has them. */
  readonly ignored: readonly string[] | undefined;
  /** Undefined: the history does not keep it. */
  readonly kept: KeptSearch | undefined;
}

export interface KeptSearch {
  readonly kind: 'item' | 'collection';
  /** The document, as JSON. */
  readonly query: string;
}

/** Without a body, everything is found. */
export async function readSought(sought: Sought, tell: TellUnknown): Promise<ItemSearch> {
  if ('document' in sought) return sought.document;
  if (sought.by === 'groups') return groupSearch(await documentSent(sought.sent, metadataGroupSearchDocument, tell));
  return (await documentSent(sought.sent, itemSearchDocument, tell)) ?? {};
}

/** For what has a group that meets all criteria by itself. */
export function groupSearch(document: Value<typeof metadataGroupSearchDocument> = {}): ItemSearch {
  const { text, field, group, operator, reference, filter, ...others } = document;
  const filters = (filter ?? []).map(({ name: _name, ...each }) => each);
  return {
    ...others,
    group: [{ isAny: true, text, field, group, reference, operator: [...(operator ?? []), ...filters] }],
  };
}

/** Characters of a search that the history keeps. */
const longest = 20_000;

/** The history keeps a search where it begins. It keeps none of groups, none of everything and none of other kinds. */
export function keptOf(found: Found, document: ItemSearch, cursor = document.cursor): KeptSearch | undefined {
  if (found !== 'item' && found !== 'collection') return undefined;
  if (cursor !== undefined && cursor !== '*') return undefined;
  if (document.group?.some(({ isAny }) => isAny)) return undefined;
  const query = JSON.stringify(document);
  return query === '{}' || query.length > longest ? undefined : { kind: found, query };
}
