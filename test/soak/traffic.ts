import { type Refusal, refusalOf } from '../../src/client/refusal.ts';

/** Event that callers notice, in milliseconds since the start. */
export interface Disturbance {
  readonly name: string;
  readonly began: number;
  ended: number;
  /** Statuses that callers may get meanwhile, beside 503 and lost connections. */
  readonly allows: readonly number[];
}

export interface Route {
  /** Milliseconds of each answer without a disturbance, by tenth of the run. */
  readonly took: readonly number[][];
  readonly statuses: Record<number, number>;
}

/** Milliseconds: behind a restart, connections of the pool still end, and instances still begin. */
const grace = 3_000;
const maxCallLength = 60_000;
const parts = 10;

/** Names of things have digits, and words of paths have none. */
const routeOf = (method: string, { pathname }: URL): string =>
  `${method} ${pathname
    .split('/')
    .map((part) => (/\d/.test(part) && part !== 'v2' ? ':id' : part))
    .join('/')}`;

/** Sends requests, and keeps how each was answered. Refusals that nobody expects are complaints. */
export class Traffic {
  readonly routes = new Map<string, Route>();
  readonly disturbances: Disturbance[] = [];
  readonly #complain: (says: string) => void;
  readonly #length: number;
  readonly #began = performance.now();
  readonly #startedAt = Date.now();

  /** `length`: milliseconds that the run is to take. */
  constructor(length: number, complain: (says: string) => void) {
    this.#length = length;
    this.#complain = complain;
  }

  now(): number {
    return performance.now() - this.#began;
  }

  /** Something that callers may notice: they get refusals until it has ended. */
  async disturb(name: string, allows: readonly number[], act: () => Promise<void>): Promise<void> {
    const disturbance = { name, began: this.now(), ended: Number.POSITIVE_INFINITY, allows };
    this.disturbances.push(disturbance);
    try {
      await act();
    } finally {
      disturbance.ended = this.now() + grace;
    }
  }

  disturbedSince(began: number): Disturbance | undefined {
    return this.disturbances.findLast(({ ended }) => ended >= began);
  }

  /** By the time of day, as logs have it. */
  wasDisturbedAt(time: number): boolean {
    const at = time - this.#startedAt;
    return this.disturbances.some(({ began, ended }) => began <= at && at <= ended);
  }

  /** `allowed`: refusals that the caller expects. */
  fetch(allowed: readonly number[] = []): typeof fetch {
    return async (input, init) => {
      const began = this.now();
      const route = routeOf(init?.method ?? 'GET', new URL(String(input)));
      try {
        const answer = await fetch(input, { ...init, signal: AbortSignal.timeout(maxCallLength) });
        const bytes = await answer.arrayBuffer();
        const { status, headers } = answer;
        const copy = () => new Response(bytes.byteLength > 0 ? bytes : null, { status, headers });
        this.#record(route, began, status, allowed, status >= 400 ? await refusalOf(copy()) : undefined);
        return copy();
      } catch (error) {
        const { message, cause } = error as Error;
        this.#record(route, began, 0, allowed, { message: `${message} ${cause ?? ''}` } as Refusal);
        throw error;
      }
    };
  }

  #record(name: string, began: number, status: number, allowed: readonly number[], refusal: Refusal | undefined): void {
    const now = this.now();
    let route = this.routes.get(name);
    if (!route) {
      route = { took: Array.from({ length: parts }, () => []), statuses: {} };
      this.routes.set(name, route);
    }
    route.statuses[status] = (route.statuses[status] ?? 0) + 1;
    const disturbance = this.disturbedSince(began);
    if (!disturbance) route.took[Math.min(parts - 1, Math.floor((parts * now) / this.#length))]!.push(now - began);
    if (!refusal || allowed.includes(status)) return;
    if (disturbance && [0, 503, ...disturbance.allows].includes(status)) return;
    const beside = disturbance ? ` beside ${disturbance.name}` : '';
    this.#complain(`${name} was answered ${status || 'nothing'}${beside}: ${refusal.message.slice(0, 200)}`);
  }
}
