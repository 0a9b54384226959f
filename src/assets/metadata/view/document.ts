import { serialOf } from '../../../core/lib/serial.ts';
import { type Instant, instantOf, secondsText, shift, textIn } from '../../../core/lib/time-code.ts';
import { isLongList, mapInSteps } from '../../../core/lib/turn.ts';
import type { MetadataDocumentValue, MetadataField, MetadataGroup, MetadataTimespan } from '../documents.ts';
import {
  type Change,
  type Contents,
  generic,
  type Instance,
  instanceKey,
  type MetadataState,
  revisionOf,
  type Span,
  type StoredField,
  type StoredGroup,
  type StoredValue,
} from '../merge/state.ts';
import { sizeOfSpan, sizeOfValue } from '../merge/stored.ts';
import { uuidsOf } from '../merge/uuid.ts';
import type { MetadataView } from './parameters.ts';
import type { ReferenceTarget, Resolve } from './references.ts';

/**
 * Position of a field or group relative to the groups that a view names: outside, between, directly inside, or nested.
 */
type Frame = 'outermost' | 'frame' | 'named' | 'deep';

const outermost: Frame = 'outermost';

const namesNothing = ({ fields, groups }: MetadataView): boolean =>
  fields.only === undefined && groups.only === undefined;

function showsField(view: MetadataView, frame: Frame, name: string): boolean {
  if (view.fields.except.has(name)) return false;
  return namesNothing(view) || frame === 'named' || frame === 'deep' || view.fields.only?.has(name) === true;
}

/** Whether a view shows a field in some place. */
const mayShow = ({ fields, groups }: MetadataView, name: string): boolean =>
  !fields.except.has(name) && (fields.only === undefined || groups.only !== undefined || fields.only.has(name));

/** Frame for the content of a group. Undefined: the group is excluded. */
function inside(view: MetadataView, frame: Frame, name: string): Frame | undefined {
  const { groups } = view;
  if (groups.except.has(name)) return undefined;
  if (namesNothing(view) || frame === 'deep' || groups.deep.has(name)) return 'deep';
  return groups.only?.has(name) ? 'named' : 'frame';
}

/** Whether a group is shown only as a frame for selected content. */
const timeFrame = (view: MetadataView, frame: Frame): boolean => frame === 'frame' && !namesNothing(view);

/** A computed value with its field name, in the order of the answer. */
export type TransientValue = readonly [field: string, value: string];

export interface Extra {
  readonly transient?: readonly TransientValue[];
  readonly resolve?: Resolve;
  /** Requested fields without values: by name, with the default value if requested. */
  readonly missing?: ReadonlyMap<string, string | undefined>;
  /** Keys of the instances to show. Undefined: all. */
  readonly touched?: ReadonlySet<string>;
  /** True: keeps fields without values, since change sets remove fields by name alone. */
  readonly keepsEmpty?: true;
  /** Metadata inherited from the collections above an item. */
  readonly inherited?: MetadataState;
  /** Whether the caller may see a field. Undefined: all. */
  readonly isReadable?: (name: string, groups: readonly string[]) => boolean;
}

interface ShownValues {
  readonly value: NonNullable<MetadataField['value']>;
  readonly hasConflict: boolean;
}

/** Limit of references per document: nested references multiply. */
const maxReferences = 1000;

const nothing: Contents = { fields: new Map(), groups: [] };

/** Renders a state in a view, span by span: steps of `runInSlices`. */
export function* documentOf(
  state: MetadataState,
  view: MetadataView,
  extra: Extra = {},
): Generator<number, MetadataDocumentValue> {
  const writer = new Writer(view, extra);
  const times = timesOf(state, view);
  const spans: (readonly [string, Span])[] = state.spans.has(generic)
    ? [...state.spans]
    : [[generic, { start: '-INF', end: '+INF', contents: nothing }], ...state.spans];
  const inherited = extra.inherited?.spans ?? new Map<string, Span>();
  spans.push(...[...inherited].filter(([key]) => key !== generic && !state.spans.has(key)).map(emptySpan));
  const timespan: MetadataTimespan[] = [];
  for (const [key, { start, end, contents }] of spans) {
    yield sizeOfSpan * (1 + contents.fields.size + contents.groups.length);
    const isGeneric = key === generic;
    if (!view.showsSpan(instantOf(start)!, instantOf(end)!, isGeneric)) continue;
    yield* writer.writeLong(contents);
    const content = writer.contents(contents, outermost);
    const more = inherited.get(key);
    if (more) {
      yield* writer.writeLong(more.contents);
      const shown = writer.contents(more.contents, outermost);
      content.field.push(...shown.field);
      content.group.push(...shown.group);
    }
    if (isGeneric) content.field.push(...writer.computed());
    if (!isGeneric && content.field.length + content.group.length === 0) continue;
    timespan.push({ start: times(start), end: times(end), field: content.field, group: content.group });
  }
  if (spans.length > 1) yield spans.length * sizeOfSpan;
  const { main, template } = state;
  const revision = revisionOf(state).join(',');
  const written = withMissing(timespan, view, extra);
  return {
    timespan: written,
    ...(revision !== '' && { revision }),
    ...(template && { template: template.text }),
    ...(main && { group: main.names }),
  };
}

