import type {
  EncodedPacket,
  EncodedPacketSink,
  InputAudioTrack,
  InputTrack,
  InputVideoTrack,
  Output,
  OutputFormat,
} from 'mediabunny';
import type { CutOrder, MediaSource } from '../../src/spi/index.ts';
import { mediaError, probeError } from '../probers/media-prober.ts';
import { type Conversion, type MediaLibrary, maxInMemory, openMedia, outputFormat, outputOf } from './convert.ts';
import { containerNames } from './plan.ts';

/** Packets that stand behind the end in the order of decoding, and ahead of one that is shown before it. */
const maxReordered = 16;
/** Verifies key frames, because some containers mark others as such. */
const asKey = { verifyKeyPackets: true };

/** A part that is this much shorter than it should be is told of. */
const shortest = 0.95;

/** Packets of a track, beginning with the first one of the part. */
interface Copied {
  readonly track: InputTrack;
  readonly sink: EncodedPacketSink;
  readonly first: EncodedPacket;
  add(packet: EncodedPacket): Promise<void>;
}

/** Copies a part of media as it is. It begins with the key picture at that time or before it. */
export async function cutMedia(
  library: MediaLibrary,
  source: MediaSource,
  { format, from, to = Number.POSITIVE_INFINITY }: CutOrder,
  { write, progress }: Conversion,
): Promise<readonly string[]> {
  const name = Object.hasOwn(containerNames, format) ? containerNames[format] : undefined;
  if (!name)
    throw mediaError('unsupported', `Expected a container that mediabunny writes: found ${format.slice(0, 40)}`);
  const input = await openMedia(library, source);
  try {
    const begin = await input.getFirstTimestamp();
    const last = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    if (begin + from >= last) throw mediaError('broken', `Expected a start within ${last - begin} seconds: ${from}`);
    const end = begin + to;
    const isInMemory = source.size <= maxInMemory;
    const container = outputFormat(library, { container: name.kind }, isInMemory);
    const output = outputOf(library, container, write);
    const tracks = await copiedTracks(library, await input.getTracks(), output, container, begin + from);
    const zero = Math.min(...tracks.map(({ first }) => first.timestamp));
    await output.start();
    const length = Math.min(end, last) - zero;
    const reached = new Map<Copied, number>();
    for await (const { track, packet } of inTurns(tracks, end)) {
      const timestamp = packet.timestamp - zero;
      reached.set(track, Math.max(reached.get(track) ?? 0, timestamp + packet.duration));
      await track.add(packet.clone({ timestamp }));
      if (length > 0) progress(Math.min(1, Math.max(0, timestamp / length)), timestamp);
    }
    await output.finalize();
    const hasIndex = /^(?:mp4|mov)$/.test(name.kind);
    return [
      ...(hasIndex && !isInMemory ? ['The index of the file stands at its end: it is large'] : []),
      ...(await Promise.all(tracks.map((track) => shortOf(track, length, zero, reached)))).flat(),
    ];
  } catch (error) {
    throw probeError(error);
  } finally {
    input.dispose();
  }
}

/** A track that ends before its container says is told of. Tracks of one file may be of several lengths. */
async function shortOf(
  copied: Copied,
  length: number,
  zero: number,
  reached: ReadonlyMap<Copied, number>,
): Promise<readonly string[]> {
  const duration = await copied.track.getDurationFromMetadata();
  if (duration === null) return [];
  const expected = Math.min(length, duration - zero);
  const seconds = reached.get(copied) ?? 0;
  return seconds < expected * shortest
    ? [`Expected ${expected} seconds of ${copied.track.type}: found ${seconds}`]
    : [];
}

const isVideo = (track: InputTrack): track is InputVideoTrack => track.isVideoTrack();
const isAudio = (track: InputTrack): track is InputAudioTrack => track.isAudioTrack();

/** All video and audio tracks. Audio begins with the video, which may be before the requested start. */
async function copiedTracks(
  library: MediaLibrary,
  all: readonly InputTrack[],
  output: Output,
  format: OutputFormat,
  from: number,
): Promise<readonly Copied[]> {
  const supported = new Set<string>(format.getSupportedCodecs());
  const tracks: Copied[] = [];
  let start = from;
  const taken = async (track: InputTrack, of: 'getKeyPacket' | 'getPacket'): Promise<EncodedPacket | undefined> => {
    const codec = (await track.getCodec()) ?? 'an unknown one';
    if (!supported.has(codec))
      throw mediaError('unsupported', `Expected a codec that the container has: found ${codec}`);
    const sink = new library.EncodedPacketSink(track);
    const packet = await sink[of](start, asKey);
    return (
      packet ?? (of === 'getKeyPacket' ? await sink.getFirstKeyPacket(asKey) : await sink.getFirstPacket()) ?? undefined
    );
  };
  for (const track of all.filter(isVideo)) {
    const first = await taken(track, 'getKeyPacket');
    if (!first) continue;
    start = Math.min(start, first.timestamp);
    const to = new library.EncodedVideoPacketSource((await track.getCodec())!);
    output.addVideoTrack(to, { rotation: await track.getRotation() });
    tracks.push(copied(library, track, first, to, await track.getDecoderConfig()));
  }
  for (const track of all.filter(isAudio)) {
    const first = await taken(track, 'getPacket');
    if (!first) continue;
    const to = new library.EncodedAudioPacketSource((await track.getCodec())!);
    output.addAudioTrack(to);
    tracks.push(copied(library, track, first, to, await track.getDecoderConfig()));
  }
  if (tracks.length === 0) throw mediaError('broken', 'Expected media with pictures or sound');
  return tracks;
}

function copied<C>(
  library: MediaLibrary,
  track: InputTrack,
  first: EncodedPacket,
  to: { add(packet: EncodedPacket, meta?: { decoderConfig: NonNullable<C> }): Promise<void> },
  config: C,
): Copied {
  if (!config) throw mediaError('broken', 'Expected a track that says how it is decoded');
  let isFirst = true;
  const add = (packet: EncodedPacket): Promise<void> => {
    const meta = isFirst ? { decoderConfig: config as NonNullable<C> } : undefined;
    isFirst = false;
    return to.add(packet, meta);
  };
  return { track, sink: new library.EncodedPacketSink(track), first, add };
}

/** The packets of all tracks until the end, the earliest first, so that no track waits in memory for another. */
async function* inTurns(tracks: readonly Copied[], end: number) {
  const left = tracks.map((track) => ({
    track,
    packets: untilEnd(track, end),
    next: undefined as EncodedPacket | undefined,
  }));
  const step = async (each: (typeof left)[number]): Promise<void> => {
    const { value, done } = await each.packets.next();
    each.next = done ? undefined : value;
  };
  for (const each of left) await step(each);
  for (;;) {
    const [earliest] = left
      .filter(({ next }) => next !== undefined)
      .toSorted((a, b) => a.next!.timestamp - b.next!.timestamp);
    if (!earliest) return;
    yield { track: earliest.track, packet: earliest.next! };
    await step(earliest);
  }
}

/** Packets in decoding order. A packet after the end is included if an earlier picture depends on it. */
async function* untilEnd({ sink, first }: Copied, end: number): AsyncGenerator<EncodedPacket, void> {
  let behind: EncodedPacket[] = [];
  for await (const packet of sink.packets(first)) {
    if (packet.timestamp < end) {
      yield* behind;
      behind = [];
      yield packet;
      continue;
    }
    if (packet.type === 'key' || behind.length === maxReordered) return;
    behind.push(packet);
  }
}
