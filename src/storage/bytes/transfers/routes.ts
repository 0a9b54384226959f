import { changing } from '../../../core/store/commit-plan.ts';
import type { Call } from '../../../http/call.ts';
import { badParameter, choice, list, page, pageOf, whole } from '../../../http/parameters/index.ts';
import { anyCaller, type Route, route } from '../../../http/route.ts';
import { pageWithin } from '../../../room/entities/page-weight.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { type TransferDocument, transferDocument, transferListDocument } from '../../documents.ts';
import type { StorageParts } from '../../parts.ts';
import { noSuchTransfer } from './rules.ts';
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

const transferDocumentOf = ({ name, state, priority, received, fileId }: TransferRow): TransferDocument => ({
  name,
  state,
  priority: String(priority),
  transferred: received,
  ...(fileId !== null && { fileId }),
});

const priorityRange = { least: 1, max: 1000 };

/** Routes for uploads in parts. Callers see their own, administrators see all. */
export function transferRoutes(parts: StorageParts): readonly Route[] {
  const { store, settings } = parts;

  async function transferOf(name: string, call: Call): Promise<TransferRow> {
    const subject = subjectOf(call);
    const own = await findNewestTransfer(store, { name, owner: subject.name });
    const row =
      own ?? ((await subject.has(administrator)) ? await findNewestTransfer(store, { name, owner: '' }) : undefined);
    if (row) return row;
    throw noSuchTransfer(name);
  }

  const entities = { transfer: { kind: 'transfer', find: transferOf } };

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
      async handle(call) {
        const { state } = call.query;
        const { reader } = call;
        const subject = subjectOf(call);
        const isAll = await subject.has(administrator);
        const filter = { owner: subject.name, states: state ?? transferStates };
        const counted = await (isAll ? countAll : countOwn)(reader, filter);
        const values = { ...filter, ...pageOf(call.query) };
        const rows = await pageWithin(isAll ? listAll : listOwn, reader, values, settings.maxPageValues);
        return { hits: counted?.count ?? 0, transfer: rows.map(transferDocumentOf) };
      },
    }),
    route({
      method: 'GET',
      path: '/transfer/:transfer',
      says: 'One upload in parts, by its transferId or its id.',
      entities,
      answers: transferDocument,
      access: anyCaller,
      handle: (_call, { transfer }) => transferDocumentOf(transfer),
    }),
    route({
      method: 'PUT',
      path: '/transfer/:transfer',
      says: 'Sets the priority of an upload in parts.',
      entities,
      query: {
        priority: whole('The priority. A higher number takes precedence', priorityRange),
        transferPriority: whole('The same by its other name', priorityRange),
      },
      answers: transferDocument,
      access: anyCaller,
      acting: 'allowed',
      async handle(call, { transfer }) {
        const { priority = call.query.transferPriority } = call.query;
        if (priority === undefined) throw badParameter('priority', 'Expected a whole number from 1 to 1000');
        await call.commit(changing(setTransferPriority({ id: transfer.id, priority })));
        return transferDocumentOf({ ...transfer, priority });
      },
    }),
  ];
}
