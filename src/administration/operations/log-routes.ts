import { choice, date, flag, list, page, pageOf, text, whole } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { administrator } from '../../security/subject.ts';
import { errorLogListDocument, transferLogListDocument } from './documents.ts';
import type { OperationSettings } from './settings.ts';
import { countTransferEntries, errorPage, transferEntries } from './store.ts';

const entityTypes: Readonly<Record<string, string>> = { JOB: 'Job', STORAGE: 'Storage' };

/** Routes of errors in jobs and storages. */
export const errorRoutes = ({ settings }: Pick<RoomContext<OperationSettings>, 'settings'>): readonly Route[] => [
  route({
    method: 'GET',
    path: '/error',
    says: 'Failed jobs and unreachable storages, the newest first.',
    query: page(settings.maxPage, 100),
    answers: errorLogListDocument,
    access: role(administrator),
    async handle(call) {
      const values = { ...pageOf(call.query) };
      const rows = await pageWithin(errorPage, call.reader, values, settings.maxPageValues);
      const errorLog = rows.map(({ serial, ...row }) => ({
        ...(serial > 0 && { id: serial }),
        ...row,
        entityType: entityTypes[row.type],
      }));
      return { hits: errorLog.length, errorLog };
    },
  }),
];

const states = ['NONE', 'STARTING', 'FINISHED', 'FAILED'] as const;
const types = ['COPY_FILE', 'MOVE_FILE'] as const;
const none = 'Transfers have none, so the list is empty';

type WithoutNull<T> = { readonly [K in keyof T]: NonNullable<T[K]> | undefined };
/** Known values of an entry, without null. */
const withoutNull = <T extends object>(row: T): WithoutNull<T> =>
  Object.fromEntries(Object.entries(row).filter(([, each]) => each !== null)) as WithoutNull<T>;

/** Routes of the log of copies and moves between storages. Made from jobs, so it is kept as long as they are. */
export const transferLogRoutes = (): readonly Route[] => [
  route({
    method: 'GET',
    path: '/log/transfer-log',
    says: 'Copies and moves of files between storages, the newest first.',
    query: {
      first: whole('Number of entries to skip', { defaultValue: 0 }),
      rows: whole('Maximum number of entries, up to 1000', { defaultValue: 100, atMost: 1000 }),
      starttime: date('Only transfers from that time on'),
      endtime: date('Only transfers until that time'),
      storage: text('Only transfers from or to this storage'),
      file: text('Only transfers from or to this file'),
      item: text('Only transfers of files of this item'),
      job: text('Only the transfer of this job'),
      status: list(choice('Only transfers in these states', states)),
      method: list(choice('Only transfers of these kinds', types)),
      shape: text(none),
      uri: text(none),
      performCount: flag('Adds the total number', false),
    },
    answers: transferLogListDocument,
    access: role(administrator),
    async handle(call) {
      const { query } = call;
      const { first, rows, storage = '', file = '', item = '', job = '', status, method, performCount } = query;
      const nothing = query.shape !== undefined || query.uri !== undefined;
      const criteria = {
        ...{ storage, file, item, job },
        from: query.starttime ?? 0,
        to: query.endtime ?? Number.MAX_SAFE_INTEGER,
        states: JSON.stringify(status ?? states),
        types: JSON.stringify(nothing ? [] : (method ?? types)),
      };
      const { reader } = call;
      const entries = await transferEntries(reader, { ...criteria, limit: rows, offset: first });
      const count = performCount ? (await countTransferEntries(reader, criteria))[0]?.count : undefined;
      return { count, transferLogEntry: entries.map(withoutNull) };
    },
  }),
];
