import type { ShapeDocument } from 'portico/types';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { useKeys } from '../keys.ts';
import { lengthText } from '../texts/clock.ts';
import { t } from '../texts/index.ts';
import { type Engine, together } from './engine.ts';
import { frameOf, rangeText, startOf } from './frames.ts';
import type { Captions } from './spans.ts';
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
  readonly captions?: readonly Captions[];
  /** Over the picture. */
  readonly over?: ComponentChildren;
  /** Forms of the film that are played, by their ids. */
  readonly forms?: FormChoice | undefined;
  /** Beside the controls. */
  readonly choices?: ComponentChildren;
  /** Below the controls. */
  readonly children?: ComponentChildren;
  readonly onBroken: () => void;
}

/** Forms of a film, of which one is played. */
export interface FormChoice {
  readonly all: readonly (readonly [id: string, text: string])[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

const noCaptions: readonly Captions[] = [];

/** Captions of a language at an address of this page. */
interface Track {
  readonly language: string;
  readonly src: string;
}

const languageNow = (): string => document.documentElement.lang.split('-')[0] ?? '';

const trackOf = ({ language, src }: Track) => (
  <track key={src} kind="captions" src={src} srclang={language} label={languageName(language)} />
);

/** Name of a language in that of the page. */
function languageName(language: string): string {
  if (language === 'und') return t('player.captions');
  return new Intl.DisplayNames([languageNow() || 'en'], { type: 'language' }).of(language) ?? language;
}

/** The place of a film has its form before the film is read. */
function ratioOf({ videoComponent: [video] = [] }: ShapeDocument) {
  const { width = 0, height = 0 } = video?.resolution ?? {};
  return width > 0 && height > 0 ? `${width} / ${height}` : undefined;
}

const idleMs = 2500;

/**
 * Marks a player whose controls leave the whole screen to the film: one that runs while nothing is pressed, or that a
 * finger has tapped. Gives what a press on the picture does.
 */
function useIdle(
  whole: { readonly current: HTMLElement | null },
  media: { readonly current: HTMLVideoElement | null },
  toggle: () => void,
): () => void {
  const pressed = useRef({ isFinger: false, wasIdle: false });
  useEffect(() => {
    const player = whole.current!;
    player.addEventListener(
      'pointerdown',
      ({ pointerType }) => {
        pressed.current = { isFinger: pointerType === 'touch', wasIdle: player.dataset['idle'] !== undefined };
      },
      { capture: true },
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = () => {
      delete player.dataset['idle'];
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (media.current?.paused === false) player.dataset['idle'] = '';
      }, idleMs);
    };
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'];
    for (const name of events) player.addEventListener(name, wake);
    media.current?.addEventListener('play', wake);
    media.current?.addEventListener('pause', wake);
    return () => clearTimeout(timer);
  }, []);
  return () => {
    const { isFinger, wasIdle } = pressed.current;
    if (!isFinger || document.fullscreenElement !== whole.current) toggle();
    else if (!wasIdle) whole.current!.dataset['idle'] = '';
  };
}

/** Film or sound, with controls that know frames. */
export function Player({
  engine,
  src,
  isStream = false,
  beside,
  isSound,
  poster,
  shape,
  captions: texts = noCaptions,
  over,
  forms,
  choices,
  children,
  onBroken,
}: PlayerProps) {
  const media = useRef<HTMLVideoElement>(null);
  const second = useRef<HTMLVideoElement>(null);
  const whole = useRef<HTMLElement>(null);
  const [captions, setCaptions] = useState(false);
  const [tracks, setTracks] = useState<readonly Track[]>([]);
  // After a paint the film might know its length already, and would stay at its begin.
  useLayoutEffect(
    () => engine.attach(second.current ? together(media.current!, second.current) : media.current!),
    [engine, src, beside],
  );
  useEffect(() => {
    const addresses = texts.map(({ language, vtt }) => ({
      language,
      src: URL.createObjectURL(new Blob([vtt], { type: 'text/vtt' })),
    }));
    setTracks(addresses);
    return () => {
      for (const { src: address } of addresses) URL.revokeObjectURL(address);
    };
  }, [texts]);
  useEffect(() => {
    const all = [...(media.current?.textTracks ?? [])];
    const own = all.find(({ language }) => language.split('-')[0] === languageNow()) ?? all[0];
    for (const each of all) each.mode = captions && each === own ? 'showing' : 'hidden';
  }, [captions, tracks]);
  const full = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void whole.current?.requestFullscreen();
  };
  const press = useIdle(whole, media, engine.toggle);
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
      ...(texts.length > 0 && { v: () => setCaptions(!captions) }),
    },
    {
      Space: t('player.keyPlay'),
      'j k l': t('player.keySpeed'),
      ', .': t('player.keyFrame'),
      'i o': t('player.keyMarks'),
      m: t('player.keySound'),
      f: t('player.full'),
      ...(texts.length > 0 && { v: t('player.captions') }),
    },
  );
  const ratio = isSound || beside ? undefined : ratioOf(shape);
  const address = useStream(media, src, isStream, onBroken);
  const shared = { src: address, preload: 'auto' as const, onError: onBroken, onClick: press };
  return (
    <section
      class="player"
      aria-label={t('player.player')}
      tabIndex={-1}
      ref={whole}
      style={ratio && { '--ratio': ratio }}
    >
      <div class={isSound ? 'stage sound' : beside ? 'stage two' : 'stage'}>
        {isSound ? (
          <audio {...shared} ref={media as { current: HTMLAudioElement | null }}>
            {tracks.map(trackOf)}
          </audio>
        ) : (
          <video {...shared} ref={media} poster={poster} style={{ aspectRatio: ratioOf(shape) }} playsInline>
            {tracks.map(trackOf)}
          </video>
        )}
        {beside && <video {...shared} src={beside} ref={second} muted playsInline />}
        {over}
      </div>
      <div class="controls" role="group" aria-label={t('player.controls')}>
        <IconButton icon="frame-back" label={t('player.frameBack')} onClick={() => engine.step(-1)} />
        <PlayButton engine={engine} />
        <IconButton icon="frame-on" label={t('player.frameOn')} onClick={() => engine.step(1)} />
        <Timecode engine={engine} />
        <Speed engine={engine} />
        <Marks engine={engine} />
        <span class="grow" />
        <span class="row rare">
          {choices}
          {forms && <Forms {...forms} />}
          {texts.length > 0 && (
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
        </span>
        {!isSound && <IconButton icon="full" label={t('player.full')} onClick={full} />}
        <More engine={engine} forms={forms} onCaptions={texts.length > 0 ? () => setCaptions(!captions) : undefined} />
      </div>
      {children}
      <Tracks shape={shape} />
    </section>
  );
}

/** The form that is played, where there are several. */
export function Forms({ all, chosen, onChoose }: FormChoice) {
  return (
    <select
      class="input form-choice"
      aria-label={t('player.form')}
      title={t('player.form')}
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {all.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface MoreProps extends Pick<PlayerProps, 'engine' | 'forms'> {
  readonly onCaptions: (() => void) | undefined;
}

/** Sound, speed and form, where the window has no room for them. */
function More({ engine, forms, onCaptions }: MoreProps) {
  const runAt = (speed: number) => {
    engine.run('k');
    for (let now = 1; now <= speed; now *= 2) engine.run('l');
  };
  return (
    <Menu
      label={t('player.more')}
      kind="quiet"
      items={[
        { text: t(engine.muted.value ? 'player.soundOn' : 'player.soundOff'), onChoose: engine.mute },
        ...(onCaptions ? [{ text: t('player.captions'), onChoose: onCaptions }] : []),
        ...[1, 2, 4].map((speed) => ({ text: t('player.speed', { speed }), onChoose: () => runAt(speed) })),
        ...(forms?.all ?? []).map(([id, text]) => ({
          text: t('player.formNamed', { form: text }),
          onChoose: () => forms?.onChoose(id),
        })),
      ]}
    />
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
    <span class="mark live">
      {speed < 0 ? '◀ ' : ''}
      {Math.abs(speed)}×
    </span>
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
    <span class="marks small">
      <Icon name="refresh" />
      <button
        type="button"
        title={`${t('player.marked')}: ${rangeText(from ?? 0, to ?? frames, counting)}`}
        onClick={() => engine.goTo(from ?? 0)}
      >
        {length.toFixed(2)} s
      </button>
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
