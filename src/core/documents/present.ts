type Source = Readonly<Record<string, unknown>>;

/** The slots for which a value has keys, in the orders of both forms. */
interface Present<S> {
  readonly inJson: readonly S[];
  readonly attributes: readonly S[];
  readonly elements: readonly S[];
}

/** Limit of remembered key lists. Structures with more variants get all slots. */
const most = 8;

/**
 * Finds the present slots of a value by its keys. Most values of a list have the same keys in the same order, and fewer
 * than their structure: to compare them costs less than to look for each slot.
 */
export class PresentSlots<S extends { readonly key: string }> {
  readonly #all: Present<S>;
  readonly #known: { readonly keys: readonly string[]; readonly present: Present<S> }[] = [];

  constructor(all: Present<S>) {
    this.#all = all;
  }

  of(source: Source): Present<S> {
    for (const { keys, present } of this.#known) if (hasKeys(source, keys)) return present;
    if (this.#known.length === most) return this.#all;
    const keys = Object.keys(source);
    const isPresent = ({ key }: S): boolean => keys.includes(key);
    const { inJson, attributes, elements } = this.#all;
    const present = {
      inJson: inJson.filter(isPresent),
      attributes: attributes.filter(isPresent),
      elements: elements.filter(isPresent),
    };
    this.#known.push({ keys, present });
    return present;
  }
}

/** Whether the object has exactly these keys, in this order. */
function hasKeys(source: Source, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in source) if (keys[at++] !== key) return false;
  return at === keys.length;
}
