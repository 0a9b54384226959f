import { pageWithin } from '../../../entities/page-weight.ts';
import type { Call } from '../../../http/call.ts';
import { documentTypes } from '../../../http/negotiation.ts';
import { badParameter, choice, list, page, pageOf, whole } from '../../../http/parameters/index.ts';
import { anyCaller, type Params, type Route, route } from '../../../http/route.ts';
import { accountOf, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { transferDocument, transferListDocument } from '../../documents/transfer.ts';
import type { MediaParts } from '../../parts.ts';
import { transferDocumentOf } from '../documents.ts';
import { noSuchTransfer } from '../refusals.ts';
import {
  countAll,
  countOwn,
  findNewestTransfer,
  listAll,
  listOwn,
  setTransferPriority,
  type TransferRow,
  transferStates,
} from './store.ts';

const priorityRange = { least: 1, most: 1000 };

/** Routes for uploads in parts. Callers see their own, administrators see all. */
export function transferRoutes(parts: MediaParts): readonly Route[] {
  const { store, settings, render } = parts;

  async function transferOf(call: Call, params: Params): Promise<TransferRow> {
    const { transfer: name = '' } = params;
    const subject = subjectOf(call);
    const own = await findNewestTransfer(store, { name, owner: subject.name });
    const row =
      own ?? ((await subject.has(administrator)) ? await findNewestTransfer(store, { name, owner: '' }) : undefined);
    if (row) return row;
    throw noSuchTransfer(name);
  }

  return [
    route({
      method: 'GET',
      path: '/transfer',
      says: 'The uploads in parts of the caller, or of everybody for an administrator, the newest first.',
      query: {
        state: list(choice('Only entries in one of these states', transferStates)),
        ...page(settings.maxPage),
      },
      answers: transferListDocument,
      access: anyCaller,
      produces: documentTypes,
      async handle(call, type) {
        const { state } = call.query;
        const reader = store.reader(accountOf(call));
        const subject = subjectOf(call);
        const isAll = await subject.has(administrator);
        const states = JSON.stringify(state ?? transferStates);
        const asked = { owner: subject.name, states };
        const counted = await (isAll ? countAll : countOwn)(reader, asked);
        const values = { ...asked, ...pageOf(call.query) };
        const rows = await pageWithin(isAll ? listAll : listOwn, reader, values, settings.maxPageValues);
        const transfers = { hits: counted?.count ?? 0, transfer: rows.map(transferDocumentOf) };
        return render(type, transferListDocument, transfers);
      },
    }),
    route({
      method: 'GET',
      path: '/transfer/:transfer',
      says: 'One upload in parts, by its transferId or its id.',
      answers: transferDocument,
      access: anyCaller,
      produces: documentTypes,
      handle: async (call, type, params) =>
        render(type, transferDocument, transferDocumentOf(await transferOf(call, params))),
    }),
    route({
      method: 'PUT',
      path: '/transfer/:transfer',
      says: 'Sets the priority of an upload in parts.',
      query: {
        priority: whole('The priority. A higher number takes precedence', priorityRange),
        transferPriority: whole('The same by its other name', priorityRange),
      },
      answers: transferDocument,
      access: anyCaller,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { priority = call.query.transferPriority } = call.query;
        if (priority === undefined) throw badParameter('priority', 'Expected a whole number from 1 to 1000');
        const row = await transferOf(call, params);
        await call.commit({ changes: [setTransferPriority({ id: row.id, priority })], events: [] });
        return render(type, transferDocument, transferDocumentOf({ ...row, priority }));
      },
    }),
  ];
}
