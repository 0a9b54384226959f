import type { Route } from '../http/route.ts';
import type { AssetParts } from '../items/parts.ts';
import { type AccessPlace, entryRoutes } from './entries/routes.ts';
import { mergedRoutes } from './merged/routes.ts';

/** Access routes for one kind of entity. */
export const accessRoutes = (parts: AssetParts, at: AccessPlace): readonly Route[] => [
  ...entryRoutes(parts, at),
  ...mergedRoutes(parts, at),
];
