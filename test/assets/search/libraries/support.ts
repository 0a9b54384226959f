import type { Sent } from '../../../support/matrix.ts';
import { admin } from '../../../support/service.ts';
import { by, json } from '../../items/asset-support.ts';

export const newLibrary = (items: readonly string[] = [], query = '', as = admin): Sent =>
  by(`POST /API/library${query}`, { item: items.map((id) => ({ id })) }, json, as);
