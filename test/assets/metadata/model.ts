/**
 * The merge rules once more, as plainly as they can be said: a log of documents, played from its beginning after each
 * step. Nothing here is shared with the service.
 */

export interface DocValue {
  /** Number of the value in the document, like those of fields and groups: `numbered` gives them. */
  readonly n?: number;
  readonly value: string;
  readonly lang?: string | undefined;
  readonly mode?: string | undefined;
}
export interface DocField {
  readonly n?: number;
  readonly name: string;
  readonly track?: string | undefined;
  readonly mode?: string | undefined;
  readonly value: readonly DocValue[];
}
export interface DocGroup {
  readonly n?: number;
  readonly name: string;
  readonly mode?: string | undefined;
  readonly field: readonly DocField[];
  readonly group: readonly DocGroup[];
}
export interface DocSpan {
  readonly start: string;
  readonly end: string;
  readonly field: readonly DocField[];
  readonly group: readonly DocGroup[];
}
export interface Entry {
  readonly id: number;
  readonly revision?: readonly number[] | undefined;
  readonly spans: readonly DocSpan[];
  /** No change set: the field of this name is deleted, and defined again. */
  readonly gone?: string;
  readonly move?: { readonly born: string; readonly start: string; readonly end: string } | undefined;
}

interface ModelValue {
  born: string;
  change: number;
  text: string;
  lang: string;
  conflict: boolean;
}
export interface ModelField {
  born: string;
  name: string;
  track: string;
  values: ModelValue[];
}
export interface ModelGroup {
  born: string;
  name: string;
  fields: ModelField[];
  groups: ModelGroup[];
}
export interface ModelSpan {
  key: string;
  fields: ModelField[];
  groups: ModelGroup[];
}
type Place = Omit<ModelGroup, 'born' | 'name'>;

export class Refused extends Error {}

/** Seconds: all time codes of the tests are of PAL. */
export const seconds = (text: string): string =>
  text.includes('INF') ? text : String(text.endsWith('@PAL') ? Number.parseInt(text, 10) / 25 : Number(text));
export const keyOf = ({ start, end }: { readonly start: string; readonly end: string }): string =>
  `${seconds(start)} ${seconds(end)}`;

export function numbered(spans: readonly DocSpan[]): readonly DocSpan[] {
  let next = 0;
  const field = (each: DocField): DocField => {
    const n = next++;
    return { ...each, n, value: each.value.map((value) => ({ ...value, n: next++ })) };
  };
  const group = (each: DocGroup): DocGroup => {
    const n = next++;
    return { ...each, n, field: each.field.map(field), group: each.group.map(group) };
  };
  return spans.map((span) => ({ ...span, field: span.field.map(field), group: span.group.map(group) }));
}

/** Throws where the newest entry is refused; what came before is never refused again. */
export function play(log: readonly Entry[], isNew = false): ModelSpan[] {
  let spans: ModelSpan[] = [];
  for (const [index, entry] of log.entries()) {
    if (entry.gone !== undefined) spans = without(spans, entry.gone);
    else spans = new Step(entry, isNew && index === log.length - 1).apply(structuredClone(spans)).spans;
  }
  return spans;
}

/** Fields of the name go everywhere, and timespans of which nothing is left. */
function without(spans: readonly ModelSpan[], name: string): ModelSpan[] {
  const strip = <P extends Place>(place: P): P => ({
    ...place,
    fields: place.fields.filter((field) => field.name !== name),
    groups: place.groups.map(strip),
  });
  return spans.map(strip).filter(({ fields, groups }) => fields.length + groups.length > 0);
}

/** The log without what changes nothing. */
export function trimmed(log: readonly Entry[]): readonly Entry[] {
  let spans: ModelSpan[] = [];
  return log.flatMap((entry) => {
    if (entry.gone !== undefined) {
      spans = without(spans, entry.gone);
      return [entry];
    }
    const step = new Step(entry, false).apply(structuredClone(spans));
    spans = step.spans;
    const { move, ...rest } = entry;
    const isMoved = move && step.moved;
    if (step.docs.length === 0 && !isMoved) return [];
    return [{ ...rest, spans: step.docs, ...(isMoved && { move }) }];
  });
}

