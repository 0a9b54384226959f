import { guestCommentsHook, pictureUrisHook, readCollection, readItem } from '../../assets/items/public.ts';
import { bytesOfShape, loadShapes, loadShapesOf, mayLeave, refusedShapes } from '../../assets/shapes/public.ts';
import { mediaOfItem, mustBeUsable } from '../../assets/usage/public.ts';
import { mediaTypes } from '../../core/lib/mime-types.ts';
import { openBody } from '../../http/body.ts';
import { raw } from '../../http/forms.ts';
import { flag, text, whole } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { usersWithIds } from '../../identity/public.ts';
import { shownPicture, streamOfItem, thumbnailSheetImage } from '../../production/transcoding/public.ts';
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
import { guestBytes, viewed } from './guest-bytes.ts';
import { GuestUploads } from './guest-uploads.ts';
import { checkOrigin, enter, type Guest, guestOf, type Visitor } from './guests.ts';
import {
  fieldsAlone,
  type ItemOf,
  isViewed,
  itemFrom,
  shapesFrom,
  shapesToo,
  thumbnailsFrom,
  timingOf,
} from './item-view.ts';
import { forGuest, itemPage, mayPlay } from './maker.ts';
import { isBurnt, markOf, markOfGuest } from './mark.ts';
import { markedRoute, markedStream } from './marked-routes.ts';
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

/** Place, version and time in the address of a picture. */
const pictureForm = /^\/\w+\/([^/]+)\/[^/;]+;version=(\d+)\/(.+)$/;

type SharedShape = NonNullable<SharedItem['shape']>[number];

/** Routes of guests. Each asks afresh whether the share is open, what it shows, and whether its maker may have it. */
export function guestRoutes(parts: ShareContext): readonly Route[] {
  const { store, hooks, secretKey } = parts;
  const uploads = new GuestUploads(parts.clock);
  const { bytesAs, pictureAs, sheetOf, burntMark } = guestBytes(parts, titleOf);

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
    const mark = markOf(share);
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
      mark: mark && guest.use && markOfGuest(mark, guest.use, introduced.title),
      ends: Number.isFinite(ends) ? ends : undefined,
      upload: left && {
        files: left.files - share.files - pending.files,
        bytes: left.bytes - share.bytes - pending.bytes,
      },
    };
  }

  /** Items for guests, without the shapes that may not leave now, or that wait for the key that signs streams. */
  async function seenOf({ share }: Guest, items: readonly ItemOf[]): Promise<readonly SharedItem[]> {
    const ids = items.map(({ id }) => id);
    const countComments = parts.hooks.find(guestCommentsHook);
    const [waiting, counts] = await Promise.all([
      loadShapesOf(store, ids).then((shapes) => refusedShapes(parts, undefined, shapes)),
      (share.comment === 1 && countComments?.(store, { guest: `share:${share.id}`, ids })) || [],
    ]);
    const isAble = await mayPlay(parts.hooks, share);
    const comments = new Map(counts.map(({ itemId, count }) => [itemId, count]));
    return items.map((item) => {
      const isSigned = ({ stream }: SharedShape) => !stream || secretKey !== undefined;
      const shapes = isAble ? shapesFrom(item, share).filter(isSigned) : [];
      const shape = shapes.filter((each) => !waiting.has(each.id));
      const facts = { timing: timingOf(item), comments: comments.get(item.id) };
      const lacks = {
        ...(shape.length < shapes.length && { waits: true }),
        ...(isBurnt(share) && shapes.length < shapesFrom(item, { ...share, mark: null }).length && { unmarked: true }),
      };
      return { ...itemFrom(item), ...facts, shape, ...lacks };
    });
  }

  /** A shape that the guest plays or downloads, by its item and the terms of the share. */
  async function shapeIn(guest: Guest, name: string, isWanted: (shape: SharedShape) => boolean) {
    const id = await itemIn(guest, name);
    const item = await readAs(guest, id);
    const shape = shapesFrom(item, guest.share).find(isWanted);
    if (!shape || !(await mayPlay(parts.hooks, guest.share))) throw shareNotFound();
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
      query: { small: flag('Whether a thumbnail is enough', false) },
      answers: raw('bytes', mediaTypes),
      access: anybody,
      async handle(call, { link, item: name }) {
        const guest = await guestOf(parts, call, link);
        await itemIn(guest, name);
        await mustBeUsable(store, undefined, mediaOfItem(name), parts.clock.now());
        for (const kind of call.query.small ? (['thumbnail', 'poster'] as const) : (['poster', 'thumbnail'] as const)) {
          const uris =
            (await hooks.need(pictureUrisHook)(store, kind, [name], { base: '', keyed: false })).get(name) ?? [];
          const uri = kind === 'poster' ? uris[0] : uris[Math.floor(uris.length / 2)];
          const [, place, version, time] = pictureForm.exec(uri ?? '') ?? [];
          if (place !== undefined && version !== undefined && time !== undefined)
            return pictureAs(call, guest, shownPicture(kind), { place, item: name, time }, { query: { version } });
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
        return { thumbnail: thumbnailsFrom(await sheetOf(guest, item)) };
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
        const areasOf = async () => (await sheetOf(guest, item)).thumbnail ?? [];
        return pictureAs(call, guest, thumbnailSheetImage, { item }, { areasOf });
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
        if (!isBurnt(guest.share)) return bytesAs(call, guest, streamOfItem, { item }, query);
        const manifest = parts
          .as(guest.maker.caller)
          .run(streamOfItem, { item }, { query: { ...query, thumbnails: false } });
        return markedStream(parts, await forGuest(manifest), shape.id);
      },
    }),
    markedRoute(parts, {
      markOf: burntMark,
      async guestOf(call, link, item, shapeName) {
        const guest = await guestOf(parts, call, link);
        await shapeIn(guest, item, ({ id, stream, play }) => id === shapeName && play && stream === true);
        return guest;
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
