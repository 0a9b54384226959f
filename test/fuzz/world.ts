import type { Route } from '../../src/http/route.ts';
import { castFor } from '../security/roles/rule.ts';
import { newUser } from '../support/cast.ts';
import { type Answer, requestOf, type Sent } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { type RoomWorld, untilClosed, worldOf } from '../support/world.ts';
import { checkAnswer, Fault } from './judge.ts';

/** A user without any role. */
export const guest: Credentials = ['guest', 'password of guest'];

export interface FuzzWorld extends RoomWorld {
  /** The answer of a route, after it was checked. */
  ask(sent: Sent, route?: Route, rawTarget?: string): Promise<Answer>;
}

/** A whole service in memory behind the Fetch entry, which refuses no login for being the next of many. */
export async function openFuzzWorld(): Promise<FuzzWorld> {
  const settings = { logLevel: 'error', loginDelayMost: 0, minFreeBytes: 0, firstId: 1000 } as const;
  const world = await worldOf(['metadata', 'files', 'exports'], { settings }, untilClosed);
  await prepare(world, [newUser(guest), ...castFor([], [])]);
  let logged = 0;
  return {
    ...world,
    async ask(sent, route, rawTarget) {
      const arrival = rawTarget === undefined ? {} : { rawTarget };
      const request = requestOf('http://portico.test', { as: admin, ...sent });
      // The clock stands still, so a call that waits ends when its caller leaves.
      const leaves = route?.query?.['wait'] ? { signal: AbortSignal.timeout(50) } : {};
      const response = await world.service.fetch(new Request(request, leaves), arrival);
      const answer = { status: response.status, headers: response.headers, body: await response.text() };
      const errors = world.lines.slice(logged).filter(({ level }) => level === 'error');
      logged = world.lines.length;
      if (errors.length > 0)
        throw new Fault(`answers ${answer.status}, and logs ${JSON.stringify(errors).slice(0, 2000)}`);
      checkAnswer(answer, route);
      return answer;
    },
    close: async () => {
      for (const { event } of world.lines) world.expectErrors(event);
      await world.close();
    },
  };
}
