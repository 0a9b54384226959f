import { expect } from 'vitest';
import { openWorld } from '../../support/matrix.ts';
import { eventsSince, openProvider, type Read } from './support.ts';

/** Answers of lists, and parts of them. */
export const list = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] };
export const nobody = { ...list, totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] };
export const id = (json: Read): string => json.id;
export const members = (...names: readonly string[]) => ({ members: names.map((display) => ({ display })) });

/** Values that earlier steps kept, by name. */
export type Kept = Readonly<Record<string, string>>;

/** Step of a provider's published tests: the request, and the expected answer. */
export interface Step {
  readonly step: string;
  /** Method and target. `{name}` stands for a value that an earlier step kept. */
  readonly request: string;
  readonly body?: object | ((kept: Kept) => object);
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly answer?: object | ((kept: Kept) => object);
  /** Members of the answer that must not be there. */
  readonly without?: readonly (string | string[])[];
  readonly events?: readonly string[];
  readonly keeps?: Readonly<Record<string, (json: Read) => string>>;
}

const filled = (text: string, kept: Kept): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (kept[name] === undefined) throw new Error(`Expected a step that keeps "${name}"`);
    return encodeURIComponent(kept[name]);
  });

const withFilter = (request: string): string =>
  request.replace(/(?<=[?&]filter=)[^&]*/, (filter) =>
    encodeURIComponent(filter).replaceAll('%7B', '{').replaceAll('%7D', '}'),
  );

const resolved = (value: object | ((kept: Kept) => object) | undefined, kept: Kept) =>
  typeof value === 'function' ? value(kept) : value;

/** Takes the steps in order, on one service. */
export async function take(steps: readonly Step[]): Promise<void> {
  const at = await openProvider((options) => openWorld('fetch', options));
  const kept: Record<string, string> = {};
  for (const { step, request, body, headers, status, answer, without = [], events, keeps = {} } of steps) {
    const before = await at.world.sequence();
    const told = await at.ask(filled(withFilter(request), kept), resolved(body, kept), headers);
    const { json } = told;
    expect([step, told.status, json], step).toEqual([step, status, json]);
    if (status !== 204) expect(told.headers.get('content-type'), step).toBe('application/scim+json');
    if (status >= 400)
      expect(json, step).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
        detail: expect.stringMatching(/./),
      });
    if (answer) expect({ step, ...json }).toMatchObject({ step, ...resolved(answer, kept) });
    for (const name of without) expect(json, `${step}: ${name}`).not.toHaveProperty(name);
    if (events) expect([step, ...(await eventsSince(at, before))]).toEqual([step, ...events]);
    for (const [name, read] of Object.entries(keeps)) kept[name] = read(json);
  }
}
