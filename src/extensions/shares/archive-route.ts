import { bytesOfComponent, loadShapes, mayLeave } from '../../assets/shapes/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { bytesRequest } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { toResponse } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import {
  type ArchiveContent,
  type ArchiveFile,
  Archives,
  MissingFile,
  zipType,
} from '../../production/exporting/public.ts';
import type { SharedItem } from './documents.ts';
import type { Guest } from './guests.ts';
import { downloadTags } from './item-view.ts';
import { forGuest } from './maker.ts';
import type { ShareContext } from './routes.ts';
import { shareNotFound } from './rules.ts';

interface ItemPage {
  readonly item: readonly SharedItem[];
  readonly nextCursor?: string | undefined;
}

interface Shown {
  guestOf(call: Call, link: string): Promise<Guest>;
  titleOf(guest: Guest): Promise<string | undefined>;
  itemsOf(guest: Guest, page: { readonly number: number; readonly cursor: string }): Promise<ItemPage>;
  /** Throws unless the share shows the item. */
  itemIn(guest: Guest, item: string): Promise<string>;
}

function missing(error: unknown): never {
  throw error instanceof ServiceError && error.status === 404 ? new MissingFile() : error;
}

/** All that the guests of a share download, as one archive. */
export function archiveRoute(parts: ShareContext, { guestOf, titleOf, itemsOf, itemIn }: Shown): Route {
  const archives = new Archives(parts);

  /** The bytes of a file, for a guest who may still have it. */
  async function open(call: Call, link: string, file: ArchiveFile, from: number): Promise<ReadableStream<Uint8Array>> {
    const guest = await guestOf(call, link);
    await itemIn(guest, file.itemId);
    const allowed = downloadTags(guest.share);
    const shape = (await loadShapes(parts.store, file.itemId)).find(({ id }) => id === file.shapeId);
    if (!shape?.tags.some((tag) => allowed.includes(tag))) throw shareNotFound();
    await mayLeave(parts, undefined, [shape]);
    const segments = { item: file.itemId, shape: file.shapeId, component: file.componentId };
    const range: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const reply = parts.as(guest.maker.caller).run(bytesOfComponent, segments, { headers: range });
    const { body, headers } = toResponse(await forGuest(reply.catch(missing)), {});
    if (!body || headers.get('content-length') !== String(file.size - from)) {
      await body?.cancel();
      throw new Error('Expected the size of a file to stay as it was');
    }
    return body;
  }

  return route({
    method: 'GET',
    path: '/APInoauth/share/:link/archive',
    says: 'What guests download of all items as one ZIP file, or a part of it with the header Range. Its first file may be "not-included.txt".',
    answers: raw('bytes', [zipType]),
    access: anybody,
    async handle(call, { link }) {
      const guest = await guestOf(call, link);
      const tags = downloadTags(guest.share);
      if (guest.share.look === 0 || tags.length === 0) throw shareNotFound();
      async function plan(content: ArchiveContent): Promise<string> {
        for (let cursor: string | undefined = '*'; cursor !== undefined; ) {
          const page: ItemPage = await itemsOf(guest, { number: 100, cursor });
          const items = page.item.map(({ id, title }) => ({ id, name: title }));
          const hasRoom = await content.add(guest.maker.caller, tags, items);
          cursor = hasRoom && page.nextCursor !== cursor ? page.nextCursor : undefined;
        }
        return (await titleOf(guest)) ?? '';
      }
      return archives.reply(bytesRequest(call), {
        taker: { id: `${guest.share.id} ${guest.use.id}`, group: guest.share.id },
        key: guest.share.id,
        plan,
        open: (file, from) => open(call, link, file, from),
      });
    },
  });
}
