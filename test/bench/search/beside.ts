import { besideSpinning, load, requestBytes } from '../load.ts';
import { median, type Row } from '../row.ts';
import type { Started } from '../runtimes.ts';
import { authorizationOf } from './data-set.ts';
import type { Question } from './questions.ts';
import { SearchStream } from './stream.ts';

const whoami = requestBytes('GET', '/API/whoami', { authorization: authorizationOf('admin') });

/**
 * Time that `whoami` waits while one search comes after the other, against the same load beside a process that spins. So of
 * the service, and of a bare server that gives each search to a thread and has no more to do. In a third row that server
 * does the searches and the service answers: what the machine allows where the service has no part in them.
 */
export async function benchBeside(service: Started, bare: Started, questions: readonly Question[]): Promise<Row[]> {
  const stream = await SearchStream.start();
  try {
    const itsPath: PathOf = ({ path }) => `/API${path}`;
    const barePath: PathOf = ({ name }) => `/${encodeURIComponent(name)}`;
    const beside = (asked: Started, searched: Started, pathOf: PathOf) =>
      besideSearches(stream, asked, searched, requestsOf(questions, pathOf));
    const its = await beside(service, service, itsPath);
    const least = await beside(bare, bare, barePath);
    const elsewhere = await beside(service, bare, barePath);
    const name = 'p99 of whoami beside a process that spins, against beside searches of many items';
    return [
      { name, ratio: its.ratio, floor: 0.83 },
      { name: 'p99 of whoami beside these searches, milliseconds', value: its.milliseconds },
      { name: 'p99 of whoami with nothing beside it, milliseconds', value: median(await times(p99Of(service))) },
      { name: 'these searches, in a second', value: its.searches },
      { name: `${name}: a bare server that gives searches to a thread`, ratio: least.ratio },
      { name: 'p99 of whoami of the bare server beside these searches, milliseconds', value: least.milliseconds },
      { name: 'its searches, in a second', value: least.searches },
      { name: `${name}: searches that another process does`, ratio: elsewhere.ratio },
    ];
  } finally {
    stream.stop();
  }
}

type PathOf = (question: Question) => string;

const requestsOf = (questions: readonly Question[], pathOf: PathOf): readonly Buffer[] =>
  questions.map((question) => {
    const headers = { authorization: authorizationOf(question.user), accept: 'application/json' };
    const body = JSON.stringify(question.document);
    return requestBytes('PUT', pathOf(question), { ...headers, 'content-type': 'application/json' }, body);
  });

interface Beside {
  readonly ratio: number;
  readonly milliseconds: number;
  readonly searches: number;
}

const [rounds, seconds] = [8, 2];

const p99Of =
  ({ port }: Started) =>
  async (): Promise<number> =>
    (await load({ port, connections: 4, seconds, next: () => whoami })).p99;

async function times<T>(measure: () => Promise<T>): Promise<readonly T[]> {
  const measured: T[] = [];
  for (let round = 0; round <= rounds; round++) measured.push(await measure());
  return measured.slice(1);
}

async function besideSearches(
  stream: SearchStream,
  asked: Started,
  searched: Started,
  requests: readonly Buffer[],
): Promise<Beside> {
  const measure = p99Of(asked);
  const pairs = await times(async () => {
    const [searching, searches] = await stream.beside(searched.port, requests, measure);
    return { searching, searches, spinning: await besideSpinning(measure) };
  });
  return {
    ratio: median(pairs.map(({ searching, spinning }) => spinning / searching)),
    milliseconds: median(pairs.map(({ searching }) => searching)),
    searches: median(pairs.map(({ searches }) => searches / seconds)),
  };
}
