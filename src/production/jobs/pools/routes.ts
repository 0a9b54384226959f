import { ServiceError } from '../../../core/lib/errors.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { createProperties } from '../../../identity/api-settings/public-reading.ts';
import { type JobPriority, jobPriorities } from '../../../room/jobs/job-type.ts';
import { type PriorityOfType, prioritiesName } from '../../../room/jobs/store.ts';
import { administrator } from '../../../security/subject.ts';
import type { JobRoomParts } from '../parts.ts';
import { jobProperties } from '../parts.ts';
import { jobTypeNamed } from '../tasks/find.ts';
import { jobPoolListDocument, jobPriorityDocument, poolList, poolsFrom } from './documents.ts';
import { setPools, setPriorities, withoutPool } from './rules.ts';
import { jobConfigurationOf, poolsOf } from './store.ts';

const read = role('_configuration_read');
const write = { access: role(administrator), acting: 'refused' } as const;
const path = '/configuration/job-pool';
const onPriority = '/configuration/job-priority';

/** Routes of job pools: concurrency of jobs, and priorities by type. */
export function poolRoutes(parts: JobRoomParts): readonly Route[] {
  const { store, settings } = parts;
  const property = createProperties(store, jobProperties);
  return [
    route({
      method: 'GET',
      path,
      says: 'The job pools: concurrent jobs of each instance, by priority.',
      answers: jobPoolListDocument,
      access: read,
      async handle() {
        const defaultValue = (await property('concurrentJobs')) || settings.concurrentJobs;
        return poolList(await poolsOf(store), defaultValue);
      },
    }),
    route({
      ...write,
      method: 'PUT',
      path,
      says: 'Sets the job pools. They apply to jobs that start later.',
      reads: jobPoolListDocument,
      handle: (call) => call.commit(setPools(poolsFrom(call.body))),
    }),
    route({
      ...write,
      method: 'DELETE',
      path,
      says: 'Deletes all job pools. The setting limits all jobs together again.',
      handle: (call) => call.commit(setPools(undefined)),
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${path}/:priority`,
      says: 'Deletes the job pool of a priority.',
      async handle(call, { priority }) {
        await call.commit(setPools(withoutPool(await poolsOf(store), priorityNamed(priority.toUpperCase()))));
      },
    }),
    route({
      method: 'GET',
      path: onPriority,
      says: 'The default priorities of jobs, by type.',
      answers: jobPriorityDocument,
      access: read,
      async handle() {
        const job = (await jobConfigurationOf<readonly PriorityOfType[]>(store, prioritiesName)) ?? [];
        return { job };
      },
    }),
    route({
      ...write,
      method: 'PUT',
      path: onPriority,
      says: 'Sets the default priorities of jobs, by type. Other types have MEDIUM.',
      reads: jobPriorityDocument,
      async handle(call) {
        const { job = [] } = call.body;
        const rows: PriorityOfType[] = [];
        for (const { type, value } of job) rows.push({ type: (await jobTypeNamed(parts, type)).type, value });
        await call.commit(setPriorities(rows));
      },
    }),
    route({
      ...write,
      method: 'DELETE',
      path: onPriority,
      says: 'Deletes the default priorities. Jobs have MEDIUM unless the request has a priority.',
      handle: (call) => call.commit(setPriorities([])),
    }),
  ];
}

function priorityNamed(text: string): JobPriority {
  const priority = jobPriorities.find((each) => each === text);
  if (priority) return priority;
  throw new ServiceError('no-such-entity', { type: 'JobPool', id: text.slice(0, 80) });
}
