import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Counting, frameAt, timecode, timeOf } from './frames.ts';

/** Speeds of J, K and L. Below 0 the film runs backwards. */
const speeds = [-4, -2, -1, 0, 1, 2, 4] as const;
type Speed = (typeof speeds)[number];

/** The next speed after a key: L one faster, J one slower and then backwards, K stops. */
export function nextSpeed(speed: number, key: 'j' | 'k' | 'l'): Speed {
  if (key === 'k') return 0;
  const at = speeds.indexOf(speed as Speed);
  const next = (at < 0 ? speeds.indexOf(0) : at) + (key === 'l' ? 1 : -1);
  return speeds[Math.min(speeds.length - 1, Math.max(0, next))]!;
}

/** A part of a film, in frames. Its end is not a part of it. */
export interface Marks {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Sets the in point. An out point that lies before it is taken away. */
export const withIn = ({ to }: Marks, frame: number): Marks => ({
  from: frame,
  to: to !== undefined && to > frame ? to : undefined,
});

/** Sets the out point behind a frame. An in point that lies behind it is taken away. */
export const withOut = ({ from }: Marks, frame: number): Marks => ({
  from: from !== undefined && from <= frame ? from : undefined,
  to: frame + 1,
});

/** Part of a media element that a player needs. Tests lend their own. */
type Media = Pick<
  HTMLMediaElement,
  | 'currentTime'
  | 'playbackRate'
  | 'paused'
  | 'seeking'
  | 'muted'
  | 'play'
  | 'pause'
  | 'addEventListener'
  | 'removeEventListener'
> &
  Partial<Pick<HTMLVideoElement, 'requestVideoFrameCallback' | 'cancelVideoFrameCallback'>>;

/** Two films that run as one: the second follows the first, and stands where that one stands. */
export function together(first: HTMLVideoElement, second: HTMLVideoElement): Media {
  const follow = () => {
    const behind = first.currentTime - second.currentTime;
    // A seek shows no picture meanwhile: what is near is caught up by the speed.
    if (Math.abs(behind) > farApart) second.currentTime = first.currentTime;
    else second.playbackRate = first.playbackRate * (1 + behind / farApart);
  };
  const place = (to: number) => {
    first.currentTime = to;
    second.currentTime = to;
  };
  return {
    get currentTime() {
      return first.currentTime;
    },
    set currentTime(to) {
      place(to);
    },
    get playbackRate() {
      return first.playbackRate;
    },
    set playbackRate(to) {
      first.playbackRate = to;
      second.playbackRate = to;
    },
    get paused() {
      return first.paused;
    },
    get seeking() {
      return first.seeking || second.seeking;
    },
    get muted() {
      return first.muted;
    },
    set muted(to) {
      first.muted = to;
    },
    async play() {
      await Promise.all([first.play(), second.play()]);
    },
    pause() {
      first.pause();
      second.pause();
      // A film that was running may stand a little further than it says.
      place(first.currentTime);
    },
    addEventListener: first.addEventListener.bind(first),
    removeEventListener: first.removeEventListener.bind(first),
    requestVideoFrameCallback: (callback) =>
      first.requestVideoFrameCallback((now, picture) => {
        if (!first.paused) follow();
        callback(now, picture);
      }),
    cancelVideoFrameCallback: (callback) => first.cancelVideoFrameCallback(callback),
  };
}

export interface Engine {
  readonly counting: Counting;
  readonly duration: number;
  /** Number of frames. */
  readonly frames: number;
  readonly seconds: ReadonlySignal<number>;
  readonly frame: ReadonlySignal<number>;
  readonly timecode: ReadonlySignal<string>;
  readonly speed: ReadonlySignal<Speed>;
  readonly muted: ReadonlySignal<boolean>;
  readonly marks: Signal<Marks>;
  /** Binds a media element, and gives the function that lets it go. */
  attach(media: Media): () => void;
  goTo(frame: number): void;
  seek(seconds: number): void;
  step(frames: number): void;
  run(key: 'j' | 'k' | 'l'): void;
  toggle(): void;
  mute(): void;
  markIn(): void;
  markOut(): void;
}

/** Milliseconds between two pictures while the film runs backwards, which browsers do not do by themselves. */
const backwards = 80;
/** Seconds between two films that run together from which one of them seeks. */
const farApart = 0.5;

export function createEngine(counting: Counting, duration: number, at = 0): Engine {
  const { rate } = counting;
  const frames = Math.max(1, Math.round((duration * rate.numerator) / rate.denominator));
  const seconds = signal(Math.min(Math.max(0, at), duration));
  const speed = signal<Speed>(0);
  const muted = signal(false);
  const marks = signal<Marks>({});
  const frame = computed(() => Math.min(frames - 1, frameAt(seconds.value, rate)));
  let media: Media | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;

  const place = (to: number) => {
    seconds.value = Math.min(Math.max(0, to), duration);
    if (media) media.currentTime = seconds.value;
  };
  const runAt = (next: Speed) => {
    clearInterval(timer);
    timer = undefined;
    speed.value = next;
    if (next > 0 && media) {
      // At its end a film begins again.
      if (frame.value >= frames - 1) goTo(marks.peek().from ?? 0);
      const element = media;
      element.playbackRate = next;
      void element.play().catch(() => {
        // A pause ends a play that had not begun. The film may have been started again since.
        if (element.paused) speed.value = 0;
      });
      return;
    }
    media?.pause();
    if (next === 0) return;
    timer = setInterval(() => {
      if (media?.seeking) return;
      place(seconds.value + (next * backwards) / 1000);
      if (seconds.value === 0) runAt(0);
    }, backwards);
  };
  const goTo = (to: number) => place(timeOf(Math.min(frames - 1, Math.max(0, to)), rate));
  /** Takes the time that is played. Behind the out point the marked part begins again. */
  const passed = (now: number) => {
    const { from = 0, to = frames } = marks.peek();
    const wasIn = frame.peek() >= from && frame.peek() < to;
    seconds.value = now;
    if (wasIn && frame.peek() >= to && speed.peek() > 0) goTo(from);
  };

  function attach(element: Media): () => void {
    media = element;
    let callback: number | undefined;
    const follow = () => {
      callback = element.requestVideoFrameCallback?.((_now, { mediaTime }) => {
        if (!element.paused) passed(mediaTime);
        follow();
      });
    };
    const listeners: Readonly<Record<string, () => void>> = {
      loadedmetadata: () => {
        // Also at its begin: a seek shows the frame itself instead of the poster.
        place(Math.max(seconds.value, timeOf(0, rate)));
      },
      timeupdate: () => {
        if (!element.paused && !element.seeking) passed(element.currentTime);
      },
      // The system stops media, too: headphones that are taken off, another tab. An event tells of an earlier state.
      pause: () => {
        if (element.paused && speed.value > 0) runAt(0);
      },
      play: () => {
        if (!element.paused && speed.value <= 0) runAt(1);
      },
      volumechange: () => {
        muted.value = element.muted;
      },
    };
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
    follow();
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
      if (callback !== undefined) element.cancelVideoFrameCallback?.(callback);
      clearInterval(timer);
      media = undefined;
    };
  }

  return {
    ...{ counting, duration, frames, seconds, frame, speed, muted, marks, attach, goTo },
    timecode: computed(() => timecode(frame.value, counting)),
    seek: place,
    step(count) {
      const from = frame.value;
      runAt(0);
      goTo(from + count);
    },
    run: (key) => runAt(nextSpeed(speed.value, key)),
    toggle: () => runAt(speed.value === 0 ? 1 : 0),
    mute() {
      if (media) media.muted = !media.muted;
    },
    markIn() {
      marks.value = withIn(marks.value, frame.value);
    },
    markOut() {
      marks.value = withOut(marks.value, frame.value);
    },
  };
}
