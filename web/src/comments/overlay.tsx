import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { type Comment, fitted, type Part, partOf, pictureIn, type Size } from './comments.ts';
import { type Desk, drawnOf } from './desk.ts';
import { Drawn, Pen } from './drawing.tsx';

type Picture = HTMLVideoElement | HTMLImageElement;

const sizeOf = (picture: Picture): Size =>
  picture instanceof HTMLVideoElement
    ? { width: picture.videoWidth, height: picture.videoHeight }
    : { width: picture.naturalWidth, height: picture.naturalHeight };

/** Parts of a picture that keys move: left, top, width and height, in percent. */
const steps: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const styleOf = ({ left, top, width, height }: Part, unit: 'px' | '%') => ({
  left: `${left}${unit}`,
  top: `${top}${unit}`,
  width: `${width}${unit}`,
  height: `${height}${unit}`,
});

/** Open comments that are about what is seen now, and the one that was asked for. */
function seenNow({ engine, threads, nowIds, chosen, draft }: Desk): readonly Comment[] {
  const ids = nowIds.value.split(' ');
  const { edits } = draft.value;
  return (threads.value ?? [])
    .map(({ comment }) => (comment.id === edits ? besideDraft(comment) : comment))
    .filter(
      ({ id, state }) => (state !== 'done' || id === chosen.value?.id) && (engine === undefined || ids.includes(id)),
    );
}

/** A comment without what the draft that changes it shows itself. */
function besideDraft(comment: Comment): Comment {
  const { part, sketch } = drawnOf(comment);
  return { ...comment, rectangle: part ? undefined : comment.rectangle, drawing: sketch ? undefined : comment.drawing };
}

/** Where keys begin to choose a part. */
const middle: Part = { left: 30, top: 30, width: 40, height: 40 };

/** Lies on the picture of a stage: what comments mark, and what is being drawn. */
export function Overlay({ desk }: { readonly desk: Desk }) {
  const { tool, change } = desk;
  const seen = seenNow(desk);
  const isSeen = desk.isSeen.value;
  const { part, sketch } = isSeen ? desk.draft.value : ({} as { part?: undefined; sketch?: undefined });
  const draws = isSeen && tool.value === 'pen';
  const chooses = isSeen && tool.value === 'box';
  const own = useRef<HTMLDivElement>(null);
  const begin = useRef<readonly [x: number, y: number]>(undefined);
  const [place, setPlace] = useState<{ readonly box: Part; readonly size: Size }>();
  useLayoutEffect(() => {
    const stage = own.current!.parentElement!;
    const picture = stage.querySelector<Picture>(':scope > :is(video, img)');
    if (!picture) return undefined;
    const measure = () => {
      const size = sizeOf(picture);
      if (size.width === 0) return;
      const [outer, inner] = [stage.getBoundingClientRect(), picture.getBoundingClientRect()];
      const { left, top, width, height } = pictureIn(inner, size);
      setPlace({
        box: { left: inner.left - outer.left + left, top: inner.top - outer.top + top, width, height },
        size,
      });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(picture);
    const events = ['loadedmetadata', 'resize', 'load'];
    for (const name of events) picture.addEventListener(name, measure);
    return () => {
      observer.disconnect();
      for (const name of events) picture.removeEventListener(name, measure);
    };
  }, []);
  const pointAt = (event: PointerEvent): readonly [x: number, y: number] => {
    const box = own.current!.getBoundingClientRect();
    const share = (value: number) => Math.min(100, Math.max(0, value * 100));
    return [share((event.clientX - box.left) / box.width), share((event.clientY - box.top) / box.height)];
  };
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'Enter' && !part ? ([0, 0] as const) : steps[event.key];
    if (!step || !chooses) return;
    event.preventDefault();
    event.stopPropagation();
    if (!part) {
      change({ part: middle });
      return;
    }
    const [across, down] = step;
    const { left, top, width, height } = part;
    const next = event.shiftKey
      ? { left, top, width: Math.min(width + across, 100 - left), height: Math.min(height + down, 100 - top) }
      : { left: left + across, top: top + down, width, height };
    change({ part: fitted(next) });
  };
  return (
    <div
      class={chooses ? 'picture-parts chooses' : 'picture-parts'}
      ref={own}
      style={place && styleOf(place.box, 'px')}
      onPointerDown={(event) => {
        if (!chooses || event.button !== 0) return;
        begin.current = pointAt(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!begin.current || !chooses) return;
        const [[fromX, fromY], [x, y]] = [begin.current, pointAt(event)];
        const size = { width: Math.abs(x - fromX), height: Math.abs(y - fromY) };
        change({ part: fitted({ left: Math.min(x, fromX), top: Math.min(y, fromY), ...size }) });
      }}
      onPointerUp={() => {
        begin.current = undefined;
      }}
      onPointerCancel={() => {
        begin.current = undefined;
      }}
    >
      {place &&
        distinct(seen, 'rectangle').map((rectangle) => {
          const marked = partOf(rectangle, place.size);
          return marked && <span key={rectangle} class="part" style={styleOf(marked, '%')} />;
        })}
      {place && distinct(seen, 'drawing').map((svg) => <Drawn key={svg} svg={svg} size={place.size} />)}
      {place && (draws || sketch) && (
        <Pen
          size={place.size}
          sketch={sketch ?? { size: place.size, lines: [] }}
          onChange={draws ? (drawn) => change({ sketch: drawn }) : undefined}
        />
      )}
      {place && (part || chooses) && (
        <button
          type="button"
          class={part ? 'part' : 'pen'}
          disabled={!chooses}
          style={part && styleOf(part, '%')}
          aria-label={t('comments.partKeys')}
          title={t('comments.partKeys')}
          onKeyDown={keys}
        />
      )}
    </div>
  );
}

const distinct = (comments: readonly Comment[], key: 'rectangle' | 'drawing'): readonly string[] => [
  ...new Set(comments.flatMap((comment) => comment[key] ?? [])),
];
