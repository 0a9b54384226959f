import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import type { Size } from './comments.ts';

type Point = readonly [x: number, y: number];

/** Lines on a picture, in its pixels. */
export interface Sketch {
  readonly size: Size;
  readonly lines: readonly (readonly Point[])[];
}

/** A point alone is a line to itself. */
const pointsOf = (line: readonly Point[]): string =>
  (line.length === 1 ? [...line, ...line] : line).map((point) => point.map(Math.round).join()).join(' ');

/** Form of a drawing in the API. */
export function svgOf({ size: { width, height }, lines }: Sketch): string {
  const shapes = lines.map((line) => `<polyline points="${pointsOf(line)}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${shapes.join('')}</svg>`;
}

const ownForm = /^<svg [^>]*viewBox="0 0 (\d+) (\d+)">((?:<polyline points="[\d, ]+"\/>)+)<\/svg>$/;

/** Lines of a drawing that this page has made. Undefined: another tool has. */
export function sketchOf(svg = ''): Sketch | undefined {
  const [, width, height, shapes = ''] = ownForm.exec(svg) ?? [];
  if (width === undefined) return undefined;
  const lines = Array.from(shapes.matchAll(/"([^"]+)"/g), ([, points = '']) =>
    points.split(' ').map((point): Point => {
      const [x = 0, y = 0] = point.split(',').map(Number);
      return [x, y];
    }),
  );
  return { size: { width: Number(width), height: Number(height) }, lines };
}

/** Attributes of the shapes that a drawing may have. */
const attributes: Readonly<Record<string, readonly string[] | undefined>> = {
  path: ['d'],
  polyline: ['points'],
  rect: ['x', 'y', 'width', 'height', 'rx', 'ry'],
  ellipse: ['cx', 'cy', 'rx', 'ry'],
};

const tags = /<(?:svg:)?([a-z]+)((?:\s+[\w:]+\s*=\s*(?:"[^"]*"|'[^']*'))*)/g;
const pairs = /([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** A drawing of anybody: its shapes alone are taken over. Without a box its numbers are pixels of the picture. */
export function Drawn({ svg, size }: { readonly svg: string; readonly size: Size }) {
  let box = `0 0 ${size.width} ${size.height}`;
  const shapes = Array.from(svg.matchAll(tags), ([, name = '', text = '']) => {
    const values = new Map(Array.from(text.matchAll(pairs), ([, key, one, other]) => [key, one ?? other]));
    if (name === 'svg') box = values.get('viewBox') ?? box;
    const names = attributes[name];
    return names && h(name, Object.fromEntries(names.map((key) => [key, values.get(key)])));
  });
  return (
    <svg class="drawing" aria-hidden="true" viewBox={box} preserveAspectRatio="none">
      {shapes}
    </svg>
  );
}

/** Points of a sketch, for which a drawing has room. */
const maxPoints = 1500;

const moves: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface PenProps {
  readonly size: Size;
  readonly sketch: Sketch;
  /** Undefined: the lines are only shown. */
  readonly onChange: ((sketch: Sketch) => void) | undefined;
}

/** Draws on the picture, by the pointer or by keys. */
export function Pen({ size, sketch: { lines }, onChange }: PenProps) {
  const { width, height } = size;
  const isDown = useRef(false);
  const [pen, setPen] = useState<Point>([width / 2, height / 2]);
  const own = useRef<HTMLButtonElement>(null);
  const draws = onChange !== undefined;
  // A later frame would take the focus from what the next key has chosen.
  useLayoutEffect(() => {
    if (draws) own.current?.focus({ preventScroll: true });
  }, [draws]);
  const step = Math.max(width, height) / 100;
  const within = ([x, y]: Point): Point => [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
  const draw = (next: readonly (readonly Point[])[]) =>
    next.flat().length <= maxPoints && onChange?.({ size, lines: next });
  const begin = (point: Point) => {
    isDown.current = true;
    setPen(point);
    draw([...lines, [point]]);
  };
  const go = (point: Point) => {
    setPen(point);
    if (isDown.current) draw([...lines.slice(0, -1), [...(lines.at(-1) ?? []), point]]);
  };
  const pointAt = (event: PointerEvent & { readonly currentTarget: HTMLElement }): Point => {
    const box = event.currentTarget.getBoundingClientRect();
    return within([
      ((event.clientX - box.left) / box.width) * width,
      ((event.clientY - box.top) / box.height) * height,
    ]);
  };
  const lift = () => {
    isDown.current = false;
  };
  const keys = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (move) go(within([pen[0] + move[0] * step, pen[1] + move[1] * step]));
    else if (event.key === ' ') isDown.current ? lift() : begin(pen);
    else if (event.key === 'Backspace' || (event.key === 'z' && (event.ctrlKey || event.metaKey))) {
      lift();
      draw(lines.slice(0, -1));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button
      ref={own}
      type="button"
      class="pen"
      aria-label={t('comments.drawKeys')}
      title={t('comments.drawNote')}
      disabled={!draws}
      onKeyDown={keys}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        begin(pointAt(event));
      }}
      onPointerMove={(event) => {
        const point = pointAt(event);
        if (isDown.current && event.buttons & 1 && Math.hypot(point[0] - pen[0], point[1] - pen[1]) >= step / 2)
          go(point);
      }}
      onPointerUp={lift}
      onPointerCancel={lift}
    >
      <svg class="drawing" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map((line, at) => (
          <polyline key={at} points={pointsOf(line)} />
        ))}
        <circle cx={pen[0]} cy={pen[1]} r={step / 2} />
      </svg>
    </button>
  );
}
