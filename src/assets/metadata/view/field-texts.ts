import { escapeAttribute, escapeText } from '../../../core/documents/escape.ts';
import { insideQuotes, jsonDateTime, jsonString, xmlDateTime } from '../../../core/documents/scalars.ts';
import { Written } from '../../../core/documents/write.ts';
import type { ChangeRow, StoredFieldRow } from '../merge/stored.ts';
import { uuidsOf } from '../merge/uuid.ts';

/**
 * Pre-rendered fields of one timespan, directly from stored rows: objects for fields and values would double the cost.
 * A test compares the text with that of the descriptions.
 */
export class FieldTexts extends Written {
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
