import { ServiceError } from '../../core/lib/errors.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import { isAtLeast, lacking, levelsOn } from '../access/public-reading.ts';
import {
  type FieldLevel,
  type FieldNames,
  type FieldReader,
  fieldRights,
  level,
  type Rights,
  releaseFields,
  wordOf,
} from '../definitions/public-reading.ts';
import { Addresses } from './merge/addresses.ts';
import { namesIn, touchedBetween } from './merge/changes.ts';
import { namedIn, nameOf } from './merge/names.ts';
import type { FieldRequest, GroupRequest, MetadataRequest } from './merge/request.ts';
import { everyContents, type MetadataState } from './merge/state.ts';
import type { MetadataOwner } from './store.ts';

const systemFields = new Set(releaseFields.filter(({ system }) => system).map(({ name }) => name));

/** Whether a field is computed when metadata is read. */
export const isTransient = (name: string): boolean => name.startsWith('__');

/** Whether callers cannot change a field, and may send it back unchanged. */
export const isKept = (name: string): boolean => systemFields.has(name) || isTransient(name);

interface Allowed {
  readonly request: MetadataRequest;
  /** True: the request does not change the field. */
  isKept(name: string): boolean;
}

/** Parts of a request that the caller may write. Throws on the first other part, unless those are skipped. */
export async function allowedRequest(
  reader: Reader,
  state: MetadataState,
  request: MetadataRequest,
  {
    asker,
    skipForbidden,
    owner,
  }: { readonly asker: FieldReader; readonly skipForbidden: boolean; readonly owner: NewOwner },
): Promise<Allowed> {
  if (asker.administers) return { request, isKept };
  const addresses = new Addresses(state);
  const named = namedIn(request, addresses);
  const clears = request.spans.some(({ clear }) => clear);
  const fields = [...named.fields, ...(clears ? namesIn(state) : [])];
  const groups = [...named.groups, ...(reachesFurther(request) ? groupsIn(state) : [])];
  const rights = await rightsIn(reader, asker, owner, { fields, groups });
  const filter = new Filter(rights, addresses, skipForbidden);
  const spans = request.spans.map((span) => ({ ...span, ...filter.content(span, []) }));
  const asksFor = spans.filter(({ clear, fields: some, groups }) => clear || some.length + groups.length > 0);
  return {
    request: { ...request, spans: asksFor },
    isKept: (name) => isKept(name) || (clears && rights.field(name) < level.delete),
  };
}

/**
 * Whether a request reaches fields that it does not name, with the groups around them, or in groups that it does not name,
 * by uuids. Only the states before and after it tell which.
 */
export const reachesFurther = ({ spans, moves = [] }: MetadataRequest): boolean =>
  moves.length > 0 || spans.some((span) => span.clear || isFurther(span));

type Content = Pick<GroupRequest, 'fields' | 'groups'>;

const isFurther = ({ fields, groups }: Content): boolean =>
  fields.some(isAddressed) ||
  groups.some((group) => group.uuid !== undefined || takesContent(group) || isFurther(group));
const isAddressed = ({ uuid, values }: FieldRequest): boolean =>
  uuid !== undefined || values.some((value) => value.uuid !== undefined);
const takesContent = ({ mode, reference }: GroupRequest): boolean => mode === 'remove' || reference !== undefined;

/** The request without its parts that reach further. */
export function withoutReach({ moves: _, spans, ...request }: MetadataRequest): MetadataRequest {
  const near = ({ fields, groups }: Content): Content => ({
    fields: fields.filter((field) => !isAddressed(field)),
    groups: groups.flatMap((group) =>
      group.uuid === undefined && !takesContent(group) ? [{ ...group, ...near(group) }] : [],
    ),
  });
  return { ...request, spans: spans.flatMap((span) => (span.clear ? [] : [{ ...span, ...near(span) }])) };
}

const groupsIn = (state: MetadataState): ReadonlySet<string> =>
  new Set([...everyContents(state)].flatMap(({ contents }) => contents.groups.map(({ name }) => name)));

/** Undefined: a new entity, on which its creator has ALL. */
export type NewOwner = MetadataOwner | undefined;

