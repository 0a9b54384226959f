import { useSignalEffect } from '@preact/signals';
import type { ShapeDocument } from 'portico/types';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../components/button.tsx';
import { Mark } from '../components/chips.tsx';
import { useKeys } from '../keys.ts';
import { setQuery } from '../router.tsx';
import { t } from '../texts/index.ts';
import { type Engine, together } from './engine.ts';
import { frameOf, lengthText, startOf, timecode } from './frames.ts';
import { type Span, webVtt } from './spans.ts';
import { useStream } from './stream.ts';
import './player.css';

interface PlayerProps {
  readonly engine: Engine;
  readonly src: string;
  /** Whether `src` is the playlist of a stream. */
  readonly isStream?: boolean;
  /** A second film that runs beside the first. */
  readonly beside?: string | undefined;
  readonly isSound: boolean;
  readonly poster: string | undefined;
  readonly shape: ShapeDocument;
  readonly spans: readonly Span[];
  /** Choices beside the controls. */
  readonly choices?: ComponentChildren;
  /** Below the controls. */
  readonly children?: ComponentChildren;
  readonly onBroken: () => void;
}

/** Milliseconds that a place rests before it is written into the address. */
const rest = 300;

/** Film or sound, with controls that know frames. */
export function Player({
  engine,
  src,
  isStream = false,
  beside,
  isSound,
  poster,
  shape,
  spans,
  choices,
  children,
  onBroken,
}: PlayerProps) {
  const media = useRef<HTMLVideoElement>(null);
  const second = useRef<HTMLVideoElement>(null);
  const whole = useRef<HTMLElement>(null);
  const [captions, setCaptions] = useState(false);
  const vtt = useMemo(() => webVtt(spans), [spans]);
  const [track, setTrack] = useState<string>();
  // After a paint the film might know its length already, and would stay at its begin.
  useLayoutEffect(
    () => engine.attach(second.current ? together(media.current!, second.current) : media.current!),
    [engine, src, beside],
  );
  useEffect(() => {
    if (vtt === undefined) {
      setTrack(undefined);
      return undefined;
    }
    const address = URL.createObjectURL(new Blob([vtt], { type: 'text/vtt' }));
    setTrack(address);
    return () => URL.revokeObjectURL(address);
  }, [vtt]);
  useEffect(() => {
    for (const each of media.current?.textTracks ?? []) each.mode = captions ? 'showing' : 'hidden';
  }, [captions, track]);
  useSignalEffect(() => {
    const now = engine.seconds.value;
    const frame = engine.frame.value;
    if (engine.speed.value !== 0) return undefined;
    const timer = setTimeout(() => setQuery({ t: frame === 0 ? undefined : now.toFixed(3) }), rest);
    return () => clearTimeout(timer);
  });
  const full = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void whole.current?.requestFullscreen();
  };
  const goTo = (frame: number | undefined) => frame !== undefined && engine.goTo(frame);
  useKeys(
    {
      Space: engine.toggle,
      j: () => engine.run('j'),
      k: () => engine.run('k'),
      l: () => engine.run('l'),
      ',': () => engine.step(-1),
      '.': () => engine.step(1),
      i: engine.markIn,
      o: engine.markOut,
      I: () => goTo(engine.marks.value.from),
      O: () => goTo((engine.marks.value.to ?? 0) - 1),
      m: engine.mute,
      f: full,
      ...(vtt !== undefined && { v: () => setCaptions(!captions) }),
    },
    {
      Space: t('player.keyPlay'),
      'j k l': t('player.keySpeed'),
      ', .': t('player.keyFrame'),
      'i o': t('player.keyMarks'),
      m: t('player.keySound'),
      f: t('player.keyFull'),
      v: t('player.captions'),
    },
  );
  const address = useStream(media, src, isStream, onBroken);
  const shared = { src: address, preload: 'auto' as const, onError: onBroken, onClick: engine.toggle };
  return (
    <section class="player" aria-label={t('player.player')} ref={whole}>
      <div class={isSound ? 'stage sound' : beside ? 'stage two' : 'stage'}>
        {isSound ? (
          <audio {...shared} ref={media as { current: HTMLAudioElement | null }}>
            {track && <track kind="captions" src={track} srclang="und" label={t('player.captions')} />}
          </audio>
        ) : (
          <video {...shared} ref={media} poster={poster} playsInline>
            {track && (
              <track kind="captions" src={track} srclang="und" label={t('player.captions')} default={captions} />
            )}
          </video>
        )}
        {beside && <video {...shared} src={beside} ref={second} muted playsInline />}
      </div>
      <div class="controls" role="group" aria-label={t('player.controls')}>
        <IconButton icon="frame-back" label={t('player.frameBack')} onClick={() => engine.step(-1)} />
        <PlayButton engine={engine} />
        <IconButton icon="frame-on" label={t('player.frameOn')} onClick={() => engine.step(1)} />
        <Timecode engine={engine} />
        <Speed engine={engine} />
        <Marks engine={engine} />
        <span class="grow" />
        {choices}
        {vtt !== undefined && (
          <Button
            kind="quiet"
            class={captions ? 'icon-only on' : 'icon-only'}
            icon="text"
            aria-label={t('player.captions')}
            title={t('player.captions')}
            aria-pressed={captions}
            onClick={() => setCaptions(!captions)}
          />
        )}
        <Mute engine={engine} />
        {!isSound && <IconButton icon="full" label={t('player.full')} onClick={full} />}
      </div>
      {children}
      <Tracks shape={shape} />
    </section>
  );
}

