import { principalsFor } from '../../assets/access/public-reading.ts';
import { askerOf } from '../../assets/definitions/public-reading.ts';
import {
  findShape,
  latestShapes,
  loadShapes,
  mustBeApproved,
  noSuchShape,
  readShapes,
  type Shape,
  type ShapeRow,
  shapeAmong,
  shapesAt,
  shapesToRead,
} from '../../assets/shapes/public.ts';
import { type Media, mediaOfShape, useOfMedia } from '../../assets/usage/public.ts';
import { existing } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { serviceOrigin } from '../../http/address.ts';
import { bytesRequest, forAnyOrigin } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { choice, flag, text, whole } from '../../http/parameters/index.ts';
import { notStored, type Reply, typed } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import {
  findRendition,
  pictureReply,
  type RenditionRow,
  renditionsOfShape,
  type SegmentIndex,
  secondsOf,
  streamOfItem,
  streamsAmong,
  subtitlesHook,
  type TranscodingParts,
} from '../../production/transcoding/public.ts';
import type { MediaUse } from '../../room/media.ts';
import { subjectOf } from '../../security/caller.ts';
import {
  addressEnd,
  createLinkSignatures,
  download,
  type LinkScheme,
  linkSchemes,
  signedByStorage,
} from '../../storage/public.ts';
import { dashManifest, dashType } from './dash.ts';
import { hlsImages, hlsMaster, hlsPlaylist, hlsSubtitles, hlsType } from './hls.ts';
import { bandwidthOf, fileOf, ofKind, type Rendition, type Subtitle } from './rendition.ts';
import {
  createStoryboards,
  type NamedStoryboard,
  type StoryboardPart,
  signedName,
  storyboardName,
  storyboardPart,
} from './storyboard.ts';

/** Path of what manifests name, which needs no credentials. Players go by the ending of a file. */
const partPath = '/APInoauth/stream/:shape/:part';

/**
 * Expiry in seconds since the epoch, scheme and signature; for subtitles also the id of the user whose rights count. `above`
 * behind the scheme: terms of use do not close it.
 */
const grantForm = /^(\d{1,12})~(https|http|s3)(-above)?~([\w-]{1,100})(?:~([\w-]{1,80}))?$/;
const userForm = /^[\w-]{1,80}$/;

/** Playlist of a rendition, and its bytes. */
type Ending = 'm3u8' | 'mp4';
const partForm = /^([\w-]{1,40})\.(m3u8|mp4)$/;
/** Subtitles of a language: their playlist, and their text. */
const textForm = /^text-([A-Za-z0-9-]{2,40})\.(m3u8|vtt)$/;

const ends = {
  scheme: linkSchemes,
  duration: whole('Minutes until the addresses in the manifest expire', { defaultValue: 240, least: 1, max: 720 }),
};

const noStream = (item: string, shape?: string): ServiceError => {
  const explanation = `Expected a shape that was made by a tag such as __hls: POST /item/${item}/transcode?tag=__hls makes it`;
  return new ServiceError('no-such-entity', { type: 'stream', id: shape ?? item, explanation });
};

const noSuchPart = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'rendition', id: name.slice(0, 80) });

/** Target of a signed address in a manifest. */
interface Part {
  readonly shapeId: string;
  /** Rendition with the ending of a form. */
  readonly name: string;
  readonly scheme: LinkScheme;
  /** Seconds since the epoch. */
  readonly expires: number;
  /** Whether who asked for the manifest is above terms of use. */
  readonly isAbove: boolean;
  /** User who asked for the manifest: subtitles are what this one may read of the metadata. */
  readonly reader?: string | undefined;
}

/** Part of all addresses of a manifest. */
type Grant = Pick<Part, 'scheme' | 'expires' | 'isAbove'>;

const schemeOf = ({ scheme, isAbove }: Pick<Part, 'scheme' | 'isAbove'>): string =>
  isAbove ? `${scheme}-above` : scheme;

