import { loadShapes, mediaTypes, mustBeApproved, refusedShapes } from '../../assets/shapes/public.ts';
import { openBody } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { text, whole } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { commentRoutes } from './comment-routes.ts';
import {
  type ShareGuest,
  sharedItemDocument,
  sharedItemListDocument,
  shareEntranceDocument,
  shareGuestDocument,
  tagsOf,
  uploadOf,
} from './documents.ts';
import { checkOrigin, enter, type Guest, guestOf } from './guests.ts';
import { fieldsAsked, type ItemOf, itemFrom, type ShapeOf, shapesFrom } from './item-view.ts';
import { askAs, documentAs } from './maker.ts';
import type { ShareContext } from './routes.ts';
import { gone } from './rules.ts';
import { holds, type ShareRow } from './store.ts';
import { upload } from './upload.ts';

const usualPage = 50;
const mostOnPage = 100;
const path = '/APInoauth/share/:link';

/** Headers of bytes that a guest gets as the maker would. */
const passedHeaders = [
  ...['accept-ranges', 'content-disposition', 'content-length', 'content-range', 'content-security-policy'],
  ...['cross-origin-resource-policy', 'etag', 'last-modified', 'x-content-type-options'],
];
/** Headers of a guest that decide about the bytes. */
const askedHeaders = ['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

const some = (headers: Headers, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!]] : [])));

interface ItemPage {
  readonly item?: readonly ItemOf[];
  readonly nextCursor?: string;
}

