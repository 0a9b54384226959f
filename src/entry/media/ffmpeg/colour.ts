/** First picture of media as filters see it, with FFmpeg's names. `unknown`: the media does not say. */
export interface PictureLook {
  readonly pixelFormat: string;
  readonly height: number;
  readonly isInterlaced: boolean;
  readonly range: string;
  readonly matrix: string;
  readonly primaries: string;
  readonly transfer: string;
}

/** Arguments behind an input that print its first picture for `lookIn`. Side data would push the lines away. */
export const lookArguments: readonly string[] = [
  ...['-map', '0:v:0', '-frames:v', '1', '-vf', 'sidedata=mode=delete,showinfo', '-f', 'null', '-'],
];

/** First picture in what the program says. Undefined: it has seen none. */
export function lookIn(said: string): PictureLook | undefined {
  const frame = / fmt:(\S+) .*? s:\d+x(\d+) .*?\bi:([PTB])/.exec(said);
  const colour = /color_range:(\S+) color_space:(\S+) color_primaries:(\S+) color_trc:(\S+)/.exec(said);
  if (!frame) return undefined;
  const [, range = unknown, matrix = unknown, primaries = unknown, transfer = unknown] = colour ?? [];
  const [, pixelFormat = '', height, order] = frame;
  return { pixelFormat, height: Number(height), isInterlaced: order !== 'P', range, matrix, primaries, transfer };
}

const unknown = 'unknown';

/** Light of a display in candela: white of a page beside the pictures, and the brightest spot (ITU-R BT.2408). */
const [white, brightest] = [203, 1_000];

/** Signals of a wide range, as light of a display: 1 is white. Formulas of SMPTE ST 2084 and ITU-R BT.2100. */
const wideRanges: ReadonlyMap<string, string> = new Map([
  [
    'smpte2084',
    'st(0,pow(min(1,val/maxval),1/78.84375));' +
      `st(1,pow(max(ld(0)-0.8359375,0)/(18.8515625-18.6875*ld(0)),6.277395)*10000/${white})`,
  ],
  [
    'arib-std-b67',
    'st(0,min(1,val/maxval));' +
      'st(1,pow(if(lte(ld(0),0.5),ld(0)*ld(0)/3,(exp((ld(0)-0.55991073)/0.17883277)+0.28466892)/12),1.2)' +
      `*${brightest}/${white})`,
  ],
]);

/** Below this share of white, light stays as it is. Above, it is bent so that the brightest spot is still there. */
const knee = 0.3;

/** Curve of the filter `tonemap` with the gamma of a display, for builds of ffmpeg without that filter. */
function bentLight(): string {
  const peak = brightest / white;
  const a = (-knee * knee * (peak - 1)) / (knee * knee - 2 * knee + peak);
  const b = (knee * knee - 2 * knee * peak + peak) / (peak - 1);
  const scale = (b * b + 2 * b * knee + knee * knee) / (b - a);
  const bent = `${scale.toFixed(6)}*(ld(1)+${a.toFixed(6)})/(ld(1)+${b.toFixed(6)})`;
  return `maxval*pow(min(1,if(lte(ld(1),${knee}),ld(1),${bent})),1/2.4)`;
}

/** Matrices as the filter `scale` names them. */
const matrices: ReadonlyMap<string, string> = new Map([
  ['bt709', 'bt709'],
  ['bt470bg', 'bt601'],
  ['smpte170m', 'bt601'],
  ['smpte240m', 'smpte240m'],
  ['fcc', 'fcc'],
  ['bt2020nc', 'bt2020'],
  ['bt2020c', 'bt2020'],
]);

/** Primaries that a page shows too pale where they are taken for those of BT.709. */
const widePrimaries: ReadonlySet<string> = new Set(['bt2020', 'smpte431', 'smpte432']);

const isRgb = ({ matrix, pixelFormat }: PictureLook): boolean =>
  matrix === 'gbr' || /^(?:0?(?:rgb|bgr)|gbr|argb|abgr|x2|pal8|gray|ya|mono)/.test(pixelFormat);
const isWideRange = ({ transfer }: PictureLook): boolean => wideRanges.has(transfer);

/** Older media says nothing: then the size does, as players take it. */
const matrixOf = (look: PictureLook): string =>
  matrices.get(look.matrix) ??
  (isWideRange(look) || look.primaries === 'bt2020' ? 'bt2020' : look.height >= 720 ? 'bt709' : 'bt601');

