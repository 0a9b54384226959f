import { page, pageOf } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { RoomContext } from '../../../room/context.ts';
import { pageWithin } from '../../../room/entities/page-weight.ts';
import { accountOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { errorLogListDocument } from '../documents/errors.ts';
import type { OperationSettings } from '../settings.ts';
import { errorPage } from '../store.ts';

const entityTypes: Readonly<Record<string, string>> = { JOB: 'Job', STORAGE: 'Storage' };

/** Routes of errors in jobs and storages. */
export const errorRoutes = ({ store, settings }: RoomContext<OperationSettings>): readonly Route[] => [
  route({
    method: 'GET',
    path: '/error',
    says: 'Failed jobs and unreachable storages, the newest first.',
    query: page(settings.maxPage, 100),
    answers: errorLogListDocument,
    access: role(administrator),
    async handle(call) {
      const values = { ...pageOf(call.query) };
      const rows = await pageWithin(errorPage, store.reader(accountOf(call)), values, settings.maxPageValues);
      const errorLog = rows.map(({ serial, ...row }) => ({
        ...(serial > 0 && { id: serial }),
        ...row,
        entityType: entityTypes[row.type],
      }));
      return { hits: errorLog.length, errorLog };
    },
  }),
];
