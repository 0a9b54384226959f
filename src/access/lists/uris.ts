import { uriListDocument } from '../../documents/index.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { renderList } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import type { CoreContext } from '../../room/context.ts';
import type { Caller } from '../../security/caller.ts';
import type { Reader } from '../../store/statement.ts';
import { readableAmong } from '../access.ts';
import type { Guarded } from '../levels.ts';
import { accessOf } from '../viewer.ts';

/** Renders ids or URIs: as a document, or one per line in plain text. */
export async function renderUris(
  { render }: Pick<CoreContext, 'render'>,
  type: MediaType,
  uri: readonly string[],
): Promise<Reply> {
  if (type === 'text/plain') return lines(uri.map((each) => [each]));
  return renderList(render, type, uriListDocument, { uri }, 'uri');
}

/** Entities of a page that the caller may read, in the order of the page. */
export async function readableIds(
  reader: Reader,
  call: Caller,
  kind: Guarded,
  ids: readonly string[],
): Promise<readonly string[]> {
  const readable = await readableAmong(reader, await accessOf(reader, call), kind, ids);
  return ids.filter((id) => readable.has(id));
}
