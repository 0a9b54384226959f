import { guestCommentsHook, readCollection, readItem } from '../../assets/items/public.ts';
import {
  bytesOfShape,
  loadShapes,
  loadShapesOf,
  mayLeave,
  mediaTypes,
  refusedShapes,
} from '../../assets/shapes/public.ts';
import { mediaOfItem, mustBeUsable } from '../../assets/usage/public.ts';
import { openBody } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import type { Command } from '../../http/command.ts';
import { raw } from '../../http/forms.ts';
import { text, whole } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { anybody, type Params, type Route, route } from '../../http/route.ts';
import { usersWithIds } from '../../identity/public.ts';
import {
  shownPicture,
  streamOfItem,
  thumbnailSheet,
  thumbnailSheetImage,
} from '../../production/transcoding/public.ts';
import { archiveRoute } from './archive-route.ts';
import { commentRoutes } from './comment-routes.ts';
import {
  endOf,
  type SharedItem,
  type ShareGuest,
  sharedItemDocument,
  sharedItemListDocument,
  sharedSheetDocument,
  shareEntranceDocument,
  shareGuestDocument,
  uploadOf,
} from './documents.ts';
import { GuestUploads } from './guest-uploads.ts';
import { checkOrigin, enter, type Guest, guestOf, type Visitor } from './guests.ts';
import {
  fieldsAlone,
  type ItemOf,
  isViewed,
  itemFrom,
  type SheetOf,
  shapesFrom,
  shapesToo,
  thumbnailsFrom,
  timingOf,
} from './item-view.ts';
import { forGuest, itemPage, some } from './maker.ts';
import type { ShareContext } from './routes.ts';
import { shareNotFound } from './rules.ts';
import { holds, pendingOf } from './store.ts';
import { upload } from './upload.ts';
import { uploadRoutes } from './upload-routes.ts';

const defaultPage = 50;
const maxOnPage = 100;
/** Minutes for which the addresses of a playlist lead to a film. */
const streamMinutes = 120;
const path = '/APInoauth/share/:link';
const none = { files: 0, bytes: 0 };

