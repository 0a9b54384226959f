import { fieldRights, level } from '../../assets/definitions/access/rights.ts';
import type { FieldRow } from '../../assets/definitions/fields/store.ts';
import { definitionOf, type FieldDefinition } from '../../assets/definitions/known.ts';
import { after, type Maybe } from '../../lib/maybe.ts';
import { lookupsOf, type Reader } from '../../store/statement.ts';
import { UntilCommit } from '../../store/until-commit.ts';
import { type FieldForm, formOf, isText } from '../index/values.ts';
import { type Closed, closedTo, type Viewer } from '../viewer.ts';
import type { IndexState, Values } from './built.ts';
import { deniedNames, fullTextFields, stateOfSearch } from './names/store.ts';

/** What the names of a search mean to its caller. */
export interface Names {
  /** Undefined: nobody may search the field, the caller may not read it, or it is not defined. */
  field(name: string): FieldForm | undefined;
  /** Where a text may not be looked for everywhere: the fields in which the caller may find it. */
  readonly readable: readonly FieldForm[] | undefined;
  /** The fields in which it may be found where some are closed. Undefined: none is, in any entity. */
  readonly open: readonly FieldForm[] | undefined;
  /** Viewer who searches. */
  readonly viewer: Viewer;
  /** Parts of entities that entries close to the caller. */
  readonly closed: Closed;
  /** The time of the search. */
  readonly now: number | undefined;
  readonly index: IndexState;
}

/** Fields that one text can be looked for in. */
const mostFields = 500;

/** What the index says of the fields that a search names. */
interface Known {
  /** Characters of it. */
  readonly size: number;
  /** Without the last where the order of the field lacks entities. */
  readonly fields: readonly (readonly [definition: FieldDefinition, values: Values | undefined])[];
  readonly isTimed: boolean;
  readonly building: IndexState['building'];
  readonly isGuarded: boolean;
  readonly isClosing: boolean;
}

/** Searches of which it is kept, by the names of their fields, and characters of one. */
const [mostKept, longestKept] = [1000, 4_000];
const kept = new UntilCommit<Known>(mostKept, ({ length }, { size }) => length + size <= longestKept);

const knownOf = (reader: Reader, names: string): Maybe<Known> =>
  after(stateOfSearch(lookupsOf(reader), { names }), (state) => {
    const { fields, timed, building, guarded, closing } = state!;
    return {
      size: fields.length + building.length,
      fields: (JSON.parse(fields) as DefinedRow[]).map(
        ([name, type, system, sortKey, rest, version, used, several]) => [
          definitionOf({ name, type, system, sortKey, rest, version, used }),
          several === null ? undefined : several === 0 ? 'one' : 'several',
        ],
      ),
      isTimed: timed === 1,
      building: JSON.parse(building) as IndexState['building'],
      isGuarded: guarded === 1,
      isClosing: closing === 1,
    };
  });

export async function loadNames(
  reader: Reader,
  viewer: Viewer,
  names: readonly string[],
  now?: number,
): Promise<Names> {
  const asked = JSON.stringify(names);
  const { fields, isTimed, building, isGuarded, isClosing } = await kept.get(reader, asked, () =>
    knownOf(reader, asked),
  );
  const denied = isGuarded ? await deniedTo(reader, viewer) : nobody;
  const { principals } = viewer;
  const closed = isClosing && principals ? await closedTo(reader, principals) : nothing;
  const formFor = (definition: FieldDefinition): FieldForm => {
    const places = closed.fields?.of(definition.name);
    return { ...formOf(definition), ...(places && { closed: places }) };
  };
  const allows = ({ name, searchable }: FieldDefinition) => searchable && !denied.has(name);
  const known = new Map<string, FieldForm>();
  const ordered = new Set<string>();
  const ranged = new Map<string, Values>();
  for (const [definition, values] of fields) {
    const { name } = definition;
    if (values !== undefined) ordered.add(name);
    if (values !== undefined && !isText(definition.base)) ranged.set(name, values);
    if (!allows(definition)) continue;
    const { boost } = definition.rest;
    known.set(name, {
      ...formFor(definition),
      ...(now !== undefined && { now }),
      ...(boost !== undefined && { boost }),
    });
  }
  const isWhole = denied.size === 0 && !closed.fields;
  const open = isWhole ? undefined : (await fullTextFields(reader, mostFields)).filter(allows).map(formFor);
  return {
    field: (name) => known.get(name),
    readable: denied.size === 0 ? undefined : open,
    open,
    viewer,
    closed,
    now,
    index: { isTimed, ordered, ranged, building },
  };
}

type DefinedRow = readonly [
  name: string,
  type: string,
  system: FieldRow['system'],
  sortKey: string,
  rest: string,
  version: number,
  used: FieldRow['used'],
  /** NULL: its order lacks entities, or nobody keeps it. */
  several: number | null,
];

const nobody: ReadonlySet<string> = new Set();
const nothing: Closed = { fields: undefined, shapes: undefined };

/** The fields that a caller may not read. A field of a group that is closed counts as closed wherever it stands. */
async function deniedTo(reader: Reader, { administrator, userId }: Viewer): Promise<ReadonlySet<string>> {
  if (administrator) return nobody;
  const guarded = await deniedNames(reader);
  const asker = { userId, administers: false };
  const groups = [...new Set(guarded.groups.map(({ group }) => group))];
  const fields = [...new Set([...guarded.fields, ...guarded.groups.map(({ field }) => field)])];
  const rights = await fieldRights(reader, asker, { fields, groups });
  const denied = new Set(guarded.fields.filter((name) => rights.field(name) < level.read));
  for (const { field, group } of guarded.groups) if (rights.field(field, group) < level.read) denied.add(field);
  return denied;
}
