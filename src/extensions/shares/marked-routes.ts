import { ServiceError } from '../../core/lib/errors.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { type Reply, typed } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { type Area, type Mark, markedStreamsHook, marksHook } from '../../room/marks.ts';
import type { Guest } from './guests.ts';
import type { ShareContext } from './routes.ts';
import { shareNotFound } from './rules.ts';

const playlistType = 'application/vnd.apple.mpegurl';
const playlistName = 'film.m3u8';

/** A picture of the maker. `areas`: those of a sheet, each of which has the mark. */
interface Picture {
  readonly reply: Reply;
  readonly name: string;
  readonly areas?: readonly Area[] | undefined;
}

const bytesOf = ({ body }: Reply): Promise<ArrayBuffer> =>
  new Response(Array.isArray(body) ? body.join('') : (body as BodyInit | undefined)).arrayBuffer();

/** A picture that the maker may have, with the mark of the guest in it. Where nobody draws it, there is no picture. */
export async function withMark(
  { hooks }: Pick<ShareContext, 'hooks'>,
  call: Call,
  { reply, name, areas }: Picture,
  mark: Mark,
): Promise<Reply> {
  const bytes = new Uint8Array(await bytesOf(reply));
  const version = `${name} ${reply.headers?.['etag']}`;
  const drawn = await hooks.find(marksHook)?.picture({ bytes, name: version, areas }, mark, call);
  if (!drawn) throw shareNotFound();
  return typed('image/jpeg', drawn);
}

/** The manifest that the maker may have, whose pictures are those with the mark. */
export async function markedStream(
  { hooks }: Pick<ShareContext, 'hooks'>,
  reply: Reply,
  shapeId: string,
): Promise<Reply> {
  const manifest = new TextDecoder().decode(await bytesOf(reply));
  const address = `shape/${encodeURIComponent(shapeId)}/marked/${playlistName}`;
  const master = await hooks.find(markedStreamsHook)?.master(shapeId, manifest, address);
  if (master === undefined) throw shareNotFound();
  return typed(playlistType, master);
}

/** Guests learn of no storage and no file. */
function refuse(error: unknown): never {
  throw error instanceof ServiceError && error.code !== 'busy' ? shareNotFound() : error;
}

interface Shown {
  /** The guest, who may play the stream. Throws the refusal. */
  guestOf(call: Call, link: string, item: string, shape: string): Promise<Guest>;
  /** Undefined: the share has no mark that is part of films. */
  markOf(guest: Guest): Promise<Mark | undefined>;
}

/** Parts of streams that have the mark of their guest. */
export const markedRoute = ({ hooks }: Pick<ShareContext, 'hooks'>, { guestOf, markOf }: Shown): Route =>
  route({
    method: 'GET',
    path: '/APInoauth/share/:link/item/:item/shape/:shape/marked/:part',
    says: 'The playlist of a film whose pictures have the mark of the guest, or one of the parts that it names.',
    answers: raw(['text', 'bytes'], [playlistType, 'video/mp4']),
    access: anybody,
    noStore: true,
    async handle(call, { link, item, shape, part }) {
      const guest = await guestOf(call, link, item, shape);
      const [streams, mark] = [hooks.find(markedStreamsHook), await markOf(guest)];
      if (!streams || !mark) throw shareNotFound();
      const viewer = { address: call.address, subject: undefined, line: [guest.share.id, String(guest.use.id)] };
      const body = await (part === playlistName
        ? streams.playlist(shape)
        : streams.part(shape, part, mark, viewer).catch(refuse));
      if (body === undefined) throw shareNotFound();
      return typed(part === playlistName ? playlistType : 'video/mp4', body);
    },
  });
