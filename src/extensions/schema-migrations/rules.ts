import {
  bounded,
  copyMember,
  nameIsFree,
  nameIsNotLeaving,
  nested,
  noSuchName,
  removeDefinition,
  renameDefinition,
  systemStays,
} from '../../assets/definitions/public.ts';
import {
  checkFieldGroupName,
  checkFieldName,
  fieldGroupMustExist,
  fieldMustExist,
  isOfRelease,
  type MetadataFieldGroup,
  maxDepth,
  removeFieldFromGroup,
} from '../../assets/definitions/public-reading.ts';
import { type ReshapeStep, renameInLocks } from '../../assets/metadata/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Statement } from '../../core/store/contract.ts';
import { forgetEntity } from '../../room/entities/changes.ts';
import type { Hierarchy, SchemaMigration } from './documents.ts';

/** A field or group with the names of the groups around it, the outermost first. */
interface PathOf {
  readonly of: 'field' | 'group';
  readonly name: string;
  readonly groups: readonly string[];
}

/** Document of a path, with names only. */
const hierarchyOf = ({ of, name, groups }: PathOf): Hierarchy =>
  groups.reduceRight<Hierarchy>(
    (inside, around) => ({
      group: { name: around, ...(inside.field ? { field: [inside.field] } : { group: [inside.group!] }) },
    }),
    { [of]: { name } },
  );

/** Parses nested groups into a path: the innermost element is the subject. */
function pathIn({ group, field }: Hierarchy, context: string): PathOf {
  if ((group === undefined) === (field === undefined)) throw badValue(context, 'a field, or a group');
  if (field !== undefined) return { of: 'field', name: nameOf(field.name, context), groups: [] };
  const groups: string[] = [];
  let at: MetadataFieldGroup = group!;
  for (;;) {
    const name = nameOf(at.name, context);
    const inside = [...(at.field ?? []), ...(at.group ?? [])];
    if (inside.length === 0) return { of: 'group', name, groups };
    if (inside.length > 1) throw badValue(context, 'at most one field or group in a group', name);
    groups.push(name);
    if (groups.length > maxDepth) throw badValue(context, `groups nested at most ${maxDepth} deep`, name);
    const next = at.group?.[0];
    if (next === undefined) return { of: 'field', name: nameOf(inside[0]!.name, context), groups };
    at = next;
  }
}

function nameOf(name: string | undefined, context: string): string {
  if (name !== undefined && name !== '') return name;
  throw badValue(context, 'a name of each field and group');
}

/** Parsed migration with the statements that start it. */
export interface PlannedMigration {
  /** Operations in normalised form. */
  readonly document: SchemaMigration;
  readonly steps: readonly ReshapeStep[];
  /** Kinds and names without a definition afterwards. */
  readonly leaving: readonly (readonly [kind: string, name: string])[];
  /** Search words: states without them need no change. */
  readonly words: readonly string[];
  /** Checks and changes of definitions, for the commit that starts the migration. */
  readonly changes: readonly Statement[];
}

const root = '/MetadataSchemaMigrationDocument';
const max = 50;

/** Parses a migration: moves first, then renames, then deletions. Each step sees the result of the previous ones. */
export function migrationPlan({ move = [], rename = [], delete: removal = [] }: SchemaMigration): PlannedMigration {
  const count = move.length + rename.length + removal.length;
  if (count === 0 || count > max) throw badValue(root, `1 to ${max} operations`, String(count));
  const steps = [...move.map(moveStep), ...rename.map(renameStep), ...removal.map(deleteStep)];
  expectOnce(steps);
  const gone = steps.filter((step) => step.do === 'rename' || (step.do === 'delete' && step.from === undefined));
  return {
    document: documentOf(steps),
    steps,
    leaving: gone.map(({ of, name }) => [of, name]),
    // Encoded as JSON strings, since states and queries are JSON.
    words: [...new Set(steps.map(({ name }) => JSON.stringify(name)))],
    changes: steps.flatMap(changesOf),
  };
}

function documentOf(steps: readonly ReshapeStep[]): SchemaMigration {
  const path = ({ of, name }: ReshapeStep, groups: readonly string[] = []) => hierarchyOf({ of, name, groups });
  return {
    move: steps.flatMap((step) =>
      step.do === 'move' ? [{ from: path(step, step.from), to: path(step, step.to), type: step.of }] : [],
    ),
    rename: steps.flatMap((step) => (step.do === 'rename' ? [{ from: path(step), to: step.to }] : [])),
    delete: steps.flatMap((step) => (step.do === 'delete' ? [{ target: path(step, step.from), type: step.of }] : [])),
  };
}

