import { uriListDocument } from '../../documents/index.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { renderList } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import { accountOf, type Caller } from '../../security/caller.ts';
import { accessOf, readableAmong } from '../access/access.ts';
import type { Guarded } from '../access/levels.ts';
import type { AssetParts } from '../parts.ts';

type Parts = Pick<AssetParts, 'store' | 'render'>;

/** Renders ids or URIs: as a document, or one per line in plain text. */
export async function renderUris(
  { render }: Pick<Parts, 'render'>,
  type: MediaType,
  uri: readonly string[],
): Promise<Reply> {
  if (type === 'text/plain') return lines(uri.map((each) => [each]));
  return renderList(render, type, uriListDocument, { uri }, 'uri');
}

/** Renders those entities of a page that the caller may read. */
export async function renderReadable(
  parts: Parts,
  call: Caller,
  type: MediaType,
  kind: Guarded,
  ids: readonly string[],
): Promise<Reply> {
  const reader = parts.store.reader(accountOf(call));
  const readable = await readableAmong(reader, await accessOf(reader, call), kind, ids);
  return renderUris(
    parts,
    type,
    ids.filter((id) => readable.has(id)),
  );
}