/** Headers of bytes that a guest gets as the maker would. */
const passedHeaders = [
  ...['accept-ranges', 'content-disposition', 'content-length', 'content-range', 'content-security-policy'],
  ...['cross-origin-resource-policy', 'etag', 'last-modified', 'x-content-type-options'],
];
/** Headers of a guest that decide about the bytes. */
const askedHeaders = ['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

/** Headers of a document that a browser opens in its viewer. It guesses no type, so nothing of the bytes is run as a page. */
const viewed = ({ headers, ...reply }: Reply): Reply => ({
  ...reply,
  type: 'application/pdf',
  headers: {
    ...headers,
    'content-disposition': headers?.['content-disposition']?.replace(/^attachment/, 'inline') ?? 'inline',
    'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  },
});

/** Place, version and time in the address of a picture. */
const pictureForm = /^\/\w+\/([^/]+)\/[^/;]+;version=(\d+)\/(.+)$/;

type SharedShape = NonNullable<SharedItem['shape']>[number];

/** Routes of guests. Each asks afresh whether the share is open, what it shows, and whether its maker may have it. */
export function guestRoutes(parts: ShareContext): readonly Route[] {
  const { store, services, secretKey } = parts;
  const uploads = new GuestUploads(parts.clock);

  /** The id of an item that the share shows. */
  async function itemIn({ share }: Guest, item: string): Promise<string> {
    const { targetType, targetId } = share;
    const isShown =
      share.look === 1 &&
      (targetType === 'item' ? item === targetId : (await holds[targetType](store, { targetId, item })).length > 0);
    if (!isShown) throw shareNotFound();
    return item;
  }

  /** A page of the items that the share shows, without their shapes. */
  async function itemsOf(guest: Guest, page: { number: number; cursor: string }) {
    if (guest.share.look === 0) throw shareNotFound();
    const { item = [], nextCursor } = await itemPage(parts, guest, page, fieldsAlone);
    return { item: item.map(itemFrom), nextCursor };
  }

  const readAs = async ({ maker }: Visitor, item: string, query = shapesToo): Promise<ItemOf> =>
    (await forGuest(parts.as(maker.caller).run(readItem, { item }, { query }))) as ItemOf;

  async function titleOf(guest: Visitor): Promise<string | undefined> {
    const { title, targetType, targetId } = guest.share;
    if (title !== null || targetType === 'library') return title ?? undefined;
    if (targetType === 'item') return itemFrom(await readAs(guest, targetId, fieldsAlone)).title;
    const { value } = await forGuest(parts.as(guest.maker.caller).run(readCollection, { collection: targetId }));
    return (value as { readonly name?: string }).name;
  }

  /** Maker, title and note of a share. Before the password the maker alone, who has sent the link. */
  async function introducedOf(guest: Visitor, needs: readonly string[] = []) {
    const isKnown = !needs.includes('password');
    const [[maker], title] = await Promise.all([
      usersWithIds(store, { ids: [guest.share.userId] }),
      isKnown ? titleOf(guest) : undefined,
    ]);
    const from = maker?.realName || undefined;
    return isKnown ? { from, title, note: guest.share.note ?? undefined } : { from };
  }

  async function toldOf(guest: Visitor): Promise<ShareGuest> {
    const { share, policy } = guest;
    const left = uploadOf(share);
    const [introduced, pending = none] = await Promise.all([
      introducedOf(guest),
      left && pendingOf(store, { id: share.id, now: parts.clock.now() }),
    ]);
    const ends = endOf(share, policy);
    return {
      id: share.id,
      type: share.targetType,
      ...introduced,
      name: guest.use?.name ?? undefined,
      item: share.targetType === 'item' ? share.targetId : undefined,
      look: share.look === 1,
      play: share.plays === 1,
      download: share.downloads === 1,
      ...(share.comment === 1 && { comment: true }),
      ends: Number.isFinite(ends) ? ends : undefined,
      upload: left && {
        files: left.files - share.files - pending.files,
        bytes: left.bytes - share.bytes - pending.bytes,
      },
    };
  }

  /** Bytes of the maker, by the conditions of the guest. */
  async function bytesAs<P extends string>(
    { method, request }: Call,
    { maker }: Guest,
    bytes: Command<'GET', P, undefined, Reply>,
    segments: Params<P>,
    query = {},
  ): Promise<Reply> {
    const headers = some(Object.fromEntries(request.headers), askedHeaders);
    const reply = await forGuest(parts.as(maker.caller).run(bytes, segments, { method, headers, query }));
    return { ...reply, headers: some(reply.headers, passedHeaders) };
  }

  /** Items for guests, without the shapes that may not leave now, or that wait for the key that signs streams. */
  async function seenOf({ share }: Guest, items: readonly ItemOf[]): Promise<readonly SharedItem[]> {
    const ids = items.map(({ id }) => id);
    const countComments = parts.hooks.find(guestCommentsHook);
    const [waiting, counts] = await Promise.all([
      loadShapesOf(store, ids).then((shapes) => refusedShapes(parts, undefined, shapes)),
      (share.comment === 1 && countComments?.(store, { guest: `share:${share.id}`, ids })) || [],
    ]);
    const comments = new Map(counts.map(({ itemId, count }) => [itemId, count]));
    return items.map((item) => {
      const shapes = shapesFrom(item, share).filter(({ stream }) => !stream || secretKey !== undefined);
      const shape = shapes.filter((each) => !waiting.has(each.id));
      const facts = { timing: timingOf(item), comments: comments.get(item.id) };
      return { ...itemFrom(item), ...facts, shape, ...(shape.length < shapes.length && { waits: true }) };
    });
  }

  /** A shape that the guest plays or downloads, by its item and the terms of the share. */
  async function shapeIn(guest: Guest, name: string, isWanted: (shape: SharedShape) => boolean) {
    const id = await itemIn(guest, name);
    const item = await readAs(guest, id);
    const shape = shapesFrom(item, guest.share).find(isWanted);
    if (!shape) throw shareNotFound();
    const shapes = await loadShapes(store, name);
    await mayLeave(
      parts,
      undefined,
      shapes.filter((each) => each.id === shape.id),
    );
    return { item: id, shape };
  }

  return [
    route({
      method: 'POST',
      path: '/APInoauth/share',
      says: 'Lets a guest in by the secret of an address, and sets a cookie for the routes of the share. A guest who is in without a name can give one. One answer is for all shares that are not open.',
      reads: shareEntranceDocument,
      answers: raw(shareGuestDocument),
      noStore: true,
      access: anybody,
      acting: 'allowed',
      async handle(call): Promise<Reply> {
        const entered = await enter(parts, call, call.body);
        if ('needs' in entered) {
          const { needs } = entered;
          const introduction = await introducedOf(entered, needs);
          return call.render(call.type, shareGuestDocument, { needs, ...introduction });
        }
        const reply = call.render(call.type, shareGuestDocument, await toldOf(entered));
        return entered.cookie === undefined ? reply : { ...reply, headers: { 'set-cookie': entered.cookie } };
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'What a share shows, for its guests.',
      answers: shareGuestDocument,
      access: anybody,
      handle: async (call, { link }) => toldOf(await guestOf(parts, call, link)),
    }),
    route({
      method: 'GET',
      path: `${path}/item`,
      says: 'The items of a share, for its guests.',
      query: {
        number: whole(`Maximum number of entries, up to ${maxOnPage}`, {
          defaultValue: defaultPage,
          least: 1,
          atMost: maxOnPage,
        }),
        cursor: text('The "nextCursor" of the previous answer', { defaultValue: '*' }),
      },
      answers: sharedItemListDocument,
      access: anybody,
      async handle(call, { link }) {
        const guest = await guestOf(parts, call, link);
        if (guest.share.look === 0) throw shareNotFound();
        const { item = [], nextCursor } = await itemPage(parts, guest, call.query);
        return { item: await seenOf(guest, item), nextCursor };
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
        const item = await readAs(guest, id);
        return (await seenOf(guest, [item]))[0]!;
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
        await mustBeUsable(store, undefined, mediaOfItem(name), parts.clock.now());
        for (const kind of ['poster', 'thumbnail'] as const) {
          const uris = (await services.pictureUris(store, kind, [name], { base: '', keyed: false })).get(name) ?? [];
          const uri = kind === 'poster' ? uris[0] : uris[Math.floor(uris.length / 2)];
          const [, place, version, time] = pictureForm.exec(uri ?? '') ?? [];
          if (place !== undefined && version !== undefined && time !== undefined)
            return bytesAs(call, guest, shownPicture(kind), { place, item: name, time }, { version });
        }
        throw shareNotFound();
      },
    }),
    route({
      method: 'GET',
      path: `${path}/item/:item/sheet`,
      says: 'Where each thumbnail of an item that guests play is on the picture of all of them.',
      answers: sharedSheetDocument,
      access: anybody,
      async handle(call, { link, item: name }) {
        const guest = await guestOf(parts, call, link);
        const { item } = await shapeIn(guest, name, ({ play }) => play);
        const { value } = await forGuest(parts.as(guest.maker.caller).run(thumbnailSheet, { item }));
        return { thumbnail: thumbnailsFrom(value as SheetOf) };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/item/:item/sheet/image`,
      says: 'The picture with all thumbnails of an item that guests play.',
      answers: raw('bytes', ['image/jpeg']),
      access: anybody,
      async handle(call, { link, item: name }) {
        const guest = await guestOf(parts, call, link);
        const { item } = await shapeIn(guest, name, ({ play }) => play);
        return bytesAs(call, guest, thumbnailSheetImage, { item });
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
        const named = (each: SharedShape) => each.id === shapeName && !each.stream;
        const { item, shape } = await shapeIn(guest, name, named);
        const segments = { item, shape: shape.id };
        const reply = await bytesAs(call, guest, bytesOfShape, segments, { useOriginalFilename: false });
        return isViewed(shape) ? viewed(reply) : reply;
      },
    }),
    route({
      method: 'GET',
      path: `${path}/item/:item/stream`,
      says: 'The HLS playlist of a stream that guests play, with addresses that expire. Who has them plays on until then.',
      answers: raw('text', ['application/vnd.apple.mpegurl']),
      access: anybody,
      noStore: true,
      async handle(call, { link, item: name }) {
        const guest = await guestOf(parts, call, link);
        const { item, shape } = await shapeIn(guest, name, ({ stream, play }) => play && stream === true);
        const query = { format: 'hls', duration: streamMinutes, shape: shape.id };
        return bytesAs(call, guest, streamOfItem, { item }, query);
      },
    }),
    archiveRoute(parts, { guestOf: (call, link) => guestOf(parts, call, link), titleOf, itemsOf, itemIn }),
    ...commentRoutes(parts, async (call, link, item) => {
      const guest = await guestOf(parts, call, link);
      return { guest, item: await itemIn(guest, item) };
    }),
    ...uploadRoutes(parts, uploads),
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
        await upload(parts, call, guest, { filename: call.query.filename, body: openBody(call.request) }, uploads);
        return toldOf(await guestOf(parts, call, link));
      },
    }),
  ];
}
