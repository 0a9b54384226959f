import type { Graph } from './graphs.ts';
import { hook } from './hook.ts';

/** A colour of red, green and blue, each from 0 to 255. */
export type PaletteColour = readonly [number, number, number];

/** Lines across a picture, at these distances from its zero: of time in seconds, of height in values. */
interface Grid {
  readonly vertical: number | undefined;
  readonly horizontal: number | undefined;
  readonly verticalColour: PaletteColour;
  readonly horizontalColour: PaletteColour;
}

/** How a waveform is drawn. */
export interface WaveformStyle {
  readonly width: number;
  readonly height: number;
  /** The values at the lower and at the upper edge. */
  readonly least: number;
  readonly most: number;
  /** Values go both up and down from zero. Otherwise they stand on the lower edge. */
  readonly isMirrored: boolean;
  readonly start: number;
  readonly end: number;
  readonly background: PaletteColour;
  readonly foreground: PaletteColour;
  readonly grids: readonly Grid[];
}

/** Pictures that are drawn for other extensions, as PNG. */
interface Pictures {
  /** `dot`: the address that answers the graph as text, for those that are too large to draw. */
  graph(graph: Graph, dot: string): Promise<Uint8Array<ArrayBuffer>>;
  waveform(values: readonly number[], style: WaveformStyle): Promise<Uint8Array<ArrayBuffer>>;
}

export const picturesHook = hook<Pictures>('pictures');