/** Manifests of streams for callers who may read the shape. What these name is for everybody with an address. */
export function streamRoutes(parts: TranscodingParts): readonly Route[] {
  const { store, clock } = parts;
  const at = shapesAt(store);
  const storyboards = createStoryboards(parts);
  const signatures = createLinkSignatures(parts, 'streams');
  const signedText = ({ shapeId, name, reader, ...grant }: Omit<Part, 'expires'>): string =>
    [shapeId, signedName(name), schemeOf(grant), ...(reader === undefined ? [] : [reader])].join('\n');

  /** The newest stream of the latest version, or the shape that the caller names. */
  async function streamFor(call: Call, itemId: string, named: string | undefined): Promise<Shape> {
    const shapes = await shapesToRead(store, call, await loadShapes(store, itemId));
    const shape = named === undefined ? undefined : await shapeAmong(store, shapes, named);
    if (named !== undefined && !shape) throw noSuchShape(named);
    const candidates = shape ? [shape] : latestShapes(shapes);
    const streams = await streamsAmong(store, { ids: candidates.map(({ id }) => id) });
    const stream = candidates.findLast(({ id }) => streams.some(({ shapeId }) => shapeId === id));
    if (stream) return stream;
    throw noStream(itemId, shape?.id);
  }

  /** Path of a part of a stream, with a signature that ends. */
  async function partPathOf(part: Part): Promise<string> {
    const { shapeId, name, expires, reader } = part;
    const path = partPath.replace(':shape', encodeURIComponent(shapeId)).replace(':part', () => name);
    const signature = await signatures.sign(signedText(part), expires);
    // A single parameter: some players cannot read an ampersand in a manifest of DASH.
    return `${path}?grant=${expires}~${schemeOf(part)}~${signature}${reader === undefined ? '' : `~${reader}`}`;
  }

  /** Address of a rendition, or of its playlist. */
  async function addressOf(call: Call, row: RenditionRow, ending: Ending, grant: Grant): Promise<string> {
    if (grant.scheme === 's3') {
      const seconds = grant.expires - Math.floor(clock.now() / 1000);
      // Also for a playlist: a storage that cannot sign is refused here, and not when a player plays.
      const signed = await signedByStorage(parts, await fileOf(store, row), 'GET', seconds);
      if (ending === 'mp4') return signed;
    }
    const part = { shapeId: row.shapeId, name: `${row.name}.${ending}`, ...grant };
    return `${serviceOrigin(call)}${await partPathOf(part)}`;
  }

  /** Subtitles that the caller may read, with addresses that read them in the name of the caller. */
  async function subtitlesFor(
    call: Call,
    stream: Shape,
    ending: 'm3u8' | 'vtt',
    grant: Grant,
  ): Promise<readonly Subtitle[]> {
    const subject = subjectOf(call);
    const reader = subject.user?.id ?? '';
    const subtitles = parts.hooks.find(subtitlesHook);
    if (!subtitles || !userForm.test(reader) || !(await subject.has('_metadata_read'))) return [];
    const languages = await subtitles.languages(stream.itemId, await askerOf(call));
    return Promise.all(
      languages.map(async (language) => {
        const part = { shapeId: stream.id, name: `text-${language}.${ending}`, reader, ...grant };
        return { language, uri: `${serviceOrigin(call)}${await partPathOf(part)}` };
      }),
    );
  }

  /** Use by who has an address. Terms may have come, or moved, since it was made. */
  const useBy = async ({ isAbove }: Grant, media: Media): Promise<MediaUse> =>
    isAbove ? {} : useOfMedia(store, undefined, media, clock);

  /** Shape of a part, and its use by who has the address. */
  async function shapeOf(part: Part): Promise<readonly [ShapeRow, MediaUse]> {
    const shape = existing(await findShape(store, { id: part.shapeId }), noSuchPart, part.name);
    return [shape, await useBy(part, mediaOfShape(shape))];
  }

  async function secondsOfStream(shapeId: string, name: string): Promise<number> {
    const [rendition] = await renditionsOfShape(store, { shapeId });
    if (rendition) return secondsOf(JSON.parse(rendition.segments) as SegmentIndex);
    throw noSuchPart(name);
  }

  /** Thumbnails of the version that the stream is of, for callers who may see thumbnails. */
  async function storyboardFor(
    call: Call,
    stream: Shape,
    seconds: number,
    isDash: boolean,
    grant: Grant,
  ): Promise<NamedStoryboard | undefined> {
    const storyboard = (await subjectOf(call).has('_thumbnail_read')) && (await storyboards.of(stream, seconds));
    if (!storyboard) return undefined;
    const name = `${storyboardName(storyboard)}${isDash ? '.1.jpg' : '.m3u8'}`;
    const path = await partPathOf({ shapeId: stream.id, name, ...grant });
    const uri = `${serviceOrigin(call)}${isDash ? path.replace('.1.jpg', () => '.$Number$.jpg') : path}`;
    return { ...storyboard, uri };
  }

  /** Playlist of a storyboard, or one of its sheets. */
  async function storyboardReply(call: Call, part: Part, { sheet, ...named }: StoryboardPart): Promise<Reply> {
    const [shape, { until }] = await shapeOf(part);
    const storyboard = { ...named, seconds: await secondsOfStream(part.shapeId, part.name) };
    if (sheet === undefined) {
      const path = await partPathOf({ ...part, name: `${storyboardName(storyboard)}.1.jpg` });
      const uriOf = (number: number) => `${serviceOrigin(call)}${path.replace('.1.jpg', `.${number}.jpg`)}`;
      return notStored(typed(hlsType, hlsImages(storyboard, uriOf)));
    }
    const drawn = existing(await storyboards.sheet(shape, storyboard, sheet, call), noSuchPart, part.name);
    const reply = await pictureReply(call, { bytes: drawn.bytes, type: 'image/jpeg', version: drawn.name }, undefined);
    if (until === undefined) return reply;
    return { ...reply, headers: { ...reply.headers, 'cache-control': 'private, no-cache' } };
  }

  async function subtitlePart(call: Call, part: Part, language: string, ending: string): Promise<Reply> {
    const { shapeId, name, reader = '' } = part;
    const [shape] = await shapeOf(part);
    if (ending === 'm3u8') {
      const uri = `${serviceOrigin(call)}${await partPathOf({ ...part, name: `text-${language}.vtt` })}`;
      return typed(hlsType, hlsSubtitles(await secondsOfStream(shapeId, name), uri));
    }
    const subtitles = parts.hooks.need(subtitlesHook);
    const principals = await principalsFor(store, reader);
    const asker = { userId: reader, administers: principals?.administrator === true };
    return { status: 200, type: 'text/vtt', body: await subtitles.vtt(shape.itemId, asker, language) };
  }

  return [
    route({
      ...streamOfItem,
      says: 'The manifest of the stream of an item, with addresses that expire. Everybody who has it can play the stream until then.',
      entities: at.item('READ'),
      query: {
        format: choice('Form of the manifest. Default: by the header Accept', ['hls', 'dash']),
        shape: text('A shape that is a stream. Default: the newest one of the latest version'),
        subtitles: flag('Whether the manifest names subtitles', true),
        thumbnails: flag('Whether the manifest names thumbnails', true),
        ...ends,
      },
      answers: raw('text', [hlsType, dashType]),
      access: readShapes,
      noStore: true,
      async handle(call, { item }) {
        const { format, shape, scheme, duration, subtitles, thumbnails } = call.query;
        const stream = await streamFor(call, item.id, shape);
        await mustBeApproved(parts, stream, call);
        const now = clock.now();
        const use = await useOfMedia(store, call, mediaOfShape(stream), clock);
        const grant = { scheme, expires: addressEnd(now, duration, use), isAbove: use.isAbove === true };
        const type = format === undefined ? call.type : format === 'dash' ? dashType : hlsType;
        const isDash = type === dashType;
        const ending = isDash ? 'mp4' : 'm3u8';
        const textEnding = isDash ? 'vtt' : 'm3u8';
        const [rows, texts] = await Promise.all([
          renditionsOfShape(store, { shapeId: stream.id }),
          subtitles ? subtitlesFor(call, stream, textEnding, grant) : [],
        ]);
        const renditions: Rendition[] = [];
        for (const row of rows) {
          // The index of a long film is read in a turn of its own.
          await yieldTurn();
          const segments = JSON.parse(row.segments) as SegmentIndex;
          const uri = await addressOf(call, row, ending, grant);
          const kind = segments.size ? 'video' : 'audio';
          renditions.push({ name: row.name, kind, segments, bandwidth: bandwidthOf(segments), uri });
        }
        const [film] = thumbnails ? ofKind(renditions, 'video') : [];
        const storyboard = film && (await storyboardFor(call, stream, secondsOf(film.segments), isDash, grant));
        return typed(type, (isDash ? dashManifest : hlsMaster)(renditions, texts, storyboard));
      },
    }),
    route({
      method: 'GET',
      path: partPath,
      says: 'The playlist or the bytes of one rendition of a stream, its subtitles or its thumbnails, for everybody with an address of a manifest.',
      query: { grant: text('Expiry, scheme, signature and reader of the address', { defaultValue: '' }) },
      answers: raw(['text', 'bytes'], [hlsType, 'video/mp4', 'audio/mp4', 'text/vtt', 'image/jpeg']),
      access: anybody,
      async handle(call, { shape: shapeId, part: name }) {
        const [, end, named, above, signature = '', reader] = grantForm.exec(call.query.grant) ?? [];
        const scheme = (named ?? 'https') as LinkScheme;
        const grant = { scheme, expires: Number(end ?? 0), isAbove: above !== undefined };
        // The signature is checked first: without it, nothing tells which shapes exist.
        await signatures.check(
          signedText({ shapeId, name, reader, ...grant }),
          grant.expires,
          signature,
          'to a part of a stream',
        );
        const [, language, textEnding] = reader === undefined ? [] : (textForm.exec(name) ?? []);
        if (language !== undefined && textEnding !== undefined) {
          const part = { shapeId, name, reader, ...grant };
          return forAnyOrigin(notStored(await subtitlePart(call, part, language, textEnding)));
        }
        const tiles = storyboardPart(name);
        if (tiles) return forAnyOrigin(await storyboardReply(call, { shapeId, name, ...grant }, tiles));
        const [, rendition = '', ending] = partForm.exec(name) ?? [];
        const row = existing(await findRendition(store, { shapeId, name: rendition }), noSuchPart, name);
        if (ending === 'mp4') {
          const file = await fileOf(store, row);
          const use = await useBy(grant, { type: 'file', id: file.id });
          return forAnyOrigin(await download(parts, bytesRequest(call), file, { type: `${row.kind}/mp4`, use }));
        }
        await shapeOf({ shapeId, name, ...grant });
        const uri = await addressOf(call, row, 'mp4', grant);
        const playlist = hlsPlaylist(JSON.parse(row.segments) as SegmentIndex, uri);
        return forAnyOrigin(notStored(typed(hlsType, playlist)));
      },
    }),
  ];
}
