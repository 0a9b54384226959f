import { dateTime, document, element, integer, list, string, structure } from '../../core/documents/describe.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { administrator } from '../../security/subject.ts';
import type { OperationSettings } from './settings.ts';
import { errorPage } from './store.ts';

const errorLog = structure('ErrorLogType', {
  id: element(integer),
  timestamp: element(dateTime),
  description: element(string),
  type: element(string).says('JOB or STORAGE.'),
  entityType: element(string),
  entityId: element(string),
});

export const errorLogListDocument = document('ErrorLogListDocument', {
  hits: element(integer),
  errorLog: list(errorLog),
});

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
