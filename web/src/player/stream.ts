import { useEffect } from 'preact/hooks';

/** Codecs of the streams that the service makes. */
const codecs = 'video/mp4; codecs="avc1.640028, mp4a.40.2"';

const hasHls = (): boolean => document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== '';

/** Whether streams are played: by the browser itself, or by a script that feeds it. */
export const playsStreams = (): boolean => hasHls() || globalThis.MediaSource?.isTypeSupported(codecs) === true;

/** Address for a media element. Undefined: a script feeds the element, because the browser has no HLS. */
export function useStream(
  media: { readonly current: HTMLMediaElement | null },
  src: string,
  isStream: boolean,
  onBroken: () => void,
): string | undefined {
  const isFed = isStream && !hasHls();
  useEffect(() => {
    if (!isFed) return undefined;
    let hasEnded = false;
    let end = () => {};
    import('./hls.ts').then(({ feed }) => {
      if (!hasEnded) end = feed(media.current!, src, onBroken);
    }, onBroken);
    return () => {
      hasEnded = true;
      end();
    };
  }, [src, isFed]);
  return isFed ? undefined : src;
}
