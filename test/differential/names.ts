/** Values that each service makes for itself: times, uuids, and texts that are random. */
const own =
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)|\b1[5-9]\d{11}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|(?<![\w-])(?=[\w-]*(?:\d|[A-Z]{2}))[\w-]{22,}(?![\w-])/g;
const time = /^\d{4}-\d\d-|^1[5-9]\d{11}$/;

/** Abilities of a place that it tells: an edge draws nothing. */
const ability = /"burns":\[[^\]]*\],?|<burns>\w+<\/burns>/g;

/** Values of one place, each of which gets a number where it comes first. So equal answers have equal texts. */
export class Names {
  readonly #origin: string;
  readonly #labels = new Map<string, string>();
  readonly #values = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** A text of this place, in words that all places share. */
  shared(text: string): string {
    return text
      .replaceAll(this.#origin, 'http://portico')
      .replace(/(?<="requestId":"|<requestId>)[^"<]*/g, '-')
      .replace(ability, '')
      .replace(own, (value) => (time.test(value) ? '{time}' : this.#labelOf(value)));
  }

  /** A shared text in words of this place. */
  here(text: string): string {
    return text.replace(/\{own \d+\}/g, (label) => this.#values.get(label) ?? label);
  }

  #labelOf(value: string): string {
    const label = this.#labels.get(value) ?? `{own ${this.#labels.size}}`;
    this.#labels.set(value, label);
    this.#values.set(label, value);
    return label;
  }
}
