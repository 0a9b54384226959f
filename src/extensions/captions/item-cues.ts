import { isAtLeast, levelsOn } from '../../assets/access/public-reading.ts';
import type { FieldReader } from '../../assets/definitions/public-reading.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { metadataOf, type metadataView, unfiltered, viewOf } from '../../assets/metadata/public.ts';
import type { MetadataDocumentValue, MetadataGroup } from '../../assets/metadata/public-reading.ts';
import { mediaSeconds } from '../../core/lib/time-code.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { QueryOf } from '../../http/parameters/index.ts';
import type { Subtitles } from '../../production/transcoding/public.ts';
import type { TimedCue } from './cue.ts';
import { subtitleField } from './read.ts';
import { writeVtt } from './vtt.ts';

/** Subtitles written per chunk. */
const slice = 500;

/** Defaults for the metadata query: no filter at all. */
const absent = {
  group: undefined,
  track: undefined,
  samplerate: undefined,
  sampleRate: undefined,
  revision: undefined,
  include: undefined,
  from: undefined,
  to: undefined,
};

type Chosen = QueryOf<Pick<typeof metadataView, 'interval' | 'language'>>;

/** Subtitles of an item that a user may read. */
export async function cuesOfItem(
  reader: Reader,
  id: string,
  chosen: Chosen,
  by: { readonly site: string; readonly asker: FieldReader },
): Promise<readonly TimedCue[]> {
  const defaults = {
    projection: 'default',
    starttc: false,
    conflict: true,
    defaultValue: false,
    displayName: false,
  } as const;
  const rest = { includeConstraintValue: 'all', includeTransientMetadata: false } as const;
  const view = viewOf({ ...absent, ...unfiltered, ...defaults, ...rest, ...chosen, field: [subtitleField] });
  const metadataById = await metadataOf(reader, [{ kind: 'item', id }], view, by);
  return cuesOf(metadataById.get(id) ?? {});
}

/** Subtitles in the order of their time spans. Untimed metadata is ignored. */
async function cuesOf({ timespan = [] }: MetadataDocumentValue): Promise<readonly TimedCue[]> {
  const cues: TimedCue[] = [];
  const collect = ({ field = [], group = [] }: MetadataGroup, start: number, end: number): void => {
    for (const { value: values = [] } of field) {
      for (const { value = '', lang } of values) {
        if (value.trim() !== '') cues.push({ start, end, text: value, ...(lang !== undefined && { language: lang }) });
      }
    }
    for (const each of group) collect(each, start, end);
  };
  for (const [at, span] of timespan.entries()) {
    const [start, end] = [mediaSeconds(span.start ?? ''), mediaSeconds(span.end ?? '')];
    if (start !== undefined && end !== undefined && end > start) collect(span, start, end);
    if (at % slice === slice - 1) await yieldTurn();
  }
  return cues.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Text of a file of subtitles, in parts. */
export async function writtenCues(
  cues: readonly TimedCue[],
  write: (cues: readonly TimedCue[]) => Iterable<string>,
): Promise<readonly string[]> {
  const parts: string[] = [];
  let step = 0;
  for (const part of write(cues)) {
    parts.push(part);
    if (++step % slice === 0) await yieldTurn();
  }
  return parts;
}

/** Tags of languages that manifests name: RFC 5646. Values have underlines, too. */
const languageForm = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/;
const unnamed = 'und';
const maxLanguages = 20;

function languageOf({ language = '' }: TimedCue): string {
  const tag = language.replaceAll('_', '-');
  return languageForm.test(tag) ? tag : unnamed;
}

/** Subtitles that manifests of streams name. A user without READ for the metadata of the item has none. */
export function subtitlesOfItems({ store, settings }: ItemsContext): Subtitles {
  async function cuesFor(id: string, asker: FieldReader): Promise<readonly TimedCue[]> {
    const target = { type: 'item', id };
    const subject = { administrator: asker.administers, userId: asker.userId };
    const by = { site: settings.site, asker };
    // Together, since a database server answers both in one call.
    const [{ levelOf }, cues] = await Promise.all([
      levelsOn(store, subject, [target]),
      cuesOfItem(store, id, { interval: 'all', language: undefined }, by),
    ]);
    return isAtLeast(levelOf(target, { type: 'METADATA' }), 'READ') ? cues : [];
  }
  return {
    languages: async (id, asker) =>
      [...new Set((await cuesFor(id, asker)).map(languageOf))].toSorted().slice(0, maxLanguages),
    async vtt(id, asker, language) {
      const cues = await cuesFor(id, asker);
      return writtenCues(
        cues.filter((cue) => languageOf(cue) === language),
        writeVtt,
      );
    },
  };
}
