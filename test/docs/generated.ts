import { catalogue } from '../support/documents.ts';
import { typesText } from './types-text.ts';

/** Every file that `npm run docs` writes, by its path. A test compares them with what is there. */
export const generated = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([['src/types.ts', typesText(catalogue)]]);
