import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import type { Engine } from './engine.ts';
import { frameAt, startOf, timecode } from './frames.ts';
import { shareAt, type View } from './scale.ts';
import { labelOf, lanesOf, movedPlace, type Place, type Span } from './spans.ts';

interface LanesProps {
  readonly engine: Engine;
  readonly view: View;
  /** Pixels of the timeline. */
  readonly width: number;
  readonly canEdit: boolean;
  readonly onMove: (span: Span, place: Place) => void;
  readonly onEdit: (span: Span) => void;
  readonly onRemove: (span: Span) => void;
}

interface SpanBarProps extends LanesProps {
  readonly span: Span;
  readonly lane: number;
}

const maxLanes = 6;

/** Timed entries on the timeline, in lanes. */
export function Lanes({ spans, ...place }: LanesProps & { readonly spans: readonly Span[] }) {
  const lanes = lanesOf(spans);
  const count = Math.min(maxLanes, Math.max(0, ...lanes.map((lane) => lane + 1)));
  if (count === 0) return null;
  return (
    <ul class="lanes" aria-label={t('player.timed')} data-lanes={count}>
      {spans.map((span, index) => (
        <SpanBar key={span.key} {...{ ...place, span }} lane={Math.min(maxLanes - 1, lanes[index]!)} />
      ))}
    </ul>
  );
}

/** Pixels at the ends of an entry that move this end alone. */
const edge = 7;
/** Milliseconds after the last key until a place is written. */
const rest = 700;

function SpanBar({ span, engine, view, lane, width, canEdit, onMove, onEdit, onRemove }: SpanBarProps) {
  const { rate } = engine.counting;
  const own: Place = {
    from: frameAt(span.from, rate),
    to: Math.max(frameAt(span.from, rate) + 1, frameAt(span.to, rate)),
  };
  /** Where it is while it moves. */
  const [place, setPlace] = useState<Place>();
  const drag = useRef<
    { readonly x: number; readonly what: 'all' | 'from' | 'to'; readonly isMoved: boolean } | undefined
  >(undefined);
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setPlace(undefined), [span.key, span.start, span.end]);
  useEffect(() => () => clearTimeout(due.current), []);
  const now = place ?? own;
  const [left, right] = [shareAt(view, startOf(now.from, rate)), shareAt(view, startOf(now.to, rate))];
  if (right < 0 || left > 1) return null;

  const write = (next: Place) => {
    if (next.from !== own.from || next.to !== own.to) onMove(span, next);
    else setPlace(undefined);
  };
  const shift = (by: number, what: 'all' | 'from' | 'to') => {
    const next = movedPlace(now, by, what, engine.frames);
    setPlace(next);
    engine.goTo(what === 'to' ? next.to - 1 : next.from);
    clearTimeout(due.current);
    due.current = setTimeout(() => write(next), rest);
  };
  const framesFor = (pixels: number): number =>
    Math.round(((pixels / width) * (view.to - view.from) * rate.numerator) / rate.denominator);
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.ctrlKey || event.metaKey) return;
    if (step && canEdit) shift(step, event.shiftKey ? 'to' : event.altKey ? 'from' : 'all');
    else if (event.key === 'Delete' && canEdit) onRemove(span);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const says = `${labelOf(span)}, ${timecode(now.from, engine.counting)} – ${timecode(now.to - 1, engine.counting)}`;
  return (
    <li style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%`, top: `${lane * 26}px` }}>
      <button
        type="button"
        class={`span ${span.kind}`}
        title={canEdit ? `${says}\n${t('player.spanHint')}` : says}
        aria-label={says}
        data-moving={place !== undefined || undefined}
        onKeyDown={keys}
        onFocus={() => {
          if (!drag.current) engine.goTo(now.from);
        }}
        onClick={(event) => {
          // A click after a drag is its end.
          if (event.detail === 0 || event.detail === 2) {
            if (canEdit) onEdit(span);
          } else engine.goTo(now.from);
        }}
        onPointerDown={(event) => {
          if (!canEdit || event.button !== 0) return;
          const box = event.currentTarget.getBoundingClientRect();
          const at = event.clientX - box.left;
          const what = box.width < edge * 3 ? 'all' : at < edge ? 'from' : at > box.width - edge ? 'to' : 'all';
          drag.current = { x: event.clientX, what, isMoved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const begun = drag.current;
          if (!begun) return;
          const by = framesFor(event.clientX - begun.x);
          if (by === 0 && !begun.isMoved) return;
          drag.current = { ...begun, isMoved: true };
          const next = movedPlace(own, by, begun.what, engine.frames);
          setPlace(next);
          engine.goTo(begun.what === 'to' ? next.to - 1 : next.from);
        }}
        onPointerUp={() => {
          const isMoved = drag.current?.isMoved;
          drag.current = undefined;
          if (isMoved && place) write(place);
        }}
        onPointerCancel={() => {
          drag.current = undefined;
          setPlace(undefined);
        }}
      >
        <span class="cut">{labelOf(span)}</span>
      </button>
    </li>
  );
}
