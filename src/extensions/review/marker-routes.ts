import { askerOf } from '../../assets/definitions/public-reading.ts';
import { itemAt, readItems } from '../../assets/items/contract/entities.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { fileNameFrom } from '../../core/lib/file-name.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import { answer } from '../../http/answers.ts';
import { raw } from '../../http/forms.ts';
import { choice } from '../../http/parameters/index.ts';
import { content } from '../../http/reads.ts';
import { type Route, role, route } from '../../http/route.ts';
import { downloadHeaders } from '../../storage/public.ts';
import { titleOf } from '../sequences/public.ts';
import { writesAnnotations } from './change.ts';
import { annotationListDocument, documentOf, fittingOf, narrowing } from './documents.ts';
import { importMarkers } from './marker-import.ts';
import { type MarkerForm, markerForms, rateOfRows } from './markers.ts';
import { namesIn, withNames } from './rules.ts';
import { markersOfItem, realNamesOf } from './store.ts';

const words = ['csv', 'edl', 'fcpxml', 'otio', 'vtt'] as const;
const forms = new Map<string, MarkerForm>(words.map((word) => [markerForms[word].type, markerForms[word]]));

/** Keeps texts, in steps by their lengths. */
function* collected(texts: Iterable<string>): Generator<number, readonly string[]> {
  const pieces: string[] = [];
  for (const text of texts) {
    pieces.push(text);
    yield text.length;
  }
  return pieces;
}

const path = '/item/:item/annotation/markers';

/** Comments as markers of editing programs. */
export const markerRoutes = (parts: ItemsContext): readonly Route[] => [
  markersOut(parts),
  route({
    method: 'POST',
    path,
    says: 'Adds the markers of a timeline of OpenTimelineIO to an item as annotations. Those that are there stay as they are.',
    entities: { item: itemAt(parts.store)('READ') },
    reads: content,
    answers: answer(annotationListDocument, { list: 'annotation' }),
    access: role(writesAnnotations),
    acting: 'allowed',
    async handle(call, { item }) {
      const rows = await importMarkers(parts, call, item, textOfBytes(call.body.content));
      return { hits: rows.length, annotation: rows.map(documentOf) };
    },
  }),
];

function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badValue('body', 'a timeline of OpenTimelineIO in UTF-8');
  }
}

const markersOut = ({ store }: ItemsContext): Route =>
  route({
    method: 'GET',
    path,
    says: 'The annotations of an item as markers, by time: as a sheet (CSV), an edit decision list, Final Cut Pro XML, OpenTimelineIO or WebVTT.',
    entities: { item: itemAt(store)('READ') },
    query: { ...narrowing, format: choice('The form. Default: by Accept', words) },
    answers: raw('bytes', [...forms.keys()]),
    access: readItems,
    async handle(call, { item: { id } }) {
      const { format } = call.query;
      const form = format === undefined ? forms.get(call.type)! : markerForms[format];
      const rows = await markersOfItem(call.reader, {
        ...fittingOf(id, call.query),
        timed: form === markerForms.csv ? 0 : 1,
        max: form.max + 1,
      });
      if (rows.length > form.max)
        throw badValue(
          'path',
          `at most ${form.max} annotations in this form: choose some by state, user or version`,
          `${rows.length}`,
        );
      const names = [...new Set(rows.flatMap(({ text }) => namesIn(text)))];
      const users = names.length === 0 ? [] : await realNamesOf(call.reader, { names });
      const realNames = new Map(users.map((user) => [user.name, user.realName ?? user.name]));
      const named = rows.map((row) => ({ ...row, text: row.text && withNames(row.text, realNames) }));
      const name = await titleOf(store, { kind: 'item', id }, await askerOf(call));
      return {
        status: 200,
        type: `${form.type}; charset=UTF-8`,
        body: await runInSlices(
          collected(form.texts({ item: id, title: name ?? id, rate: rateOfRows(rows), rows: named })),
        ),
        headers: { ...downloadHeaders(fileNameFrom(name ?? '', form.ending)), 'x-content-type-options': 'nosniff' },
      };
    },
  });
