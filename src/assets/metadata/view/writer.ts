import { generic, spanKeyOf } from '../merge/state.ts';
import {
  changedBy,
  type GroupRow,
  type Mark,
  madeBy,
  markAt,
  ordinalOf,
  type SpanRow,
  type StateRows,
  type StoredFieldRow,
  timesOf,
} from '../merge/stored.ts';
import { uuidsOf } from '../merge/uuid.ts';
import type { TransientValue } from './document.ts';
import type { MetadataForm } from './forms.ts';
import type { MetadataView } from './parameters.ts';

/** A stored state with what its writing must know of the whole. */
export interface Survey {
  readonly rows: StateRows;
  /** Names of fields and of groups. */
  readonly fields: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** Names of fields with values. */
  readonly valued: ReadonlySet<string>;
  readonly hasReferences: boolean;
  /** Ids of the change sets that contributed, comma-separated. */
  readonly revision: string;
}

/** Looks through a stored state once. */
export function surveyOf(rows: StateRows): Survey {
  const fieldNames = new Set<string>();
  const groupNames = new Set<string>();
  const valued = new Set<string>();
  const changes = new Set<number>();
  let hasReferences = false;
  const count = rows.c.length;
  const look = (fields: readonly StoredFieldRow[], groups: readonly GroupRow[]): void => {
    for (const row of fields) {
      const [name, mark, values, , reference] = row;
      fieldNames.add(name);
      changes.add(changedBy(mark, count));
      if (values.length > 0) valued.add(name);
      if (reference !== undefined) hasReferences = true;
      for (let at = 0; at < values.length; at++) changes.add(changedBy(markAt(row, at, count), count));
    }
    for (const [name, mark, , , reference] of groups) {
      groupNames.add(name);
      changes.add(changedBy(mark, count));
      if (reference !== undefined) hasReferences = true;
    }
    for (const group of groups) look(group[2], group[3]);
  };
  for (const [, fields, groups = []] of rows.s) look(fields, groups);
  if (rows.m) changes.add(rows.m[0]);
  if (rows.t) changes.add(rows.t[0]);
  const revision = Array.from(changes, (change) => rows.c[change]![0]).join(',');
  return { rows, fields: fieldNames, groups: groupNames, valued, hasReferences, revision };
}

const nobody: StateRows = { c: [], s: [] };

/** Survey of an entity without metadata. */
export const emptySurvey: Survey = surveyOf(nobody);

const unbounded: SpanRow = [0, []];

const isGeneric = (start: string, end: string): boolean => spanKeyOf({ start, end }) === generic;

/**
 * Writes metadata from the stored form to the answer, without an object for each value. For plain views of states that
 * have no references, whose readers see all fields. `documentOf` says what the text is.
 */
export class MetadataWriter {
  readonly #form: MetadataForm;
  readonly #terse: Map<string, string> | undefined;
  readonly #only: ReadonlyMap<string, string> | undefined;
  readonly #except: ReadonlySet<string>;
  #changes: StateRows['c'] = [];
  /** Marks of each change set. `#uuids`: uuids of the values and groups that a change set made. */
  #marks: (string | undefined)[] = [];
  #uuids: ((ordinal: number) => string)[] = [];
  #start = '';
  #end = '';

  constructor(form: MetadataForm, { fields }: MetadataView, isTerse: boolean) {
    this.#form = form;
    this.#terse = isTerse ? new Map() : undefined;
    this.#only = fields.only;
    this.#except = fields.except;
  }

  /** Content between the tags, or braces, of the metadata or its terse values. */
  write({ rows, valued, revision }: Survey, computed: readonly TransientValue[]): string {
    const { c, m, t, s } = rows;
    this.#changes = c;
    this.#marks = [];
    this.#uuids = [];
    this.#terse?.clear();
    const spans = s.some((row) => isGeneric(...timesOf(row))) ? s : [unbounded, ...s];
    let timespans = '';
    for (const row of spans) {
      const [, fieldRows, groupRows = []] = row;
      const [start, end] = timesOf(row);
      this.#start = start;
      this.#end = end;
      const isFirst = isGeneric(start, end);
      let fields = this.#fields(fieldRows);
      if (isFirst) fields = this.#computed(fields, computed, valued);
      const groups = this.#groups(groupRows);
      if (!isFirst && fields === '' && groups === '') continue;
      if (!this.#terse) timespans = this.#joined(timespans, this.#form.timespan(start, end, fields, groups));
    }
    if (this.#terse) return this.#named(this.#terse);
    const main = m?.slice(1) as readonly string[] | undefined;
    return this.#form.metadata({ revision, template: t?.[1], main }, timespans);
  }

  #named(terse: ReadonlyMap<string, string>): string {
    let text = '';
    for (const [name, values] of terse) text = this.#joined(text, this.#form.named(name, values));
    return text;
  }

  #joined(text: string, more: string): string {
    return text === '' || more === '' ? text + more : text + this.#form.between + more;
  }

