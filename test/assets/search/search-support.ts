import { afterAll, beforeAll } from 'vitest';
import { requestOf, type Sent, type World } from '../../support/matrix.ts';
import { admin, type Credentials, openService } from '../../support/service.ts';
import { by, json } from '../items/asset-support.ts';

/** Items and fields as the tests of searches make them. */

type Values = Readonly<Record<string, string | readonly string[]>>;

export const fieldsOf = (values: Values) =>
  Object.entries(values).map(([name, given]) => ({ name, value: [given].flat().map((value) => ({ value })) }));

export const item = (values: Values, more: object = {}, as: Credentials = admin) =>
  by(
    'POST /API/import/placeholder',
    { timespan: [{ start: '-INF', end: '+INF', field: fieldsOf(values), ...more }] },
    json,
    as,
  );

export const field = (name: string, type: string, more: object = {}) =>
  by(`PUT /API/metadata-field/${name}`, { type, ...more });

/** One service for all tests of a suite. */
export function openSharedAssets(): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    const opened = await openService();
    const send = async (sent: Sent) => {
      const response = await opened.service.fetch(requestOf('http://portico.test', sent));
      return { status: response.status, headers: response.headers, body: await response.text() };
    };
    world = { ...opened, send };
  });
  afterAll(() => world?.close());
  return () => world!;
}

/** The work that keeps the orders of sortable fields, until nothing is left of it. */
export async function keepOrders({ service, clock }: World): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await service.tick(1000);
    await clock.advance(6000);
  }
}
