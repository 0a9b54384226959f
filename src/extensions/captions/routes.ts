import { askerOf } from '../../assets/definitions/public-reading.ts';
import { itemAt } from '../../assets/items/contract/entities.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { metadataOf, metadataView, unfiltered, viewOf } from '../../assets/metadata/public.ts';
import type { MetadataDocumentValue, MetadataGroup } from '../../assets/metadata/public-reading.ts';
import { instantOf } from '../../core/lib/time-code.ts';
import { nextTurn } from '../../core/lib/turn.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { textOnly } from '../../http/negotiation.ts';
import type { QueryOf } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { TimedCue } from './cue.ts';
import { subtitleField } from './read.ts';
import { writeScc } from './scc-write.ts';
import { writeTtml } from './ttml.ts';

const { interval, language } = metadataView;
const parameters = { interval, language };

/** Subtitles written per chunk. */
const slice = 500;

const forms = [
  { name: 'ttml', called: 'TTML', answers: raw('bytes', ['application/xml']), write: writeTtml },
  { name: 'scc', called: 'SCC, for captions of CEA-608', answers: raw('text', textOnly), write: writeScc },
] as const;

/** Routes that export subtitles of items as files. */
export function captionRoutes({ store, settings }: ItemsContext): readonly Route[] {
  const entities = { item: itemAt(store)('READ', 'METADATA') };

  async function cuesFor(call: Call<QueryOf<typeof parameters>>, id: string): Promise<readonly TimedCue[]> {
    const usual = { projection: 'default', starttc: false, conflict: true, defaultValue: false } as const;
    const rest = { includeConstraintValue: 'all', includeTransientMetadata: false } as const;
    const view = viewOf({ ...absent, ...unfiltered, ...usual, ...rest, ...call.query, field: [subtitleField] });
    const by = { site: settings.site, asker: await askerOf(call) };
    const metadataById = await metadataOf(call.reader, [{ kind: 'item', id }], view, by);
    return cuesOf(metadataById.get(id) ?? {});
  }

  return forms.map(({ name, called, answers, write }) =>
    route({
      method: 'GET',
      path: `/item/:item/metadata/export/${name}`,
      says: `The subtitles of an item as ${called}: the timed values of ${subtitleField}.`,
      entities,
      query: parameters,
      answers,
      access: role('_metadata_read'),
      async handle(call, { item: { id } }) {
        return { status: 200, type: call.type, body: await written(await cuesFor(call, id), write) };
      },
    }),
  );
}

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
    const [start, end] = [secondsOf(span.start), secondsOf(span.end)];
    if (start !== undefined && end !== undefined && start >= 0 && end > start) collect(span, start, end);
    if (at % slice === slice - 1) await nextTurn();
  }
  return cues.sort((one, other) => one.start - other.start || one.end - other.end);
}

function secondsOf(text: string | undefined): number | undefined {
  const fraction = text === undefined ? undefined : instantOf(text)?.fraction;
  return fraction && Number(fraction.numerator) / Number(fraction.denominator);
}

async function written(
  cues: readonly TimedCue[],
  write: (cues: readonly TimedCue[]) => Iterable<string>,
): Promise<readonly string[]> {
  const parts: string[] = [];
  let step = 0;
  for (const part of write(cues)) {
    parts.push(part);
    if (++step % slice === 0) await nextTurn();
  }
  return parts;
}