  /** Name of a field in the answer. Undefined: the view leaves the field out. */
  #nameOf(name: string): string | undefined {
    if (this.#except.has(name)) return undefined;
    return this.#only === undefined ? name : this.#only.get(name);
  }

  #fields(rows: readonly StoredFieldRow[]): string {
    const form = this.#form;
    let text = '';
    for (const row of rows) {
      const name = this.#nameOf(row[0]);
      const values = row[2];
      if (name === undefined || values.length === 0) continue;
      if (this.#terse) {
        for (const [at, value] of values.entries()) {
          this.#tell(name, typeof value === 'string' ? value : value[0], this.#uuid(this.#markAt(row, at)));
        }
        // Any text: the field is there.
        text = name;
        continue;
      }
      let written = '';
      let hasConflict = false;
      for (let at = 0; at < values.length; at++) {
        const value = values[at]!;
        const [text, language, conflict] = typeof value === 'string' ? [value] : [value[0], value[2], value[3]];
        const mark = this.#markAt(row, at);
        const isConflict = conflict === 1;
        if (isConflict) hasConflict = true;
        const one = form.value(text, this.#uuid(mark), this.#marksOf(mark), isConflict, language ?? undefined);
        written = written === '' ? one : written + form.between + one;
      }
      const field = { name, uuid: this.#uuid(row[1]), marks: this.#marksOf(row[1]) };
      const one = form.field(field, written, hasConflict, row[3] ?? undefined);
      text = text === '' ? one : text + form.between + one;
    }
    return text;
  }

  #groups(rows: readonly GroupRow[]): string {
    let text = '';
    for (const [name, mark, fieldRows, groupRows] of rows) {
      const fields = this.#fields(fieldRows);
      const groups = this.#groups(groupRows);
      // A group is a frame of the fields that the view names.
      if (this.#only && fields === '' && groups === '') continue;
      if (this.#terse) text = name;
      else {
        const group = { name, uuid: this.#uuid(mark), marks: this.#marksOf(mark) };
        text = this.#joined(text, this.#form.group(group, fields, groups));
      }
    }
    return text;
  }

  /** Fields with the computed ones, and with the names that the view asks for in vain. */
  #computed(fields: string, computed: readonly TransientValue[], valued: ReadonlySet<string>): string {
    let text = fields;
    const names = new Set<string>();
    for (const [field, value] of computed) {
      const name = this.#nameOf(field);
      if (name === undefined) continue;
      names.add(name);
      if (this.#terse) this.#tell(name, value, '');
      else text = this.#joined(text, this.#form.computed(name, [value]));
    }
    if (!this.#only) return text;
    for (const [field, alias] of this.#only) if (valued.has(field) && this.#nameOf(field) === alias) names.add(alias);
    for (const [field, alias] of this.#only) {
      if (names.has(alias) || this.#except.has(field)) continue;
      if (!this.#terse) text = this.#joined(text, this.#form.computed(alias, []));
      else if (!this.#terse.has(alias)) this.#terse.set(alias, '');
    }
    return text;
  }

  #tell(name: string, text: string, uuid: string): void {
    const value = this.#form.terse(name, { start: this.#start, end: this.#end, uuid, text });
    this.#terse!.set(name, this.#joined(this.#terse!.get(name) ?? '', value));
  }

  #markAt(row: StoredFieldRow, at: number): Mark {
    return markAt(row, at, this.#changes.length);
  }

  #marksOf(mark: Mark): string {
    const change = changedBy(mark, this.#changes.length);
    this.#marks[change] ??= this.#form.marks(this.#changes[change]!);
    return this.#marks[change];
  }

  #uuid(mark: Mark): string {
    const change = madeBy(mark, this.#changes.length);
    this.#uuids[change] ??= uuidsOf(this.#changes[change]![0]);
    return this.#uuids[change](ordinalOf(mark, this.#changes.length));
  }
}
