import {
  type Contents,
  everyContents,
  fieldKey,
  type Instance,
  type MetadataState,
  type StoredField,
  type StoredGroup,
  type StoredValue,
  spanKeyOf,
  uuidOfInstance,
} from './state.ts';
import { decodeUuid } from './uuid.ts';

/** Location of an instance. */
interface Located {
  readonly uuid: string;
  readonly spanKey: string;
  readonly contents: Contents;
  /** The names of the groups, the nearest first. */
  readonly around: readonly string[];
  /** Key of the field, or of the field that contains the value. */
  readonly fieldKey?: string;
}

type MatchOf<T> = (Located & T) | undefined;
interface WithField {
  readonly field: StoredField;
  readonly fieldKey: string;
}

/** Index of the groups, fields and values of a state by uuid. */
export class Addresses {
  readonly #state: MetadataState;
  #located: Map<string, Located> | undefined;

  constructor(state: MetadataState) {
    this.#state = state;
  }

  /** Whether any uuid was looked up. */
  get isUsed(): boolean {
    return this.#located !== undefined;
  }

  fieldWith(uuid: string): MatchOf<WithField> {
    const fieldMatch = this.#inField(uuid);
    return fieldMatch && uuidOfInstance(fieldMatch.field) === uuid ? fieldMatch : undefined;
  }

  valueWith(uuid: string): MatchOf<WithField & { readonly value: StoredValue }> {
    const fieldMatch = this.#inField(uuid);
    const value = fieldMatch?.field.values.find((each) => uuidOfInstance(each) === uuid);
    return fieldMatch && value && { ...fieldMatch, value };
  }

  groupWith(uuid: string): MatchOf<{ readonly group: StoredGroup }> {
    const located = this.#locate(uuid);
    const group = located?.contents.groups.find((each) => uuidOfInstance(each) === uuid);
    return located && group && { ...located, group };
  }

  /** The field at the location, also if its instance was replaced meanwhile. */
  #inField(uuid: string): MatchOf<WithField> {
    const located = this.#locate(uuid);
    if (located?.fieldKey === undefined) return undefined;
    const field = located.contents.fields.get(located.fieldKey);
    return field && { ...located, fieldKey: located.fieldKey, field };
  }

  /** Built on first use, since few change sets name uuids. */
  #locate(uuid: string): Located | undefined {
    if (decodeUuid(uuid) === undefined) return undefined;
    this.#located ??= locatedByUuid(this.#state);
    return this.#located.get(uuid);
  }
}

function locatedByUuid(state: MetadataState): Map<string, Located> {
  const located = new Map<string, Located>();
  for (const { span, contents, around } of everyContents(state)) {
    const spanKey = spanKeyOf(span);
    const add = (instance: Instance, key?: string) => {
      const uuid = uuidOfInstance(instance);
      located.set(uuid, { uuid, spanKey, contents, around, ...(key !== undefined && { fieldKey: key }) });
    };
    for (const group of contents.groups) add(group);
    for (const field of contents.fields.values()) {
      const key = fieldKey(field.name, field.track);
      add(field, key);
      for (const value of field.values) add(value, key);
    }
  }
  return located;
}
