import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../components/button.tsx';
import { useKeys } from '../keys.ts';
import { t } from '../texts/index.ts';
import { drawStrip, drawWave, type Sheet, tileAt } from './draw.ts';
import type { Engine } from './engine.ts';
import { frameAt, startOf, timecode } from './frames.ts';
import { secondsAt, shareAt, showing, stopBeside, ticks, type View, zoomed } from './scale.ts';

interface TimelineProps {
  readonly engine: Engine;
  /** `coming`: its place is kept, so that nothing moves when it is there. */
  readonly waveform?: readonly (readonly number[])[] | 'coming' | undefined;
  readonly sheet?: Sheet | 'coming' | undefined;
  /** The theme of the page: sound is drawn in its colours. */
  readonly theme?: string;
  /** Seconds of marks, to which `[` and `]` go. */
  readonly stops?: readonly number[];
  /** Marks of what is in view. `width`: pixels of the timeline. */
  readonly children?: (view: View, width: number) => ComponentChildren;
}

/** Pixels along the timeline from which a finger seeks. One that moves up or down scrolls the page. */
const seekFrom = 6;

const percent = (share: number): string => `${(share * 100).toFixed(4)}%`;

/** The film over time: ruler, pictures, sound, and marks. It always runs from left to right. */
export function Timeline({ engine, waveform, sheet: pictures, theme = '', stops = [], children }: TimelineProps) {
  const { duration, counting } = engine;
  const sheet = pictures === 'coming' ? undefined : pictures;
  const [view, setView] = useState<View>({ from: 0, to: duration });
  const [width, setWidth] = useState(0);
  const [hover, setHover] = useState<number>();
  const whole = useRef<HTMLDivElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const wave = useRef<HTMLCanvasElement>(null);
  /** Where a finger was put down that does not seek yet. */
  const touched = useRef<number>(undefined);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(whole.current?.clientWidth ?? 0));
    observer.observe(whole.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (strip.current && sheet) drawStrip(strip.current, sheet, view);
  }, [sheet, view, width]);
  useEffect(() => {
    if (wave.current && waveform && waveform !== 'coming') drawWave(wave.current, waveform, view, duration);
  }, [waveform, view, width, theme]);
  useSignalEffect(() => {
    const now = engine.seconds.value;
    setView((shown) => showing(shown, now, duration));
  });
  const frame = startOf(1, counting.rate);
  const zoom = (by: number) =>
    setView((shown) => zoomed(shown, by, engine.seconds.peek(), duration, Math.min(duration, frame * 20)));
  const jump = (step: 1 | -1) => {
    const stop = stopBeside(
      stops.map((seconds) => frameAt(seconds, counting.rate)),
      engine.frame.peek(),
      step,
    );
    if (stop !== undefined) engine.goTo(stop);
  };
  useKeys(
    { '+': () => zoom(2), '-': () => zoom(0.5), '[': () => jump(-1), ']': () => jump(1) },
    { '+ -': t('player.keyZoom'), '[ ]': t('player.keyStops') },
  );
  const secondsOf = (event: PointerEvent): number => {
    const box = whole.current!.getBoundingClientRect();
    return secondsAt(view, Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const seekTo = (event: PointerEvent) => engine.goTo(frameAt(secondsOf(event), counting.rate));
  const isZoomed = view.to - view.from < duration - frame;
  return (
    <div class="timeline-box">
      <div class="timeline" dir="ltr" ref={whole}>
        <Slider
          engine={engine}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            touched.current = event.pointerType === 'touch' ? event.clientX : undefined;
            if (touched.current === undefined) seekTo(event);
          }}
          onPointerMove={(event) => {
            if (Math.abs(event.clientX - (touched.current ?? Infinity)) < seekFrom) return;
            touched.current = undefined;
            setHover(secondsOf(event));
            if (event.buttons & 1) seekTo(event);
          }}
          onPointerUp={(event) => {
            if (touched.current !== undefined) seekTo(event);
            touched.current = undefined;
          }}
          onPointerCancel={() => {
            touched.current = undefined;
          }}
          onPointerLeave={() => setHover(undefined)}
        >
          <div class="ruler" aria-hidden="true">
            {ticks(view, Math.max(2, Math.floor(width / 92)), frame).map((at) => (
              <span key={at} style={{ left: percent(shareAt(view, at)) }}>
                {timecode(frameAt(at, counting.rate), counting)}
              </span>
            ))}
          </div>
          {pictures && <canvas class="strip" ref={strip} />}
          {waveform && <canvas class="wave" ref={wave} />}
        </Slider>
        {children?.(view, width)}
        <Range engine={engine} view={view} />
        <Head engine={engine} view={view} />
        {hover !== undefined && <Preview {...{ engine, sheet, view, hover, width }} />}
      </div>
      {isZoomed && (
        <div class="row small muted">
          <IconButton icon="x" label={t('player.zoomAll')} onClick={() => setView({ from: 0, to: duration })} />
          <span>
            {timecode(frameAt(view.from, counting.rate), counting)} –{' '}
            {timecode(frameAt(view.to, counting.rate), counting)}
          </span>
        </div>
      )}
    </div>
  );
}

