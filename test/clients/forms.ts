import { expect, it } from 'vitest';
import { describeMatrix, type Sent, type World } from '../support/matrix.ts';
import { admin } from '../support/service.ts';

/** Requests as production clients send them, and what they read in the answers. */

export const json = { accept: 'application/json' };
export const ask = (request: string, body?: Sent['body'], headers: Sent['headers'] = json): Sent => ({
  as: admin,
  request: request.replace(' ', ' /API'),
  headers,
  body,
});
export const field = (name: string, ...texts: readonly string[]) => ({
  name,
  value: texts.map((value) => ({ value })),
});
export const all = { start: '-INF', end: '+INF' };
export const namespace = 'xmlns="http://xml.vidispine.com/schema/vidispine"';

/** A request that has to succeed, and what its answer says. */
export interface Form {
  readonly name: string;
  readonly given?: readonly Sent[];
  readonly sent: Sent;
  readonly status?: number;
  readonly json?: object;
  readonly contains?: readonly string[];
  readonly lacks?: readonly string[];
}

async function well(world: World, sent: Sent, statuses: readonly number[] = [200, 204]): Promise<string> {
  const answer = await world.send(sent);
  expect(statuses, `${sent.request}: ${answer.status} ${answer.body}`).toContain(answer.status);
  return answer.body;
}

/** Tests each form, in order, against one shared service. */
export function describeForms(title: string, given: readonly Sent[], forms: readonly Form[]): void {
  describeMatrix(title, ({ shared }) => {
    const world = shared(async (opened) => {
      for (const each of given) await well(opened, each);
    });
    for (const { name, given: before = [], sent, status = 200, json: part, contains = [], lacks = [] } of forms) {
      it(name, async () => {
        for (const each of before) await well(world(), each);
        const body = await well(world(), sent, [status]);
        if (part !== undefined) expect(JSON.parse(body)).toMatchObject(part);
        for (const text of contains) expect(body).toContain(text);
        for (const text of lacks) expect(body).not.toContain(text);
      });
    }
  });
}
