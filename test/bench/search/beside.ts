import { besideSpinning, load, requestBytes } from '../load.ts';
import { median, type Row } from '../row.ts';
import type { Started } from '../runtimes.ts';
import { Client } from './client.ts';
import { authorizationOf } from './data-set.ts';
import type { Question } from './questions.ts';

const whoami = requestBytes('GET', '/API/whoami', { authorization: authorizationOf('admin') });

/** What `whoami` waits for while one search comes after the other, against the same load beside a process that spins. */
export async function benchBeside(
  service: Started,
  questions: readonly Question[],
  rounds = 3,
  seconds = 2,
): Promise<Row[]> {
  const requests = questions.map(({ user, path, document }) => {
    const headers = { authorization: authorizationOf(user), accept: 'application/json' };
    const body = JSON.stringify(document);
    return requestBytes('PUT', `/API${path}`, { ...headers, 'content-type': 'application/json' }, body);
  });
  const measure = async () => (await load({ port: service.port, connections: 4, seconds, next: () => whoami })).p99;
  async function besideSearches(): Promise<number> {
    const client = new Client(service.port);
    let isDone = false;
    const searching = (async () => {
      for (let turn = 0; !isDone; turn++) await client.ask(requests[turn % requests.length]!);
    })();
    const p99 = await measure();
    isDone = true;
    await searching;
    client.close();
    return p99;
  }
  const pairs: { readonly searches: number; readonly spinning: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = { searches: await besideSearches(), spinning: await besideSpinning(measure) };
    if (round > 0) pairs.push(pair);
  }
  return [
    {
      name: 'p99 of whoami beside a process that spins, against beside searches of many items',
      ratio: median(pairs.map(({ searches, spinning }) => spinning / searches)),
      floor: 0.83,
    },
    { name: 'p99 of whoami beside these searches, milliseconds', value: median(pairs.map(({ searches }) => searches)) },
  ];
}
