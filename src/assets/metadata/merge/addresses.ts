import {
  fieldKey,
  type GroupPath,
  groupPaths,
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
  readonly place: GroupPath;
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
  #places: Map<string, Located> | undefined;

  constructor(state: MetadataState) {
    this.#state = state;
  }

  /** Whether any uuid was looked up. */
  get isUsed(): boolean {
    return this.#places !== undefined;
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
    const group = located?.place.groups.find((each) => uuidOfInstance(each) === uuid);
    return located && group && { ...located, group };
  }

  /** The field at the location, also if its instance was replaced meanwhile. */
  #inField(uuid: string): MatchOf<WithField> {
    const located = this.#locate(uuid);
    if (located?.fieldKey === undefined) return undefined;
    const field = located.place.fields.get(located.fieldKey);
    return field && { ...located, fieldKey: located.fieldKey, field };
  }

  /** Built on first use, since few change sets name uuids. */
  #locate(uuid: string): Located | undefined {
    if (decodeUuid(uuid) === undefined) return undefined;
    this.#places ??= placesByUuid(this.#state);
    return this.#places.get(uuid);
  }
}

function placesByUuid(state: MetadataState): Map<string, Located> {
  const places = new Map<string, Located>();
  for (const { span, place, around } of groupPaths(state)) {
    const spanKey = spanKeyOf(span);
    const add = (instance: Instance, key?: string) => {
      const uuid = uuidOfInstance(instance);
      places.set(uuid, { uuid, spanKey, place, around, ...(key !== undefined && { fieldKey: key }) });
    };
    for (const group of place.groups) add(group);
    for (const field of place.fields.values()) {
      const key = fieldKey(field.name, field.track);
      add(field, key);
      for (const value of field.values) add(value, key);
    }
  }
  return places;
}
