import type { ItemType, ThumbnailSpriteSheetDocument, WaveformDataDocument } from 'portico/types';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { onEvent } from '../../api/events.ts';
import { me } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { useLoad, useOnce } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.tsx';
import { tagWords } from '../../components/words.ts';
import { useKeys } from '../../keys.ts';
import { decode, isDecodable } from '../../player/decode.ts';
import { type Sheet, tilesOf } from '../../player/draw.ts';
import { createEngine, type Engine } from '../../player/engine.ts';
import { countingOf, durationOf } from '../../player/frames.ts';
import { Player } from '../../player/player.tsx';
import { SpanDialog } from '../../player/span-dialog.tsx';
import {
  additionOf,
  neighbour,
  type Place,
  placeOfMarks,
  removalOf,
  replacementOf,
  type Span,
  spansOf,
} from '../../player/spans.ts';
import { playsStreams } from '../../player/stream.ts';
import { Timeline } from '../../player/timeline.tsx';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import type { CommentsProps } from '../comments/view.tsx';
import { JobFailure } from '../jobs/job-actions.tsx';
import { complaintOf, isOpen } from '../jobs/jobs.ts';
import { ownPath } from '../library/results.ts';
import { useDefinitions } from './form/definitions.ts';
import { takeBack, write } from './form/save.ts';
import { filesOf, isMeasurable, type Playable, playables, reaches } from './item.ts';
import { NothingYet, useLastJobs } from './nothing-yet.tsx';

interface StageProps {
  readonly item: ItemType;
  /** Seconds at which the film stands. */
  readonly at: number;
  readonly reload: () => Promise<void>;
}

/** The film, the sound or the picture of an item, or what it still needs. */
export function Stage({ item, at, reload }: StageProps) {
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const [shapeId, setShapeId] = useState<string>();
  const all = playables(item, playsStreams()).filter(({ shape }) => !broken.has(shape.id ?? ''));
  const chosen = all.find(({ shape }) => shape.id === shapeId) ?? all[0];
  const jobs = useLastJobs(item.id ?? '');
  if (!chosen) {
    return (
      <div class="stack">
        <NothingYet item={item} jobs={jobs} isBroken={broken.size > 0} reload={reload} />
        <Comments item={item} hasPicture={false} />
      </div>
    );
  }
  const last = jobs.value?.job ?? [];
  const complaint = last.some(isOpen) ? undefined : complaintOf(last);
  const note = complaint && <JobFailure job={complaint} onAgain={jobs.reload} />;
  const fail = () => setBroken(new Set([...broken, chosen.shape.id ?? '']));
  const same = all.filter(({ medium }) => medium === chosen.medium);
  const choices = same.length > 1 && (
    <select
      class="input form-choice"
      aria-label={t('item.form')}
      title={t('item.form')}
      value={chosen.shape.id}
      onChange={(event) => setShapeId(event.currentTarget.value)}
    >
      {same.map(({ shape }) => (
        <option key={shape.id} value={shape.id}>
          {shape.tag?.map(tagWords).join(', ') || shape.id}
        </option>
      ))}
    </select>
  );
  if (chosen.medium === 'picture') {
    return (
      <div class="player">
        <div class="stage">
          <img src={chosen.path} alt="" onError={fail} />
        </div>
        <div class="controls">{choices}</div>
        {note}
        <Comments item={item} hasPicture />
      </div>
    );
  }
  return <Film {...{ item, at, reload, chosen, choices, note }} key={item.id} onBroken={fail} />;
}

/** Comments, for who may read the item. Loaded after the player. */
function Comments(props: CommentsProps) {
  const loaded = useOnce(async () => (may('comment.read') ? import('../comments/view.tsx') : undefined));
  return loaded ? <loaded.Comments {...props} /> : props.children;
}

interface FilmProps extends StageProps {
  readonly chosen: Playable;
  readonly choices: preact.ComponentChildren;
  /** What the last jobs complain of. */
  readonly note: preact.ComponentChildren;
  readonly onBroken: () => void;
}

function Film({ item, at, reload, chosen, choices, note, onBroken }: FilmProps) {
  const original = item.shape?.find(({ tag = [] }) => tag.includes('original')) ?? chosen.shape;
  const isSound = chosen.medium === 'sound';
  const duration = durationOf(original) ?? durationOf(chosen.shape) ?? 0;
  // Another form of the film has the same frames: the player stays where it is.
  const engine = useMemo(
    () => createEngine(countingOf(isSound ? chosen.shape : original), duration, at),
    [item.id, original.id, duration],
  );
  const spans = useMemo(() => spansOf(item.metadata ?? {}), [item.metadata]);
  const poster = item.posters?.uri?.[0] ?? item.thumbnails?.uri?.[0];
  const sheet = useSheet(item);
  const decodable = isSound && isDecodable(filesOf(chosen.shape)[0]?.size, duration) ? chosen.path : undefined;
  const wave = useWaveform(item, decodable);
  const canEdit = may('item.edit') && reaches(item, 'WRITE', 'METADATA');
  const editing = useSpanEditing(item, engine, spans, canEdit, reload);
  const canMeasure = isMeasurable(original, me.value?.transcoder === true);
  return (
    <Player
      {...{ engine, isSound, spans, choices, onBroken }}
      src={chosen.path}
      isStream={chosen.isStream}
      poster={poster === undefined ? undefined : ownPath(poster)}
      shape={original}
    >
      {note}
      {isSound && wave.isMissing && decodable === undefined && poster !== undefined && (
        <div class="stage">
          <img src={ownPath(poster)} alt="" />
        </div>
      )}
      {duration > 0 && <Timeline {...{ engine, spans, canEdit, sheet }} waveform={wave.values} {...editing.handlers} />}
      <Comments item={item} engine={engine} hasPicture={!isSound}>
        <div class="row wrap under">
          {canEdit && (
            <Button icon="plus" kind="quiet" onClick={editing.make}>
              {t('item.spanAdd')}
            </Button>
          )}
          {canMeasure && wave.isMissing && may('item.analyze') && reaches(item, 'WRITE', 'SHAPE') && (
            <Button icon="chart" kind="quiet" disabled={wave.isAsked} onClick={() => void wave.measure()}>
              {wave.isAsked ? t('item.measuring') : t('item.measure')}
            </Button>
          )}
        </div>
      </Comments>
      {editing.dialog}
    </Player>
  );
}

