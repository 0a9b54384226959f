import { below, type RouteGroup } from '../http/route-group.ts';
import { orderingRoutes } from './ordering/routes.ts';
import type { TranscodingParts } from './parts.ts';
import { pictureRoutes } from './pictures/routes.ts';
import { presetRoutes } from './presets/routes.ts';
import { resourceRoutes } from './resources/routes.ts';
import { sheetRoutes } from './sheets/routes.ts';

export const transcodingRoutes = (parts: TranscodingParts): readonly RouteGroup[] => [
  below('item', () => orderingRoutes(parts)),
  below(['shape-tag', 'APIinit'], () => presetRoutes(parts)),
  below(['item', 'thumbnail', 'APInoauth', 'poster'], () => pictureRoutes(parts)),
  below(['item', 'APInoauth'], () => sheetRoutes(parts)),
  below('resource', () => resourceRoutes(parts)),
];
