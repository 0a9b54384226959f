import type { House } from '../../room/house.ts';
import type { CoreSettings } from '../../settings/core.ts';

/** What the routes of this folder are given. */
export type DefinitionParts = House<CoreSettings>;
