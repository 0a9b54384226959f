import { badValue } from '../../documents/bad-value.ts';
import { noSuchEntity } from '../../entities/find.ts';
import type { TaskGroup } from './documents.ts';

export const taskGroupName = { type: 'task-group', noun: 'TaskGroup' } as const;

/** A task group as it is kept: its metadata is kept elsewhere. */
export type StoredGroup = Omit<TaskGroup, 'name' | 'metadata' | 'loc'> & { readonly name: string };

const most = 1000;
const fits = /^[^\0-\x1f\x7f/\\%;]{1,255}$/;

/** Replaces what is said of the group, or adds it behind the others. */
export function putGroup(
  groups: readonly StoredGroup[],
  name: string,
  { job, transcoder, priority }: TaskGroup,
): StoredGroup[] {
  if (!fits.test(name) || name === '.' || name === '..') {
    throw badValue('path', '1 to 255 characters that a path can carry', name);
  }
  const kept = { name, job, transcoder, priority };
  const found = groups.some((each) => each.name === name);
  if (!found && groups.length >= most) throw badValue('path', `at most ${most} task groups`, name);
  return found ? groups.map((each) => (each.name === name ? kept : each)) : [...groups, kept];
}

export function groupNamed(groups: readonly StoredGroup[], name: string): StoredGroup {
  const found = groups.find((each) => each.name === name);
  if (!found) throw noSuchGroup(name);
  return found;
}

export function addTranscoder(group: StoredGroup, id: string): StoredGroup {
  const { transcoder = [] } = group;
  return transcoder.some((each) => each.id === id) ? group : { ...group, transcoder: [...transcoder, { id }] };
}

export function removeTranscoder(group: StoredGroup, id: string): StoredGroup {
  const { transcoder = [] } = group;
  if (!transcoder.some((each) => each.id === id)) throw noSuchEntity({ noun: 'Transcoder' }, id);
  return { ...group, transcoder: transcoder.filter((each) => each.id !== id) };
}

export const noSuchGroup = (name: string) => noSuchEntity(taskGroupName, name);
