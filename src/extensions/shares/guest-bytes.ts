import type { Call } from '../../http/call.ts';
import type { Command } from '../../http/command.ts';
import type { Reply } from '../../http/reply.ts';
import type { Params } from '../../http/route.ts';
import { thumbnailSheet } from '../../production/transcoding/public.ts';
import type { Area, Mark } from '../../room/marks.ts';
import type { Guest } from './guests.ts';
import type { SheetOf } from './item-view.ts';
import { forGuest, some } from './maker.ts';
import { hasPart, isBurnt, markOf, markOfGuest } from './mark.ts';
import { withMark } from './marked-routes.ts';
import type { ShareContext } from './routes.ts';

/** Headers of bytes that a guest gets as the maker would. */
const passedHeaders = [
  ...['accept-ranges', 'content-disposition', 'content-length', 'content-range', 'content-security-policy'],
  ...['cross-origin-resource-policy', 'etag', 'last-modified', 'x-content-type-options'],
];
/** Headers of a guest that decide about the bytes. */
const askedHeaders = ['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

/** Headers of a document that a browser opens in its viewer. It guesses no type, so nothing of the bytes is run as a page. */
export const viewed = ({ headers, ...reply }: Reply): Reply => ({
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

type Query = Readonly<Record<string, string | number | boolean>>;

/** Bytes of the maker for guests, with their mark where the share has one. */
export function guestBytes(parts: ShareContext, titleOf: (guest: Guest) => Promise<string | undefined>) {
  /** The mark of a guest in all that the guest gets. Undefined: the share asks for none. */
  async function burntMark(guest: Guest): Promise<Mark | undefined> {
    const mark = isBurnt(guest.share) ? markOf(guest.share) : undefined;
    return mark && markOfGuest(mark, guest.use, hasPart(mark, 'title') ? await titleOf(guest) : undefined);
  }

  /** A picture of the maker, with the mark of the guest where the share has one. */
  async function pictureAs<P extends string>(
    call: Call,
    guest: Guest,
    bytes: Command<'GET', P, undefined, Reply>,
    segments: Params<P>,
    { query = {}, areasOf }: { readonly query?: Query; areasOf?(): Promise<readonly Area[]> } = {},
  ): Promise<Reply> {
    const mark = await burntMark(guest);
    if (!mark) return bytesAs(call, guest, bytes, segments, query);
    const reply = await forGuest(parts.as(guest.maker.caller).run(bytes, segments, { query }));
    const name = JSON.stringify([bytes.path, segments, query]);
    return withMark(parts, call, { reply, name, areas: await areasOf?.() }, mark);
  }

  async function sheetOf({ maker }: Guest, item: string): Promise<SheetOf> {
    const { value } = await forGuest(parts.as(maker.caller).run(thumbnailSheet, { item }));
    return value as SheetOf;
  }

  /** Bytes of the maker, by the conditions of the guest. */
  async function bytesAs<P extends string>(
    { method, request }: Call,
    { maker }: Guest,
    bytes: Command<'GET', P, undefined, Reply>,
    segments: Params<P>,
    query: Query = {},
  ): Promise<Reply> {
    const headers = some(Object.fromEntries(request.headers), askedHeaders);
    const reply = await forGuest(parts.as(maker.caller).run(bytes, segments, { method, headers, query }));
    return { ...reply, headers: some(reply.headers, passedHeaders) };
  }

  return { burntMark, pictureAs, sheetOf, bytesAs };
}