class Step {
  readonly #entry: Entry;
  readonly #strict: boolean;

  constructor(entry: Entry, strict: boolean) {
    this.#entry = entry;
    this.#strict = strict;
  }

  #born({ n }: { readonly n?: number }): string {
    return `${this.#entry.id}.${n}`;
  }

  apply(spans: ModelSpan[]): { spans: ModelSpan[]; docs: readonly DocSpan[]; moved: boolean } {
    const docs: DocSpan[] = [];
    for (const doc of this.#entry.spans) {
      const key = keyOf(doc);
      let span = spans.find((each) => each.key === key);
      if (doc.field.length + doc.group.length === 0) {
        const before = JSON.stringify(span);
        if (span) this.#clear(span);
        if (JSON.stringify(span) !== before) docs.push(doc);
        continue;
      }
      if (!span) {
        span = { key, fields: [], groups: [] };
        spans.push(span);
      }
      const kept = this.#place(span, doc);
      if (kept.field.length + kept.group.length > 0) docs.push({ ...doc, ...kept });
    }
    const before = JSON.stringify(spans);
    if (this.#entry.move) this.#move(spans, this.#entry.move);
    const moved = JSON.stringify(spans) !== before;
    return { spans: spans.filter(({ fields, groups }) => fields.length + groups.length > 0), docs, moved };
  }

  #clear(span: ModelSpan): void {
    span.fields = span.fields.filter((field) => this.#isUnknown(field.values));
    span.groups = [];
  }

  /** Gives the part of the document that changed something. */
  #place(place: Place, doc: Pick<DocSpan, 'field' | 'group'>): Pick<DocSpan, 'field' | 'group'> {
    const field = doc.field.filter((each) => {
      const before = JSON.stringify(place.fields);
      this.#field(place, each);
      return JSON.stringify(place.fields) !== before;
    });
    const group = doc.group.flatMap((each) => {
      const plain = doc.group.filter(({ name, mode }) => name === each.name && mode === undefined);
      return this.#group(place, each, plain.length) ?? [];
    });
    return { field, group };
  }

  /** Somebody else's newest value was not known to the writer. */
  #isUnknown(values: readonly ModelValue[]): boolean {
    const { revision, id } = this.#entry;
    if (!revision || values.length === 0) return false;
    const newest = Math.max(...values.map(({ change }) => change));
    return newest !== id && !revision.includes(newest);
  }

  #field(place: Place, doc: DocField): void {
    const { name, track = '', mode, value } = doc;
    const given = value.map((each) => ({ ...each, lang: each.lang ?? '', born: this.#born(each) }));
    const old = place.fields.find((field) => field.name === name && field.track === track);
    const others = place.fields.filter((field) => field !== old);
    if (mode === 'remove' || (mode === undefined && given.length === 0)) {
      if (old && !this.#isUnknown(old.values)) place.fields = others;
      return;
    }
    if (given.length === 0) return;
    const make = (each: (typeof given)[number]): ModelValue => ({
      born: each.born,
      change: this.#entry.id,
      text: each.value,
      lang: each.lang,
      conflict: false,
    });
    const languages = [...new Set((old?.values ?? []).map(({ lang }) => lang))];
    const lists = new Map(languages.map((lang) => [lang, (old?.values ?? []).filter((each) => each.lang === lang)]));
    if (mode === 'add' || given.some((each) => each.mode !== undefined)) {
      for (const each of given) {
        if (each.mode !== 'remove') lists.set(each.lang, [...(lists.get(each.lang) ?? []), make(each)]);
        else {
          for (const [lang, values] of lists) {
            if ((each.lang !== '' && each.lang !== lang) || this.#isUnknown(values)) continue;
            lists.set(
              lang,
              values.filter(({ text }) => text !== each.value),
            );
          }
        }
      }
    } else {
      for (const lang of new Set(given.map((each) => each.lang))) {
        const wanted = given.filter((each) => each.lang === lang);
        const known = [...(lists.get(lang) ?? [])];
        const isEqual = known.map(({ text }) => text).join('\n') === wanted.map((each) => each.value).join('\n');
        if (!(isEqual && known.length === wanted.length) && this.#isUnknown(known)) {
          const added = wanted.filter((each) => !known.some(({ text }) => text === each.value)).map(make);
          const both = [...known, ...added];
          lists.set(lang, added.length === 0 ? known : both.map((each) => ({ ...each, conflict: true })));
          continue;
        }
        const next = wanted.map((each) => {
          const at = known.findIndex(({ text }) => text === each.value);
          return at < 0 ? make(each) : { ...known.splice(at, 1)[0]!, conflict: false };
        });
        lists.set(lang, next);
      }
    }
    const values = [...lists.values()].flat();
    if (values.length === 0) place.fields = others;
    else if (old) old.values = values;
    else place.fields.push({ born: this.#born(doc), name, track, values });
  }

  /** Gives the part of the document that changed something. Undefined: none. */
  #group(place: Place, doc: DocGroup, plain: number): DocGroup | undefined {
    const same = place.groups.filter(({ name }) => name === doc.name);
    if (doc.mode === 'remove') {
      place.groups = place.groups.filter(({ name }) => name !== doc.name);
      return same.length > 0 ? doc : undefined;
    }
    const stored = same.filter((group) => !group.born.startsWith(`${this.#entry.id}.`));
    const isPlain = doc.mode === undefined;
    if (isPlain && this.#strict && stored.length > 0 && (plain > 1 || stored.length > 1)) throw new Refused();
    const known = isPlain && plain === 1 ? stored[0] : undefined;
    if (known) {
      const kept = this.#place(known, doc);
      return kept.field.length + kept.group.length > 0 ? { ...doc, ...kept } : undefined;
    }
    const group = { born: this.#born(doc), name: doc.name, fields: [], groups: [] };
    place.groups.push(group);
    this.#place(group, doc);
    return doc;
  }

  #move(spans: ModelSpan[], { born, start, end }: NonNullable<Entry['move']>): void {
    const from = spans.find(({ fields, groups }) => [...fields, ...groups].some((each) => each.born === born));
    const key = keyOf({ start, end });
    if (!from || from.key === key) return;
    const to = spans.find((span) => span.key === key) ?? { key, fields: [], groups: [] };
    const field = from.fields.find((each) => each.born === born);
    if (field && to.fields.some(({ name, track }) => name === field.name && track === field.track)) {
      if (this.#strict) throw new Refused();
      return;
    }
    if (!spans.includes(to)) spans.push(to);
    if (field) {
      from.fields = from.fields.filter((each) => each !== field);
      to.fields.push(field);
    } else {
      const group = from.groups.find((each) => each.born === born)!;
      from.groups = from.groups.filter((each) => each !== group);
      to.groups.push(group);
    }
  }
}

/** Field, values, language, track and timespan of all that differs between two states. */
export function differences(before: readonly ModelSpan[], after: readonly ModelSpan[]): readonly string[] {
  const [old, now] = [factsOf(before), factsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const is = now.get(key) ?? [];
    if (JSON.stringify(old.get(key) ?? []) === JSON.stringify(is)) return [];
    return [JSON.stringify([...(JSON.parse(key) as string[]).slice(1), is])];
  });
}

function factsOf(spans: readonly ModelSpan[]): Map<string, string[]> {
  const facts = new Map<string, string[]>();
  const collect = (span: string, path: string, { fields, groups }: Place) => {
    for (const { name, track, values } of fields) {
      for (const { lang, text } of values) {
        const key = JSON.stringify([path, span, name, track, lang]);
        facts.set(key, [...(facts.get(key) ?? []), text]);
      }
    }
    for (const group of groups) collect(span, `${path}/${group.born}`, group);
  };
  for (const span of spans) collect(span.key, '', span);
  return facts;
}

/** The state without what only the model knows. */
export function plainOf(spans: readonly ModelSpan[]): unknown {
  const place = ({ fields, groups }: Place): unknown => ({
    fields: fields
      .map(({ name, track, values }) => [
        name,
        track,
        ...values.map(({ text, lang, conflict }) => [text, lang, conflict]),
      ])
      .map((each) => JSON.stringify(each))
      .toSorted(),
    groups: groups.map((group) => [group.name, place(group)]),
  });
  return Object.fromEntries(
    spans.map((span) => [span.key, place(span)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
