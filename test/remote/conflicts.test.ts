import { describe, expect, it, onTestFinished } from 'vitest';
import { edgeService } from '../../src/entry/edge.ts';
import { basic } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { sqldBinary, startPreparedSqld } from '../support/sqld.ts';

const changes = 40;

describe.skipIf(sqldBinary() === undefined)('changes of one item that meet on edges', () => {
  it('are tried again until all of them are made', async () => {
    const server = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: admin[1] });
    onTestFinished(() => server.stop());
    const environment = { PORTICO_DATABASE: server.url, PORTICO_LOG_LEVEL: 'error' };
    const edges = [edgeService(environment), edgeService(environment)];
    for (const edge of edges) onTestFinished(() => edge.close());
    const headers = {
      authorization: basic(admin),
      'content-type': 'application/json',
      accept: 'application/json',
    };
    async function ask(which: number, method: string, path: string, body?: object) {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const answer = await edges[which]!.fetch(new Request(`http://portico.test/API${path}`, init));
      return { status: answer.status, text: await answer.text() };
    }
    const made = await ask(0, 'POST', '/import/placeholder', {});
    expect(made.status, made.text).toBe(200);
    const [id] = /\w+-\d+/.exec(made.text)!;
    expect((await ask(1, 'GET', `/item/${id}/metadata`)).status).toBe(200);

    const modified = async () => {
      const events = "SELECT count(*) FROM event WHERE name = 'metadata/modify' AND entity_id = ?";
      return Number((await edges[0]!.store.read(events, [id!]))[0]![0]);
    };
    const modifiedBefore = await modified();
    const field = (index: number) => ({ name: 'title', value: [{ value: `title ${index}` }] });
    const answers = await Promise.all(
      Array.from({ length: changes }, (_, index) =>
        ask(index % 2, 'PUT', `/item/${id}/metadata`, {
          timespan: [{ start: '-INF', end: '+INF', field: [field(index)] }],
        }),
      ),
    );
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts), answers.find(({ status }) => status !== 200)?.text).toEqual({ 200: changes });
    expect(await modified()).toBe(modifiedBefore + changes);
  });
});
