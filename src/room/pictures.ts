import type { Caller } from '../security/caller.ts';
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
  readonly max: number;
  /** Values go both up and down from zero. Otherwise they stand on the lower edge. */
  readonly isMirrored: boolean;
  readonly start: number;
  readonly end: number;
  readonly background: PaletteColour;
  readonly foreground: PaletteColour;
  readonly grids: readonly Grid[];
}

/** Columns and rows of a sheet of tiles, and the pixels of each tile. */
export interface TileGrid {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
}

interface TileSheet {
  /** Names the sheet: the same one is drawn once. */
  readonly name: string;
  readonly grid: TileGrid;
  /** Tiles from the first on that have a picture. */
  readonly count: number;
  /** Bytes of a picture. Undefined: its tile stays empty. */
  open(index: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Caller in whose line a sheet is drawn. */
export interface SheetCaller extends Pick<Caller, 'subject'> {
  readonly address: string | undefined;
}

/** Pictures that are drawn for other extensions. Graphs and waveforms are PNG. */
export interface Pictures {
  /** `dot`: the address that answers the graph as text, for those that are too large to draw. */
  graph(graph: Graph, dot: string): Promise<Uint8Array<ArrayBuffer>>;
  waveform(values: readonly number[], style: WaveformStyle): Promise<Uint8Array<ArrayBuffer>>;
  /** Grid of a sheet for so many pictures, by the size of the first. */
  grid(count: number, first: Uint8Array<ArrayBuffer> | undefined): Promise<TileGrid>;
  /** Pictures side by side, as JPEG. */
  sheet(sheet: TileSheet, caller: SheetCaller): Promise<Uint8Array<ArrayBuffer>>;
}

export const picturesHook = hook<Pictures>('pictures');
