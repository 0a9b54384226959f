import type { JoinOrder, JoinPart } from '../../../spi/index.ts';

interface JoinedStreams {
  readonly pictures: boolean;
  readonly sound: boolean;
}

const silence = 'anullsrc=r=48000:cl=stereo';
const samples = 'aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo';

/** Filters that make parts of media one: `[v]` are the pictures, `[sound]` the sound. Inputs are those with a source. */
export function joinGraph(
  parts: readonly JoinPart[],
  canvas: JoinOrder['canvas'],
  { pictures, sound }: JoinedStreams,
): readonly string[] {
  let input = -1;
  const chains = parts.flatMap((part, at) => {
    if (part.source) input++;
    return [
      ...(pictures ? [`${picturesOf(part, canvas, input)}[v${at}]`] : []),
      ...(sound ? [`${soundOf(part, input)}[a${at}]`] : []),
    ];
  });
  const all = parts.map((_, at) => `${pictures ? `[v${at}]` : ''}${sound ? `[a${at}]` : ''}`).join('');
  const kinds = `concat=n=${parts.length}:v=${Number(pictures)}:a=${Number(sound)}`;
  return [...chains, `${all}${kinds}${pictures ? '[v]' : ''}${sound ? '[sound]' : ''}`];
}

/** Pictures for the duration of the part: the last one stays if the media is shorter. */
function picturesOf(
  { source, pictures, pictureTrack, seconds, crop }: JoinPart,
  canvas: JoinOrder['canvas'],
  input: number,
): string {
  const { width, height, frame } = canvas;
  const rate = `${Math.trunc(frame.denominator)}/${Math.trunc(frame.numerator)}`;
  const count = Math.max(1, Math.round((seconds * frame.denominator) / frame.numerator));
  const end = `trim=end_frame=${count},setpts=PTS-STARTPTS`;
  if (!source || pictures === 'none') {
    return `color=c=black:s=${width}x${height}:r=${rate},format=yuv420p,setsar=1,${end}`;
  }
  const fits = `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const box = `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1`;
  const area = crop && [crop.width, crop.height, crop.left, crop.top].map(Math.trunc).join(':');
  return [
    `[${input}:v:${Math.trunc(pictureTrack)}]setpts=PTS-STARTPTS`,
    ...(area ? [`crop=${area}`] : []),
    `scale=iw*sar:ih,setsar=1,${fits},${box},format=yuv420p`,
    `fps=${rate},tpad=stop_mode=clone:stop=-1,${end}`,
  ].join(',');
}

function soundOf({ source, hasSound, soundTrack, seconds }: JoinPart, input: number): string {
  const end = `atrim=duration=${seconds.toFixed(6)},asetpts=PTS-STARTPTS`;
  if (!source || !hasSound) return `${silence},${samples},${end}`;
  return `[${input}:a:${Math.trunc(soundTrack)}]asetpts=PTS-STARTPTS,aresample=48000,${samples},apad,${end}`;
}
