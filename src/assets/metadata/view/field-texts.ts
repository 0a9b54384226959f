import { jsonDateTime, xmlDateTime } from '../../../documents/date-time.ts';
import { escapeAttribute, escapeText } from '../../../documents/escape.ts';
import { jsonString } from '../../../documents/scalars.ts';
import { Written } from '../../../documents/written.ts';
import type { ChangeRow, FieldRow, ValueRow } from '../merge/stored.ts';
import { uuidsOf } from '../merge/uuid.ts';

/**
 * The fields of one timespan as text, from the rows that are stored: an object for each of them and of their values would
 * cost twice as much as the text. A test compares it with what the descriptions make of such objects.
 */
export class FieldTexts extends Written {
  readonly #fields: readonly FieldRow[];
  readonly #changes: readonly ChangeRow[];
  readonly #uuids: ((ordinal: number) => string)[] = [];

  /** `fields`: of which each has a value. */
  constructor(fields: readonly FieldRow[], changes: readonly ChangeRow[]) {
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
    const valueText = ([text, made, ordinal, changed, language, conflict]: ValueRow): string => {
      const more = (conflict ? ',"conflict":true' : '') + (language == null ? '' : `,"lang":${jsonString(language)}`);
      return `{"value":${jsonString(text)},"uuid":"${this.#uuid(made, ordinal)}${marks[changed]}${more}}`;
    };
    let out = '';
    for (const [name, made, ordinal, changed, values, track] of this.#fields) {
      let list = '';
      for (const value of values) list += list === '' ? valueText(value) : `,${valueText(value)}`;
      const more =
        (isDisputed(values) ? ',"conflict":true' : '') + (track == null ? '' : `,"track":${jsonString(track)}`);
      out += `${out === '' ? '' : ','}{"name":${jsonString(name)},"value":[${list}],"uuid":"${this.#uuid(made, ordinal)}${marks[changed]}${more}}`;
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
      const more =
        (isDisputed(values) ? ' conflict="true"' : '') + (track == null ? '' : ` track="${escapeAttribute(track)}"`);
      out += `<field uuid="${this.#uuid(made, ordinal)}${marks[changed]}${more}><name>${escapeText(name)}</name>`;
      for (const [text, valueMade, valueOrdinal, valueChanged, language, conflict] of values) {
        const rest =
          (conflict ? ' conflict="true"' : '') + (language == null ? '' : ` lang="${escapeAttribute(language)}"`);
        out += `<value uuid="${this.#uuid(valueMade, valueOrdinal)}${marks[valueChanged]}${rest}>${escapeText(text)}</value>`;
      }
      out += '</field>';
    }
    return out;
  }
}

/** Some of its values contradict each other. */
const isDisputed = (values: readonly ValueRow[]): boolean => values.some(([, , , , , conflict]) => conflict === 1);
