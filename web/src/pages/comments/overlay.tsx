import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../texts/index.ts';
import { fitted, type Part, partOf, pictureIn, type Size } from './comments.ts';
import { Drawn, Pen, type Sketch } from './drawing.tsx';

export interface OverlayProps {
  /** Rectangles of comments that are about what is seen now. */
  readonly rectangles: readonly string[];
  /** Drawings of these comments, in SVG. */
  readonly drawings: readonly string[];
  /** The part that is being chosen. */
  readonly part: Part | undefined;
  /** Left out: nothing is being chosen. */
  readonly onChange: ((part: Part) => void) | undefined;
  /** Lines that are being drawn. Undefined: none are. */
  readonly sketch: Sketch | undefined;
  readonly onSketch: (sketch: Sketch) => void;
}

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

/** Lies on the picture of the player: parts that comments mark, and the one that is being chosen. */
export function Overlay({ rectangles, drawings, part, onChange, sketch, onSketch }: OverlayProps) {
  const own = useRef<HTMLDivElement>(null);
  const begin = useRef<readonly [x: number, y: number]>(undefined);
  const [place, setPlace] = useState<{ readonly box: Part; readonly size: Size }>();
  useLayoutEffect(() => {
    const player = own.current!.closest<HTMLElement>('.player')!;
    const picture = player.querySelector<Picture>('.stage > :is(video, img)');
    if (!picture) return undefined;
    const measure = () => {
      const size = sizeOf(picture);
      if (size.width === 0) return;
      const [outer, inner] = [player.getBoundingClientRect(), picture.getBoundingClientRect()];
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
    const step = steps[event.key];
    if (!step || !part || !onChange) return;
    const [across, down] = step;
    const { left, top, width, height } = part;
    onChange(
      fitted(
        event.shiftKey
          ? { left, top, width: Math.min(width + across, 100 - left), height: Math.min(height + down, 100 - top) }
          : { left: left + across, top: top + down, width, height },
      ),
    );
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={onChange ? 'picture-parts chooses' : 'picture-parts'}
      ref={own}
      style={place && styleOf(place.box, 'px')}
      onPointerDown={(event) => {
        if (!onChange || event.button !== 0) return;
        begin.current = pointAt(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!begin.current || !onChange) return;
        const [[fromX, fromY], [x, y]] = [begin.current, pointAt(event)];
        const size = { width: Math.abs(x - fromX), height: Math.abs(y - fromY) };
        onChange(fitted({ left: Math.min(x, fromX), top: Math.min(y, fromY), ...size }));
      }}
      onPointerUp={() => {
        begin.current = undefined;
      }}
      onPointerCancel={() => {
        begin.current = undefined;
      }}
    >
      {place &&
        rectangles.map((rectangle) => {
          const marked = partOf(rectangle, place.size);
          return marked && <span key={rectangle} class="part" style={styleOf(marked, '%')} />;
        })}
      {place && drawings.map((svg) => <Drawn key={svg} svg={svg} size={place.size} />)}
      {place && sketch && <Pen size={place.size} sketch={sketch} onChange={onSketch} />}
      {place && part && onChange && (
        <button
          type="button"
          class="part"
          style={styleOf(part, '%')}
          aria-label={t('comments.partKeys')}
          title={t('comments.partKeys')}
          onKeyDown={keys}
        />
      )}
    </div>
  );
}
