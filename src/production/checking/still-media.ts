/** Media that has pictures, or of which nothing is known. */
export const picturedMedia = 'pictures';
/** Media that has sound alone. */
export const soundMedia = 'audio';

/** Media that stills of a shape are made of: its pictures, its sound, or a media type of which a transcoder draws one. */
export function stillMedia(kinds: ReadonlySet<string>, [type]: readonly string[]): string {
  if (kinds.has('video') || !(kinds.has('audio') || kinds.has('binary'))) return picturedMedia;
  return kinds.has('audio') ? soundMedia : (type ?? 'application/octet-stream');
}
