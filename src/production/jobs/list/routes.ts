import { itemNamesFor } from '../../../assets/metadata/public.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { answer } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { badParameter, pageOf, type QueryOf } from '../../../http/parameters/index.ts';
import { linesOf } from '../../../http/reply.ts';
import { anyCaller, type Route, roleMissing, route } from '../../../http/route.ts';
import type { RoomContext } from '../../../room/context.ts';
import { pageWithin, tooHeavy } from '../../../room/entities/page-weight.ts';
import { pairOf } from '../../../room/jobs/contract.ts';
import { jobDocument, jobListDocument } from '../../../room/jobs/documents.ts';
import { jobPriorities } from '../../../room/jobs/job-type.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { jobAt, readsJobs } from '../entity.ts';
import { typeNames } from '../tasks/find.ts';
import { itemNameKey, itemOf, jobDocumentOf, shortDocumentOf } from './documents.ts';
import { jobListParameters, jobView } from './parameters.ts';
import { countJobs, type JobQuery, jobsOf, tasksOf } from './store.ts';

interface JobListParts extends Pick<RoomContext, 'store' | 'jobTypes'> {
  readonly settings: { readonly maxPage: number; readonly maxPageValues: number };
}

/** Before each date of a job, and behind it. */
const [always, never] = [0, Number.MAX_SAFE_INTEGER];

/** Clients ask for all that they know. Jobs of some of them run elsewhere, or end with their request. */
const ofOriginal = [
  ...['NONE', 'IMPORT', 'TRANSCODE_RANGE', 'RAW_TRANSCODE', 'OTIF_ANALYZE', 'FILE_ANALYZE', 'IMF_ANALYZE'],
  ...['ARCHIVE', 'RESTORE', 'FCS_RESTORE', 'UPDATE_LIBRARY_ITEM_METADATA', 'DELETE_USER', 'DISABLE_USER'],
  ...['VXA_INITIALIZE', 'TEST_TRANSFER', 'UPLOAD'],
];

/** Routes that list jobs. Without the role to read jobs, callers see only their own. */
export function jobListRoutes(parts: JobListParts): readonly Route[] {
  const { store, settings } = parts;
  const query = jobListParameters(settings.maxPage);
  const typeOf = (row: JobRow) => parts.jobTypes().find(({ type }) => type === row.type);

  async function queryOf(call: Call<QueryOf<typeof query>>): Promise<JobQuery> {
    const { user, state = [], type, priority = [], jobmetadata, sort } = call.query;
    const subject = subjectOf(call);
    if (!user && !(await subject.has(readsJobs))) throw roleMissing(readsJobs);
    const last = sort.at(-1)!;
    return {
      ids: [],
      users: [],
      user: user ? subject.name : undefined,
      ownerless: user && (await subject.has(administrator)),
      states: state,
      types: await typesFrom(type),
      priorities: priority.map((word) => jobPriorities.indexOf(word)),
      pairs: pairsFrom(jobmetadata),
      startedFrom: call.query['starttime-from'] ?? always,
      startedTo: call.query['starttime-to'] ?? never,
      finishedFrom: call.query['finishtime-from'] ?? always,
      finishedTo: call.query['finishtime-to'] ?? never,
      withData: (call.query.metadata || call.query.field.length > 0) && !call.query.idonly,
      order: sort.some(({ by }) => by === 'jobId') ? sort : [...sort, { by: 'jobId', desc: last.desc }],
      ...pageOf(call.query),
    };
  }

  async function typesFrom(texts: readonly string[]): Promise<readonly string[]> {
    const names = texts.flatMap((text) => text.split(',')).map((text) => text.trim().toUpperCase());
    const types = names.filter((name) => name !== '' && name !== 'ALL');
    if (types.length === 0) return types;
    const typesOfService = new Set([...ofOriginal, ...(await typeNames(parts))]);
    const wrong = types.find((name) => !typesOfService.has(name));
    if (wrong !== undefined) throw badParameter('type', 'Expected the name of a type of jobs', wrong);
    return types;
  }

  return [
    route({
      method: 'GET',
      path: '/job',
      says: 'Jobs of the caller or of everybody, the newest first. Jobs without a user, such as those of hot folders, belong to administrators.',
      query,
      answers: answer(jobListDocument, {
        list: 'job',
        text: ({ job = [] }) => linesOf(job.map(({ jobId = '', status = '' }) => [jobId, status])),
      }),
      access: anyCaller,
      async handle(call) {
        const listQuery = await queryOf(call);
        const { reader } = call;
        const isText = call.type === 'text/plain';
        const [rows, hits] = await Promise.all([
          jobsOf(reader, listQuery, settings.maxPageValues),
          isText ? undefined : countJobs(reader, listQuery),
        ]);
        if (isText) return { job: rows.map(shortDocumentOf) };
        const { idonly, metadata, step } = call.query;
        const [tasks, dataView] = await Promise.all([
          step && !idonly ? tasksBy(reader, rows, settings.maxPageValues) : undefined,
          idonly ? { keys: undefined } : dataAsked(call, rows),
        ]);
        const view = { data: metadata, ...dataView };
        const job = idonly
          ? rows.map(shortDocumentOf)
          : rows.map((row) => jobDocumentOf(row, typeOf(row), { ...view, tasks: tasks && (tasks.get(row.id) ?? []) }));
        return { hits, job };
      },
    }),
    route({
      method: 'GET',
      path: '/job/:job',
      says: 'One job with its data and the attempts of its steps.',
      entities: { job: jobAt(store) },
      query: jobView,
      answers: answer(jobDocument, { text: ({ status = '' }) => status }),
      access: anyCaller,
      async handle(call, { job: row }) {
        if (call.type === 'text/plain') return shortDocumentOf(row);
        const tasks = await tasksOf(store, { ids: [row.id], limit: settings.maxPageValues });
        const view = { data: true, ...(await dataAsked(call, [row])), tasks };
        return jobDocumentOf(row, typeOf(row), view);
      },
    }),
  ];
}

/** Data that a caller names, with names of items where they are among it. */
async function dataAsked(call: Call<{ readonly field: readonly string[] }>, rows: readonly JobRow[]) {
  const keys = keysFrom(call.query.field);
  if (!keys?.has(itemNameKey)) return { keys };
  const ids = rows.flatMap((row) => itemOf(row) ?? []);
  return { keys, names: await itemNamesFor(call.reader, call, ids) };
}

/** Limit, since each further pair is checked for each job with the first one. */
const maxPairs = 10;

function pairsFrom(pairs: readonly string[]): JobQuery['pairs'] {
  const texts = new Set(pairs);
  if (texts.size <= maxPairs) return [...texts].map(pairOf);
  throw badParameter('jobmetadata', `Expected at most ${maxPairs} pairs`, String(texts.size));
}

const keysFrom = (field: readonly string[]): ReadonlySet<string> | undefined =>
  field.length === 0 ? undefined : new Set(field.flatMap((text) => text.split(',')).map((text) => text.trim()));

async function tasksBy(reader: Reader, rows: readonly JobRow[], max: number) {
  if (rows.length === 0) return new Map<string, never[]>();
  const values = { ids: rows.map(({ id }) => id), limit: max + 1 };
  const tasks = await (rows.length > 1 ? pageWithin(tasksOf, reader, values, max) : tasksOf(reader, values));
  if (tasks.length > max) throw tooHeavy(rows.length, max);
  return groupBy(tasks, ({ jobId }) => jobId);
}
