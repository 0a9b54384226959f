import type { PictureColour } from '../../src/spi/index.ts';

/** Code points of ISO/IEC 23091-2, by the names of FFmpeg and of browsers. */
const primaries: Readonly<Record<string, number>> = {
  ...{ bt709: 1, bt470m: 4, bt470bg: 5, smpte170m: 6, smpte240m: 7, film: 8, bt2020: 9, smpte428: 10 },
  ...{ smpte431: 11, smpte432: 12 },
};
const transfers: Readonly<Record<string, number>> = {
  ...{ bt709: 1, bt470m: 4, gamma22: 4, bt470bg: 5, gamma28: 5, smpte170m: 6, smpte240m: 7, linear: 8 },
  ...{
    'iec61966-2-1': 13,
    'bt2020-10': 14,
    'bt2020-12': 15,
    smpte2084: 16,
    pq: 16,
    smpte428: 17,
    'arib-std-b67': 18,
    hlg: 18,
  },
};
const matrices: Readonly<Record<string, number>> = {
  ...{
    gbr: 0,
    rgb: 0,
    bt709: 1,
    fcc: 4,
    bt470bg: 5,
    smpte170m: 6,
    smpte240m: 7,
    bt2020nc: 9,
    'bt2020-ncl': 9,
    bt2020c: 10,
  },
};

interface Named {
  readonly primaries?: string | null | undefined;
  readonly transfer?: string | null | undefined;
  readonly matrix?: string | null | undefined;
  readonly fullRange?: boolean | null | undefined;
}

const codeIn = (table: Readonly<Record<string, number>>, name: string | null | undefined): number | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

/** Colours of a track by names. Undefined: it says nothing that is known. */
export function namedColour({ fullRange, ...names }: Named): PictureColour | undefined {
  const codes = {
    primaries: codeIn(primaries, names.primaries),
    transfer: codeIn(transfers, names.transfer),
    matrix: codeIn(matrices, names.matrix),
  };
  const entries = Object.entries(codes).filter(([, code]) => code !== undefined);
  if (entries.length === 0) return undefined;
  return { ...Object.fromEntries(entries), ...(typeof fullRange === 'boolean' && { isFullRange: fullRange }) };
}