/** Timed entries are made, moved, edited and taken away. Each change can be taken back. */
function useSpanEditing(
  item: ItemType,
  engine: Engine,
  spans: readonly Span[],
  canEdit: boolean,
  reload: StageProps['reload'],
) {
  const { rate } = engine.counting;
  const id = item.id ?? '';
  const definitions = useDefinitions();
  const [open, setOpen] = useState<{ readonly span: Span | undefined; readonly place: Place }>();
  const placeOf = ({ from, to }: Span): Place => ({
    from: Math.round((from * rate.numerator) / rate.denominator),
    to: Math.round((to * rate.numerator) / rate.denominator),
  });
  const change = async (document: ReturnType<typeof removalOf>, done: string) => {
    const changeId = await write(id, document);
    setOpen(undefined);
    await reload();
    toast(
      done,
      changeId === undefined
        ? undefined
        : { text: t('word.undo'), run: () => void act(() => takeBack(id, changeId)).then(reload) },
    );
  };
  const make = () => {
    const usual = Math.round((2 * rate.numerator) / rate.denominator);
    setOpen({ span: undefined, place: placeOfMarks(engine.marks.value, engine.frame.value, engine.frames, usual) });
  };
  const jump = (step: 1 | -1) => {
    const nextSpan = neighbour(spans, engine.seconds.value, step);
    if (nextSpan) engine.goTo(placeOf(nextSpan).from);
  };
  useKeys(
    {
      '[': () => jump(-1),
      ']': () => jump(1),
      n: () => canEdit && make(),
    },
    { '[ ]': t('item.keySpans'), ...(canEdit && { n: t('item.keyNew') }) },
  );
  const remove = (span: Span) => change(removalOf(span), t('item.spanRemoved'));
  return {
    make,
    handlers: {
      onMove: (span: Span, place: Place) =>
        void act(() => change(replacementOf(span, span.fields, place, rate), t('item.spanMoved'))).then((done) =>
          done ? undefined : reload(),
        ),
      onEdit: (span: Span) => setOpen({ span, place: placeOf(span) }),
      onRemove: (span: Span) => void act(() => remove(span)),
    },
    dialog: open && (
      <SpanDialog
        {...open}
        counting={engine.counting}
        groups={definitions?.groups ?? []}
        fields={definitions?.fields ?? []}
        onClose={() => setOpen(undefined)}
        onRemove={remove}
        onSave={(what, fields, place) =>
          change(
            open.span ? replacementOf(open.span, fields, place, rate) : additionOf(what, fields, place, rate),
            t('word.saved'),
          )
        }
      />
    ),
  };
}

/** Pictures of the timeline: one sheet with all thumbnails. */
function useSheet(item: ItemType): Sheet | undefined {
  const [sheet, setSheet] = useState<Sheet>();
  const count = item.thumbnails?.uri?.length ?? 0;
  useEffect(() => {
    if (count < 2 || !may('item.pictures')) return undefined;
    const reading = new AbortController();
    const query = { 'noauth-url': true };
    get<ThumbnailSpriteSheetDocument>(`/item/${item.id}/thumbnail/spritesheet`, { query, signal: reading.signal })
      .then(async (document) => {
        const [address] = document.url ?? [];
        if (address === undefined) return;
        const image = new Image();
        image.src = ownPath(address);
        await image.decode();
        if (!reading.signal.aborted) setSheet({ image, tiles: tilesOf(document) });
      })
      // Without pictures the timeline has its times.
      .catch(() => undefined);
    return () => reading.abort();
  }, [item.id, count]);
  return sheet;
}

/** `decodable`: address of a sound that the browser measures by itself when the service has not. */
function useWaveform(item: ItemType, decodable: string | undefined) {
  const [isAsked, setAsked] = useState(false);
  const [decoded, setDecoded] = useState<readonly (readonly number[])[]>();
  const hasSound = item.shape?.some(({ audioComponent = [] }) => audioComponent.length > 0) === true;
  const { value, refusal, reload } = useLoad<WaveformDataDocument>(hasSound ? `wave ${item.id}` : '', (signal) =>
    hasSound ? get(`/item/${item.id}/waveform/values`, { query: { width: 4000 }, signal }) : Promise.resolve({}),
  );
  const isMissing = value === undefined && refusal?.status === 404;
  useEffect(() => {
    if (!isMissing || decodable === undefined) return undefined;
    const reading = new AbortController();
    // Without a waveform the timeline has its times.
    decode(decodable, reading.signal).then(setDecoded, () => undefined);
    return () => reading.abort();
  }, [isMissing, decodable]);
  useEffect(() => (isAsked && !value ? onEvent('job/*', () => reload()) : undefined), [isAsked, value]);
  return {
    values: useMemo(() => value?.value?.map(({ data = [] }) => data) ?? decoded, [value, decoded]),
    isMissing: isMissing && decoded === undefined,
    isAsked,
    async measure() {
      if (await act(() => send('POST', `/item/${item.id}/analyze`), t('item.measureBegun'))) setAsked(true);
    },
  };
}
