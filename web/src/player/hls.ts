import Hls from 'hls.js';

/** Feeds a media element with a stream. Returns the function that ends it. */
export function feed(media: HTMLMediaElement, address: string, onBroken: () => void): () => void {
  // The policy of the page allows no worker from a blob.
  const player = new Hls({ enableWorker: false });
  player.on(Hls.Events.ERROR, (_event, { fatal }) => {
    if (fatal) onBroken();
  });
  player.loadSource(address);
  player.attachMedia(media);
  return () => player.destroy();
}
