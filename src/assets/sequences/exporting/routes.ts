import { badValue } from '../../../documents/bad-value.ts';
import { type Call, optionalDocument, requireDocument } from '../../../http/call.ts';
import { badParameter, flag, type QueryOf, text } from '../../../http/parameters/index.ts';
import { type Reply, typed } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { disposition } from '../../../media/bytes/downloads/disposition.ts';
import { accessOf } from '../../access/access.ts';
import { keptForms, keptReply } from '../../attachments/content.ts';
import { ofItem } from '../../attachments/places.ts';
import { findAttachment } from '../../attachments/store.ts';
import { askerOf } from '../../definitions/access/rights.ts';
import type { AssetParts } from '../../parts.ts';
import { type Sequence, sequenceDocument } from '../documents.ts';
import { expectItems } from '../items.ts';
import { sequenceOf } from '../load.ts';
import { itemsOf, ownFormat, sequenceKind } from '../rules.ts';
import { cutsFrom, type Problem } from './clips.ts';
import { type ExportRequest, exportRequestDocument, exportStatusDocument } from './documents.ts';
import { edl } from './edl.ts';
import type { Format } from './project.ts';
import { shortName, sourcesOf } from './sources.ts';
import { xmeml } from './xmeml.ts';

const formats: Readonly<Record<string, Format>> = { edl, cmx3600: edl, fcp: xmeml, xmeml };
const namesOfFormats = [ownFormat, ...Object.keys(formats)].join(', ');
/** Segments of a sequence that is written. */
const most = 1000;
/** Characters of the path of an item. */
const longestPath = 4096;
/** Characters of a title in the name of a file: disks take 255 bytes. */
const longestTitle = 80;

const query = {
  type: text(`The format: ${namesOfFormats}, or one in which the sequence is kept`),
  format: text('As type, which comes first'),
  dryRun: flag('Answers an ExportStatusDocument of what the format has no place for, and no sequence', false),
  uri: text('Answered 501: the answer is the sequence'),
};
type Query = QueryOf<typeof query>;

interface Given {
  readonly sequence: Sequence;
  /** The item whose sequence it is. */
  readonly owner: string | undefined;
  readonly request: ExportRequest | undefined;
}