/** Empty timespan, for inherited content only. */
const emptySpan = ([key, span]: readonly [string, Span]) => [key, { ...span, contents: nothing }] as const;

class Writer {
  readonly #view: MetadataView;
  readonly #extra: Extra;
  readonly #uuids = new Map<Change, (ordinal: number) => string>();
  /** References on the path to the current place. */
  readonly #path: string[] = [];
  /** Names of the groups around the current place, the nearest first. */
  readonly #groups: string[] = [];
  #references = 0;
  readonly #long = new Map<StoredField, ShownValues>();

  constructor(view: MetadataView, extra: Extra) {
    this.#view = view;
    this.#extra = extra;
  }

  /** Writes fields of thousands of values ahead, in steps. */
  *writeLong({ fields, groups }: Contents): Generator<number, void> {
    for (const field of fields.values()) {
      if (!isLongList(field.values) || !mayShow(this.#view, field.name)) continue;
      let hasConflict = false;
      const value = yield* mapInSteps(
        newestOf(field.values, this.#view),
        (each) => {
          if (!this.#showsValue(each)) return undefined;
          hasConflict ||= each.conflict === true;
          return this.#value(each);
        },
        sizeOfValue,
      );
      this.#long.set(field, { value, hasConflict });
    }
    for (const group of groups) yield* this.writeLong(group.contents);
  }

  contents(contents: Contents, frame: Frame): { field: MetadataField[]; group: MetadataGroup[] } {
    const field: MetadataField[] = [];
    for (const each of contents.fields.values()) {
      const shown = this.#field(each, frame);
      if (shown) field.push(shown);
    }
    return { field, group: contents.groups.flatMap((group) => this.#group(group, frame) ?? []) };
  }

  #field(field: StoredField, frame: Frame): MetadataField | undefined {
    const view = this.#view;
    if (!showsField(view, frame, field.name) || !view.showsTrack(field.track)) return undefined;
    if (this.#extra.isReadable?.(field.name, this.#groups) === false) return undefined;
    if (this.#extra.touched && !this.#extra.touched.has(instanceKey(field))) return undefined;
    const name = view.fields.only?.get(field.name) ?? field.name;
    const track = field.track !== undefined && { track: field.track };
    if (field.reference !== undefined) {
      const { referenced, cycle, field: target, around = [] } = this.#target(field.reference);
      const isClosed = target && this.#extra.isReadable?.(target.name, around) === false;
      const values = (isClosed ? undefined : target?.values)?.filter((value) => this.#showsValue(value)) ?? [];
      const value = values.length > 0 && { value: values.map((each) => this.#value(each)) };
      return {
        name,
        ...(referenced && { referenced }),
        ...value,
        ...this.#marks(field),
        ...(cycle && { cycle }),
        ...track,
        ...inheritedFrom(field),
      };
    }
    const { value: values, hasConflict } = this.#long.get(field) ?? this.#shown(field);
    if (values.length === 0 && (!this.#extra.keepsEmpty || field.values.length > 0)) return undefined;
    const { changed, mode, inheritance } = field;
    // Sets all keys at once: objects that grow key by key take three times as long, and there are thousands.
    return {
      name,
      value: values.length > 0 ? values : undefined,
      uuid: this.#uuid(field),
      user: changed.user,
      timestamp: changed.at,
      change: changed.id,
      mode,
      conflict: hasConflict ? true : undefined,
      track: field.track,
      inheritance,
    };
  }

  #shown({ values }: StoredField): ShownValues {
    const shown = newestOf(values, this.#view).filter((value) => this.#showsValue(value));
    return { value: shown.map((each) => this.#value(each)), hasConflict: shown.some(({ conflict }) => conflict) };
  }

  #showsValue({ language, changed }: StoredValue): boolean {
    return this.#view.showsLanguage(language) && this.#view.showsTime(changed.at);
  }

  #value(value: StoredValue) {
    const { text, language, conflict, changed, mode } = value;
    return {
      value: text,
      uuid: this.#uuid(value),
      user: changed.user,
      timestamp: changed.at,
      change: changed.id,
      mode,
      conflict: this.#view.conflict ? conflict : undefined,
      lang: language,
    };
  }

  #group(group: StoredGroup, frame: Frame): MetadataGroup | undefined {
    const within = inside(this.#view, frame, group.name);
    if (within === undefined) return undefined;
    const { reference } = group;
    const { referenced, cycle, group: target, around = [] } = reference === undefined ? {} : this.#target(reference);
    if (reference !== undefined) this.#path.push(reference);
    const groups = [...(target ? [target.name, ...around] : []), group.name];
    this.#groups.unshift(...groups);
    const content = this.contents(target?.contents ?? group.contents, within);
    this.#groups.splice(0, groups.length);
    if (reference !== undefined) this.#path.pop();
    const isTouched = this.#extra.touched?.has(instanceKey(group)) ?? true;
    const isFrame = !isTouched || timeFrame(this.#view, within);
    if (isFrame && content.field.length + content.group.length === 0) return undefined;
    const name = this.#view.groups.only?.get(group.name) ?? group.name;
    const refers = referenced && { referenced };
    return { name, ...refers, ...content, ...this.#marks(group), ...(cycle && { cycle }), ...inheritedFrom(group) };
  }

  /** Target of a reference. Cycles and documents with too many references end here. */
  #target(reference: string): ReferenceTarget {
    if (this.#path.includes(reference)) return { cycle: true };
    return (++this.#references <= maxReferences && this.#extra.resolve?.(reference)) || {};
  }

  computed(): readonly MetadataField[] {
    const { transient } = this.#extra;
    if (!transient) return [];
    const shown = transient.filter(([name]) => showsField(this.#view, outermost, name));
    return shown.map(([name, value]) => ({ name: this.#view.fields.only?.get(name) ?? name, value: [{ value }] }));
  }

  #marks(instance: Instance) {
    const { changed, mode } = instance;
    const { user, at, id } = changed;
    return { uuid: this.#uuid(instance), user, timestamp: at, change: id, ...(mode && { mode }) };
  }

  #uuid({ made, ordinal }: Instance): string {
    let uuids = this.#uuids.get(made);
    if (!uuids) {
      uuids = uuidsOf(made.id);
      this.#uuids.set(made, uuids);
    }
    return uuids(ordinal);
  }
}

const inheritedFrom = ({ inheritance }: StoredField | StoredGroup) => inheritance !== undefined && { inheritance };

/** Drops conflicting values except those of the newest change set, unless the caller requests conflicts. */
function newestOf(values: readonly StoredValue[], { conflict }: MetadataView): readonly StoredValue[] {
  if (conflict || !values.some((value) => value.conflict)) return values;
  const newest = new Map<string | undefined, number>();
  for (const { language, changed } of values)
    newest.set(language, Math.max(serialOf(changed.id), newest.get(language) ?? 0));
  return values.filter(
    ({ conflict: isConflict, language, changed }) => !isConflict || serialOf(changed.id) >= newest.get(language)!,
  );
}

/** Adds requested fields without a value to the untimed span, by name alone. */
function withMissing(
  timespan: readonly MetadataTimespan[],
  { fields, showsSpan }: MetadataView,
  { missing = new Map(), isReadable = () => true }: Pick<Extra, 'missing' | 'isReadable'>,
): readonly MetadataTimespan[] {
  const answered = new Set<string | undefined>();
  const collect = ({ field = [], group = [] }: MetadataGroup): void => {
    for (const { name } of field) answered.add(name);
    group.forEach(collect);
  };
  timespan.forEach(collect);
  const wanted = new Map<string, string | undefined>(missing);
  for (const name of fields.only?.keys() ?? []) if (!wanted.has(name)) wanted.set(name, undefined);
  const empty = [...wanted].flatMap(([name, text]): MetadataField[] => {
    const value = isReadable(name, []) ? text : undefined;
    const alias = fields.only?.get(name) ?? name;
    if (answered.has(alias) || fields.except.has(name)) return [];
    return [{ name: alias, ...(value !== undefined && { value: [{ value }] }) }];
  });
  if (empty.length === 0 || !showsSpan(instantOf('-INF')!, instantOf('+INF')!, true)) return timespan;
  return timespan.map((span) =>
    span.start === '-INF' && span.end === '+INF' ? { ...span, field: [...(span.field ?? []), ...empty] } : span,
  );
}

/** Converts times to the requested time base and start. Default: as written. */
function timesOf(state: MetadataState, { timeBase, starttc }: MetadataView): (text: string) => string {
  const startText = state.spans.get(generic)?.contents.fields.get('startTimeCode')?.values[0]?.text;
  const start = starttc && startText !== undefined ? instantOf(startText) : undefined;
  if (timeBase === undefined && start === undefined) return (text) => text;
  return (text) => {
    const moved = movedBy(instantOf(text)!, start);
    const base = timeBase ?? /@(.+)$/.exec(text)?.[1];
    return base === undefined ? secondsText(moved) : textIn(base, moved);
  };
}

const movedBy = (instant: Instant, by: Instant | undefined): Instant =>
  by === undefined ? instant : shift(instant, by);
