import type { ItemsContext, Sequence } from '../../../assets/items/public.ts';
import { attachmentsOfItem, entitiesOf, findAttachment, keptReply, ownerIn } from '../../../assets/metadata/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { optional } from '../../../http/reads.ts';
import type { Reply } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { expectItems, itemsOf, ownFormat, sequenceDocument, sequenceKind, sequenceOf } from '../sequence.ts';
import { bounded, type ExportQuery, exported, exportForms, exportQuery, formatIn, formatNamed } from './answer.ts';
import { type ExportRequest, exportRequestDocument, exportStatusDocument } from './documents.ts';

const answers = raw([sequenceDocument, exportStatusDocument, 'bytes'], exportForms);

interface ExportInput {
  readonly sequence: Sequence;
  /** Item that owns the sequence. */
  readonly owner: string | undefined;
  readonly request: ExportRequest | undefined;
}

/** Routes that export sequences for editing programs. */
export function sequenceExportRoutes(parts: ItemsContext): readonly Route[] {
  const { store } = parts;
  const place = attachmentsOfItem(parts, '_sequence_read', '_sequence_write');
  const path = '/item/:item/sequence/export';

  const answer = (call: Call<ExportQuery>, name: string, { sequence, owner, request }: ExportInput): Promise<Reply> =>
    exported(parts, call, name, {
      sequences: [sequence],
      owner: owner === undefined ? undefined : { kind: 'item', id: owner },
      request,
      own: () =>
        call.render('application/xml', sequenceDocument, { ...sequence, id: owner ?? sequence.id ?? 'sequence' }),
    });

  return [
    route({
      method: 'GET',
      path,
      says: 'The sequence of the item for an editing program: as it was stored, or as an EDL, Final Cut Pro 7 XML or OpenTimelineIO.',
      query: exportQuery,
      entities: entitiesOf(place, 'READ'),
      answers,
      access: place.read,
      async handle(call, segments) {
        const owner = ownerIn(place, segments);
        const name = formatIn(call.query, undefined);
        const stored = await findAttachment(store, { ...owner, kind: sequenceKind.kind, name });
        if (stored && name !== ownFormat && !call.query.dryRun) return keptReply(stored);
        formatNamed(name);
        const [sequence] = bounded(await sequenceOf(parts, owner.id));
        return answer(call, name, { sequence: sequence!, owner: owner.id, request: undefined });
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'The sequence of the item or the body, for an editing program. The body has the places of its media.',
      query: exportQuery,
      entities: entitiesOf(place, 'READ'),
      reads: optional(exportRequestDocument),
      answers,
      access: place.read,
      acting: 'allowed',
      async handle(call, segments) {
        const owner = ownerIn(place, segments);
        const request = call.body;
        const sequence = request?.sequence
          ? await checked(call, request.sequence)
          : bounded(await sequenceOf(parts, owner.id))[0]!;
        return answer(call, formatIn(call.query, request), { sequence, owner: owner.id, request });
      },
    }),
    route({
      method: 'POST',
      path: '/sequence/export',
      says: 'The sequence of the body for an editing program.',
      query: exportQuery,
      reads: exportRequestDocument,
      answers,
      access: role('_sequence_read'),
      acting: 'allowed',
      async handle(call) {
        const request = call.body;
        if (!request.sequence) throw badValue('/ExportRequestDocument/sequence', 'a sequence');
        const sequence = await checked(call, request.sequence);
        return answer(call, formatIn(call.query, request), { sequence, owner: undefined, request });
      },
    }),
  ];

  async function checked(call: Call, sequence: Sequence): Promise<Sequence> {
    bounded(sequence);
    await expectItems(store, call, itemsOf(sequence));
    return sequence;
  }
}