function moveStep({ from, to, type }: NonNullable<SchemaMigration['move']>[number]): ReshapeStep {
  const source = pathIn(from, `${root}/move/from`);
  const target = pathIn(to, `${root}/move/to`);
  expectType(type, source, 'move');
  expectOwn(source);
  const isSame = target.of === source.of && target.name === source.name;
  if (!isSame && target.of === 'field')
    throw badValue(`${root}/move/to`, `a group, or the ${source.of} "${source.name}" where it is to be`, target.name);
  const path = isSame ? target.groups : [...target.groups, target.name];
  if (path.join('\n') === source.groups.join('\n')) throw badValue(`${root}/move/to`, 'another place than before');
  if (source.of === 'group' && path.includes(source.name))
    throw badValue(`${root}/move/to`, 'a place outside of the group itself', source.name);
  return { do: 'move', of: source.of, name: source.name, from: source.groups, to: path };
}

function renameStep({ from, to }: NonNullable<SchemaMigration['rename']>[number]): ReshapeStep {
  const { of, name, groups } = pathIn(from, `${root}/rename/from`);
  if (groups.length > 0)
    throw badValue(`${root}/rename/from`, 'a field or group without groups around it: it has one name', name);
  expectOwn({ of, name, groups });
  if (of === 'field') {
    checkFieldName(to);
    if (isOfRelease(to)) throw badValue(`${root}/rename/to`, 'a name with an underscore', to);
  } else checkFieldGroupName(to);
  if (to === name) throw badValue(`${root}/rename/to`, 'another name', to);
  return { do: 'rename', of, name, to };
}

function deleteStep({ target, type }: NonNullable<SchemaMigration['delete']>[number]): ReshapeStep {
  const path = pathIn(target, `${root}/delete/target`);
  expectType(type, path, 'delete');
  expectOwn(path);
  const { of, name, groups } = path;
  return { do: 'delete', of, name, ...(groups.length > 0 && { from: groups }) };
}

function expectType(type: string | undefined, { of }: PathOf, operation: string): void {
  if (type === undefined || type.toLowerCase() === of) return;
  throw badValue(`${root}/${operation}/type`, `"${of}", as the hierarchy says`, type);
}

/** Refuses fields of the service itself, which relies on their names and positions. */
function expectOwn({ of, name }: PathOf): void {
  if (of === 'field' && isOfRelease(name)) throw systemStays(name, 'a field that callers have defined');
}

/** Refuses names used twice: during the migration, they would be ambiguous. */
function expectOnce(steps: readonly ReshapeStep[]): void {
  const seen = new Set<string>();
  for (const step of steps) {
    if (step.do === 'move' || (step.do === 'delete' && step.from !== undefined)) continue;
    for (const name of step.do === 'rename' ? [step.name, step.to] : [step.name]) {
      const key = `${step.of} ${name}`;
      if (seen.has(key)) throw badValue(`${root}/${step.do}`, 'each name once among renames and deletions', name);
      seen.add(key);
    }
  }
}

const guards = { field: fieldMustExist, group: fieldGroupMustExist };

const mustBeThere = (of: 'field' | 'group', name: string): Statement => guards[of](name, noSuchName(name));

function changesOf(step: ReshapeStep): readonly Statement[] {
  const { of, name } = step;
  if (step.do === 'rename') {
    const { to } = step;
    const locks = of === 'field' ? [renameInLocks({ name, to })] : [];
    return [mustBeThere(of, name), ...mayBeDefined(of, to), ...renameDefinition(of, name, to), ...locks];
  }
  if (step.do === 'delete' && step.from === undefined) {
    const type = of === 'field' ? 'metadata-field' : 'field-group';
    return [mustBeThere(of, name), ...removeDefinition(of, name), ...forgetEntity(type, name)];
  }
  const from = step.from ?? [];
  const to = step.do === 'move' ? step.to : [];
  const groups = [...new Set([...from, ...to])].map((group) => mustBeThere('group', group));
  const [parent, container] = [from.at(-1), to.at(-1)];
  return [
    mustBeThere(of, name),
    ...groups,
    ...(container === undefined ? [] : joined(container, of, name, parent)),
    ...(parent === undefined || parent === container
      ? []
      : [removeFieldFromGroup({ groupName: parent, kind: of, member: name })]),
  ];
}

const joined = (groupName: string, kind: 'field' | 'group', member: string, from = ''): readonly Statement[] => [
  copyMember({ groupName, from, kind, member }),
  ...(kind === 'group' ? nested(groupName) : []),
  bounded(groupName),
];

/** Guards: the name is unused, and no running migration still removes it from metadata. */
const mayBeDefined = (of: 'field' | 'group', name: string): readonly Statement[] => [
  nameIsFree[of](name, new ServiceError('already-exists', { type: 'namespace', id: name.slice(0, 80) })),
  nameIsNotLeaving(of, name),
];
