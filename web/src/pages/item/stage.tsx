import { useSignalEffect } from '@preact/signals';
import type { ItemType, ThumbnailSpriteSheetDocument, WaveformDataDocument } from 'portico/types';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { timesOf } from '../../comments/comments.ts';
import type { Desk } from '../../comments/desk.ts';
import { CommentMarks } from '../../comments/marks.tsx';
import { Overlay } from '../../comments/overlay.tsx';
import { IconButton } from '../../components/button.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { tagWords } from '../../components/words.ts';
import { isWide, look } from '../../look.ts';
import { decode, isDecodable } from '../../player/decode.ts';
import { tilesOf } from '../../player/draw.ts';
import { createEngine, type Engine } from '../../player/engine.ts';
import { countingOf, durationOf } from '../../player/frames.ts';
import { Picture } from '../../player/picture.tsx';
import { type FormChoice, Forms, Player } from '../../player/player.tsx';
import { useSheet } from '../../player/sheet.ts';
import { Lanes } from '../../player/span-bar.tsx';
import { captionsOf, spansOf } from '../../player/spans.ts';
import { playsStreams } from '../../player/stream.ts';
import { Timeline } from '../../player/timeline.tsx';
import { may, reaches } from '../../rights.ts';
import { setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { JobFailure } from '../jobs/job-actions.tsx';
import { complaintOf, isOpen } from '../jobs/jobs.ts';
import { ownPath } from '../library/results.ts';
import { filesOf, isMeasurable, originalOf, type Playable, playables, titleOf } from './item.ts';
import { useNewsOf } from './news.ts';
import { NothingYet, useLastJobs } from './nothing-yet.tsx';
import type { useSpanEditing } from './span-editing.tsx';

/** Shape of an item that is shown, and how it is played. */
export interface Media {
  /** Undefined: nothing that a browser can show. */
  readonly chosen: Playable | undefined;
  /** Undefined: nothing is played. */
  readonly engine: Engine | undefined;
  readonly forms: FormChoice | undefined;
  readonly isBroken: boolean;
  readonly fail: () => void;
}

/** `at`: seconds at which the film stands at first. */
export function useMedia(item: ItemType, at: number): Media {
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const [shapeId, setShapeId] = useState<string>();
  const all = playables(item, playsStreams()).filter(({ shape }) => !broken.has(shape.id ?? ''));
  const chosen = all.find(({ shape }) => shape.id === shapeId) ?? all[0];
  const same = all.filter(({ medium }) => medium === chosen?.medium);
  const original = originalOf(item) ?? chosen?.shape;
  const duration = durationOf(original) ?? durationOf(chosen?.shape) ?? 0;
  const medium = chosen?.medium;
  // Another form of the film has the same frames: the player stays where it is.
  const engine = useMemo(
    () =>
      medium === undefined || medium === 'picture'
        ? undefined
        : createEngine(countingOf(medium === 'sound' ? chosen?.shape : original), duration, at),
    [item.id, original?.id, duration, medium],
  );
  return {
    ...{ chosen, engine, isBroken: broken.size > 0 },
    fail: () => setBroken(new Set([...broken, chosen?.shape.id ?? ''])),
    forms:
      chosen && same.length > 1
        ? {
            all: same.map(({ shape: { id = '', tag } }) => [id, tag?.map(tagWords).join(', ') || id]),
            chosen: chosen.shape.id ?? '',
            onChoose: setShapeId,
          }
        : undefined,
  };
}

interface StageProps {
  readonly item: ItemType;
  readonly media: Media;
  /** Undefined: nobody comments here. */
  readonly desk: Desk | undefined;
  readonly editing: ReturnType<typeof useSpanEditing>;
  readonly reload: () => Promise<void>;
}

/** The film, the sound or the picture of an item, or what it still needs. */
export function Stage(props: StageProps) {
  const { item, media, desk, reload } = props;
  const { chosen, engine, forms } = media;
  const jobs = useLastJobs(item.id ?? '');
  if (!chosen) return <NothingYet {...{ item, jobs, reload }} isBroken={media.isBroken} />;
  const last = jobs.value?.job ?? [];
  const complaint = last.some(isOpen) ? undefined : complaintOf(last);
  const note = complaint && <JobFailure job={complaint} onAgain={jobs.reload} />;
  if (engine) return <Film {...props} {...{ chosen, engine, note }} />;
  return (
    <div class="player">
      <Picture src={chosen.path} title={titleOf(item)} onBroken={media.fail}>
        {desk && <Overlay desk={desk} />}
      </Picture>
      {forms && (
        <div class="controls">
          <Forms {...forms} />
        </div>
      )}
      {note}
    </div>
  );
}

interface FilmProps extends StageProps {
  readonly chosen: Playable;
  readonly engine: Engine;
  /** Failure or warning of the last jobs. */
  readonly note: preact.ComponentChildren;
}

/** Milliseconds that a place rests before it is written into the address. */
const rest = 300;

function Film({ item, media, chosen, engine, note, desk, editing }: FilmProps) {
  const original = originalOf(item) ?? chosen.shape;
  const isSound = chosen.medium === 'sound';
  const spans = useMemo(() => spansOf(item.metadata ?? {}), [item.metadata]);
  const captions = useMemo(() => captionsOf(spans), [spans]);
  const poster = item.posters?.uri?.[0] ?? item.thumbnails?.uri?.[0];
  const pictures = item.thumbnails?.uri?.length ?? 0;
  const sheet = useSheet(
    pictures < 2 || !may('item.pictures') ? undefined : `${item.id} ${pictures}`,
    async (signal) => {
      const path = `/item/${item.id}/thumbnail/spritesheet`;
      const document = await get<ThumbnailSpriteSheetDocument>(path, { query: { 'noauth-url': true }, signal });
      return { address: ownPath(document.url?.[0] ?? ''), tiles: tilesOf(document) };
    },
  );
  // A phone shows no sound of a film, and pays for each byte.
  const isDrawn = !chosen.isStream && (isSound || isWide());
  const [{ size } = {}] = filesOf(chosen.shape);
  const isShort = isDecodable(isSound ? 'sound' : 'film', size, engine.duration);
  const decodable = isDrawn && isShort ? chosen.path : undefined;
  const wave = useWaveform(item, decodable);
  const canMeasure = isMeasurable(original, me.value?.transcoder === true);
  useSignalEffect(() => {
    const now = engine.seconds.value;
    const frame = engine.frame.value;
    if (engine.speed.value !== 0) return undefined;
    const timer = setTimeout(() => setQuery({ t: frame === 0 ? undefined : now.toFixed(3) }), rest);
    return () => clearTimeout(timer);
  });
  const stops = [
    ...spans.map(({ from }) => from),
    ...(desk?.shown.value ?? []).flatMap(({ comment }) => timesOf(comment)?.[0] ?? []),
  ];
  return (
    <Player
      {...{ engine, isSound, captions }}
      src={chosen.path}
      isStream={chosen.isStream}
      poster={poster === undefined ? undefined : ownPath(poster)}
      shape={original}
      forms={media.forms}
      onBroken={media.fail}
      over={desk && !isSound && <Overlay desk={desk} />}
      choices={
        canMeasure &&
        wave.isMissing &&
        may('item.analyze') &&
        reaches(item, 'WRITE', 'SHAPE') && (
          <IconButton
            icon="chart"
            label={t(wave.isAsked ? 'item.measuring' : 'item.measure')}
            disabled={wave.isAsked}
            onClick={() => void wave.measure()}
          />
        )
      }
    >
      {note}
      {isSound && wave.isMissing && decodable === undefined && poster !== undefined && (
        <div class="stage">
          <img src={ownPath(poster)} alt="" />
        </div>
      )}
      {engine.duration > 0 && (
        <Timeline
          {...{ engine, sheet, stops }}
          theme={look.value.theme}
          waveform={wave.values ?? (wave.isComing ? 'coming' : undefined)}
        >
          {(view, width) => (
            <>
              {desk && <CommentMarks desk={desk} view={view} />}
              <Lanes {...{ engine, spans, view, width }} {...editing.handlers} />
            </>
          )}
        </Timeline>
      )}
    </Player>
  );
}

/** `decodable`: address of media whose sound the browser measures by itself when the service has not. */
function useWaveform(item: ItemType, decodable: string | undefined) {
  const [isAsked, setAsked] = useState(false);
  const [decoded, setDecoded] = useState<readonly (readonly number[])[]>();
  const hasSound = item.shape?.some(({ audioComponent = [] }) => audioComponent.length > 0) === true;
  const { value, refusal, reload } = useLoad<WaveformDataDocument>(hasSound ? `wave ${item.id}` : '', (signal) =>
    hasSound
      ? get(`/item/${item.id}/waveform/values`, { query: { width: 4000, ifMeasured: true }, signal })
      : Promise.resolve({}),
  );
  const isMissing = hasSound && value !== undefined && (value.value ?? []).length === 0;
  useEffect(() => {
    if (!isMissing || decodable === undefined) return undefined;
    const reading = new AbortController();
    // Without a waveform the timeline has its times.
    decode(decodable, reading.signal).then(setDecoded, () => undefined);
    return () => reading.abort();
  }, [isMissing, decodable]);
  useNewsOf(item.id, 'job/*', () => isAsked && isMissing && reload());
  return {
    values: useMemo(
      () => (value?.value?.length ? value.value.map(({ data = [] }) => data) : decoded),
      [value, decoded],
    ),
    isComing: hasSound && value === undefined && refusal === undefined,
    isMissing: isMissing && decoded === undefined,
    isAsked,
    async measure() {
      if (await act(() => send('POST', `/item/${item.id}/analyze`), t('item.measureBegun'))) setAsked(true);
    },
  };
}
