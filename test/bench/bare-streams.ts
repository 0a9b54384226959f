/** The least that could ask a libsql-server: the calls that the service makes, again and again in a stream that is kept. */

export interface RecordedCall {
  readonly requests: readonly object[];
}

/** Calls of this process to a server, as they were sent. */
export function recordCalls(url: string): { take(): readonly RecordedCall[]; end(): void } {
  const original = globalThis.fetch;
  let calls: RecordedCall[] = [];
  globalThis.fetch = (input, init) => {
    if (String(input).startsWith(url) && typeof init?.body === 'string') {
      const { requests } = JSON.parse(init.body) as { requests: object[] };
      calls.push({ requests });
    }
    return original(input, init);
  };
  return {
    take: () => calls.splice(0),
    end: () => {
      globalThis.fetch = original;
      calls = [];
    },
  };
}

/** Rounds a second of so many callers. `vary`: the text of a call in another round. */
export async function bareRounds(
  url: string,
  calls: readonly RecordedCall[],
  { callers, seconds, vary }: { callers: number; seconds: number; vary: (text: string, round: string) => string },
): Promise<number> {
  const texts = calls.map(({ requests }) => JSON.stringify(requests));
  const began = performance.now();
  const end = began + seconds * 1000;
  let rounds = 0;
  const run = async (caller: number) => {
    let baton: string | null = null;
    for (let round = 0; performance.now() < end; round++, rounds++) {
      for (const text of texts) {
        const requests = vary(text, `${Math.round(began)}x${caller}x${round}`);
        const body = `{"baton":${JSON.stringify(baton)},"requests":${requests}}`;
        const answer = await fetch(`${url}/v2/pipeline`, { method: 'POST', body });
        if (!answer.ok) throw new Error(`Expected 200: ${answer.status} ${await answer.text()}`);
        const { baton: next, results } = (await answer.json()) as { baton: string; results: object[] };
        const said = JSON.stringify(results);
        if (said.includes('"error":{')) throw new Error(`Expected no error: ${said.slice(0, 300)}`);
        baton = next;
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => run(caller)));
  return rounds / ((performance.now() - began) / 1000);
}
