/** Refusal of the engine. The engine's text is left out: it may quote metadata and addresses. */
export class EngineRefusal extends Error {
  /** 0: no answer came. */
  readonly status: number;
  /** Type of error in the engine's words, such as `index_not_found_exception`. */
  readonly type: string | undefined;

  constructor(status: number, type: string | undefined, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

const readOnly =
  'Expected an index that may be written. It is read-only, mostly because a disk is full: make room, then remove index.blocks.read_only_allow_delete';

const sentences: ReadonlyMap<string, string> = new Map([
  ['cluster_block_exception', readOnly],
  ['index_not_found_exception', 'Expected the index of the search engine: there is none'],
  ['too_many_clauses', 'Expected a query within the limit of clauses of the search engine'],
  ['too_many_nested_clauses', 'Expected a query within the limit of clauses of the search engine'],
  ['circuit_breaking_exception', 'Expected a search engine with enough memory'],
  ['mapper_parsing_exception', 'Expected a document that fits the mapping of the index'],
]);

const statuses: ReadonlyMap<number, string> = new Map([
  [401, 'Expected a login that the search engine takes'],
  [403, 'Expected a login with the rights to use the index'],
  [413, 'Expected requests that the search engine takes: lower batchBytes'],
  [429, 'Expected a search engine that is not busy'],
  [503, 'Expected a search engine with all its shards'],
]);

export function refusal(status: number, type: string | undefined, about = ''): EngineRefusal {
  const sentence = sentences.get(type ?? '') ?? statuses.get(status) ?? 'Expected another answer of the search engine';
  return new EngineRefusal(status, type, `${sentence}${about}: ${status}${type === undefined ? '' : ` ${type}`}`);
}

/** The call did not get an answer. Its own message may name the address. */
export function unreachable(error: unknown): EngineRefusal {
  const kind = (Object(error) as { readonly kind?: unknown }).kind;
  const word = typeof kind === 'string' && /^[a-z-]{1,20}$/.test(kind) ? kind : 'connect';
  return new EngineRefusal(0, undefined, `Expected an answer of the search engine: ${word}`);
}

/** Type of the innermost known cause, or of the error. */
export function errorType(document: unknown): string | undefined {
  const error = (document as { readonly error?: ErrorBody } | undefined)?.error;
  return error === undefined ? undefined : typeOf(error);
}

export interface ErrorBody {
  readonly type?: unknown;
  readonly caused_by?: ErrorBody;
  readonly root_cause?: readonly ErrorBody[];
}

export function typeOf(error: ErrorBody): string | undefined {
  const causes: unknown[] = [];
  const collect = (each: ErrorBody | undefined, depth: number): void => {
    if (each === undefined || each === null || depth > 8) return;
    causes.push(each.type);
    for (const inner of [each.caused_by, ...(Array.isArray(each.root_cause) ? each.root_cause : [])])
      collect(inner, depth + 1);
  };
  collect(error, 0);
  const words = causes.filter((each): each is string => typeof each === 'string' && /^[a-z_]{1,80}$/.test(each));
  return words.find((word) => sentences.has(word)) ?? words.find((word) => word !== 'search_phase_execution_exception');
}

/** Whether the same request may succeed a moment later. */
export const mayPass = (error: unknown): boolean => error instanceof EngineRefusal && passes(error.status, error.type);

/** A read-only index is 429, too, and stays so until somebody makes room. */
export const passes = (status: number, type: string | undefined): boolean =>
  type !== 'cluster_block_exception' && [0, 429, 500, 502, 503, 504].includes(status);
