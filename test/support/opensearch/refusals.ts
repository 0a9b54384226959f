/** Refusal as the engine gives it. */
export class Refused extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, reason = type) {
    super(reason);
    this.status = status;
    this.type = type;
  }

  get body() {
    const error = { type: this.type, reason: this.message };
    return { error: { root_cause: [error], ...error }, status: this.status };
  }
}

export const malformed = (reason: string) => new Refused(400, 'parsing_exception', reason);
export const illegal = (reason: string) => new Refused(400, 'illegal_argument_exception', reason);
/** A query that cannot be made for the mapping of an index. */
export const unfit = (reason: string) => new Refused(400, 'query_shard_exception', reason);
export const noIndex = (name: string) => new Refused(404, 'index_not_found_exception', `no such index [${name}]`);

// biome-ignore lint/suspicious/noExplicitAny: JSON of a request
export type Json = any;

/** The only property of an object that must have one. */
export function onlyEntry(value: Json, what: string): readonly [string, Json] {
  const entries = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
  if (entries.length !== 1) throw malformed(`[${what}] malformed, expected one property`);
  return entries[0] as [string, Json];
}

/** Refuses properties that the engine, or this stand-in, does not have. */
export function onlyThese(value: Json, what: string, names: readonly string[]): void {
  if (value === null || typeof value !== 'object') throw malformed(`[${what}] malformed, expected an object`);
  const other = Object.keys(value).find((name) => !names.includes(name));
  if (other !== undefined) throw malformed(`[${what}] unknown field [${other}]`);
}
