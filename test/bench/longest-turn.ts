const authorization = `Basic ${btoa('admin:bench')}`;

/** Milliseconds of the longest turn of the loop of a service since the last look. */
export async function maxTurnLength(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization } });
  return 1000 * Number(/^portico_loop_delay_seconds (\S+)/m.exec(await answer.text())?.[1]);
}
