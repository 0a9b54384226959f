import type { Sent, World } from '../../support/matrix.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { type RoomWorld, untilClosed, type WorldOptions, worker, worldOf } from '../../support/world.ts';

const json = { accept: 'application/json, */*;q=0.1' };

/** A service with somebody who may do everything with jobs. The test closes it. */
export const openJobWorld = (options: WorldOptions = {}): Promise<RoomWorld> => worldOf('jobs', options, untilClosed);

export const ask = (request: string, body?: Sent['body'], as: Credentials = worker): Sent => ({
  as,
  headers: json,
  request: request.replace(' /', ' /API/'),
  ...(body !== undefined && { body }),
});

/** The answer of a request that must succeed. */
export async function done<T = Record<string, unknown>>(world: World, ...sent: Parameters<typeof ask>): Promise<T> {
  const answer = await world.send(ask(...sent));
  if (answer.status >= 300) throw new Error(`${sent[0]}: ${answer.status} ${answer.body}`);
  return (/^[[{]/.test(answer.body) ? JSON.parse(answer.body) : answer.body) as T;
}

/** Status and code of a refusal. */
export async function refused(world: World, ...sent: Parameters<typeof ask>): Promise<string> {
  const answer = await world.send(ask(...sent));
  return `${answer.status} ${answer.headers.get('portico-error')}`;
}

export interface Seen {
  readonly jobId: string;
  readonly status: string;
  readonly user?: string;
  readonly priority: string;
  readonly type: string;
  readonly totalSteps?: number;
  readonly waiting?: { readonly requirement: string };
  readonly currentStep?: { readonly number: number; readonly status: string };
  readonly data?: readonly { readonly key: string; readonly value: string }[];
  readonly log?: {
    readonly task: readonly {
      readonly step: number;
      readonly attempts: number;
      readonly status: string;
      readonly errorMessage?: string;
      readonly subStep?: readonly { readonly description: string }[];
    }[];
  };
}

export const jobOf = (world: World, id: string): Promise<Seen> => done(world, `GET /job/${id}`);

/** The attempts at its steps: `100/0 FINISHED`. */
export const attempts = ({ log }: Seen): readonly string[] =>
  log!.task.map(({ step, attempts: attempt, status }) => `${step}/${attempt} ${status}`);

/** Lets work go on, and time pass, until the job has ended. */
export async function ended(world: World, id: string, seconds = 300): Promise<Seen> {
  for (let passed = 0; ; passed += 5) {
    await world.service.tick();
    const job = await jobOf(world, id);
    if (/^(FINISHED|FAILED|ABORTED$)/.test(job.status)) return job;
    if (passed >= seconds) throw new Error(`Expected ${id} to end: ${JSON.stringify(job)}`);
    await world.clock.advance(5_000);
  }
}

/** Initials of the users whose jobs ran, in order. */
export async function order(world: World): Promise<string> {
  await world.service.tick();
  const names = (await world.events())
    .filter(({ name, payload }) => name === 'job/update' && payload['status'] === 'FINISHED')
    .map(({ payload }) => String(payload['user'])[0]);
  return names.join('');
}

let lastId = 20_000;

/** A type with these steps, which are scripts. */
export async function newType(
  world: World,
  name: string,
  steps: readonly ({ readonly step: number; readonly script: string } & Record<string, unknown>)[],
): Promise<void> {
  await done(world, `POST /task-definition/jobtype/${name}?id=${lastId++}`, { task: steps });
}

export { admin, worker };
