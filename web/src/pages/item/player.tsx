import type { ShapeDocument } from 'portico/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../../keys.ts';
import { countingOf, frameAt, timecode, timeOf } from '../../player/frames.ts';
import { type Speed, shuttled } from '../../player/shuttle.ts';
import { query, setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';

interface PlayerProps {
  readonly src: string;
  readonly isSound: boolean;
  readonly poster: string | undefined;
  readonly shape: ShapeDocument;
}

const backwardMs = 100;

/** Film or sound with frame steps, speeds by J K L, the time code of the material, and its moment in the address. */
export function Player({ src, isSound, poster, shape }: PlayerProps) {
  const media = useRef<HTMLVideoElement>(null);
  const speed = useRef<Speed>(0);
  const [seconds, setSeconds] = useState(Number(query.value['t'] ?? 0) || 0);
  const counting = countingOf(shape);
  const seek = (to: number) => {
    const element = media.current;
    if (element) element.currentTime = Math.max(0, to);
  };
  const step = (frames: number) => {
    const element = media.current;
    if (!element) return;
    element.pause();
    seek(timeOf(frameAt(element.currentTime, counting.rate) + frames, counting.rate));
  };
  const run = (key: 'j' | 'k' | 'l') => {
    const element = media.current;
    if (!element) return;
    speed.current = shuttled(element.paused && speed.current > 0 ? 0 : speed.current, key);
    if (speed.current > 0) {
      element.playbackRate = speed.current;
      void element.play().catch(() => undefined);
    } else element.pause();
  };
  useEffect(() => {
    // Browsers do not play backwards: the position moves instead.
    const timer = setInterval(() => {
      if (speed.current < 0 && media.current) seek(media.current.currentTime + (speed.current * backwardMs) / 1000);
    }, backwardMs);
    return () => clearInterval(timer);
  }, []);
  const toggle = () => run(media.current?.paused && speed.current === 0 ? 'l' : 'k');
  useKeys(
    {
      Space: toggle,
      j: () => run('j'),
      k: () => run('k'),
      l: () => run('l'),
      ',': () => step(-1),
      '.': () => step(1),
      m: () => {
        if (media.current) media.current.muted = !media.current.muted;
      },
    },
    { 'j k l': t('item.keySpeed'), ', .': t('item.keyFrame'), m: t('item.keySound') },
  );
  const keepMoment = () => setQuery({ t: media.current?.currentTime.toFixed(3) });
  const shared = {
    src,
    controls: true,
    onLoadedMetadata: () => seconds > 0 && seek(seconds),
    onTimeUpdate: () => setSeconds(media.current?.currentTime ?? 0),
    onPause: keepMoment,
    onSeeked: () => media.current?.paused && keepMoment(),
  };
  return (
    <section aria-label={t('item.player')}>
      {isSound ? (
        <audio {...shared} ref={media as { current: HTMLAudioElement | null }} preload="metadata" />
      ) : (
        <video {...shared} ref={media} poster={poster} preload="metadata" />
      )}
      <p class="timecode" aria-label={t('item.timecode')}>
        {timecode(frameAt(seconds, counting.rate), counting)}
      </p>
    </section>
  );
}
