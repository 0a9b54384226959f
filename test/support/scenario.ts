import { expect, it } from 'vitest';
import type { EventName } from './declared.ts';
import type { Answer, Entry, Sent, World } from './matrix.ts';
import type { Happened, ServiceOptions } from './service.ts';

/** Name, entity, and a part of the payload. */
export type ExpectedEvent = readonly [name: EventName, entity: string, payload?: Readonly<Record<string, unknown>>];

export interface ExpectedBody {
  readonly exact?: string;
  readonly contains?: readonly string[];
  readonly lacks?: readonly string[];
  /** All of the JSON. */
  readonly json?: unknown;
  /** A part of the JSON. */
  readonly jsonPart?: object;
}

/** Request and all that may follow from it: what is not named here must not happen. */
export interface Scenario extends Sent {
  readonly name: string;
  /** Requests before it, which must succeed; their events do not count. */
  readonly given?: readonly Sent[];
  readonly status: number;
  /** Null: the header must be missing. */
  readonly answers?: Readonly<Record<string, string | RegExp | null>>;
  readonly says?: ExpectedBody;
  /** Exactly these, in this order; none when left out. */
  readonly events?: readonly ExpectedEvent[];
}

export interface ScenarioOptions extends ServiceOptions {
  /** Before every row. */
  readonly given?: readonly Sent[];
}

/** A test for each row, each with a service of its own. */
export function itHolds(entry: Entry, rows: readonly Scenario[], options: ScenarioOptions = {}): void {
  for (const row of rows) {
    it(row.name, async () => {
      const world = await entry.open(options);
      await prepare(world, options.given);
      await playScenario(world, row);
    });
  }
}

export async function prepare(world: World, given: readonly Sent[] = []): Promise<void> {
  for (const sent of given) {
    const { status, body } = await world.send(sent);
    expect(status, `${sent.request}: ${body}`).toBeLessThan(300);
  }
}

export async function playScenario(world: World, row: Scenario): Promise<Answer> {
  await prepare(world, row.given);
  const before = (await world.events()).at(-1)?.sequence ?? 0;
  const answer = await world.send(row);
  expect(answer.status, answer.body).toBe(row.status);
  for (const [name, expected] of Object.entries(row.answers ?? {}))
    checkHeader(answer.headers.get(name), name, expected);
  checkBody(answer.body, row.says ?? {});
  checkEvents(await world.events(before), row.events ?? []);
  return answer;
}

function checkHeader(actual: string | null, name: string, expected: string | RegExp | null): void {
  if (expected instanceof RegExp) expect(actual, name).toMatch(expected);
  else expect(actual, name).toBe(expected);
}

function checkBody(body: string, { exact, contains = [], lacks = [], json, jsonPart }: ExpectedBody): void {
  if (exact !== undefined) expect(body).toBe(exact);
  for (const text of contains) expect(body).toContain(text);
  for (const text of lacks) expect(body).not.toContain(text);
  if (json !== undefined) expect(JSON.parse(body)).toEqual(json);
  if (jsonPart !== undefined) expect(JSON.parse(body)).toMatchObject(jsonPart);
}

function checkEvents(happened: readonly Happened[], expected: readonly ExpectedEvent[]): void {
  const summary = happened.map(({ name, entity }) => `${name} ${entity}`);
  expect(summary, 'Events').toEqual(expected.map(([name, entity]) => `${name} ${entity}`));
  for (const [index, [, , payload]] of expected.entries()) {
    if (payload !== undefined) expect(happened[index]!.payload).toMatchObject(payload);
  }
}
