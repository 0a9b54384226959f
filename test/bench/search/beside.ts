import { besideSpinning, load, requestBytes } from '../load.ts';
import { median, type Row } from '../row.ts';
import type { Started } from '../runtimes.ts';
import { Client } from './client.ts';
import { authorizationOf } from './data-set.ts';
import type { Question } from './questions.ts';

const whoami = requestBytes('GET', '/API/whoami', { authorization: authorizationOf('admin') });

/**
 * What `whoami` waits for while one search comes after the other, against the same load beside a process that spins. So of
 * the service, and of a bare server that gives each search to a thread and has no more to do. In the last row that server
 * does the searches and the service answers: what the machine allows where the service has no part in them.
 */
export async function benchBeside(service: Started, bare: Started, questions: readonly Question[]): Promise<Row[]> {
  const itsPath: PathOf = ({ path }) => `/API${path}`;
  const barePath: PathOf = ({ name }) => `/${encodeURIComponent(name)}`;
  const its = await besideSearches(service, service, questions, itsPath);
  const least = await besideSearches(bare, bare, questions, barePath);
  const elsewhere = await besideSearches(service, bare, questions, barePath);
  const name = 'p99 of whoami beside a process that spins, against beside searches of many items';
  return [
    { name, ratio: its.ratio, floor: 0.83 },
    { name: 'p99 of whoami beside these searches, milliseconds', value: its.milliseconds },
    { name: `${name}: a bare server that gives searches to a thread`, ratio: least.ratio },
    { name: 'p99 of whoami of the bare server beside these searches, milliseconds', value: least.milliseconds },
    { name: `${name}: searches that another process does`, ratio: elsewhere.ratio },
  ];
}

type PathOf = (question: Question) => string;

async function besideSearches(
  service: Started,
  searched: Started,
  questions: readonly Question[],
  pathOf: PathOf,
  rounds = 8,
  seconds = 2,
): Promise<{ readonly ratio: number; readonly milliseconds: number }> {
  const requests = questions.map((question) => {
    const headers = { authorization: authorizationOf(question.user), accept: 'application/json' };
    const body = JSON.stringify(question.document);
    return requestBytes('PUT', pathOf(question), { ...headers, 'content-type': 'application/json' }, body);
  });
  const measure = async () => (await load({ port: service.port, connections: 4, seconds, next: () => whoami })).p99;
  async function searching(): Promise<number> {
    const client = new Client(searched.port);
    let isDone = false;
    const asking = (async () => {
      for (let turn = 0; !isDone; turn++) await client.ask(requests[turn % requests.length]!);
    })();
    const p99 = await measure();
    isDone = true;
    await asking;
    client.close();
    return p99;
  }
  const pairs: { readonly searches: number; readonly spinning: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = { searches: await searching(), spinning: await besideSpinning(measure) };
    if (round > 0) pairs.push(pair);
  }
  return {
    ratio: median(pairs.map(({ searches, spinning }) => spinning / searches)),
    milliseconds: median(pairs.map(({ searches }) => searches)),
  };
}
