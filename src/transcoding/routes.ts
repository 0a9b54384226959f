import type { Route } from '../http/route.ts';
import { orderingRoutes } from './ordering/routes.ts';
import type { TranscodingParts } from './parts.ts';
import { pictureRoutes } from './pictures/routes.ts';
import { presetRoutes } from './presets/routes.ts';
import { resourceRoutes } from './resources/routes.ts';
import { soundRoutes } from './sound/routes.ts';

export const transcodingRoutes = (parts: TranscodingParts): readonly Route[] => [
  ...orderingRoutes(parts),
  ...presetRoutes(parts),
  ...pictureRoutes(parts),
  ...resourceRoutes(parts),
  ...soundRoutes(parts),
];