async function rightsIn(reader: Reader, asker: FieldReader, owner: NewOwner, names: FieldNames): Promise<Rights> {
  const rights = await fieldRights(reader, asker, names);
  return owner === undefined ? rights : (await rightsWithin(reader, asker, [owner]))(owner, rights);
}

/**
 * Refuses changes between two states in fields that the caller may not write. `says`: a change set that is lost, with
 * fields that later ones have overwritten.
 */
export async function expectAllowed(
  reader: Reader,
  asker: FieldReader,
  owner: NewOwner,
  {
    before,
    after,
    says,
  }: { readonly before: MetadataState; readonly after: MetadataState; readonly says?: MetadataRequest },
): Promise<void> {
  if (asker.administers) return;
  const touched = await runInSlices(touchedBetween(before, after));
  const said = says === undefined ? [] : [...namedIn(says, new Addresses(before)).fields];
  const fields = [...touched.map(({ name }) => name), ...said];
  const rights = await rightsIn(reader, asker, owner, { fields, groups: touched.flatMap(({ around }) => around) });
  for (const { name, around, more } of touched) {
    expectLevel(name, rights.field(name, ...around), more < 0 ? level.delete : level.write);
  }
  for (const name of said) if (!isKept(name)) expectLevel(name, rights.field(name), level.write);
}

/** Refuses callers who may not write all of these fields. None: all fields of the entity. */
export async function expectWritable(
  reader: Reader,
  asker: FieldReader,
  owner: MetadataOwner,
  fields: readonly string[],
): Promise<void> {
  const rights = await rightsIn(reader, asker, owner, { fields });
  if (fields.length === 0 && !ofRolesAlone.has(owner.kind)) {
    const target = { type: owner.kind, id: owner.id };
    const { levelOf } = await levelsOn(reader, { administrator: asker.administers, userId: asker.userId }, [target]);
    const isAll = isAtLeast(levelOf(target, { type: 'METADATA' }), 'WRITE');
    if (!isAll) throw lacking({ type: owner.kind, noun: owner.kind }, owner.id, 'WRITE', { type: 'METADATA' });
  }
  for (const name of fields) expectLevel(name, rights.field(name), level.write);
}

function expectLevel(name: string, has: FieldLevel, needed: FieldLevel): void {
  if (has >= needed) return;
  const explanation = `Expected the right ${wordOf(needed)} in "${name.slice(0, 80)}"`;
  throw new ServiceError('not-allowed', { context: 'metadata', id: name.slice(0, 80), explanation });
}

class Filter {
  readonly #rights: Rights;
  readonly #addresses: Addresses;
  readonly #skips: boolean;

  constructor(rights: Rights, addresses: Addresses, skips: boolean) {
    this.#rights = rights;
    this.#addresses = addresses;
    this.#skips = skips;
  }

