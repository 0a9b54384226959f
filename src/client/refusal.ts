import type { ExceptionDocument } from '../types.ts';

/** Value of the header `portico-error` while the service has no answer from its database. */
export const noData = 'store-unavailable';

/** A refusal of the API. Status 0: the service could not be reached. */
export class Refusal extends Error {
  readonly status: number;
  /** The field of the error document: `notFound`, `forbidden`, `conflict`. */
  readonly kind: string;
  /** Subject of the refusal: an entity, or the role that is missing. */
  readonly id: string | undefined;
  readonly context: string | undefined;
  readonly explanation: string | undefined;
  readonly value: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** Whether nothing answered, or the service has no answer from its database. Both end by themselves. */
  readonly isAway: boolean;
  /** The refused request. */
  request: { readonly method: string; readonly target: string } | undefined;

  constructor(status: number, kind: string, detail: Readonly<Record<string, unknown>>, headers?: Headers) {
    const text = (name: string): string | undefined =>
      typeof detail[name] === 'string' && detail[name] !== '' ? (detail[name] as string) : undefined;
    super(text('explanation') ?? text('message') ?? missing(text('type'), text('id')) ?? kind);
    this.name = 'Refusal';
    this.status = status;
    this.kind = kind;
    this.id = text('id');
    this.context = text('context');
    this.explanation = text('explanation') ?? text('message');
    this.value = text('value');
    this.requestId = headers?.get('x-request-id') ?? undefined;
    this.isAway = status === 0 || headers?.get('portico-error') === noData;
    const after = Number(headers?.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(after) ? after : undefined;
  }

  /** The role that the caller lacks. */
  get role(): string | undefined {
    return this.status === 403 && this.context === 'role' ? this.id : undefined;
  }
}

/** Sentence of a refusal that only names an entity. */
const missing = (type: string | undefined, id: string | undefined): string | undefined =>
  type === undefined && id === undefined
    ? undefined
    : `Expected ${type ?? 'something'} ${id === undefined ? '' : `"${id}" `}to be there`;

export async function refusalOf(response: Response): Promise<Refusal> {
  const document = (await response.json().catch(() => ({}))) as Partial<ExceptionDocument>;
  const [kind, detail] = Object.entries(document).find(([, value]) => value !== null && typeof value === 'object') ?? [
    response.headers.get('portico-error') ?? String(response.status),
    {},
  ];
  return new Refusal(response.status, kind, (detail ?? {}) as Record<string, unknown>, response.headers);
}

export const pause = (milliseconds: number, abort?: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    const timer = setTimeout(done, milliseconds);
    abort?.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(abort.reason);
    });
  });