const rangeOf = ({ range, pixelFormat }: PictureLook): string =>
  range === 'pc' || pixelFormat.startsWith('yuvj') ? 'pc' : 'tv';

const input = (look: PictureLook): string => `in_color_matrix=${matrixOf(look)}:in_range=${rangeOf(look)}`;

/** Filters and options that are in this program. */
type Has = ReadonlySet<string>;

/** Pictures in the colours of BT.709 with brightness of the usual range. Empty: they have them. */
function toBt709(look: PictureLook, has: Has): readonly string[] {
  const rgb = isRgb(look);
  if (isWideRange(look)) {
    if (has.has('zscale') && has.has('tonemap')) {
      const range = rgb || rangeOf(look) === 'pc' ? 'full' : 'limited';
      const matrix = rgb ? 'gbr' : '2020_ncl';
      return [
        // Whole colours: a picture of odd size has no half ones.
        rgb ? 'format=gbrp12le' : 'format=yuv444p12le',
        `zscale=min=${matrix}:pin=2020:tin=${look.transfer}:rin=${range}:m=gbr:p=2020:t=linear:r=full:npl=${white}`,
        'format=gbrpf32le',
        'zscale=p=709',
        `tonemap=mobius:param=${knee}:desat=0:peak=${(brightest / white).toFixed(4)}`,
        'zscale=t=709:m=709:r=limited',
        'format=yuv444p',
      ];
    }
    const curve = `${wideRanges.get(look.transfer)};${bentLight()}`;
    return [
      ...[rgb ? 'format=gbrp12le' : `scale=${input(look)}`, 'format=gbrp12le'],
      `lutrgb=r='${curve}':g='${curve}':b='${curve}'`,
      ...['scale=out_color_matrix=bt2020:out_range=tv', 'format=yuv444p12le'],
      wide('bt2020'),
    ];
  }
  if (widePrimaries.has(look.primaries)) {
    const sized = rgb ? 'scale=' : `scale=${input(look)}:`;
    return [`${sized}out_color_matrix=bt2020:out_range=tv`, 'format=yuv444p12le', wide(look.primaries)];
  }
  if (rgb) return ['scale=out_color_matrix=bt709:out_range=tv'];
  if (matrixOf(look) === 'bt709' && rangeOf(look) === 'tv') return [];
  return [`scale=${input(look)}:out_color_matrix=bt709:out_range=tv`];
}

const wide = (primaries: string): string =>
  `colorspace=ispace=bt2020ncl:iprimaries=${primaries}:itrc=bt709:irange=tv:all=bt709:range=tv:format=yuv444p`;

/** Filters for pictures of a film on a page: BT.709, eight bits, tagged as such. */
export const filmColours = (look: PictureLook | undefined, has: Has): readonly string[] =>
  look === undefined
    ? []
    : [...toBt709(look, has), 'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709'];

/** Options of the encoder beside `filmColours`: programs before version 5 take no others. */
export const filmTags: readonly string[] = [
  ...['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
];

/** Filters for a single picture, JPEG or PNG: red, green and blue, of which each encoder makes its own form. Alpha stays. */
export function stillColours(look: PictureLook | undefined, has: Has): readonly string[] {
  if (look === undefined) return [];
  if (isWideRange(look) || widePrimaries.has(look.primaries))
    return [...toBt709(look, has), 'scale=in_color_matrix=bt709:in_range=tv', 'format=rgb24'];
  return isRgb(look) ? [] : [`scale=${input(look)}`, 'format=rgb24'];
}

/** Filter that makes whole pictures of two fields. Players of pages show both at once, as combs. */
export const wholePictures = (look: PictureLook | undefined, has: Has): readonly string[] =>
  look?.isInterlaced ? [`${has.has('bwdif') ? 'bwdif' : 'yadif'}=mode=send_frame`] : [];

/** Defects of the colours, as sentences for the log of a job. */
export const colourRemarks = (look: PictureLook | undefined, has: Has): readonly string[] =>
  look && isWideRange(look) && !(has.has('zscale') && has.has('tonemap'))
    ? ['This ffmpeg has no zscale and tonemap: saturated bright colours of the HDR source are approximate']
    : [];