  /** `around`: names of the groups, the nearest first. */
  content({ fields, groups }: Content, around: readonly string[]) {
    return {
      fields: fields.filter((field) => this.#mayWrite(field, around)),
      groups: groups.flatMap((group) => this.#group(group, around)),
    };
  }

  #mayWrite(field: FieldRequest, groups: readonly string[]): boolean {
    const name = nameOf(field, this.#addresses) ?? '';
    const around = this.#aroundField(field) ?? groups;
    const removes = field.mode === 'remove' || (field.values.length === 0 && field.reference === undefined);
    return this.#allows(name, this.#rights.field(name, ...around), removes ? level.delete : level.write);
  }

  /** Groups around a field that is named by its uuid, or by that of a value. */
  #aroundField({ uuid, values }: FieldRequest): readonly string[] | undefined {
    if (uuid !== undefined) return this.#addresses.fieldWith(uuid)?.around;
    const value = values.find((each) => each.uuid !== undefined)?.uuid;
    return value === undefined ? undefined : this.#addresses.valueWith(value)?.around;
  }

  #group(group: GroupRequest, groups: readonly string[]): readonly GroupRequest[] {
    const located = group.uuid === undefined ? undefined : this.#addresses.groupWith(group.uuid);
    const name = group.name ?? located?.group.name ?? '';
    const around = located?.around ?? groups;
    const needed = group.mode === 'remove' ? level.delete : level.read;
    if (!this.#allows(name, this.#rights.group(name, ...around), needed)) return [];
    return [{ ...group, ...this.content(group, [name, ...around]) }];
  }

  #allows(name: string, has: FieldLevel, needed: FieldLevel): boolean {
    if (has < needed && this.#skips) return false;
    expectLevel(name, has, needed);
    return true;
  }
}

/** Kinds of owners without access entries. */
const ofRolesAlone: ReadonlySet<MetadataOwner['kind']> = new Set(['document', 'global']);

/** Rights in fields, restricted by the access entries of the entities. */
async function rightsWithin(
  reader: Reader,
  { userId, administers }: FieldReader,
  owners: readonly MetadataOwner[],
): Promise<(owner: MetadataOwner, rights: Rights) => Rights> {
  const places = owners.flatMap(({ kind, id }) => (ofRolesAlone.has(kind) ? [] : [{ type: kind, id }]));
  if (places.length === 0) return (_, rights) => rights;
  const { levelOf, maxOf } = await levelsOn(reader, { administrator: administers, userId }, places);
  return ({ kind, id }, rights) => {
    const levels = new Map<string, FieldLevel>();
    const max = (name: string): FieldLevel => {
      let fieldLevel = levels.get(name);
      if (fieldLevel === undefined) {
        const ownLevel = levelOf({ type: kind, id }, { type: 'METADATA', extradata: name });
        fieldLevel = isAtLeast(ownLevel, 'WRITE')
          ? level.delete
          : isAtLeast(ownLevel, 'READ')
            ? level.read
            : level.none;
        levels.set(name, fieldLevel);
      }
      return fieldLevel;
    };
    return {
      isNone: () => !isAtLeast(maxOf({ type: kind, id }, 'METADATA'), 'READ'),
      field: (name, ...around) => Math.min(rights.field(name, ...around), max(name)) as FieldLevel,
      group: rights.group,
    };
  };
}

/** By id, whether a caller may see all of these fields, in whichever groups. */
export async function seesAll(
  reader: Reader,
  asker: FieldReader | undefined,
  { kind, ids }: { readonly kind: MetadataOwner['kind']; readonly ids: readonly string[] },
  names: () => FieldNames,
): Promise<(id: string) => boolean> {
  if (asker === undefined || asker.administers) return () => true;
  const { isAll } = await fieldRights(reader, asker, names());
  if (!isAll) return () => false;
  if (ofRolesAlone.has(kind)) return () => true;
  const places = ids.map((id) => ({ type: kind, id }));
  const { leastOf } = await levelsOn(reader, { administrator: false, userId: asker.userId }, places);
  return (id) => isAtLeast(leastOf({ type: kind, id }, 'METADATA'), 'READ');
}

/** Content for checking rights: states, including inherited ones and targets of references. */
interface Shown {
  readonly states: Iterable<MetadataState>;
  readonly fields?: readonly string[];
}

/** The check of an entity that gives no right in any field, such as one that was deleted meanwhile. */
export const seesNothing = (): boolean => false;

/** Checks whether a caller may see fields of some entities, by id. Fields missing in `content` count as readable. */
export async function readableFields(
  reader: Reader,
  asker: FieldReader,
  { kind, ids }: { readonly kind: MetadataOwner['kind']; readonly ids: readonly string[] },
  content: Shown,
): Promise<((id: string) => (name: string, groups: readonly string[]) => boolean) | undefined> {
  if (asker.administers) return undefined;
  const fields = new Set(content.fields);
  const groups = new Set<string>();
  for (const state of content.states) {
    for (const name of namesIn(state)) fields.add(name);
    for (const { contents } of everyContents(state)) for (const { name } of contents.groups) groups.add(name);
  }
  const all = await fieldRights(reader, asker, { fields: [...fields], groups: [...groups] });
  const within = await rightsWithin(
    reader,
    asker,
    ids.map((id) => ({ kind, id })),
  );
  return (id) => {
    const rights = within({ kind, id }, all);
    return rights.isNone?.() ? seesNothing : (name, around) => rights.field(name, ...around) >= level.read;
  };
}
