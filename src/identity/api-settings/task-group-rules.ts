import { badValue } from '../../core/documents/error.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import type { TaskGroup } from './documents.ts';

export const taskGroupName = { type: 'task-group', noun: 'TaskGroup' } as const;

/** A task group as it is kept: its metadata is kept elsewhere. */
export type StoredTaskGroup = Omit<TaskGroup, 'name' | 'metadata' | 'loc'> & { readonly name: string };

const max = 1000;
const fits = /^[^\0-\x1f\x7f/\\%;]{1,255}$/;

/** Replaces what is said of the group, or adds it behind the others. */
export function putTaskGroup(
  groups: readonly StoredTaskGroup[],
  name: string,
  { job, transcoder, priority, maxConcurrency }: TaskGroup,
): StoredTaskGroup[] {
  if (!fits.test(name) || name === '.' || name === '..') {
    throw badValue('path', '1 to 255 characters that a path can carry', name);
  }
  checkConcurrency(job, maxConcurrency);
  const group = { name, job, transcoder, priority, maxConcurrency };
  const exists = groups.some((each) => each.name === name);
  if (!exists && groups.length >= max) throw badValue('path', `at most ${max} task groups`, name);
  return exists ? groups.map((each) => (each.name === name ? group : each)) : [...groups, group];
}

const maxJobs = 1_000;

function checkConcurrency(job: TaskGroup['job'], maxConcurrency: number | undefined): void {
  if (maxConcurrency === undefined) return;
  const place = '/TaskGroupDocument/maxConcurrency';
  if (maxConcurrency < 1 || maxConcurrency > maxJobs) {
    throw badValue(place, `a number from 1 to ${maxJobs}`, String(maxConcurrency));
  }
  if (job?.some(({ group = [] }) => group.length > 0)) {
    throw badValue(place, 'no criterion "group" beside it: jobs are counted by type, priority, user and data');
  }
}

export function taskGroupNamed(groups: readonly StoredTaskGroup[], name: string): StoredTaskGroup {
  const group = groups.find((each) => each.name === name);
  if (!group) throw noSuchTaskGroup(name);
  return group;
}

export function addTranscoder(group: StoredTaskGroup, id: string): StoredTaskGroup {
  const { transcoder = [] } = group;
  return transcoder.some((each) => each.id === id) ? group : { ...group, transcoder: [...transcoder, { id }] };
}

export function removeTranscoder(group: StoredTaskGroup, id: string): StoredTaskGroup {
  const { transcoder = [] } = group;
  if (!transcoder.some((each) => each.id === id)) throw noSuchEntity({ noun: 'Transcoder' }, id);
  return { ...group, transcoder: transcoder.filter((each) => each.id !== id) };
}

export const noSuchTaskGroup = (name: string) => noSuchEntity(taskGroupName, name);
