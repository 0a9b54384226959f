import { escapeAttribute, escapeText } from '../../../core/documents/escape.ts';
import { insideQuotes, jsonDateTime, jsonString, xmlDateTime } from '../../../core/documents/scalars.ts';
import { Written } from '../../../core/documents/write.ts';
import type { MetadataDocumentValue, MetadataField, MetadataTimespan } from '../documents.ts';
import { type ChangeRow, type Rows, type StoredFieldRow, sizeOfSpan } from '../merge/stored.ts';
import { uuidsOf } from '../merge/uuid.ts';
import type { TransientValue } from './document.ts';

/**
 * Pre-rendered fields of one timespan, directly from stored rows: objects for fields and values would double the cost.
 * A test compares the text with that of the descriptions.
 */
class FieldTexts extends Written {
  readonly #fields: readonly StoredFieldRow[];
  readonly #changes: readonly ChangeRow[];
  readonly #uuids: ((ordinal: number) => string)[] = [];

  /** `fields`: each has a value. */
  constructor(fields: readonly StoredFieldRow[], changes: readonly ChangeRow[]) {
    super();
    this.#fields = fields;
    this.#changes = changes;
  }

  #uuid(made: number, ordinal: number): string {
    this.#uuids[made] ??= uuidsOf(this.#changes[made]![0]);
    return this.#uuids[made](ordinal);
  }

  json(): string {
    const marks = this.#changes.map(
      ([id, user, at]) => `","user":${jsonString(user)},"timestamp":"${jsonDateTime(at)}","change":${jsonString(id)}`,
    );
    const closed = marks.map((each) => `${each}}`);
    let out = '';
    for (const [name, made, ordinal, changed, values, track] of this.#fields) {
      let list = '';
      let more = '';
      for (const [text, valueMade, valueOrdinal, valueChanged, language, conflict] of values) {
        if (list !== '') list += ',';
        list += `{"value":"${insideQuotes(text)}","uuid":"`;
        list += this.#uuid(valueMade, valueOrdinal);
        if (!conflict && language == null) {
          list += closed[valueChanged];
          continue;
        }
        if (conflict) more = ',"conflict":true';
        const rest = language == null ? '' : `,"lang":${jsonString(language)}`;
        list += `${marks[valueChanged]}${conflict ? ',"conflict":true' : ''}${rest}}`;
      }
      if (track != null) more += `,"track":${jsonString(track)}`;
      out += `${out === '' ? '' : ','}{"name":"${insideQuotes(name)}","value":[`;
      out += list;
      out += '],"uuid":"';
      out += this.#uuid(made, ordinal);
      out += more === '' ? closed[changed] : `${marks[changed]}${more}}`;
    }
    return out;
  }

  xml(): string {
    const marks = this.#changes.map(
      ([id, user, at]) =>
        `" user="${escapeAttribute(user)}" timestamp="${xmlDateTime(at)}" change="${escapeAttribute(id)}"`,
    );
    let out = '';
    for (const [name, made, ordinal, changed, values, track] of this.#fields) {
      let list = '';
      let more = '';
      for (const [text, valueMade, valueOrdinal, valueChanged, language, conflict] of values) {
        let rest = '';
        if (conflict) rest = more = ' conflict="true"';
        if (language != null) rest += ` lang="${escapeAttribute(language)}"`;
        list += `<value uuid="${this.#uuid(valueMade, valueOrdinal)}${marks[valueChanged]}${rest}>${escapeText(text)}</value>`;
      }
      if (track != null) more += ` track="${escapeAttribute(track)}"`;
      const head = `<field uuid="${this.#uuid(made, ordinal)}${marks[changed]}${more}><name>${escapeText(name)}</name>`;
      out += `${head}${list}</field>`;
    }
    return out;
  }
}

/**
 * Complete document as stored: equal to the result of `documentOf`, but with fields as text. Undefined: groups or
 * references need more than the rows. `gone`: names of deleted fields. Steps of `runInSlices`.
 */
export function* wholeDocument(
  { c: changes, m: main, t: template, s: spans }: Rows,
  computed: readonly TransientValue[],
  gone: ReadonlySet<string> = new Set(),
): Generator<number, MetadataDocumentValue | undefined> {
  const isShown: boolean[] = [];
  const shown: string[] = [];
  const show = (change: number): void => {
    if (isShown[change]) return;
    isShown[change] = true;
    shown.push(changes[change]![0]);
  };
  const own: MetadataField[] = computed.map(([name, value]) => ({ name, value: [{ value }] }));
  const timespan: MetadataTimespan[] = [];
  let hasGeneric = false;
  for (const [start, end, rows, groups] of spans) {
    yield sizeOfSpan * rows.length;
    if (groups.length > 0) return undefined;
    const fields: StoredFieldRow[] = [];
    for (const row of rows) {
      const [name, , , changed, values, , reference] = row;
      if (gone.has(name)) continue;
      if (reference !== undefined) return undefined;
      show(changed);
      for (const value of values) show(value[3]);
      if (values.length > 0) fields.push(row);
    }
    const isGeneric = start === '-INF' && end === '+INF';
    if (!isGeneric && fields.length === 0) continue;
    hasGeneric ||= isGeneric;
    const texts = fields.length > 0 ? [new FieldTexts(fields, changes) as MetadataField] : [];
    timespan.push({ field: isGeneric ? [...texts, ...own] : texts, group: [], start, end });
  }
  if (!hasGeneric) timespan.unshift({ field: own, group: [], start: '-INF', end: '+INF' });
  if (main) show(main[0]);
  if (template) show(template[0]);
  const revision = shown.join(',');
  const names = main?.slice(1) as readonly string[] | undefined;
  return {
    timespan,
    ...(revision !== '' && { revision }),
    ...(template && { template: template[1] }),
    ...(names && { group: names }),
  };
}
