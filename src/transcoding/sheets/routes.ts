import type { Route } from '../../http/route.ts';
import type { TranscodingParts } from '../parts.ts';
import { createDrawing } from './draw.ts';
import { spriteRoutes } from './sprite-routes.ts';
import { stitchRoute } from './stitch-routes.ts';

/** Pictures that are made of pictures. */
export function sheetRoutes(parts: TranscodingParts): readonly Route[] {
  const draw = createDrawing(parts);
  return [...spriteRoutes(parts, draw), stitchRoute(parts, draw)];
}