/** Routes of guests. Each asks afresh whether the share is open, what it shows, and whether its maker may have it. */
export function guestRoutes(parts: ShareContext): readonly Route[] {
  const { store, services } = parts;

  /** The id of an item that the share shows. */
  async function itemIn({ share }: Guest, item: string): Promise<string> {
    const { targetType, targetId } = share;
    const isShown =
      share.look === 1 &&
      (targetType === 'item' ? item === targetId : (await holds[targetType](store, { targetId, item })).length > 0);
    if (!isShown) throw gone();
    return encodeURIComponent(item);
  }

  async function titleOf(call: Call, guest: Guest): Promise<string | undefined> {
    const { title, targetType, targetId } = guest.share;
    if (title !== null || targetType === 'library') return title ?? undefined;
    const at = `/${targetType}/${targetId}`;
    if (targetType === 'collection') return (await documentAs<{ name?: string }>(parts, call, guest.maker, at)).name;
    return itemFrom(await documentAs<ItemOf>(parts, call, guest.maker, `${at}?${fieldsAsked}`)).title;
  }

  async function toldOf(call: Call, guest: Omit<Guest, 'use'>): Promise<ShareGuest> {
    const { share } = guest;
    const left = uploadOf(share);
    return {
      id: share.id,
      type: share.targetType,
      title: await titleOf(call, guest as Guest),
      item: share.targetType === 'item' ? share.targetId : undefined,
      look: share.look === 1,
      ...(share.comment === 1 && { comment: true }),
      ends: share.ends ?? undefined,
      upload: left && { files: left.files - share.files, bytes: left.bytes - share.bytes },
    };
  }

  async function bytesAs(call: Call, guest: Guest, at: string): Promise<Reply> {
    const response = await askAs(parts, call, guest.maker, at, {
      method: call.method,
      headers: { ...some(call.request.headers, askedHeaders), accept: '*/*' },
    });
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? undefined,
      body: response.body ?? undefined,
      headers: some(response.headers, passedHeaders),
    };
  }

  const mayHave = ({ play, download }: ShareRow) => new Set([...tagsOf(play), ...tagsOf(download)]);

  return [
    route({
      method: 'POST',
      path: '/APInoauth/share',
      says: 'Lets a guest in by the secret of an address, and sets a cookie for the routes of the share. One answer is for all shares that are not open.',
      reads: shareEntranceDocument,
      answers: raw(shareGuestDocument),
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call): Promise<Reply> {
        const entered = await enter(parts, call, call.body);
        if ('needs' in entered) return call.render(call.type, shareGuestDocument, entered);
        const reply = call.render(call.type, shareGuestDocument, await toldOf(call, entered));
        return entered.cookie === undefined ? reply : { ...reply, headers: { 'set-cookie': entered.cookie } };
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'What a share shows, for its guests.',
      answers: shareGuestDocument,
      access: anybody,
      handle: async (call, { link }) => toldOf(call, await guestOf(parts, call, link)),
    }),
    route({
      method: 'GET',
      path: `${path}/item`,
      says: 'The items of a share, for its guests.',
      query: {
        number: whole(`Maximum number of entries, up to ${mostOnPage}`, {
          usual: usualPage,
          least: 1,
          atMost: mostOnPage,
        }),
        cursor: text('The "nextCursor" of the previous answer', { usual: '*' }),
      },
      answers: sharedItemListDocument,
      access: anybody,
      async handle(call, { link }) {
        const guest = await guestOf(parts, call, link);
        const { share, maker } = guest;
        if (share.look === 0) throw gone();
        const { number, cursor } = call.query;
        if (share.targetType === 'item') {
          const item = await documentAs<ItemOf>(parts, call, maker, `/item/${share.targetId}?${fieldsAsked}`);
          return { item: [itemFrom(item)] };
        }
        const at =
          share.targetType === 'collection' ? `/collection/${share.targetId}/item` : `/library/${share.targetId}`;
        const page = `number=${number}&count=false&cursor=${encodeURIComponent(cursor)}`;
        const { item = [], nextCursor } = await documentAs<ItemPage>(
          parts,
          call,
          maker,
          `${at}?${fieldsAsked}&${page}`,
        );
        return { item: item.map(itemFrom), nextCursor: item.length < number ? undefined : nextCursor };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/item/:item`,
      says: 'An item of a share with the shapes that guests play or download.',
      answers: sharedItemDocument,
      access: anybody,
      async handle(call, { link, item: name }) {
        const guest = await guestOf(parts, call, link);
        const id = await itemIn(guest, name);
        const item = await documentAs<ItemOf>(parts, call, guest.maker, `/item/${id}?${fieldsAsked},shape`);
        const shapes = shapesFrom(item, tagsOf(guest.share.play), tagsOf(guest.share.download));
        const waiting = await refusedShapes(parts, await loadShapes(store, name));
        const shape = shapes.filter((each) => !waiting.has(each.id));
        return { ...itemFrom(item), shape, ...(shape.length < shapes.length && { waits: true }) };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/item/:item/picture`,
      says: 'A picture of an item of a share.',
      answers: raw('bytes', mediaTypes),
      access: anybody,
      async handle(call, { link, item: name }) {
        const guest = await guestOf(parts, call, link);
        await itemIn(guest, name);
        for (const kind of ['poster', 'thumbnail'] as const) {
          const uris = (await services.pictureUris(store, kind, [name], { base: '', keyed: false })).get(name) ?? [];
          const uri = kind === 'poster' ? uris[0] : uris[Math.floor(uris.length / 2)];
          if (uri !== undefined) return bytesAs(call, guest, uri);
        }
        throw gone();
      },
    }),
    route({
      method: 'GET',
      path: `${path}/item/:item/shape/:shape`,
      says: 'The bytes of a shape that guests play or download, or a part of them with the header Range.',
      answers: raw('bytes', mediaTypes),
      access: anybody,
      async handle(call, { link, item: name, shape: shapeName }) {
        const guest = await guestOf(parts, call, link);
        const id = await itemIn(guest, name);
        const at = `/item/${id}/shape/${encodeURIComponent(shapeName)}`;
        const { id: shapeId, tag = [] } = await documentAs<ShapeOf>(parts, call, guest.maker, at);
        const allowed = mayHave(guest.share);
        if (!tag.some((each) => allowed.has(each))) throw gone();
        const shapes = await loadShapes(store, name);
        await mustBeApproved(
          parts,
          shapes.filter((each) => each.id === shapeId),
        );
        return bytesAs(call, guest, `${at}/data`);
      },
    }),
    ...commentRoutes(parts, async (call, link, item) => {
      const guest = await guestOf(parts, call, link);
      return { guest, item: await itemIn(guest, item) };
    }),
    route({
      method: 'POST',
      path: `${path}/file`,
      says: 'Imports the body into the collection of a share, within its bounds.',
      query: { filename: text('Name of the file') },
      reads: raw('bytes'),
      answers: shareGuestDocument,
      access: anybody,
      acting: 'allowed',
      async handle(call, { link }) {
        checkOrigin(call);
        const guest = await guestOf(parts, call, link);
        await upload(parts, call, guest, { filename: call.query.filename, body: openBody(call.request) });
        return toldOf(call, await guestOf(parts, call, link));
      },
    }),
  ];
}
