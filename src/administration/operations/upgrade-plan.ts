import { document, element, list, oneOf, string, structure } from '../../core/documents/describe.ts';
import { badParameter } from '../../http/parameters/index.ts';
import {
  addedSteps,
  defaultMigration,
  hasNoNotes,
  keepsIndex,
  type Need,
  noNotes,
  releaseRows,
  releases,
  sameIndex,
  type Task,
  tasks,
} from './upgrade-releases.ts';

/** Step of an upgrade, in the order of execution. */
interface PlanStep {
  readonly task: Task;
  readonly release: string;
  readonly says: string;
  readonly of: readonly string[];
  /** Command for the step in this service. */
  readonly command: string | undefined;
}

export interface UpgradePlan {
  readonly from: string;
  readonly to: string;
  readonly step: readonly PlanStep[];
}

/** Command for each task. Migrations run automatically if a start may run them. */
const commands: Readonly<Record<Task, (need: Need) => string | undefined>> = {
  set: ({ of: [name] = [] }) => (name?.includes(' ') ? undefined : `PUT /API/configuration/properties/${name}`),
  check: ({ of: [what] = [] }) => (what === 'file descriptors' ? 'ulimit -n' : 'POST /API/external-id/duplicates'),
  free: () => undefined,
  migrate: () => 'portico migrate',
  initialise: () => 'POST /APIinit',
  reindex: ({ of = [] }) => of.map((index) => `PUT /API/reindex/${index}`).join(', '),
  read: () => undefined,
};

const numberOf = (release: string): number => {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return major * 1000 + minor;
};

/** `4.17`, also written as `4.17.2`. A release that is not listed counts as the one before it, the oldest as 4.0. */
function placeOf(given: string, name: string): number {
  const short = /^\d{1,2}(?:\.\d{1,3}){1,4}$/.test(given.trim()) ? given.trim().split('.').slice(0, 2).join('.') : '';
  const place = releases.findLastIndex((release) => numberOf(release) <= numberOf(short));
  if (short !== '') return Math.max(0, place);
  throw badParameter(name, 'Expected a release such as 4.17 or 23.2', given);
}

/** Plan of an upgrade: settings and checks first, then the database, roles and steps, indexes, and notes. */
export function planUpgrade(from: string, to: string): UpgradePlan {
  const [first, last] = [placeOf(from, 'from'), placeOf(to, 'to')];
  if (first > last) throw badParameter('to', `Expected a release after ${releases[first]}`, to);
  const between = releases.slice(first + 1, last + 1);
  const needs = between.flatMap((release) => [
    ...needsOf(release).map((need) => stepOf(release, need)),
    ...stepsTaken(release),
  ]);
  if (between.some(keepsIndex) && !needs.some(({ task }) => task === 'reindex')) {
    needs.push(stepOf(between.findLast(keepsIndex)!, sameIndex));
  }
  const step = needs.toSorted((one, other) => tasks.indexOf(one.task) - tasks.indexOf(other.task));
  return { from: releases[first]!, to: releases[last]!, step: [...detour(first, last), ...merged(step)] };
}

/** Each release migrates the database, also where no note tells more of that. */
function needsOf(release: string): readonly Need[] {
  const needs = releaseRows.find(({ to }) => to === release)?.needs ?? [...(hasNoNotes(release) ? [noNotes] : [])];
  return needs.some(({ task }) => task === 'migrate') ? needs : [defaultMigration, ...needs];
}

const stepOf = (release: string, need: Need): PlanStep => ({
  task: need.task,
  release,
  says: need.says,
  of: need.of ?? [],
  command: commands[need.task](need),
});

/** Steps that a release adds under numbers that custom steps may have. */
const stepsTaken = (to: string): readonly PlanStep[] =>
  addedSteps
    .filter(([release]) => release === to)
    .map(([release, type, number, says]) => ({
      task: 'free',
      release,
      says: `${type} has the step ${number}, "${says}".`,
      of: [type, String(number)],
      command: undefined,
    }));

/** Release 5.0 reads only what 4.17 has migrated. */
function detour(first: number, last: number): readonly PlanStep[] {
  const [bridge, next] = [releases.indexOf('4.17'), releases.indexOf('5.0')];
  if (first >= bridge || last < next) return [];
  const says = 'Upgrade to 4.17 first and migrate the database there: 5.0 reads nothing older.';
  return [{ task: 'migrate', release: '4.17', says, of: [], command: undefined }];
}

/** A command that several releases ask for is given once, with the last of them. */
function merged(steps: readonly PlanStep[]): readonly PlanStep[] {
  const seen = new Set<string>();
  return steps
    .toReversed()
    .map((step) => {
      const isAgain = step.command !== undefined && seen.has(step.command);
      if (step.command !== undefined) seen.add(step.command);
      return isAgain ? { ...step, command: undefined } : step;
    })
    .toReversed();
}

const step = structure('UpgradeStepType', {
  task: element(oneOf(...tasks)).required,
  release: element(string).required.says('Release that requires the step.'),
  says: element(string).required,
  of: list(string).says('Subject of the step: indexes, settings, roles, or a job type and a step.'),
  command: element(string).says('How this service does it. Absent if a later step includes it.'),
});

export const upgradePlanDocument = document('UpgradePlanDocument', {
  from: element(string).required,
  to: element(string).required,
  step: list(step),
});