function Slider({
  engine,
  children,
  ...pointer
}: {
  engine: Engine;
  children?: preact.ComponentChildren;
  onPointerDown: (event: PointerEvent & { currentTarget: HTMLElement }) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: (event: PointerEvent) => void;
  onPointerCancel: () => void;
  onPointerLeave: () => void;
}) {
  const second = Math.max(1, frameAt(1, engine.counting.rate));
  const steps: Readonly<Record<string, () => void>> = {
    ArrowRight: () => engine.step(1),
    ArrowLeft: () => engine.step(-1),
    PageUp: () => engine.step(second * 10),
    PageDown: () => engine.step(-second * 10),
    Home: () => engine.goTo(0),
    End: () => engine.goTo(engine.frames),
  };
  return (
    <div
      class="seek"
      role="slider"
      tabIndex={0}
      aria-label={t('player.place')}
      aria-valuemin={0}
      aria-valuemax={engine.frames - 1}
      aria-valuenow={engine.frame.value}
      aria-valuetext={engine.timecode.value}
      onKeyDown={(event) => {
        const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : steps[event.key];
        if (!step) return;
        event.preventDefault();
        step();
      }}
      {...pointer}
    >
      {children}
    </div>
  );
}

/** The part between the in and the out point. */
function Range({ engine, view }: { engine: Engine; view: View }) {
  const { from, to } = engine.marks.value;
  if (from === undefined && to === undefined) return null;
  const { rate } = engine.counting;
  const share = (frame: number) => Math.min(1, Math.max(0, shareAt(view, startOf(frame, rate))));
  const [left, right] = [share(from ?? 0), share(to ?? engine.frames)];
  return <div class="marked" aria-hidden="true" style={{ left: percent(left), width: percent(right - left) }} />;
}

function Head({ engine, view }: { engine: Engine; view: View }) {
  const share = shareAt(view, engine.seconds.value);
  if (share < 0 || share > 1) return null;
  return <div class="playhead" aria-hidden="true" style={{ left: percent(share) }} />;
}

const previewWidth = 160;

/** The picture and the time code below the pointer. */
function Preview({
  engine,
  sheet,
  view,
  hover,
  width,
}: {
  engine: Engine;
  sheet: Sheet | undefined;
  view: View;
  hover: number;
  width: number;
}) {
  const tile = sheet && tileAt(sheet.tiles, hover);
  const half = (tile ? previewWidth : 96) / 2;
  const left = Math.min(width - half, Math.max(half, shareAt(view, hover) * width));
  const scale = tile ? previewWidth / tile.width : 1;
  return (
    <div class="preview" aria-hidden="true" style={{ left: `${left}px` }}>
      {tile && sheet && (
        <div
          class="tile"
          style={{
            width: `${previewWidth}px`,
            height: `${tile.height * scale}px`,
            backgroundImage: `url("${sheet.image.src}")`,
            backgroundPosition: `${-tile.x * scale}px ${-tile.y * scale}px`,
            backgroundSize: `${sheet.image.naturalWidth * scale}px auto`,
          }}
        />
      )}
      <span>{timecode(frameAt(hover, engine.counting.rate), engine.counting)}</span>
    </div>
  );
}
