import type { Route } from '../../http/route.ts';
import type { TranscodingParts } from '../parts.ts';
import { createDrawing } from './draw.ts';
import { spriteRoutes } from './sprites.ts';
import { stitchRoute } from './stitch.ts';

/** Pictures that are made of pictures. */
export function sheetRoutes(parts: TranscodingParts): readonly Route[] {
  const draw = createDrawing(parts);
  return [...spriteRoutes(parts, draw), stitchRoute(parts, draw)];
}
