import type { Route } from '../http/route.ts';
import { fileRoutes } from './files/routes.ts';
import type { MediaParts } from './parts.ts';

/** Literal segments come before ids by themselves: the order of the lists does not matter. */
export const mediaRoutes = (parts: MediaParts): readonly Route[] => [...fileRoutes(parts)];
