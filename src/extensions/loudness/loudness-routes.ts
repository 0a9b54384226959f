import { itemAt } from '../../assets/items/contract/entities.ts';
import { readShapes as read } from '../../assets/shapes/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { type Route, route } from '../../http/route.ts';
import { integratedLoudness, loudnessRange, unpackedEnergies } from '../../production/checking/public-reading.ts';
import { pictureTime, type TranscodingParts } from '../../production/transcoding/public.ts';
import { type Loudness, loudnessDocument } from './documents.ts';
import { type ItemSound, soundFor, streamOfTrack } from './find.ts';
import { valueParameters } from './parameters.ts';
import { energiesOf } from './store.ts';

/** Channels of a mix. */
const maxChannels = 32;
/** Decibels that a channel can be weighed with, up and down. */
const maxDecibels = 60;

/** A channel in a mix, and the factor of its energy. */
interface Mixed {
  readonly name?: string | undefined;
  readonly stream: number;
  readonly channel: number;
  readonly weight: number;
}

type Energies = Awaited<ReturnType<typeof energiesOf>>;
type TimeName = 'start' | 'end' | 'startLoudness' | 'endLoudness' | 'startRange' | 'endRange';

/** Loudness of items, as it was measured, and of their parts and channels. */
export function loudnessRoutes(parts: TranscodingParts): readonly Route[] {
  const { store } = parts;
  const shared = {
    path: '/item/:item/loudness',
    entities: { item: itemAt(store)('READ', 'SHAPE') },
    answers: loudnessDocument,
    access: read,
  } as const;
  return [
    route({
      ...shared,
      method: 'GET',
      says: 'The loudness of a shape by EBU R 128, after its analysis.',
      query: { shape: valueParameters.shape, tag: valueParameters.tag },
      async handle(call, { item: { id } }) {
        const sound = await soundFor(parts, call, id, call.query, 'loudness');
        const { loudness, loudnessRange: range, mix } = sound.row;
        return {
          ...about(sound, JSON.parse(mix) as readonly Mixed[]),
          ...levelFields(loudness ?? undefined, range ?? undefined),
        };
      },
    }),
    route({
      ...shared,
      method: 'PUT',
      says: 'The loudness of the part and the channels that the body names, after the analysis. Nothing is changed.',
      reads: loudnessDocument,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const request = call.body;
        const wanted = { shape: request.shape, tag: request.shapeTag };
        const sound = await soundFor(parts, call, id, wanted, 'loudness');
        const channels = await energiesOf(store, { shapeId: sound.shape.id });
        const mix = request.mix?.length
          ? mixFrom(request.mix, channels)
          : (JSON.parse(sound.row.mix) as readonly Mixed[]);
        const over = (start: TimeName, end: TimeName) => weighed(mix, channels, partOf(request, start, end, sound));
        const loudness = integratedLoudness(over('startLoudness', 'endLoudness'));
        await yieldTurn();
        const range = loudnessRange(over('startRange', 'endRange'));
        const {
          id: _item,
          shape: _shape,
          shapeTag: _tag,
          loudnessLU: _lu,
          loudnessRangeLU: _range,
          ...times
        } = request;
        return { ...about(sound, mix), ...times, mix: mixTold(mix), ...levelFields(loudness, range) };
      },
    }),
  ];
}

const about = ({ itemId, shape, row }: ItemSound, mix: readonly Mixed[]): Loudness => ({
  id: itemId,
  shape: shape.id,
  ...(shape.tags[0] !== undefined && { shapeTag: shape.tags[0] }),
  mix: mixTold(mix),
  start: '0',
  end: String(Math.round(row.seconds * 1000) / 1000),
});

const mixTold = (mix: readonly Mixed[]) =>
  mix.map(({ name, stream, channel, weight }) => ({
    ...(name !== undefined && { name }),
    weightdB: hundredth(10 * Math.log10(weight)),
    sourceItemTrack: `A${stream + 1}`,
    sourceStream: stream,
    sourceChannel: channel,
  }));

const levelFields = (loudness: number | undefined, range: number | undefined) => ({
  ...(loudness !== undefined && { loudnessLU: hundredth(loudness) }),
  ...(range !== undefined && { loudnessRangeLU: hundredth(range) }),
});

const hundredth = (value: number): number => Math.round(value * 100) / 100;

const place = '/LoudnessDocument';

/** Channels of a mix. An entry without a channel is for all channels of its stream. */
function mixFrom(given: NonNullable<Loudness['mix']>, channels: Energies): readonly Mixed[] {
  const mix = given.flatMap(
    ({ name, weightdB = 0, sourceItemTrack, sourceStream, sourceChannel }): readonly Mixed[] => {
      const stream = sourceStream ?? streamOfTrack(sourceItemTrack ?? '');
      if (stream === undefined) {
        const of = sourceItemTrack === undefined ? 'sourceStream' : 'sourceItemTrack';
        throw badValue(`${place}/mix/${of}`, 'a stream of sound such as 0, or a track such as A1', sourceItemTrack);
      }
      if (Math.abs(weightdB) > maxDecibels) {
        throw badValue(`${place}/mix/weightdB`, `from -${maxDecibels} to ${maxDecibels} decibels`, String(weightdB));
      }
      const ofStream = channels.filter((each) => each.stream === stream);
      if (ofStream.length === 0) {
        throw badValue(`${place}/mix/sourceStream`, 'a stream of the sound that was measured', String(stream));
      }
      const named = ofStream.filter(({ channel }) => sourceChannel === undefined || channel === sourceChannel);
      if (named.length === 0) {
        throw badValue(`${place}/mix/sourceChannel`, `a channel of the stream ${stream}`, String(sourceChannel));
      }
      return named.map(({ channel }) => ({ name, stream, channel, weight: 10 ** (weightdB / 10) }));
    },
  );
  if (mix.length <= maxChannels) return mix;
  throw badValue(`${place}/mix`, `at most ${maxChannels} channels`, String(mix.length));
}

/** Part of the sound, in units of 100 ms. Loudness and range without times of their own have those of the document. */
function partOf(
  asked: Loudness,
  ownStart: TimeName,
  ownEnd: TimeName,
  { row }: ItemSound,
): readonly [first: number, end: number] {
  const timeOf = (own: TimeName, common: TimeName, defaultValue: number): number => {
    const name = asked[own] === undefined ? common : own;
    const text = asked[name];
    if (text === undefined) return defaultValue;
    const time = pictureTime(text);
    if (!time) throw badValue(`${place}/${name}`, 'a time code such as 10.5 or 250@PAL', text);
    return Math.round(time.instant / 100_000);
  };
  const first = timeOf(ownStart, 'start', 0);
  const end = timeOf(ownEnd, 'end', Math.max(first + 1, Math.ceil(row.seconds * 10)));
  if (end > first) return [first, end];
  const name = asked[ownEnd] === undefined ? 'end' : ownEnd;
  throw badValue(`${place}/${name}`, 'a time at least 0.1 s behind the start', asked[name]);
}

function weighed(mix: readonly Mixed[], channels: Energies, [first, end]: readonly [first: number, end: number]) {
  return mix.map(({ stream, channel, weight }) => {
    const packed = channels.find((each) => each.stream === stream && each.channel === channel)!.energies;
    if (packed.byteLength > 0) return { energies: unpackedEnergies(packed, first, end), weight };
    throw badValue(`${place}/mix`, 'channels of sound short enough for mixes: GET has its loudness', `A${stream + 1}`);
  });
}
