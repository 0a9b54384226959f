import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { answer } from '../../http/answers.ts';
import { choice, page, pageOf } from '../../http/parameters/index.ts';
import { type Params, type Route, route } from '../../http/route.ts';
import {
  fileAddresses,
  noSuchStorage,
  readFiles,
  readStorages,
  storageAt,
  storageThere,
  writeFiles,
  writeStorages,
} from '../../storage/public.ts';
import { type FileFixity, type Fixity, fileFixityDocument, fixityDocument, fixityListDocument } from './documents.ts';
import type { FixityParts } from './parts.ts';
import {
  countsOf,
  endSchedule,
  findSchedule,
  fixityOf,
  fixityPage,
  fixityPageOf,
  putSchedule,
  schedules,
  setDue,
} from './store.ts';
import { fixityStates } from './tables.ts';

const maxDays = 3650;
const mebibyte = 1024 * 1024;
const defaultRate = 20 * mebibyte;
const [leastRate, maxRate] = [64 * 1024, 10 * 1024 * mebibyte];

/** Entries of a page: each has a path. */
const maxPage = 200;

type Shown = NonNullable<Awaited<ReturnType<typeof fixityOf>>>;

const fileFrom = ({ id, path, size, state, verifiedAt, checkedAt, due, says }: Shown): FileFixity => ({
  ...{ id, path, state, due },
  ...(size !== null && { size }),
  ...(verifiedAt !== null && { verified: verifiedAt }),
  ...(checkedAt !== null && { checked: checkedAt }),
  ...(says !== null && { message: says }),
});

const notChecked = (storageId: string): ServiceError => {
  const explanation = `Expected a storage whose files are read again: PUT /storage/${storageId}/fixity switches it on`;
  return new ServiceError('no-such-entity', { type: 'Fixity', id: storageId, explanation });
};

function wholeBetween(name: 'days' | 'bytesPerSecond', number: number, least: number, max: number): number {
  if (number >= least && number <= max) return number;
  throw badValue(`/FixityDocument/${name}`, `a whole number from ${least} to ${max}`, String(number));
}

/** Schedules of storages, and what was found. */
export function fixityRoutes(parts: FixityParts): readonly Route[] {
  const { store, settings } = parts;
  const { paths, fileOf } = fileAddresses(store);
  const path = '/storage/:storage/fixity';
  const storage = storageAt(store);

  async function shownFile(params: Params): Promise<Shown> {
    const { id, storageId } = await fileOf(params);
    const row = await fixityOf(store, { id });
    if (row) return row;
    throw notChecked(storageId);
  }

  async function scheduleOf(storageId: string): Promise<Pick<Fixity, 'storage' | 'days' | 'bytesPerSecond'>> {
    const row = await findSchedule(store, { storageId });
    if (!row || row.days === 0) throw notChecked(storageId);
    return { storage: storageId, days: row.days, bytesPerSecond: row.bytesPerSecond };
  }

  return [
    route({
      method: 'GET',
      path: '/storage/fixity',
      says: 'The storages whose files are read again, with the numbers of files by what was found.',
      query: page(Math.min(maxPage, settings.maxPage)),
      answers: answer(fixityListDocument, { list: 'fixity' }),
      access: readStorages,
      async handle({ query }) {
        const rows = await schedules(store, { ...pageOf(query) });
        return {
          fixity: rows.map(({ storageId, days, bytesPerSecond, due, counts }) => ({
            ...{ storage: storageId, days, bytesPerSecond },
            ...(due !== null && { due }),
            ...(JSON.parse(counts) as Readonly<Record<string, number>>),
          })),
        };
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'How the files of a storage are read again, and a page of them with what was found.',
      entities: { storage },
      query: {
        state: choice('Only files of this state', fixityStates, {}),
        ...page(Math.min(maxPage, settings.maxPage)),
      },
      answers: answer(fixityDocument, { list: 'file' }),
      access: readFiles,
      async handle({ query, reader }, { storage: { id: storageId } }) {
        const schedule = await scheduleOf(storageId);
        const { state } = query;
        const files =
          state === undefined
            ? await fixityPage(reader, { storageId, ...pageOf(query) })
            : await fixityPageOf(reader, { storageId, state, ...pageOf(query) });
        const rows = await countsOf(store, { storageId });
        const hits = rows.reduce((sum, row) => sum + (state === undefined || row.state === state ? row.files : 0), 0);
        const counts = Object.fromEntries(rows.map((row) => [row.state, row.files]));
        return { ...schedule, ...counts, hits, file: files.map(fileFrom) };
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Lets the files of a storage be read again within some days, at a bounded rate, and compared with their hashes.',
      entities: { storage },
      reads: fixityDocument,
      access: writeStorages,
      acting: 'allowed',
      async handle(call, { storage: { id: storageId } }) {
        const { days, bytesPerSecond = defaultRate } = call.body;
        const values = {
          days: wholeBetween('days', days, 1, maxDays),
          bytesPerSecond: wholeBetween('bytesPerSecond', bytesPerSecond, leastRate, maxRate),
        };
        await call.commit(
          changing(storageThere({ id: storageId }, noSuchStorage(storageId)), putSchedule({ storageId, ...values })),
        );
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Ends the checks of a storage, and forgets what they found.',
      entities: { storage },
      status: 204,
      access: writeStorages,
      acting: 'allowed',
      async handle(call, { storage: { id: storageId } }) {
        await scheduleOf(storageId);
        await call.commit(changing(endSchedule({ storageId })));
      },
    }),
    ...paths.flatMap((file) => [
      route({
        method: 'GET',
        path: `${file}/fixity`,
        says: 'When the bytes of a file were last compared with their hash, and what was found.',
        answers: fileFixityDocument,
        access: readFiles,
        handle: async (_call, params) => fileFrom(await shownFile(params)),
      }),
      route({
        method: 'POST',
        path: `${file}/fixity`,
        says: 'Lets a file be read again before all others of its storage.',
        access: writeFiles,
        acting: 'allowed',
        async handle(call, params) {
          const { id: fileId } = await shownFile(params);
          await call.commit(changing(setDue({ fileId, due: 0 })));
        },
      }),
    ]),
  ];
}
