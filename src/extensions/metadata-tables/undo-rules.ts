import {
  type Contents,
  type MetadataDocumentValue,
  type MetadataField,
  type MetadataGroup,
  type MetadataState,
  type StoredGroup,
  uuidOfInstance,
} from '../../assets/metadata/public-reading.ts';

type StoredField = Contents['fields'] extends Map<string, infer Field> ? Field : never;

interface Restored {
  /** Values that the item gets back. Undefined: none. */
  readonly document: MetadataDocumentValue | undefined;
  /** Fields and groups that were changed since the import, with the groups around them. */
  readonly leftovers: readonly string[];
}

interface States {
  readonly before: MetadataState;
  readonly after: MetadataState;
  readonly now: MetadataState;
}

const nothing: Contents = { fields: new Map(), groups: [] };

/** Takes a change set of an import back, but for what was changed since. `before`, `after`: the states around it. */
export function restored({ before, after, now }: States): Restored {
  const leftovers: string[] = [];
  const timespan = [...new Set([...before.spans.keys(), ...after.spans.keys()])].flatMap((key) => {
    const spans = [before, after, now].map(({ spans: all }) => all.get(key));
    const { start, end } = (spans[0] ?? spans[1])!;
    const [old, imported, current] = spans.map((span) => span?.contents ?? nothing) as [Contents, Contents, Contents];
    const group: MetadataGroup[] = [];
    const field = fieldsBack({ old, imported, current }, [], group, leftovers);
    return field.length + group.length > 0 ? [{ start, end, field, group }] : [];
  });
  return { leftovers, document: timespan.length > 0 ? { timespan } : undefined };
}

/** Contents before the import, behind it, and now. */
interface Places {
  readonly old: Contents;
  readonly imported: Contents;
  readonly current: Contents;
}

/** Fields that come back. Groups, which uuids name, are put into `group`. */
function fieldsBack(
  { old, imported, current }: Places,
  around: readonly string[],
  group: MetadataGroup[],
  leftovers: string[],
): MetadataField[] {
  const field: MetadataField[] = [];
  const keep = ({ name }: { readonly name: string }) => leftovers.push([...around, name].join('/'));
  for (const key of new Set([...old.fields.keys(), ...imported.fields.keys()])) {
    const [was, written, is] = [old, imported, current].map(({ fields }) => fields.get(key));
    if (isSame(was, written) || isSame(is, was)) continue;
    if (isSame(is, written)) field.push(fieldOf((was ?? written)!, was));
    else keep((was ?? written)!);
  }
  const [ofOld, ofCurrent] = [byUuid(old.groups), byUuid(current.groups)];
  for (const each of imported.groups) {
    const uuid = uuidOfInstance(each);
    const [was, is] = [ofOld.get(uuid), ofCurrent.get(uuid)];
    if (was) {
      const places = { old: was.contents, imported: each.contents, current: is?.contents ?? nothing };
      const inside = fieldsBack(places, [...around, each.name], group, leftovers);
      if (inside.length > 0) group.push({ uuid, field: inside });
    } else if (is && areSameContents(is.contents, each.contents)) group.push({ uuid, mode: 'remove' });
    else if (is) keep(each);
  }
  return field;
}

const byUuid = (groups: readonly StoredGroup[]): ReadonlyMap<string, StoredGroup> =>
  new Map(groups.map((group) => [uuidOfInstance(group), group]));

const fieldOf = ({ name, track }: StoredField, was: StoredField | undefined): MetadataField => ({
  name,
  track,
  ...(was ? { value: was.values.map(({ text, language }) => ({ value: text, lang: language })) } : { mode: 'remove' }),
});

const tellOf = (field: StoredField | undefined): string =>
  JSON.stringify([field?.reference, field?.values.map(({ text, language }) => [text, language]) ?? []]);
const isSame = (one: StoredField | undefined, other: StoredField | undefined): boolean =>
  one === other || tellOf(one) === tellOf(other);

function areSameContents(one: Contents, other: Contents): boolean {
  const others = byUuid(other.groups);
  return (
    one.fields.size === other.fields.size &&
    [...one.fields].every(([key, field]) => isSame(field, other.fields.get(key))) &&
    one.groups.length === other.groups.length &&
    one.groups.every((group) => {
      const match = others.get(uuidOfInstance(group));
      return match !== undefined && areSameContents(group.contents, match.contents);
    })
  );
}