function PlayButton({ engine }: { engine: Engine }) {
  const runs = engine.speed.value !== 0;
  return (
    <IconButton
      kind="main"
      icon={runs ? 'pause' : 'play'}
      label={runs ? t('player.pause') : t('player.play')}
      onClick={engine.toggle}
    />
  );
}

function Mute({ engine }: { engine: Engine }) {
  const isMuted = engine.muted.value;
  return (
    <IconButton
      icon={isMuted ? 'mute' : 'volume'}
      label={isMuted ? t('player.soundOn') : t('player.soundOff')}
      onClick={engine.mute}
    />
  );
}

function Speed({ engine }: { engine: Engine }) {
  const speed = engine.speed.value;
  if (speed === 0 || speed === 1) return null;
  return (
    <Mark tone="live">
      {speed < 0 ? '◀ ' : ''}
      {Math.abs(speed)}×
    </Mark>
  );
}

/** Time code of the material. Another one that is typed is gone to. */
function Timecode({ engine }: { engine: Engine }) {
  const [typed, setTyped] = useState<string>();
  return (
    <span class="row timecode-box">
      <input
        class="timecode"
        aria-label={t('player.timecode')}
        value={typed ?? engine.timecode.value}
        spellcheck={false}
        size={11}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key !== 'Enter') return;
          const frame = frameOf(event.currentTarget.value, engine.counting);
          if (frame !== undefined) engine.goTo(frame);
          setTyped(undefined);
          event.currentTarget.blur();
        }}
      />
      <span class="muted small" title={t('player.length')}>
        / {lengthText(engine.duration)}
      </span>
    </span>
  );
}

function Marks({ engine }: { engine: Engine }) {
  const { from, to } = engine.marks.value;
  const { counting, frames } = engine;
  if (from === undefined && to === undefined) return null;
  const length = startOf((to ?? frames) - (from ?? 0), counting.rate);
  return (
    <span class="marks small" title={t('player.marked')}>
      <button type="button" onClick={() => engine.goTo(from ?? 0)}>
        {from === undefined ? '…' : timecode(from, counting)}
      </button>
      –
      <button type="button" onClick={() => engine.goTo((to ?? frames) - 1)}>
        {to === undefined ? '…' : timecode(to - 1, counting)}
      </button>
      <span class="muted">{length.toFixed(2)} s</span>
      <IconButton
        icon="x"
        label={t('player.marksOff')}
        onClick={() => {
          engine.marks.value = {};
        }}
      />
    </span>
  );
}

/** Sound tracks of the material. A browser plays the first one. */
function Tracks({ shape: { audioComponent = [] } }: { shape: ShapeDocument }) {
  if (audioComponent.length < 2) return null;
  return (
    <p class="tracks small muted">
      {t('player.tracks', { count: audioComponent.length })}{' '}
      {audioComponent.map((each, index) => {
        const lang = each.mediaInfo?.property?.find(({ key }) => key === 'language')?.value;
        return (
          <Fragment key={each.id}>
            {index > 0 && ' · '}
            {[each.itemTrack, lang, t('player.channels', { count: each.channelCount ?? 0 })].filter(Boolean).join(' ')}
          </Fragment>
        );
      })}
      . {t('player.tracksNote', { track: audioComponent[0]?.itemTrack ?? '1' })}
    </p>
  );
}
