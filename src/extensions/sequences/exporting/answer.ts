import { askerOf } from '../../../assets/definitions/public-reading.ts';
import type { ItemsContext, Sequence } from '../../../assets/items/public.ts';
import { keptForms } from '../../../assets/metadata/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { fileNameFrom } from '../../../core/lib/file-name.ts';
import { badParameter, flag, type QueryOf, text } from '../../../http/parameters/index.ts';
import { type Reply, typed } from '../../../http/reply.ts';
import type { Caller } from '../../../security/caller.ts';
import { downloadHeaders } from '../../../storage/public.ts';
import { ownFormat } from '../sequence.ts';
import type { Format } from './clips.ts';
import { type ClipProblem, type Cuts, cutsFrom } from './clips.ts';
import { type ExportRequest, exportStatusDocument } from './documents.ts';
import { edl } from './edl.ts';
import { mediaPaths } from './media-paths.ts';
import { otio } from './otio.ts';
import { otioType } from './otio-values.ts';
import { clipSources, shortName, titleOf } from './sources.ts';
import { xmeml } from './xmeml.ts';

const formats: Readonly<Record<string, Format>> = { edl, cmx3600: edl, fcp: xmeml, xmeml, otio };
const namesOfFormats = [ownFormat, ...Object.keys(formats)].join(', ');
/** Maximum segments in all exported sequences. */
const max = 1000;

/** Types of exports. A stored sequence has its own. */
export const exportForms = [...keptForms, otioType];

export const exportQuery = {
  type: text(`The format: ${namesOfFormats}, or a format in which the sequence was stored`),
  format: text('As type, which takes precedence'),
  dryRun: flag(
    'Answers an ExportStatusDocument of elements that the format cannot have, instead of the sequence',
    false,
  ),
  uri: text('Answered 501: the answer is the sequence'),
};
export type ExportQuery = QueryOf<typeof exportQuery>;

interface AnswerInput {
  readonly sequences: readonly Sequence[];
  /** Owner of the sequences. Undefined: not stored. */
  readonly owner: { readonly kind: 'item' | 'collection'; readonly id: string } | undefined;
  readonly request: ExportRequest | undefined;
  /** Answer in the native format. */
  own(): Reply | Promise<Reply>;
}

/** Exports sequences in a format, or lists problems. */
export async function exported(
  parts: ItemsContext,
  caller: Caller & { readonly query: ExportQuery },
  name: string,
  { sequences, owner, request, own }: AnswerInput,
): Promise<Reply> {
  const { store, render } = parts;
  const format = formatNamed(name);
  if (caller.query.uri !== undefined) throw notHere('parameter uri', 'Expected no address: the answer is the sequence');
  const pathsFor = await mediaPaths(parts, caller, request);
  const problems: ClipProblem[] = [];
  const tell = (problem: ClipProblem): undefined => void problems.push(problem);
  if (format && sequences.length > format.sequences) {
    tell({ element: 'sequence', expected: `at most ${format.sequences} in the format`, found: `${sequences.length}` });
  }
  const all: Cuts[] = [];
  for (const sequence of format ? sequences : []) {
    const cuts = cutsFrom(sequence, tell);
    if (!cuts) continue;
    all.push(cuts);
    for (const problem of format!.problems(cuts)) tell(problem);
  }
  const items = [...new Set(all.flatMap(({ tracks }) => tracks.flatMap(({ clips }) => clips.map(({ item }) => item))))];
  const paths = await pathsFor(items);
  if (request?.storage?.length) {
    const expected = 'a file on a storage of the request, of a shape with its tag';
    for (const item of items) if (!paths.has(item)) tell({ element: 'segment/item', expected, item });
  }
  if (caller.query.dryRun) {
    return render('application/xml', exportStatusDocument, { problem: problems.slice(0, 100).map(problemText) });
  }
  if (!format) return own();
  const [problem] = problems;
  if (problem) throw badValue(placeOf(problem), problem.expected, problem.found);
  const asker = await askerOf(caller);
  const sources = await clipSources(store, items, paths, asker);
  const title = owner === undefined ? undefined : await titleOf(store, owner, asker);
  const projects = all.map((cuts, at) => ({ ...namesFor(sequences, at, owner?.id, title), cuts, sources }));
  const reply = typed(format.type, format.write(projects));
  return { ...reply, headers: downloadHeaders(fileNameFrom(title ?? (owner ? '' : projects[0]!.name), format.ending)) };
}

/** Names of a sequence. A single sequence has the name of its owner. */
function namesFor(sequences: readonly Sequence[], at: number, owner: string | undefined, title: string | undefined) {
  const sequenceId = sequences[at]!.id;
  if (sequences.length === 1) {
    const id = shortName(owner ?? sequenceId ?? 'sequence');
    return { id, name: title ?? id };
  }
  const isOnly = sequenceId !== undefined && sequences.filter(({ id }) => id === sequenceId).length === 1;
  const number = `${at + 1}`;
  return {
    id: shortName(isOnly ? sequenceId : `${owner}-${number}`),
    name: shortName(sequenceId ?? `${title ?? owner} ${number}`),
  };
}

/** Finds a format. Undefined: the native one. Throws on unknown names. */
export function formatNamed(name: string): Format | undefined {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format && name !== ownFormat) throw unknownFormat(name);
  return format;
}

const place = '/SequenceDocument/track';
const placeOf = ({ element, item }: ClipProblem): string =>
  `/SequenceDocument/${/^(?:track|sequence)/.test(element) ? '' : 'track/'}${element}${item === undefined ? '' : ` of ${item}`}`;

/** Refuses sequences that are too large for one answer. */
export function bounded(...sequences: readonly Sequence[]): readonly Sequence[] {
  const tracks = sequences.flatMap(({ track = [] }) => track);
  const segmentCount = tracks.reduce((sum, { segment = [] }) => sum + segment.length, 0);
  if (segmentCount > max) throw badValue(`${place}/segment`, `at most ${max} segments`, String(segmentCount));
  return sequences;
}

export function formatIn({ type, format }: ExportQuery, request: ExportRequest | undefined): string {
  const name = type ?? format ?? request?.format ?? ownFormat;
  if (name.length > 128) throw badParameter('type', 'Expected the name of a format', name);
  return name;
}

const notHere = (context: string, explanation: string) => new ServiceError('not-implemented', { context, explanation });

const unknownFormat = (name: string) =>
  notHere(
    'parameter type',
    `Expected one of ${namesOfFormats}, or a format in which the sequence is kept: this service makes no "${name.slice(0, 80)}" of it`,
  );

const problemText = ({ element, expected, found, item }: ClipProblem) => ({
  type: element,
  message: `Expected ${expected}: ${found === undefined ? 'none' : `"${found.slice(0, 80)}"`}`,
  ...(item !== undefined && { asset: item }),
});
