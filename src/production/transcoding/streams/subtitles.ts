import type { FieldReader } from '../../../assets/definitions/public-reading.ts';
import { hook } from '../../../room/hook.ts';

/** Subtitles of an item as manifests of streams name them, for a user with rights on the metadata. */
export interface Subtitles {
  /** Languages with subtitles, in their order. `und`: the values name none, or no tag of a language. */
  languages(itemId: string, reader: FieldReader): Promise<readonly string[]>;
  /** WebVTT, in parts. */
  vtt(itemId: string, reader: FieldReader, language: string): Promise<readonly string[]>;
}

export const subtitlesHook = hook<Subtitles>('captions');
