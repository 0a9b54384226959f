import { hook } from './hook.ts';
import type { SheetCaller } from './pictures.ts';

export const markPlaces = ['tiles', 'top', 'middle', 'bottom'] as const;

/** Text over pictures that says who sees them. */
export interface Mark {
  readonly text: string;
  /** `tiles`: again and again, over all of the picture. */
  readonly place: (typeof markPlaces)[number];
  /** Percent that are seen of it. */
  readonly strength: number;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface MarkedPicture {
  /** JPEG or PNG. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names the picture: the same one gets the same mark once. */
  readonly name: string;
  /** Areas that get the mark each. Undefined: the picture gets it, and is made smaller where it is large. */
  readonly areas?: readonly Area[] | undefined;
}

/** Marks that become part of pictures, on a thread of their own. */
export interface Marks {
  /** The picture as JPEG. Undefined: it cannot be read. */
  picture(picture: MarkedPicture, mark: Mark, caller: SheetCaller): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** PNG of a size, see-through beside the mark. */
  overlay(size: Pick<Area, 'width' | 'height'>, mark: Mark, caller: SheetCaller): Promise<Uint8Array<ArrayBuffer>>;
}

/** Undefined on a host without threads, such as the edge. */
export const marksHook = hook<Marks | undefined>('pictures');

/** A viewer in whose line segments are made, the widest key first. */
interface Viewer extends SheetCaller {
  readonly line: readonly string[];
}

/** Streams whose pictures have a mark. Each segment is made anew when a viewer asks for it. */
export interface MarkedStreams {
  /** Whether a transcoder of this host lays marks over segments. */
  isAble(): Promise<boolean>;
  /** The manifest of a stream for HLS, with one rendition of pictures, at an address. Undefined: it has none to mark. */
  master(shapeId: string, manifest: string, address: string): Promise<string | undefined>;
  /** The playlist of these pictures: `head.mp4` and `0.m4s` to the last segment. */
  playlist(shapeId: string): Promise<string | undefined>;
  /** Bytes of one of these. Undefined: it is not there, or cannot be marked. */
  part(shapeId: string, name: string, mark: Mark, viewer: Viewer): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export const markedStreamsHook = hook<MarkedStreams>('streaming');