/** Sequences as editing programs read them: lists of cuts, and the XML of Final Cut Pro 7. */
export function sequenceExportRoutes(parts: AssetParts): readonly Route[] {
  const { store, limits, render } = parts;
  const place = ofItem(parts, '_sequence_read', '_sequence_write');
  const path = '/item/:item/sequence/export';

  /** The problems of a sequence in a format, or what the format makes of it. */
  async function answer(call: Call<Query>, name: string, { sequence, owner, request }: Given): Promise<Reply> {
    const { dryRun } = call.query;
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    if (!format && name !== ownFormat) throw unknownFormat(name);
    expectLookedUp(call.query, request);
    const problems: Problem[] = [];
    const cuts = format && cutsFrom(sequence, (problem) => void problems.push(problem));
    if (format && cuts) problems.push(...format.problems(cuts));
    if (dryRun) return render('application/xml', exportStatusDocument, { problem: problems.slice(0, 100).map(told) });
    const id = owner ?? sequence.id ?? 'sequence';
    if (!format) return render('application/xml', sequenceDocument, { ...sequence, id });
    const [problem] = problems;
    if (problem || !cuts) throw badValue(placeOf(problem!), problem!.expected, problem!.found);
    const called = shortName(id);
    const items = [...new Set(cuts.tracks.flatMap(({ clips }) => clips.map(({ item }) => item)))];
    const paths = new Map((request?.item ?? []).map((each) => [each.id, each.path]));
    const by = { viewer: await accessOf(store, call), asker: await askerOf(call) };
    const all = owner === undefined || items.includes(owner) ? items : [...items, owner];
    const known = await sourcesOf(store, all, paths, by);
    const sources = new Map(items.map((item) => [item, known.get(item)!]));
    const title = known.get(id)?.name ?? called;
    const reply = typed(format.type, format.write({ id: called, name: title, cuts, sources }));
    const headers = {
      'content-disposition': disposition(`${title.slice(0, longestTitle)}${format.ending}`),
      'x-content-type-options': 'nosniff',
    };
    return { ...reply, headers };
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The sequence of the item for an editing program: as it is kept, or as an EDL or the XML of Final Cut Pro 7.',
      query,
      answers: [sequenceDocument, exportStatusDocument, 'bytes'],
      access: place.read,
      produces: keptForms,
      async handle(call, _type, params) {
        const owner = await place.find(call, params, 'READ');
        const name = formatIn(call.query, undefined);
        const kept = await findAttachment(store, { ...owner, kind: sequenceKind.kind, name });
        if (kept && name !== ownFormat && !call.query.dryRun) return keptReply(kept);
        if (!Object.hasOwn(formats, name) && name !== ownFormat) throw unknownFormat(name);
        const sequence = bounded(await sequenceOf(parts, owner.id));
        return answer(call, name, { sequence, owner: owner.id, request: undefined });
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'The sequence of the item, or of the body, for an editing program. The body tells where media is for it.',
      query,
      reads: [exportRequestDocument, 'nothing'],
      answers: [sequenceDocument, exportStatusDocument, 'bytes'],
      access: place.read,
      acting: 'allowed',
      produces: keptForms,
      async handle(call, _type, params) {
        const owner = await place.find(call, params, 'READ');
        const request = await optionalDocument(call, exportRequestDocument, limits);
        const sequence = request?.sequence
          ? await checked(call, request.sequence)
          : bounded(await sequenceOf(parts, owner.id));
        return answer(call, formatIn(call.query, request), { sequence, owner: owner.id, request });
      },
    }),
    route({
      method: 'POST',
      path: '/sequence/export',
      says: 'The sequence of the body for an editing program.',
      query,
      reads: exportRequestDocument,
      answers: [sequenceDocument, exportStatusDocument, 'bytes'],
      access: role('_sequence_read'),
      acting: 'allowed',
      produces: keptForms,
      async handle(call) {
        const request = await requireDocument(call, exportRequestDocument, limits);
        if (!request.sequence) throw badValue('/ExportRequestDocument/sequence', 'a sequence');
        const sequence = await checked(call, request.sequence);
        return answer(call, formatIn(call.query, request), { sequence, owner: undefined, request });
      },
    }),
  ];

  async function checked(call: Call, sequence: Sequence): Promise<Sequence> {
    await expectItems(store, call, itemsOf(bounded(sequence)));
    return sequence;
  }
}

const place = '/SequenceDocument/track';
const placeOf = ({ element, item }: Problem): string =>
  `/SequenceDocument/${element.startsWith('track') ? '' : 'track/'}${element}${item === undefined ? '' : ` of ${item}`}`;

function bounded(sequence: Sequence): Sequence {
  const found = (sequence.track ?? []).reduce((sum, { segment = [] }) => sum + segment.length, 0);
  if (found > most) throw badValue(`${place}/segment`, `at most ${most} segments`, String(found));
  return sequence;
}

function formatIn({ type, format }: Query, request: ExportRequest | undefined): string {
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

/** What would be looked up or written elsewhere: to pass it over gives a document that lacks it. Paths are repeated. */
function expectLookedUp({ uri }: Query, request: ExportRequest | undefined): void {
  if (uri !== undefined) throw notHere('parameter uri', 'Expected no address: the answer is the sequence');
  const long = request?.item?.find(({ path }) => path.length > longestPath)?.path.length;
  if (long !== undefined) {
    throw badValue('/ExportRequestDocument/item/path', `at most ${longestPath} characters`, String(long));
  }
  const named = request?.tag !== undefined ? 'tag' : request?.storage?.length ? 'storage' : undefined;
  if (named === undefined) return;
  const explanation = `Expected no element "${named}": the elements "item" tell where the media of each item is`;
  throw notHere(`/ExportRequestDocument/${named}`, explanation);
}

const told = ({ element, expected, found, item }: Problem) => ({
  type: element,
  message: `Expected ${expected}: ${found === undefined ? 'none' : `"${found.slice(0, 80)}"`}`,
  ...(item !== undefined && { asset: item }),
});
